#include "embedded/speech_request.h"

#include <charconv>
#include <optional>

#include "embedded/http_reply.h"
#include "embedded/http_urgency.h"

namespace cbench::embedded {
namespace {

std::string Field(const httplib::Request& request, const char* name) {
  return request.has_file(name) ? request.get_file_value(name).content : std::string();
}

template <typename Number>
std::optional<Number> ParseNumber(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<double> ParseTemperature(const std::string& text) {
  if (text.empty()) return 0.0;
  const auto value = ParseNumber<double>(text);
  if (value && *value >= 0 && *value <= 1) return *value;
  return InputError("temperature: '{}' is not a number from 0 to 1", text);
}

Result<std::string> ParseFormat(const std::string& text) {
  if (text.empty()) return "json";
  if (text == "json" || text == "text" || text == "verbose_json") return text;
  return InputError("response_format: '{}' is not json, text or verbose_json", text);
}

// A token's bytes need not be whole characters.
std::string ValidUtf8(const std::string& bytes) {
  return ParseJson(DumpJson(Json(bytes)), "text").value().get<std::string>();
}

Json Usage(const Transcript& t) {
  const int input = t.prompt_tokens + t.encoder_positions;
  return {{"type", "tokens"},
          {"input_tokens", input},
          {"input_token_details",
           {{"text_tokens", t.prompt_tokens}, {"audio_tokens", t.encoder_positions}}},
          {"output_tokens", t.output_tokens},
          {"total_tokens", input + t.output_tokens}};
}

Json Segments(const Transcript& transcript) {
  Json segments = Json::array();
  for (const Transcript::Segment& segment : transcript.segments) {
    segments.push_back({{"id", segments.size()},
                        {"start", segment.start},
                        {"end", segment.end},
                        {"text", segment.text}});
  }
  return segments;
}

Json Timings(const Transcript& t, const SpeechTimes& times) {
  return {{"audio_decode_s", ToSeconds(times.decode)},
          {"queue_s", ToSeconds(times.queue)},
          {"mel_s", ToSeconds(t.mel)},
          {"encode_s", ToSeconds(t.encode)},
          {"decode_s", ToSeconds(t.decode)},
          {"total_s", ToSeconds(times.total)},
          {"encoder_passes", t.encoder_passes},
          {"decoder_passes", t.decoder_passes}};
}

Json VerboseBody(const Transcript& transcript, const SpeechTimes& times) {
  return {{"task", "transcribe"},
          {"language", whisper_lang_str_full(whisper_lang_id(transcript.language.c_str()))},
          {"duration", times.audio},
          {"text", transcript.Text()},
          {"segments", Segments(transcript)},
          {"usage", Usage(transcript)},
          {"timings", Timings(transcript, times)}};
}

}  // namespace

Result<SpeechForm> ParseSpeechForm(const httplib::Request& request) {
  if (!request.is_multipart_form_data() || !request.has_file("file")) {
    return InputError("file: send multipart/form-data with a WAV or FLAC file in the field 'file'");
  }
  if (Field(request, "stream") == "true") {
    return InputError("stream: streamed transcription is not offered; leave it out");
  }
  SpeechForm form;
  form.audio = Field(request, "file");
  CBENCH_ASSIGN(form.response_format, ParseFormat(Field(request, "response_format")));
  CBENCH_ASSIGN(form.task.temperature, ParseTemperature(Field(request, "temperature")));
  form.task.language = Field(request, "language");
  form.task.prompt = Field(request, "prompt");
  form.task.urgency = ReadUrgency(request);
  return form;
}

void WriteTranscript(const Transcript& transcript, const SpeechTimes& times,
                     const std::string& response_format, httplib::Response& response) {
  if (response_format == "text") {
    response.set_content(ValidUtf8(transcript.Text()) + "\n", "text/plain; charset=utf-8");
    return;
  }
  const Json body = response_format == "json"
                        ? Json{{"text", transcript.Text()}, {"usage", Usage(transcript)}}
                        : VerboseBody(transcript, times);
  ReplyJson(response, body);
}

}  // namespace cbench::embedded
