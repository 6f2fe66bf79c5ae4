#include "engine/protocols/openai_image.h"

#include "base/base64.h"
#include "engine/protocols/openai_http.h"

namespace cbench::engine {

Json ImageBody(const ImageRequest& request, const std::string& model) {
  return {{"model", model},
          {"prompt", request.prompt},
          {"n", 1},
          {"size", fmt::format("{}x{}", request.width, request.height)},
          {"steps", request.steps},
          {"guidance", request.guidance},
          {"seed", request.seed},
          {"response_format", "b64_json"},
          {"stream", true}};
}

bool ImageStream::Feed(std::string_view bytes, Nanos t) {
  now_ = t;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (form_ == Form::kUnknown && first != std::string_view::npos) {
    form_ = bytes[first] == '{' ? Form::kBody : Form::kEvents;
  }
  if (form_ == Form::kBody) {
    body_ += bytes;  // bounded by Post::max_response
    return true;
  }
  const auto fed = events_.Feed(bytes, [this](const SseEvent& event) { TakeEvent(event); });
  if (!fed) Fail("protocol", fed.error().message);
  return !answer_.done.failure;
}

void ImageStream::Finish() {
  if (form_ == Form::kBody) {
    TakeBody();
  } else {
    const auto rest = events_.Finish([this](const SseEvent& event) { TakeEvent(event); });
    if (!rest) Fail("protocol", rest.error().message);
  }
  if (answer_.png.empty()) Fail("protocol", "the answer ended without an image");
}

void ImageStream::TakeEvent(const SseEvent& event) {
  if (event.data == "[DONE]") return;
  const auto json = ParseJson(event.data, "event");
  if (!json) return Fail("protocol", "an event is not JSON: " + Shorten(event.data));
  if (auto message = ErrorMessage(*json)) return Fail("in-band", std::move(*message));
  const std::string_view type = StringAt(*json, "type");
  if (type == "image_generation.step") answer_.done.steps.push_back(now_);
  if (type == "image_generation.completed") TakeImage(StringAt(*json, "b64_json"));
}

void ImageStream::TakeBody() {
  const auto json = ParseJson(body_, "body");
  if (!json) return Fail("protocol", "the answer is neither a stream nor JSON: " + Shorten(body_));
  if (auto message = ErrorMessage(*json)) return Fail("in-band", std::move(*message));
  const Json* data = FindMember(*json, "data");
  if (data && data->is_array() && !data->empty()) TakeImage(StringAt(data->front(), "b64_json"));
}

void ImageStream::TakeImage(std::string_view base64) {
  auto png = DecodeBase64(base64);
  if (!png || !png->starts_with("\x89PNG\r\n\x1A\n")) {
    return Fail("protocol", "what came as the image is no PNG in base64");
  }
  answer_.png = std::move(*png);
  answer_.done.image_bytes = static_cast<int>(answer_.png.size());
}

void ImageStream::Fail(const char* kind, std::string message) {
  if (!answer_.done.failure) answer_.done.failure = record::Failure{kind, std::move(message)};
}

}  // namespace cbench::engine
