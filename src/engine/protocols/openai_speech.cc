#include "engine/protocols/openai_speech.h"

#include "engine/protocols/openai_http.h"

namespace cbench::engine {
namespace {

// A line that does not occur in the file, so that no escaping is needed.
std::string ChooseBoundary(std::string_view file) {
  std::string boundary = "cbench-form-boundary-0";
  for (int i = 1; file.find(boundary) != std::string_view::npos; ++i) {
    boundary = fmt::format("cbench-form-boundary-{}", i);
  }
  return boundary;
}

}  // namespace

Multipart SpeechForm(const SpeechRequest& request, const std::string& model) {
  const std::string boundary = ChooseBoundary(request.wav);
  Multipart form;
  form.content_type = "multipart/form-data; boundary=" + boundary;
  const auto begin = [&](std::string_view disposition) {
    form.body +=
        fmt::format("--{}\r\nContent-Disposition: form-data; {}\r\n", boundary, disposition);
  };
  const auto field = [&](const char* name, std::string_view value) {
    begin(fmt::format("name=\"{}\"", name));
    form.body += fmt::format("\r\n{}\r\n", value);
  };
  field("model", model);
  field("language", request.language);
  field("response_format", "json");
  begin("name=\"file\"; filename=\"segment.wav\"");
  form.body += "Content-Type: audio/wav\r\n\r\n";
  form.body += request.wav;
  form.body += fmt::format("\r\n--{}--\r\n", boundary);
  return form;
}

void TakeTranscript(std::string_view body, SpeechAnswer& answer) {
  const auto fail = [&answer](const char* kind, std::string message) {
    answer.done.failure = record::Failure{kind, std::move(message)};
  };
  const auto json = ParseJson(body, "body");
  if (!json) return fail("protocol", "the answer is not JSON: " + Shorten(body));
  if (auto message = ErrorMessage(*json)) return fail("in-band", std::move(*message));
  const Json* text = FindMember(*json, "text");
  if (!text || !text->is_string()) return fail("protocol", "the answer has no \"text\"");
  answer.text = StringAt(*json, "text");
  answer.done.output = Shorten(answer.text);
}

}  // namespace cbench::engine
