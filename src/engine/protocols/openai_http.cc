#include "engine/protocols/openai_http.h"

#include <algorithm>

namespace cbench::engine {
namespace {

constexpr std::size_t kMaxErrorBody = 64u << 10;

void AddUrgency(const share::Urgency& urgency, std::vector<std::string>& headers) {
  const auto add = [&headers](const char* name, const std::string& value) {
    headers.push_back(fmt::format("{}: {}", name, value));
  };
  if (!urgency.app.empty()) add(share::kAppHeader, urgency.app);
  if (!urgency.priority_class.empty()) add(share::kClassHeader, urgency.priority_class);
  if (urgency.deadline != 0) add(share::kDeadlineHeader, std::to_string(urgency.deadline));
  if (urgency.per_step != 0) add(share::kPerStepHeader, std::to_string(urgency.per_step));
  if (urgency.weight != 1) add(share::kWeightHeader, fmt::format("{}", urgency.weight));
  if (urgency.next_request != 0) add(share::kNextHeader, std::to_string(urgency.next_request));
}

HttpRequest MakeRequest(Post& post, const CommonRequest& request) {
  HttpRequest http;
  http.url = std::move(post.url);
  http.method = "POST";
  http.headers = {"Content-Type: " + post.content_type};
  AddUrgency(request.urgency, http.headers);
  http.body = std::move(post.body);
  http.timeout = request.timeout;
  http.stall = request.stall;
  http.max_response = post.max_response;
  return http;
}

const char* FailureKind(HttpEnd end) {
  switch (end) {
    case HttpEnd::kConnect:
    case HttpEnd::kLost:
      return "connect";
    case HttpEnd::kTimeout:
    case HttpEnd::kStall:
      return "timeout";
    case HttpEnd::kCancelled:
      return "cancelled";
    default:
      return "protocol";
  }
}

std::string StatusMessage(const PostEnd& end) {
  const auto json = ParseJson(end.error_body, "body");
  const auto message = json ? ErrorMessage(*json) : std::nullopt;
  return fmt::format("HTTP {}: {}", end.outcome.status, Shorten(message.value_or(end.error_body)));
}

std::optional<record::Failure> FailureOf(const PostEnd& end) {
  const HttpOutcome& outcome = end.outcome;
  if (outcome.end == HttpEnd::kStopped) return std::nullopt;
  if (outcome.end != HttpEnd::kComplete) {
    return record::Failure{FailureKind(outcome.end), outcome.message};
  }
  if (outcome.status != 200) return record::Failure{"http", StatusMessage(end)};
  return std::nullopt;
}

}  // namespace

PostEnd Send(Post post, const CommonRequest& request, const Cancel& cancel,
             record::RequestDone& done) {
  PostEnd end;
  done.t_sched = request.t_sched != 0 ? request.t_sched : Now();
  const auto on_body = std::move(post.on_body);
  const auto on_data = [&](const HttpChunk& chunk) {
    if (chunk.status == 200) return on_body(chunk.bytes, chunk.t);
    const std::size_t room = kMaxErrorBody - std::min(kMaxErrorBody, end.error_body.size());
    end.error_body += chunk.bytes.substr(0, room);
    return true;
  };
  auto outcome = SharedHttpClient().Perform(MakeRequest(post, request), on_data, cancel);
  if (!outcome) {
    done.t_end = Now();
    done.failure = record::Failure{"connect", outcome.error().message};
    return end;
  }
  end.outcome = *std::move(outcome);
  done.t_send = end.outcome.t_send;
  done.t_end = end.outcome.t_end;
  done.retried = end.outcome.retried;
  if (!done.failure) done.failure = FailureOf(end);
  return end;
}

std::string Shorten(std::string_view text) {
  if (text.size() <= record::kMaxOutput) return std::string(text);
  std::size_t end = record::kMaxOutput;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end));
}

std::optional<std::string> ErrorMessage(const Json& json) {
  const Json* error = FindMember(json, "error");
  if (!error && StringAt(json, "object") == "error") error = &json;
  if (!error) return std::nullopt;
  if (error->is_string()) return std::string(StringAt(json, "error"));
  const std::string_view message = StringAt(*error, "message");
  return message.empty() ? DumpJson(*error) : std::string(message);
}

}  // namespace cbench::engine
