// What answers requests, as an app sees it: three kinds of question, each answered by a filled-in
// record::RequestDone (stamps, tokens, steps, failure). A protocol (protocols/*.cc) turns them
// into HTTP; an Engine is a running endpoint that speaks one. All calls block the calling task's
// thread, obey `cancel` and the request's timeout, and are safe to call from several threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/json.h"
#include "base/result.h"
#include "record/event.h"
#include "scenario/scenario.h"
#include "share/step_hook.h"

namespace cbench::engine {

struct Message {
  std::string role, content;
  std::string tool_call_id;   // role "tool": which call this answers
  Json tool_calls = nullptr;  // role "assistant": the calls it made
};

struct CommonRequest {
  share::Urgency urgency;
  Nanos t_sched = 0;              // 0: now
  Nanos timeout = 120 * kSecond;  // for the whole request
  Nanos stall = 0;                // longest time without a byte; 0: the timeout alone bounds it
};

struct ChatRequest : CommonRequest {
  std::vector<Message> messages;
  int max_tokens = 256;
  bool ignore_eos = false;  // answer has exactly max_tokens
  double temperature = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> stop;
  Json tools = nullptr;  // OpenAI tool definitions; null: none
};
struct ChatAnswer {
  record::RequestDone done;        // .task, .kind and .id are the caller's to fill
  std::string content, reasoning;  // whole text (done.output is the shortened copy)
  Json tool_calls = nullptr;       // array of {id, name, arguments} or null
};

struct ImageRequest : CommonRequest {
  std::string prompt;
  int width = 512, height = 512, steps = 28;
  double guidance = 4.5;
  std::uint64_t seed = 0;
};
struct ImageAnswer {
  record::RequestDone done;
  std::string png;  // bytes of the image
};

struct SpeechRequest : CommonRequest {
  std::string wav;  // bytes of a WAV file, 16 kHz mono s16
  std::string language = "en";
};
struct SpeechAnswer {
  record::RequestDone done;
  std::string text;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual ChatAnswer Chat(const ChatRequest& request, const Cancel& cancel) = 0;
  virtual ImageAnswer Image(const ImageRequest& request, const Cancel& cancel) = 0;
  virtual SpeechAnswer Transcribe(const SpeechRequest& request, const Cancel& cancel) = 0;
  virtual const scenario::EngineSpec& spec() const = 0;
};

// A protocol plug-in: one descriptor a file, listed in registry.cc.
struct Endpoint {
  scenario::EngineSpec spec;
  std::string base_url;  // "http://127.0.0.1:PORT/v1"
};
struct Protocol {
  const char* name;
  const char* summary;
  Result<> (*available)();
  std::unique_ptr<Engine> (*make)(Endpoint endpoint);
};
const std::vector<const Protocol*>& Protocols();
const Protocol* FindProtocol(std::string_view name);

}  // namespace cbench::engine
