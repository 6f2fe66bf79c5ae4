#include "embedded/image_request.h"

#include "base/limits.h"
#include "base/units.h"

namespace cbench::embedded {
namespace {

constexpr int kMaxCount = 4;
constexpr float kMaxGuidance = 100.0f;
constexpr std::size_t kMaxPrompt = 32'000;  // bytes

// JSON null counts as absent, as OpenAI's API has it.
const Json* Find(const Json& body, const char* name) {
  const auto it = body.find(name);
  return it == body.end() || it->is_null() ? nullptr : &*it;
}

Result<int> Integer(const Json& body, const char* name, int most, int otherwise) {
  const Json* value = Find(body, name);
  if (!value) return otherwise;
  if (value->is_number_integer()) {
    const auto number = value->get<std::int64_t>();
    if (number >= 1 && number <= most) return static_cast<int>(number);
  }
  return InputError("{}: {} is not an integer from 1 to {}", name, DumpJson(*value), most);
}

Result<float> Guidance(const Json& body, float otherwise) {
  for (const char* name : {"guidance_scale", "guidance"}) {
    const Json* value = Find(body, name);
    if (!value) continue;
    if (value->is_number()) {
      const float number = value->get<float>();
      if (number >= 0.0f && number <= kMaxGuidance) return number;
    }
    return InputError("{}: {} is not a number from 0 to {}", name, DumpJson(*value), kMaxGuidance);
  }
  return otherwise;
}

bool IsSide(int pixels) {
  return pixels >= limits::kMinImageSide && pixels <= limits::kImageSide &&
         pixels % limits::kImageSideStep == 0;
}

Result<PixelSize> Size(const Json& body, int default_side) {
  const Json* value = Find(body, "size");
  if (!value || *value == "auto") return PixelSize{default_side, default_side};
  if (value->is_string()) {
    const auto size = ParsePixelSize(value->get<std::string>());
    if (size && IsSide(size->width) && IsSide(size->height)) return *size;
  }
  return InputError("size: {} is not \"WIDTHxHEIGHT\" with multiples of {} from {} to {}",
                    DumpJson(*value), limits::kImageSideStep, limits::kMinImageSide,
                    limits::kImageSide);
}

Result<std::string> Prompt(const Json& body) {
  const Json* value = Find(body, "prompt");
  if (!value || !value->is_string()) return InputError("prompt: a string is required");
  std::string prompt = value->get<std::string>();
  if (prompt.empty()) return InputError("prompt: must not be empty");
  if (prompt.size() <= kMaxPrompt) return prompt;
  return InputError("prompt: {} bytes, over the limit of {}", prompt.size(), kMaxPrompt);
}

Result<std::uint64_t> Seed(const Json& body, std::uint64_t otherwise) {
  const Json* value = Find(body, "seed");
  if (!value) return otherwise;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  return InputError("seed: {} is not a non-negative integer", DumpJson(*value));
}

Result<bool> Stream(const Json& body) {
  const Json* value = Find(body, "stream");
  if (!value) return false;
  if (value->is_boolean()) return value->get<bool>();
  return InputError("stream: {} is not true or false", DumpJson(*value));
}

Result<> CheckOnly(const Json& body, const char* name, const char* only) {
  const Json* value = Find(body, name);
  if (!value || *value == only) return {};
  return InputError("{}: {} is not supported, only \"{}\"", name, DumpJson(*value), only);
}

}  // namespace

Result<ImageRequest> ParseImageRequest(const Json& body, const ImageDims& dims,
                                       std::uint64_t random_seed) {
  ImageRequest request;
  CBENCH_TRY(CheckOnly(body, "response_format", "b64_json"));
  CBENCH_TRY(CheckOnly(body, "output_format", "png"));
  CBENCH_ASSIGN(request.prompt, Prompt(body));
  CBENCH_ASSIGN(const PixelSize size, Size(body, dims.default_side));
  request.width = size.width;
  request.height = size.height;
  CBENCH_ASSIGN(request.count, Integer(body, "n", kMaxCount, 1));
  CBENCH_ASSIGN(request.steps, Integer(body, "steps", limits::kImageSteps, dims.default_steps));
  CBENCH_ASSIGN(request.guidance, Guidance(body, dims.default_guidance));
  CBENCH_ASSIGN(request.seed, Seed(body, random_seed));
  CBENCH_ASSIGN(request.stream, Stream(body));
  return request;
}

}  // namespace cbench::embedded
