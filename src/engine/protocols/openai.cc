// The OpenAI protocol, as llama-server, vLLM, Ollama, whisper servers and our embedded engines
// speak it: POST /chat/completions, /images/generations, /audio/transcriptions below the base URL.
//
// Threads: a call runs on its caller's thread, but bytes are parsed on the HTTP client's, which is
// done with the answer before Send returns. completion_limit_ is the only shared state, an atomic.
#include <algorithm>
#include <atomic>

#include "engine/protocols/openai_chat.h"
#include "engine/protocols/openai_http.h"
#include "engine/protocols/openai_image.h"
#include "engine/protocols/openai_speech.h"
#include "engine/registry.h"

namespace cbench::engine {
namespace {

// No honest chunk needs more for one token; what is far over it is a stream that does not end.
constexpr std::size_t kBytesPerToken = 4096;
constexpr std::size_t kBaseBytes = 4u << 20;

class OpenAi : public Engine {
 public:
  explicit OpenAi(Endpoint endpoint) : endpoint_(std::move(endpoint)) {
    if (endpoint_.base_url.ends_with('/')) endpoint_.base_url.pop_back();
  }

  const scenario::EngineSpec& spec() const override { return endpoint_.spec; }

  ChatAnswer Chat(const ChatRequest& request, const Cancel& cancel) override {
    bool refused = false;
    ChatAnswer answer = ChatOnce(request, cancel, completion_limit_, refused);
    if (!refused) return answer;
    completion_limit_ = true;
    return ChatOnce(request, cancel, true, refused);
  }

  ImageAnswer Image(const ImageRequest& request, const Cancel& cancel) override {
    ImageAnswer answer;
    ImageStream stream(answer);
    Post post = MakePost("/images/generations");
    post.body = DumpJson(ImageBody(request, Model()));
    post.max_response = kMaxImageAnswer;
    post.on_body = [&stream](std::string_view bytes, Nanos t) { return stream.Feed(bytes, t); };
    Send(std::move(post), request, cancel, answer.done);
    if (!answer.done.failure) stream.Finish();
    return answer;
  }

  SpeechAnswer Transcribe(const SpeechRequest& request, const Cancel& cancel) override {
    SpeechAnswer answer;
    std::string body;
    Multipart form = SpeechForm(request, Model());
    Post post = MakePost("/audio/transcriptions");
    post.content_type = std::move(form.content_type);
    post.body = std::move(form.body);
    post.max_response = kBaseBytes;
    post.on_body = [&body](std::string_view bytes, Nanos) {
      body += bytes;
      return true;
    };
    Send(std::move(post), request, cancel, answer.done);
    if (!answer.done.failure) TakeTranscript(body, answer);
    return answer;
  }

 private:
  // `refused`: the server wants the token limit under its other name.
  ChatAnswer ChatOnce(const ChatRequest& request, const Cancel& cancel, bool completion_limit,
                      bool& refused) {
    ChatAnswer answer;
    if (request.ignore_eos) answer.done.pinned_tokens = request.max_tokens;
    ChatStream stream(answer);
    Post post = MakePost("/chat/completions");
    const char* limit_name = completion_limit ? "max_completion_tokens" : "max_tokens";
    Json body = ChatBody(request, Model(), limit_name);
    // Ours says in each chunk how many tokens it carried; a foreign server may refuse the question.
    if (spec().IsEmbedded()) body["stream_options"]["continuous_usage_stats"] = true;
    post.body = DumpJson(body);
    post.max_response =
        kBaseBytes + kBytesPerToken * static_cast<std::size_t>(std::max(0, request.max_tokens));
    post.on_body = [&stream](std::string_view bytes, Nanos t) { return stream.Feed(bytes, t); };
    const PostEnd end = Send(std::move(post), request, cancel, answer.done);
    refused = end.outcome.status == 400 && !completion_limit &&
              end.error_body.find("max_completion_tokens") != std::string::npos;
    if (!answer.done.failure) stream.Finish();
    stream.Close();
    return answer;
  }

  Post MakePost(const char* path) const {
    Post post;
    post.url = endpoint_.base_url + path;
    return post;
  }

  std::string Model() const { return endpoint_.spec.model; }

  Endpoint endpoint_;
  std::atomic<bool> completion_limit_ = false;  // max_tokens was refused once
};

Result<> Available() { return {}; }

std::unique_ptr<Engine> Make(Endpoint endpoint) {
  return std::make_unique<OpenAi>(std::move(endpoint));
}

}  // namespace

const Protocol kOpenAiProtocol = {
    "openai", "OpenAI HTTP API: streamed chat, images with step events, transcriptions", &Available,
    &Make};

}  // namespace cbench::engine
