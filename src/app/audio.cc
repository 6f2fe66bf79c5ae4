#include "app/audio.h"

#include <samplerate.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

namespace cbench::app {
namespace {

constexpr Nanos kLongest = 1800 * kSecond;
constexpr Nanos kShortest = 100 * kMillisecond;
constexpr int kMinRate = 4'000, kMaxRate = 384'000;
constexpr std::size_t kBlock = 4096;  // frames

// No duration counts for more than the longest one, so that the product can't overflow.
std::size_t SampleCount(Nanos duration) {
  return static_cast<std::size_t>(std::min(duration, kLongest) * kSampleRate / kSecond);
}

// An open file as a stream of mono floats at its own rate.
class MonoReader {
 public:
  explicit MonoReader(const std::filesystem::path& path)
      : file_(sf_open(path.c_str(), SFM_READ, &info_), sf_close) {}

  Result<> Check() const {
    if (!file_) return InputError("not audio that can be read: {}", sf_strerror(nullptr));
    if (info_.samplerate < kMinRate || info_.samplerate > kMaxRate) {
      return InputError("its sample rate of {} Hz is not between {} and {}", info_.samplerate,
                        kMinRate, kMaxRate);
    }
    return {};
  }
  double ratio() const { return static_cast<double>(kSampleRate) / info_.samplerate; }

  // libsamplerate's callback: the next block; 0 frames at the end.
  static long Next(void* self, float** data) { return static_cast<MonoReader*>(self)->Read(data); }

 private:
  long Read(float** data) {
    const auto channels = static_cast<std::size_t>(info_.channels);
    frames_.resize(kBlock * channels);
    mono_.resize(kBlock);
    const auto n = sf_readf_float(file_.get(), frames_.data(), static_cast<sf_count_t>(kBlock));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      float sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += frames_[i * channels + c];
      mono_[i] = sum / static_cast<float>(channels);
    }
    *data = mono_.data();
    return static_cast<long>(n);
  }

  SF_INFO info_{};
  std::unique_ptr<SNDFILE, decltype(&sf_close)> file_;
  std::vector<float> frames_, mono_;
};

std::int16_t ToSample(float value) {
  if (!std::isfinite(value)) return 0;
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0f, 1.0f) * 32767.0f));
}

// Reads at most `limit` samples.
std::vector<std::int16_t> Resample(MonoReader& reader, std::size_t limit) {
  int error = 0;
  const std::unique_ptr<SRC_STATE, decltype(&src_delete)> state(
      src_callback_new(MonoReader::Next, SRC_SINC_FASTEST, 1, &error, &reader), src_delete);
  std::vector<std::int16_t> samples;
  std::vector<float> block(kBlock);
  while (state && samples.size() < limit) {
    const auto wanted = static_cast<long>(std::min(kBlock, limit - samples.size()));
    const long n = src_callback_read(state.get(), reader.ratio(), wanted, block.data());
    if (n <= 0) break;
    std::transform(block.begin(), block.begin() + n, std::back_inserter(samples), ToSample);
  }
  return samples;
}

void AppendLittleEndian(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace

Result<std::vector<std::int16_t>> LoadAudio(const std::filesystem::path& path, Nanos longest) {
  MonoReader reader(path);
  if (const auto ok = reader.Check(); !ok) {
    return InputError("{}: {}", path.string(), ok.error().message);
  }
  const std::size_t most = SampleCount(kLongest);
  const std::size_t limit = longest > 0 ? std::min(SampleCount(longest), most) : most + 1;
  std::vector<std::int16_t> samples = Resample(reader, limit);
  if (samples.size() > most) {
    return InputError("{}: longer than 30 minutes; use max_audio: to play its beginning",
                      path.string());
  }
  if (samples.size() < SampleCount(kShortest)) {
    return InputError("{}: holds less than 100 ms of audio", path.string());
  }
  return samples;
}

std::string EncodeWav(std::span<const std::int16_t> samples) {
  const auto bytes = static_cast<std::uint32_t>(samples.size() * 2);
  std::string wav;
  wav.reserve(44 + bytes);
  wav += "RIFF";
  AppendLittleEndian(wav, 36 + bytes, 4);
  wav += "WAVEfmt ";
  AppendLittleEndian(wav, 16, 4);               // length of the format block
  AppendLittleEndian(wav, 1, 2);                // PCM
  AppendLittleEndian(wav, 1, 2);                // channels
  AppendLittleEndian(wav, kSampleRate, 4);      // frames a second
  AppendLittleEndian(wav, kSampleRate * 2, 4);  // bytes a second
  AppendLittleEndian(wav, 2, 2);                // bytes a frame
  AppendLittleEndian(wav, 16, 2);               // bits a sample
  wav += "data";
  AppendLittleEndian(wav, bytes, 4);
  for (const std::int16_t sample : samples) {
    AppendLittleEndian(wav, static_cast<std::uint16_t>(sample), 2);
  }
  return wav;
}

Nanos AudioDuration(std::size_t samples) {
  return static_cast<Nanos>(samples) * (kSecond / kSampleRate);
}

std::vector<Segment> CutSegments(std::size_t samples, Nanos segment, Nanos context) {
  const std::size_t length = std::max<std::size_t>(1, SampleCount(segment));
  const std::size_t before = SampleCount(context);
  std::vector<Segment> segments;
  for (std::size_t begin = 0; begin < samples; begin += length) {
    segments.push_back(
        {begin > before ? begin - before : 0, begin, std::min(begin + length, samples)});
  }
  return segments;
}

}  // namespace cbench::app
