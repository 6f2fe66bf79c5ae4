// Image generation: the request's body, and the answer, streamed or whole.
//
// A stream has one event a denoising step and one with the image (docs/wire.md):
//   data: {"type":"image_generation.step","step":1,"total":8,"ms":210}
//   data: {"type":"image_generation.completed","b64_json":"…"}
// A whole answer is {"data":[{"b64_json":"…"}]}; it has no steps.
#pragma once

#include <string>
#include <string_view>

#include "base/sse.h"
#include "engine/engine.h"

namespace cbench::engine {

inline constexpr std::size_t kMaxImageAnswer = 128u << 20;  // bytes, base64 and all

Json ImageBody(const ImageRequest& request, const std::string& model);

// Fills an answer from the bytes of a 200 response. Not thread-safe.
class ImageStream {
 public:
  explicit ImageStream(ImageAnswer& answer) : answer_(answer), events_(kMaxImageAnswer) {}

  bool Feed(std::string_view bytes, Nanos t);  // false: failed, no more is wanted
  void Finish();                               // the response has ended by itself

 private:
  void TakeEvent(const SseEvent& event);
  void TakeBody();
  void TakeImage(std::string_view base64);
  void Fail(const char* kind, std::string message);

  enum class Form { kUnknown, kEvents, kBody };

  ImageAnswer& answer_;
  Form form_ = Form::kUnknown;
  SseParser events_;
  std::string body_;
  Nanos now_ = 0;
};

}  // namespace cbench::engine
