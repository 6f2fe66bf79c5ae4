// The text engine behind HTTP: OpenAI's chat and text completions. An answer is streamed one event
// a token, each written as soon as it is sampled. Each request is handled on one thread of the
// server's pool, which waits for the decode thread and, four times a second, looks whether its
// client is still there.
#include <httplib.h>

#include <random>

#include "embedded/http_reply.h"
#include "embedded/http_urgency.h"
#include "embedded/loopback_server.h"
#include "embedded/server.h"
#include "embedded/text_engine.h"
#include "embedded/text_reply.h"
#include "embedded/text_request.h"

namespace cbench::embedded {
namespace {

constexpr Nanos kLookInterval = 250 * kMillisecond;
constexpr char kGone[] = "the client has gone";

// Waits for the next output; a client that has gone ends the request.
Output WaitForOutput(Generation& generation) {
  while (true) {
    if (auto output = generation.Next(kLookInterval)) return *output;
    if (!LoopbackServer::PeerGone()) continue;
    generation.Cancel();
    Output gone;
    gone.error = kGone;
    return gone;
  }
}

// Writes one request's stream, one event for each piece of text. Where the model may call tools,
// text that may be such a call is held back until the end shows whether it is one.
class StreamWriter {
 public:
  StreamWriter(TextReply reply, bool chat, bool watch_calls, const TextRequest& request)
      : reply_(std::move(reply)),
        chat_(chat),
        watch_calls_(watch_calls),
        include_usage_(request.include_usage),
        continuous_usage_(request.continuous_usage) {}

  bool Begin(httplib::DataSink& sink) {
    if (begun_ || !chat_) return true;
    begun_ = true;
    return Send(sink, reply_.RoleChunk());
  }

  bool Write(httplib::DataSink& sink, const Output& output) {
    if (!output.error.empty()) return Send(sink, ErrorBody(500, output.error));
    held_ += output.text;
    if (!output.last() && watch_calls_ && MayBeCall()) return true;
    if (output.last() && watch_calls_) {
      const Json calls = ToolCalls(held_, reply_.id());
      if (!calls.is_null())
        return Send(sink, reply_.ToolChunk(calls)) && Finish(sink, output, "tool_calls");
    }
    if (!held_.empty() && !SendText(sink, output)) return false;
    return !output.last() || Finish(sink, output, output.finish);
  }

 private:
  bool MayBeCall() const {
    const auto first = held_.find_first_not_of(" \t\r\n");
    return first == std::string::npos || held_[first] == '{' || held_[first] == '<';
  }

  bool SendText(httplib::DataSink& sink, const Output& output) {
    Json chunk = reply_.TextChunk(held_);
    if (continuous_usage_) chunk["usage"] = UsageJson(output.usage);
    held_.clear();
    return Send(sink, chunk);
  }

  bool Finish(httplib::DataSink& sink, const Output& output, const std::string& reason) {
    std::string events = Event(reply_.FinishChunk(reason));
    if (include_usage_) events += Event(reply_.UsageChunk(output.usage));
    events += "data: [DONE]\n\n";
    return sink.write(events.data(), events.size());
  }

  static bool Send(httplib::DataSink& sink, const Json& body) {
    const std::string event = Event(body);
    return sink.write(event.data(), event.size());
  }

  TextReply reply_;
  bool chat_, watch_calls_, include_usage_, continuous_usage_;
  bool begun_ = false;
  std::string held_;
};

class TextService final : public Service {
 public:
  TextService(const ServeOptions& options, std::unique_ptr<TextModel> model,
              std::unique_ptr<TextEngine> engine)
      : options_(options), model_(std::move(model)), engine_(std::move(engine)) {}

  void AddRoutes(httplib::Server& server) override {
    server.Post("/v1/chat/completions",
                [this](const auto& request, auto& response) { Answer(request, response, true); });
    server.Post("/v1/completions",
                [this](const auto& request, auto& response) { Answer(request, response, false); });
  }

  Json Facts() const override {
    Json facts = {{"model", options_.model}, {"modality", "text"}};
    facts.update(model_->Facts());
    facts.update({{"device", engine_->device()},
                  {"threads", engine_->threads()},
                  {"wait", options_.spin ? "spin" : "passive"},
                  {"context", engine_->context()},
                  {"parallel", options_.parallel},
                  {"prefill_chunk", options_.prefill_chunk},
                  {"kv_offload", options_.kv_offload}});
    return facts;
  }

  void Shutdown() override { engine_->Stop(); }

 private:
  void Answer(const httplib::Request& http, httplib::Response& response, bool chat) {
    auto request = Parse(http.body, chat);
    if (!request) return ReplyError(response, 400, request.error().message);
    auto wanted = Prepare(*request, chat);
    if (!wanted) return ReplyError(response, 400, wanted.error().message);
    wanted->urgency = ReadUrgency(http);
    auto generation = std::make_shared<Generation>(std::move(*wanted));
    if (!engine_->Submit(generation)) {
      return ReplyError(response, 503, "too many requests are waiting, or the server is stopping");
    }
    const bool watch_calls = request->has_tools && !model_->synthetic();
    if (request->stream) {
      Stream(generation, {TextReply(chat, options_.model), chat, watch_calls, *request}, response);
    } else {
      Collect(*generation, TextReply(chat, options_.model), watch_calls, response);
    }
  }

  static Result<TextRequest> Parse(const std::string& text, bool chat) {
    CBENCH_ASSIGN(const Json body, ParseBody(text));
    return chat ? ParseChat(body) : ParseCompletion(body);
  }

  Result<GenerationRequest> Prepare(const TextRequest& request, bool chat) const {
    CBENCH_ASSIGN(auto prompt, Tokens(request, chat));
    const int room = engine_->context() - static_cast<int>(prompt.size());
    const int asked = request.max_tokens.value_or(room);
    if (request.ignore_eos && asked > room) {
      return InputError(
          "max_tokens: {} tokens after a prompt of {} do not fit in the context of {}; ask for "
          "fewer or serve with a larger --context",
          asked, prompt.size(), engine_->context());
    }
    GenerationRequest out;
    out.prompt = std::move(prompt);
    out.max_tokens = std::min(asked, room);
    out.min_tokens = request.min_tokens;
    out.ignore_eos = request.ignore_eos;
    out.cache_prompt = request.cache_prompt;
    out.temperature = request.temperature;
    out.top_p = request.top_p;
    out.top_k = request.top_k;
    out.seed = request.seed.value_or(std::random_device()());
    out.stop = request.stop;
    return out;
  }

  // Fewer than the context holds, so that at least one token can be answered.
  Result<std::vector<llama_token>> Tokens(const TextRequest& request, bool chat) const {
    const auto limit = static_cast<std::size_t>(engine_->context());
    std::vector<llama_token> tokens = request.prompt_tokens;
    if (tokens.empty()) {
      const std::string text = chat ? model_->ApplyTemplate(request.messages) : request.prompt;
      if (text.size() > limit * model_->longest_piece()) {
        return InputError("prompt: {} bytes cannot fit in the context of {} tokens", text.size(),
                          limit);
      }
      tokens = model_->Tokenize(text);
    }
    if (tokens.empty()) return InputError("prompt: empty");
    for (const llama_token token : tokens) {
      if (token >= model_->vocabulary()) return InputError("prompt: there is no token {}", token);
    }
    if (tokens.size() >= limit) {
      return InputError(
          "prompt: {} tokens do not fit in the context of {}; shorten it or serve with a larger "
          "--context",
          tokens.size(), limit);
    }
    return tokens;
  }

  static void Stream(const std::shared_ptr<Generation>& generation, StreamWriter made,
                     httplib::Response& response) {
    auto writer = std::make_shared<StreamWriter>(std::move(made));
    response.set_header("Cache-Control", "no-cache");
    response.set_chunked_content_provider(
        "text/event-stream",
        [generation, writer](std::size_t, httplib::DataSink& sink) {
          if (!writer->Begin(sink)) return false;
          const Output output = WaitForOutput(*generation);
          if (output.error == kGone || !writer->Write(sink, output)) return false;
          if (output.last()) sink.done();
          return true;
        },
        [generation](bool success) {
          if (!success) generation->Cancel();
        });
  }

  static void Collect(Generation& generation, const TextReply& reply, bool watch_calls,
                      httplib::Response& response) {
    std::string text;
    while (true) {
      const Output output = WaitForOutput(generation);
      text += output.text;
      if (!output.error.empty()) return ReplyError(response, 500, output.error);
      if (!output.last()) continue;
      const Json calls = watch_calls ? ToolCalls(text, reply.id()) : Json();
      return ReplyJson(response, reply.Whole(text, calls, output.finish, output.usage));
    }
  }

  ServeOptions options_;
  std::unique_ptr<TextModel> model_;
  std::unique_ptr<TextEngine> engine_;  // destroyed before the model it uses
};

}  // namespace

Result<std::unique_ptr<Service>> MakeTextService(const ServeOptions& options,
                                                 share::StepHook& hook) {
  CBENCH_ASSIGN(auto model, TextModel::Load(options));
  CBENCH_ASSIGN(auto engine, TextEngine::Make(options, *model, hook));
  return std::make_unique<TextService>(options, std::move(model), std::move(engine));
}

}  // namespace cbench::embedded
