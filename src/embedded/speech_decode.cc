#include "embedded/speech_decode.h"

#include <algorithm>
#include <cmath>

#include "embedded/speech_vocab.h"
#include "embedded/speech_window.h"

namespace cbench::embedded {
namespace {

// libwhisper's tokeniser recurses over its input; more than this of a prompt would not fit the
// text context anyway.
constexpr std::size_t kMaxPromptBytes = 1000;

constexpr double kGreedyBelow = 0.01;  // temperature; dividing by less overflows

// whisper_full ignores clips under 0.1 s, so they get some silence.
constexpr std::size_t kMinSamples = kSampleRate / 4;

std::string Tail(const std::string& text, std::size_t bytes) {
  std::size_t at = text.size() > bytes ? text.size() - bytes : 0;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return text.substr(at);
}

class Stopwatch {
 public:
  explicit Stopwatch(Nanos& total) : total_(total) {}
  ~Stopwatch() { total_ += Now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Nanos& total_;
  Nanos start_ = Now();
};

// The number of encoder positions can be set through whisper_full only. It computes the mel
// spectrogram, stores the number in the context, and is then told not to go on.
int PrepareMel(whisper_context* context, int threads, int positions, std::span<const float> in) {
  whisper_full_params params = whisper_full_default_params(WHISPER_SAMPLING_GREEDY);
  params.n_threads = threads;
  params.audio_ctx = positions;
  params.language = "en";  // else it would run the encoder to find out
  params.no_timestamps = true;
  params.greedy.best_of = 1;
  params.encoder_begin_callback = [](whisper_context*, whisper_state*, void*) { return false; };
  return whisper_full(context, params, in.data(), static_cast<int>(in.size()));
}

std::vector<whisper_token> Tokenize(whisper_context* context, const std::string& text) {
  std::vector<whisper_token> tokens(text.size() + 1);  // no token is shorter than a byte
  const int n =
      whisper_tokenize(context, text.c_str(), tokens.data(), static_cast<int>(tokens.size()));
  tokens.resize(static_cast<std::size_t>(std::max(n, 0)));
  return tokens;
}

}  // namespace

SpeechDecoder::SpeechDecoder(whisper_context* context, const ThreadPool& pool, int threads,
                             bool synthetic, const SpeechTask& task, share::StepHook& hook,
                             const Stop& stop)
    : context_(context),
      pool_(pool),
      threads_(threads),
      synthetic_(synthetic),
      task_(task),
      hook_(hook),
      stop_(stop) {}

Result<Transcript> SpeechDecoder::Run(std::span<const float> samples) {
  CBENCH_TRY(FindLanguage());
  const auto limit =
      static_cast<std::size_t>(whisper_n_audio_ctx(context_)) * kSampleRate / kFramesPerSecond;
  for (Window window; window.end < samples.size();) {
    window = NextWindow(samples, window.end, limit);
    CBENCH_ASSIGN(auto text,
                  TranscribeWindow(samples.subspan(window.begin, window.end - window.begin)));
    transcript_.segments.push_back({static_cast<double>(window.begin) / kSampleRate,
                                    static_cast<double>(window.end) / kSampleRate,
                                    std::move(text)});
  }
  return std::move(transcript_);
}

// Detection has to wait for the first window's encoder pass.
Result<> SpeechDecoder::FindLanguage() {
  if (!whisper_is_multilingual(context_)) {
    transcript_.language = "en";
    return {};
  }
  if (task_.language.empty()) return {};
  const int id = whisper_lang_id(task_.language.c_str());
  if (id < 0 || whisper_token_lang(context_, id) >= whisper_token_translate(context_)) {
    return InputError("language: '{}' is not one this model knows; use a code such as 'en'",
                      task_.language);
  }
  transcript_.language = whisper_lang_str(id);
  language_ = whisper_token_lang(context_, id);
  return {};
}

Result<std::string> SpeechDecoder::TranscribeWindow(std::span<const float> samples) {
  CBENCH_TRY(Encode(samples));
  CBENCH_ASSIGN(std::vector<whisper_token> next, Prompt());
  transcript_.prompt_tokens += static_cast<int>(next.size());
  const TokenBudget budget = TokensFor(samples.size(), whisper_n_text_ctx(context_), synthetic_);
  std::string text;
  int past = 0;
  for (int i = 0; i < budget.tokens; ++i) {
    CBENCH_ASSIGN(const auto logits, Decode(next, past));
    past += static_cast<int>(next.size());
    const whisper_token token = Pick(logits, i == 0, !budget.exact);
    if (token == whisper_token_eot(context_)) break;
    ++transcript_.output_tokens;
    text += whisper_token_to_str(context_, token);
    next.assign(1, token);
  }
  return text;
}

share::StepInfo SpeechDecoder::Step(share::StepKind kind, int size) const {
  share::StepInfo step{.kind = kind, .size = size, .deadline = task_.urgency.deadline};
  InheritUrgency(task_.urgency, step);
  return step;
}

Result<> SpeechDecoder::Encode(std::span<const float> samples) {
  CBENCH_TRY(CheckStop());
  const int positions = EncoderPositions(samples.size(), whisper_n_audio_ctx(context_), synthetic_);
  {
    seat_.reset();  // the spectrogram's threads would inherit its core
    const Stopwatch watch(transcript_.mel);
    std::vector<float> padded(samples.begin(), samples.end());
    padded.resize(std::max(padded.size(), kMinSamples));
    if (PrepareMel(context_, threads_, positions, padded) != 0) {
      return Failure("libwhisper could not compute the spectrogram");
    }
  }
  seat_.emplace(pool_);
  const share::ScopedStep step(hook_, Step(share::StepKind::kEncode, positions));
  const Stopwatch watch(transcript_.encode);
  if (whisper_encode(context_, 0, threads_) != 0) return Failure("the encoder pass failed");
  transcript_.encoder_positions += positions;
  ++transcript_.encoder_passes;
  return {};
}

Result<std::span<const float>> SpeechDecoder::Decode(std::span<const whisper_token> tokens,
                                                     int past) {
  CBENCH_TRY(CheckStop());
  const int n = static_cast<int>(tokens.size());
  const share::ScopedStep step(hook_, Step(share::StepKind::kDecodeAudio, n));
  const Stopwatch watch(transcript_.decode);
  if (whisper_decode(context_, tokens.data(), n, past, threads_) != 0) {
    return Failure("a decoder pass failed");
  }
  ++transcript_.decoder_passes;
  const auto width = static_cast<std::size_t>(whisper_n_vocab(context_));
  const float* rows = whisper_get_logits(context_);
  return std::span<const float>(rows + width * (tokens.size() - 1), width);
}

Result<whisper_token> SpeechDecoder::DetectLanguage() {
  const whisper_token start = whisper_token_sot(context_);
  CBENCH_ASSIGN(const auto logits, Decode({&start, 1}, 0));
  const whisper_token first = whisper_token_lang(context_, 0);
  const auto languages =
      logits.subspan(static_cast<std::size_t>(first),
                     static_cast<std::size_t>(whisper_token_translate(context_) - first));
  const auto best = std::max_element(languages.begin(), languages.end()) - languages.begin();
  transcript_.language = whisper_lang_str(static_cast<int>(best));
  return first + static_cast<whisper_token>(best);
}

Result<std::vector<whisper_token>> SpeechDecoder::Prompt() {
  std::vector<whisper_token> tokens;
  if (!task_.prompt.empty()) {
    const auto said = Tokenize(context_, Tail(task_.prompt, kMaxPromptBytes));
    const auto room = static_cast<std::size_t>(whisper_n_text_ctx(context_) / 2 - 1);
    tokens.push_back(whisper_token_prev(context_));
    tokens.insert(tokens.end(),
                  said.end() - static_cast<std::ptrdiff_t>(std::min(room, said.size())),
                  said.end());
  }
  tokens.push_back(whisper_token_sot(context_));
  if (whisper_is_multilingual(context_)) {
    if (language_ < 0) {
      CBENCH_ASSIGN(language_, DetectLanguage());
    }
    tokens.push_back(language_);
    tokens.push_back(whisper_token_transcribe(context_));
  }
  tokens.push_back(whisper_token_not(context_));
  return tokens;
}

// Ordinary text tokens and then end-of-text come first in the vocabulary; nothing behind them is
// ever wanted. A window may not begin with a blank or end at once, as in OpenAI's own decoder.
whisper_token SpeechDecoder::Pick(std::span<const float> logits, bool first, bool may_end) {
  const whisper_token end = whisper_token_eot(context_);
  const auto allowed = static_cast<std::size_t>(synthetic_ ? kMarkerToken : end);
  std::vector<float> scores(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(allowed));
  if (may_end && !first) scores.push_back(logits[static_cast<std::size_t>(end)]);
  if (first) {
    for (const whisper_token blank : Tokenize(context_, " ")) {
      scores[static_cast<std::size_t>(blank)] = -INFINITY;
    }
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  if (task_.temperature < kGreedyBelow) return static_cast<whisper_token>(best - scores.begin());
  const float top = *best, scale = 1 / static_cast<float>(task_.temperature);
  for (float& score : scores) score = std::exp((score - top) * scale);
  return std::discrete_distribution<whisper_token>(scores.begin(), scores.end())(random_);
}

Result<> SpeechDecoder::CheckStop() const {
  if (stop_ && stop_()) return Failure("the request was ended before it was done");
  return {};
}

}  // namespace cbench::embedded
