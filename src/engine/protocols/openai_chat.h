// Chat completions: the request's body, and the answer as it streams in.
//
// What is a token here (docs/wire.md): a chunk whose delta carries text, be it content, reasoning
// or a piece of a tool call. How many tokens it carried is known only if the server keeps a running
// count in each chunk (usage.completion_tokens, timings.predicted_n); otherwise it counts as one.
#pragma once

#include <string>
#include <string_view>

#include "base/sse.h"
#include "engine/engine.h"

namespace cbench::engine {

// `limit_name` is "max_tokens" or "max_completion_tokens", whichever the server takes.
Json ChatBody(const ChatRequest& request, const std::string& model, const char* limit_name);

// Fills an answer from the bytes of a 200 response. Not thread-safe.
class ChatStream {
 public:
  explicit ChatStream(ChatAnswer& answer) : answer_(answer) {}

  // False: failed, no more is wanted. The failure is in answer.done.
  bool Feed(std::string_view bytes, Nanos t);
  // The response has ended by itself: judges whether the answer is whole.
  void Finish();
  // In any case, last: moves what was gathered into the answer.
  void Close();

 private:
  enum class Form { kUnknown, kEvents, kBody };

  void Sniff(std::string_view bytes);
  void TakeEvent(const SseEvent& event);
  void TakeChunk(const Json& chunk);
  void TakeChoice(const Json& choice, std::optional<int> running);
  bool TakeToolCalls(const Json& calls);
  bool TakeToolCall(const Json& call);
  void TakeUsage(const Json& usage);
  void CountTokens(std::optional<int> running, bool reasoning);
  void JudgeBody();
  void Fail(const char* kind, std::string message);

  struct ToolCall {
    std::string id, name, arguments;
  };

  ChatAnswer& answer_;
  Form form_ = Form::kUnknown;
  SseParser events_;
  std::string body_;    // of a response that is no stream
  Nanos now_ = 0;       // arrival of the bytes being fed
  bool ended_ = false;  // [DONE], finish reason or final usage seen
  bool done_ = false;   // [DONE] seen
  std::vector<ToolCall> tool_calls_;
};

}  // namespace cbench::engine
