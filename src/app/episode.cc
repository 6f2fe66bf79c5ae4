#include "app/episode.h"

#include <algorithm>
#include <utility>

#include "app/request.h"

namespace cbench::app {
namespace {

constexpr int kReportTokens = 256;
constexpr int kHits = 4;
constexpr int kBytesPerToken = 4;
constexpr std::size_t kMaxHitText = 300;  // a word may be of any length

// At most `limit` bytes, not splitting a UTF-8 sequence.
std::string Shorten(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  text.resize(limit);
  return text;
}

}  // namespace

Episode::Episode(const Context& context, const Corpus& corpus, const std::string& session,
                 const std::string& instructions, const std::string& question)
    : context_(context), corpus_(corpus), transcript_(context.engine->spec().context, 2) {
  done_.t_sched = Now();
  done_.usage_tokens = 0;
  deadline_ = done_.t_sched + context.app.timeout;
  transcript_.Say("system", session + "\n" + instructions);
  transcript_.Say("user", question);
}

std::optional<engine::ChatAnswer> Episode::Call(int max_tokens, const Json& tools,
                                                int tool_tokens) {
  const engine::ChatRequest request = MakeRequest(max_tokens, tools, tool_tokens);
  if (context_.cancel.IsTriggered()) {
    Fail({"cancelled", "the run ended during the episode"});
    return std::nullopt;
  }
  if (request.timeout <= 0) {
    Fail({"timeout", "the episode's time limit passed between two model calls"});
    return std::nullopt;
  }
  engine::ChatAnswer answer = context_.engine->Chat(request, context_.cancel);
  Account(answer.done);
  if (failed()) return std::nullopt;
  last_answer_ = answer.content;
  return answer;
}

bool Episode::Ask(const std::string& instruction, int max_tokens, Transcript::Kind kind) {
  transcript_.Say("user", instruction, kind);
  auto answer = Call(max_tokens);
  if (!answer) return false;
  transcript_.Say("assistant", std::move(answer->content));
  return true;
}

engine::ChatRequest Episode::MakeRequest(int max_tokens, const Json& tools, int tool_tokens) {
  engine::ChatRequest request;
  request.t_sched = Now();
  request.urgency =
      MakeUrgency(context_.app, done_.t_sched, Target(context_.app, scenario::SloMetric::kE2e),
                  Target(context_.app, scenario::SloMetric::kTpot));
  request.timeout = deadline_ - request.t_sched;
  request.max_tokens = std::min(max_tokens, report_tokens());
  request.messages = transcript_.Fitted(request.max_tokens, tool_tokens);
  // A pinned length would keep a model from ending its tool call.
  request.ignore_eos = context_.app.ignore_eos && tools.is_null();
  request.seed = context_.seed;
  request.tools = tools;
  return request;
}

void Episode::Account(const record::RequestDone& call) {
  const bool first = done_.llm_calls++ == 0;
  if (first) {
    done_.t_send = call.t_send;
    done_.t_first = call.t_first;
    done_.t_first_content = call.t_first_content;
  }
  if (call.t_last > 0) done_.t_last = call.t_last;
  if (call.t_send > 0 && call.t_end > call.t_send) done_.llm_time += call.t_end - call.t_send;
  done_.prompt_tokens += call.prompt_tokens;
  done_.cached_tokens += call.cached_tokens;
  done_.stream_tokens += call.stream_tokens;
  done_.pinned_tokens += call.pinned_tokens;
  // A sum with a part missing is missing.
  if (done_.usage_tokens && call.usage_tokens) {
    *done_.usage_tokens += *call.usage_tokens;
  } else {
    done_.usage_tokens.reset();
  }
  done_.retried = done_.retried || call.retried;
  if (call.prompt_tokens > 0) transcript_.Learn(call.prompt_tokens);
  if (call.failure) done_.failure = call.failure;
}

Result<std::vector<Hit>> Episode::Search(const std::string& query) {
  const Nanos begin = Now();
  auto hits = corpus_.Search(query, kHits);
  done_.tool_time += Now() - begin;
  return hits;
}

Result<std::string> Episode::Read(const std::string& id) {
  const Nanos begin = Now();
  auto text = corpus_.Read(id);
  done_.tool_time += Now() - begin;
  if (!text) return text;
  read_.insert(id);
  const int limit = context_.engine->spec().context / 5 * kBytesPerToken;
  return Shorten(*std::move(text), static_cast<std::size_t>(std::max(0, limit)));
}

int Episode::report_tokens() const {
  return context_.app.max_tokens > 0 ? context_.app.max_tokens : kReportTokens;
}

record::RequestDone Episode::Finish(const std::string& report, std::string finish_reason) {
  done_.t_end = Now();
  if (done_.llm_calls == 0) done_.usage_tokens.reset();
  done_.finish_reason = failed() ? "" : std::move(finish_reason);
  done_.output = Shorten(report, record::kMaxOutput);
  return std::move(done_);
}

std::string FormatHits(const std::vector<Hit>& hits) {
  if (hits.empty()) return "No article matches.";
  std::string text;
  for (const Hit& hit : hits) {
    text += fmt::format("{}: {}\n  {}\n", hit.id, Shorten(hit.title, kMaxHitText),
                        Shorten(hit.snippet, kMaxHitText));
  }
  return text;
}

}  // namespace cbench::app
