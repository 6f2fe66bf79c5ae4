#include "engine/protocols/openai_chat.h"

#include <algorithm>

#include "engine/protocols/openai_http.h"

namespace cbench::engine {
namespace {

constexpr std::size_t kMaxBody = 1u << 20;
constexpr std::size_t kMaxToolCalls = 128;
constexpr int kMaxRunning = 1 << 24;  // tokens; a larger count is a lie

Json MessageBody(const Message& message) {
  Json body = {{"role", message.role}, {"content", message.content}};
  if (!message.tool_call_id.empty()) body["tool_call_id"] = message.tool_call_id;
  if (!message.tool_calls.is_array()) return body;
  Json calls = Json::array();
  for (const Json& call : message.tool_calls) {
    calls.push_back(
        {{"id", StringAt(call, "id")},
         {"type", "function"},
         {"function",
          {{"name", StringAt(call, "name")}, {"arguments", StringAt(call, "arguments")}}}});
  }
  body["tool_calls"] = std::move(calls);
  return body;
}

}  // namespace

Json ChatBody(const ChatRequest& request, const std::string& model, const char* limit_name) {
  Json messages = Json::array();
  for (const Message& message : request.messages) messages.push_back(MessageBody(message));
  Json body = {{"model", model},
               {"messages", std::move(messages)},
               {"stream", true},
               {"stream_options", {{"include_usage", true}}},
               {"temperature", request.temperature},
               {"seed", request.seed},
               {limit_name, request.max_tokens}};
  if (request.ignore_eos) {
    body["ignore_eos"] = true;
    body["min_tokens"] = request.max_tokens;
  }
  if (!request.stop.empty()) body["stop"] = request.stop;
  if (!request.tools.is_null()) body["tools"] = request.tools;
  return body;
}

bool ChatStream::Feed(std::string_view bytes, Nanos t) {
  now_ = t;
  if (form_ == Form::kUnknown) Sniff(bytes);
  if (form_ == Form::kBody) {
    body_ += bytes.substr(0, kMaxBody - std::min(kMaxBody, body_.size()));
  } else {
    const auto fed = events_.Feed(bytes, [this](const SseEvent& event) { TakeEvent(event); });
    if (!fed) Fail("protocol", fed.error().message);
  }
  return !answer_.done.failure;
}

// A stream begins with a field or a comment, an error body with a brace.
void ChatStream::Sniff(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  form_ = bytes[first] == '{' || bytes[first] == '<' ? Form::kBody : Form::kEvents;
}

void ChatStream::Finish() {
  if (form_ == Form::kBody) return JudgeBody();
  const auto rest = events_.Finish([this](const SseEvent& event) { TakeEvent(event); });
  if (!rest) return Fail("protocol", rest.error().message);
  if (!ended_) {
    return Fail("protocol", "the stream ended without finish_reason, usage or [DONE]");
  }
  if (answer_.done.stream_tokens == 0) Fail("protocol", "the answer has no output token");
}

void ChatStream::JudgeBody() {
  const auto json = ParseJson(body_, "body");
  if (!json) return Fail("protocol", "the answer is neither a stream nor JSON: " + Shorten(body_));
  if (const auto message = ErrorMessage(*json)) return Fail("in-band", *message);
  Fail("protocol", "the answer is not a stream although \"stream\": true was asked for");
}

void ChatStream::Close() {
  for (ToolCall& call : tool_calls_) {
    if (call.name.empty()) continue;  // an index the server skipped
    if (!answer_.tool_calls.is_array()) answer_.tool_calls = Json::array();
    answer_.tool_calls.push_back({{"id", std::move(call.id)},
                                  {"name", std::move(call.name)},
                                  {"arguments", std::move(call.arguments)}});
  }
  tool_calls_.clear();
  answer_.done.output = Shorten(answer_.content.empty() ? answer_.reasoning : answer_.content);
}

void ChatStream::TakeEvent(const SseEvent& event) {
  if (done_) return;
  if (event.data == "[DONE]") {
    done_ = ended_ = true;
    return;
  }
  const auto chunk = ParseJson(event.data, "event");
  if (!chunk) return Fail("protocol", "an event is not JSON: " + Shorten(event.data));
  if (auto message = ErrorMessage(*chunk)) return Fail("in-band", std::move(*message));
  if (event.type == "error") return Fail("in-band", std::string(StringAt(*chunk, "message")));
  TakeChunk(*chunk);
}

void ChatStream::TakeChunk(const Json& chunk) {
  std::optional<int> running;
  if (const Json* usage = FindMember(chunk, "usage")) {
    TakeUsage(*usage);
    running = CountAt(*usage, "completion_tokens");
  }
  if (const Json* timings = FindMember(chunk, "timings"); timings && !running) {
    running = CountAt(*timings, "predicted_n");
  }
  const Json* choices = FindMember(chunk, "choices");
  if (!choices || !choices->is_array()) return;
  for (const Json& choice : *choices) {
    if (CountAt(choice, "index").value_or(0) == 0) TakeChoice(choice, running);
  }
  if (choices->empty() && running) ended_ = true;  // the trailing usage chunk
}

void ChatStream::TakeChoice(const Json& choice, std::optional<int> running) {
  if (const Json* delta = FindMember(choice, "delta")) {
    const std::string_view content = StringAt(*delta, "content");
    const std::string_view reasoning = StringAt(*delta, "reasoning_content");
    answer_.content += content;
    answer_.reasoning += reasoning;
    const Json* calls = FindMember(*delta, "tool_calls");
    const bool called = calls && TakeToolCalls(*calls);
    if (!content.empty() || called) {
      CountTokens(running, false);
    } else if (!reasoning.empty()) {
      CountTokens(running, true);
    }
  }
  if (const std::string_view reason = StringAt(choice, "finish_reason"); !reason.empty()) {
    answer_.done.finish_reason = reason;
    ended_ = true;
  }
}

// True if some piece of a call came with this chunk.
bool ChatStream::TakeToolCalls(const Json& calls) {
  if (!calls.is_array()) return false;
  bool some = false;
  for (const Json& call : calls) some |= TakeToolCall(call);
  return some;
}

bool ChatStream::TakeToolCall(const Json& call) {
  const auto index = static_cast<std::size_t>(CountAt(call, "index").value_or(0));
  if (index >= kMaxToolCalls) return false;
  if (tool_calls_.size() <= index) tool_calls_.resize(index + 1);
  ToolCall& mine = tool_calls_[index];
  if (const auto id = StringAt(call, "id"); !id.empty()) mine.id = id;
  const Json* function = FindMember(call, "function");
  if (!function) return false;
  const std::string_view name = StringAt(*function, "name");
  const std::string_view arguments = StringAt(*function, "arguments");
  if (mine.name.empty()) mine.name = name;
  mine.arguments += arguments;
  return !name.empty() || !arguments.empty();
}

void ChatStream::TakeUsage(const Json& usage) {
  record::RequestDone& done = answer_.done;
  if (const auto n = CountAt(usage, "completion_tokens")) done.usage_tokens = n;
  if (const auto n = CountAt(usage, "prompt_tokens")) done.prompt_tokens = *n;
  if (const Json* details = FindMember(usage, "prompt_tokens_details")) {
    if (const auto n = CountAt(*details, "cached_tokens")) done.cached_tokens = *n;
  }
}

void ChatStream::CountTokens(std::optional<int> running, bool reasoning) {
  record::RequestDone& done = answer_.done;
  const int total = std::min(running.value_or(0), kMaxRunning);
  const int tokens = std::max(1, total - done.stream_tokens);
  if (done.t_first == 0) done.t_first = done.t_last = now_;
  if (!reasoning && done.t_first_content == 0) done.t_first_content = now_;
  done.deltas.push_back(now_ - done.t_last);
  done.counts.push_back(tokens);
  done.stream_tokens += tokens;
  done.t_last = now_;
}

void ChatStream::Fail(const char* kind, std::string message) {
  if (!answer_.done.failure) answer_.done.failure = record::Failure{kind, std::move(message)};
}

}  // namespace cbench::engine
