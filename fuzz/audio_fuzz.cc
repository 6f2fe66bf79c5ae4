// Audio files, from any bytes, as an engine hears them and as the captions app reads them: a
// refusal, or sound of a length within the limits.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "app/audio.h"
#include "bytes_as_file.h"
#include "embedded/speech_audio.h"

namespace {

constexpr std::size_t kMaxSamples = std::size_t{30 * 60} * cbench::app::kSampleRate;

void CheckEngine(const std::vector<float>& samples) {
  if (samples.size() > kMaxSamples) std::abort();
  for (const float sample : samples) {
    if (!std::isfinite(sample)) std::abort();
  }
}

// What the app sends must be what the engine reads.
void CheckApp(const std::vector<std::int16_t>& samples) {
  if (samples.size() > kMaxSamples) std::abort();
  const auto heard = cbench::embedded::DecodeAudio(cbench::app::EncodeWav(samples));
  if (!heard || heard->size() != samples.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto heard = cbench::embedded::DecodeAudio({reinterpret_cast<const char*>(data), size});
  if (heard) CheckEngine(*heard);
  const cbench::BytesAsFile file(data, size);
  const auto loaded = cbench::app::LoadAudio(file.path(), 0);
  if (loaded) CheckApp(*loaded);
  return 0;
}
