// The model's own way through an episode. It is given four tools (search, read, note, finish) and
// decides; we execute and answer. A model may call what doesn't exist, send arguments that are no
// JSON, call nothing, or never finish. So: every wrong call is answered by a message that says what
// would be right; an answer without a call is answered by a reminder, twice; and after kMaxCalls,
// or the third answer without a call, it is asked once, without tools, to write its report. An
// episode is thus at most kMaxCalls + 1 calls and ends either by finish(report) (finish_reason
// "finish") or by the forced report ("forced").
#include <optional>
#include <utility>

#include "app/episode.h"

namespace cbench::app {

const char kAgentInstructions[] =
    "You are a careful research assistant with a library of short articles. Use the tools: search "
    "finds articles, read shows one, note keeps a fact. When the notes answer the question, call "
    "finish with a report that rests on them only. Call a tool in every answer.";

namespace {

constexpr int kMaxCalls = 12;
constexpr int kMaxToolsPerCall = 4;
constexpr int kReminders = 2;
constexpr int kCallTokens = 512;  // thinking, a note or a report, and the call's own JSON
constexpr int kToolTokens = 400;  // the four definitions below, in common templates
constexpr char kReminder[] =
    "Call one of the tools search, read, note or finish. If you know enough, call finish with the "
    "report.";
constexpr char kWrite[] = "Write the report now, from what you have found.";

Json Tool(const char* name, const char* summary, const char* argument, const char* meaning) {
  Json parameters = {{"type", "object"},
                     {"properties", {{argument, {{"type", "string"}, {"description", meaning}}}}},
                     {"required", Json::array({argument})}};
  return {{"type", "function"},
          {"function",
           {{"name", name}, {"description", summary}, {"parameters", std::move(parameters)}}}};
}

Json ToolDefinitions() {
  return Json::array(
      {Tool("search", "Finds articles in the library.", "query", "A few words to search for."),
       Tool("read", "Shows an article.", "id", "The article's name as search gave it."),
       Tool("note", "Keeps a fact for the report.", "text", "The fact, in a sentence or two."),
       Tool("finish", "Ends the research.", "report", "The whole report.")});
}

// The one text argument of a call, which engines send as an object or as JSON in a string.
std::optional<std::string> Argument(const Json& call, const char* key) {
  Json arguments = call.value("arguments", Json());
  if (arguments.is_string()) {
    auto parsed = ParseJson(arguments.get_ref<const std::string&>(), "arguments");
    if (!parsed) return std::nullopt;
    arguments = *std::move(parsed);
  }
  if (!arguments.is_object()) return std::nullopt;
  const auto found = arguments.find(key);
  if (found == arguments.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::string TextOf(const Json& call, const char* key) {
  const auto found = call.is_object() ? call.find(key) : call.end();
  return call.is_object() && found != call.end() && found->is_string() ? found->get<std::string>()
                                                                       : std::string();
}

// The calls as the conversation may hold them: servers refuse a history whose arguments don't
// parse, which would turn one wrong call into a failed episode.
Json WellFormed(Json calls) {
  for (Json& call : calls) {
    if (!call.is_object()) call = Json::object();
    const std::string arguments = TextOf(call, "arguments");
    const auto parsed = ParseJson(arguments, "arguments");
    const bool object = call.contains("arguments") && call["arguments"].is_object();
    call["arguments"] = object                          ? DumpJson(call["arguments"])
                        : parsed && parsed->is_object() ? arguments
                                                        : "{}";
  }
  return calls;
}

class Agent {
 public:
  explicit Agent(Episode& episode) : episode_(episode) {}

  record::RequestDone Run() {
    const Json tools = ToolDefinitions();
    int idle = 0;
    for (int i = 0; i < kMaxCalls && idle <= kReminders && !report_; ++i) {
      auto answer = episode_.Call(kCallTokens, tools, kToolTokens);
      if (!answer) return episode_.Finish("", "");
      idle = Act(*std::move(answer)) ? 0 : idle + 1;
    }
    if (report_) return episode_.Finish(*report_, "finish");
    episode_.Ask(kWrite, episode_.report_tokens());
    return episode_.Finish(episode_.last_answer(), "forced");
  }

 private:
  // Executes the answer's calls; false if it had none.
  bool Act(engine::ChatAnswer answer) {
    const Json calls = answer.tool_calls;
    const bool any = calls.is_array() && !calls.empty();
    engine::Message said;
    said.role = "assistant";
    said.content = std::move(answer.content);
    if (any) said.tool_calls = WellFormed(calls);
    episode_.transcript().Add(std::move(said));
    if (!any) {
      episode_.transcript().Say("user", kReminder);
      return false;
    }
    int n = 0;
    for (const Json& call : calls) {
      engine::Message result;
      result.role = "tool";
      result.content = n++ < kMaxToolsPerCall ? Execute(call) : "Error: too many calls at once.";
      result.tool_call_id = TextOf(call, "id");
      episode_.transcript().Add(std::move(result), Transcript::Kind::kMaterial);
    }
    return true;
  }

  std::string Execute(const Json& call) {
    const std::string name = TextOf(call, "name");
    if (name == "search") return With(call, "query", &Agent::Search);
    if (name == "read") return With(call, "id", &Agent::Read);
    if (name == "note") return With(call, "text", &Agent::Note);
    if (name == "finish") return With(call, "report", &Agent::Finish);
    return fmt::format("Error: there is no tool \"{}\"; use search, read, note or finish.", name);
  }

  std::string With(const Json& call, const char* key,
                   std::string (Agent::*tool)(const std::string&)) {
    const auto argument = Argument(call, key);
    if (argument && !argument->empty()) return (this->*tool)(*argument);
    return fmt::format("Error: the arguments must be JSON like {{\"{}\": \"…\"}}.", key);
  }

  std::string Search(const std::string& query) {
    const auto hits = episode_.Search(query);
    return hits ? FormatHits(*hits) : "Error: " + hits.error().message;
  }
  std::string Read(const std::string& id) {
    auto text = episode_.Read(id);
    return text ? *std::move(text) : "Error: " + text.error().message + "; search names them.";
  }
  // The note itself stays in the conversation, as the call's argument.
  std::string Note(const std::string&) { return "Noted."; }
  std::string Finish(const std::string& report) {
    report_ = report;
    return "Done.";
  }

  Episode& episode_;
  std::optional<std::string> report_;
};

}  // namespace

record::RequestDone RunAgent(Episode& episode) { return Agent(episode).Run(); }

}  // namespace cbench::app
