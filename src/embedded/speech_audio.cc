#include "embedded/speech_audio.h"

#include <samplerate.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>

#include "embedded/speech_format.h"

namespace cbench::embedded {
namespace {

constexpr int kMinRate = 4'000, kMaxRate = 384'000;
constexpr std::size_t kBlockSamples = 1u << 16;  // over all channels

// libsndfile reads through these five functions; the "file" is the request's body.
struct MemoryFile {
  std::string_view bytes;
  sf_count_t position = 0;

  static MemoryFile& Of(void* self) { return *static_cast<MemoryFile*>(self); }
  static sf_count_t Length(void* self) { return static_cast<sf_count_t>(Of(self).bytes.size()); }
  static sf_count_t Tell(void* self) { return Of(self).position; }
  static sf_count_t Write(const void*, sf_count_t, void*) { return 0; }
  static sf_count_t Seek(sf_count_t offset, int whence, void* self) {
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? Tell(self) : Length(self);
    return Of(self).position = std::clamp<sf_count_t>(base + offset, 0, Length(self));
  }
  static sf_count_t Read(void* out, sf_count_t count, void* self) {
    MemoryFile& file = Of(self);
    const sf_count_t n = std::clamp<sf_count_t>(count, 0, Length(self) - file.position);
    std::memcpy(out, file.bytes.data() + file.position, static_cast<std::size_t>(n));
    file.position += n;
    return n;
  }
};

// Converts a stream block by block. libsamplerate's band-limited sinc keeps what lies above the
// new rate's limit from folding back as noise.
class Resampler {
 public:
  explicit Resampler(int rate)
      : ratio_(static_cast<double>(kSampleRate) / rate),
        state_(rate == kSampleRate ? nullptr : src_new(SRC_SINC_FASTEST, 1, nullptr), src_delete) {}

  void Add(std::span<const float> in, bool last, std::vector<float>& out) {
    if (!state_) {
      out.insert(out.end(), in.begin(), in.end());
      return;
    }
    std::vector<float> block(kBlockSamples);
    SRC_DATA data{};
    data.data_in = in.data();
    data.input_frames = static_cast<long>(in.size());
    data.end_of_input = last;
    data.src_ratio = ratio_;
    do {
      data.data_out = block.data();
      data.output_frames = static_cast<long>(block.size());
      if (src_process(state_.get(), &data) != 0) return;
      out.insert(out.end(), block.begin(), block.begin() + data.output_frames_gen);
      data.data_in += data.input_frames_used;
      data.input_frames -= data.input_frames_used;
    } while (data.output_frames_gen > 0);
  }

 private:
  double ratio_;
  std::unique_ptr<SRC_STATE, decltype(&src_delete)> state_;
};

std::vector<float> Downmix(std::span<const float> samples, std::size_t channels) {
  std::vector<float> mono(samples.size() / channels);
  for (std::size_t i = 0; i < mono.size(); ++i) {
    float sum = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      const float sample = samples[i * channels + c];
      sum += std::isfinite(sample) ? std::clamp(sample, -1.0f, 1.0f) : 0.0f;
    }
    mono[i] = sum / static_cast<float>(channels);
  }
  return mono;
}

Result<> CheckLength(std::size_t samples) {
  if (samples > std::size_t{kMaxAudioSeconds} * kSampleRate) {
    return InputError("file: the audio is longer than {} minutes; send it in pieces",
                      kMaxAudioSeconds / 60);
  }
  return {};
}

Result<> CheckFormat(const SF_INFO& info) {
  if (info.samplerate < kMinRate || info.samplerate > kMaxRate) {
    return InputError("file: its sample rate of {} Hz is not between {} and {}", info.samplerate,
                      kMinRate, kMaxRate);
  }
  // A file that was streamed need not say its length; ReadAll counts as well.
  const sf_count_t frames = info.frames == SF_COUNT_MAX ? 0 : info.frames;
  return CheckLength(static_cast<std::size_t>(frames / info.samplerate) * kSampleRate);
}

Result<std::vector<float>> ReadAll(SNDFILE* file, const SF_INFO& info) {
  const auto channels = static_cast<std::size_t>(info.channels);
  std::vector<float> block(kBlockSamples / channels * channels), out;
  Resampler resampler(info.samplerate);
  for (bool last = false; !last;) {
    const auto frames =
        sf_readf_float(file, block.data(), static_cast<sf_count_t>(block.size() / channels));
    last = frames <= 0;
    const std::size_t samples = last ? 0 : static_cast<std::size_t>(frames) * channels;
    resampler.Add(Downmix({block.data(), samples}, channels), last, out);
    CBENCH_TRY(CheckLength(out.size()));
  }
  return out;
}

}  // namespace

Result<std::vector<float>> DecodeAudio(std::string_view bytes) {
  if (bytes.empty()) return InputError("file: it is empty");
  MemoryFile memory{bytes};
  SF_VIRTUAL_IO io{MemoryFile::Length, MemoryFile::Seek, MemoryFile::Read, MemoryFile::Write,
                   MemoryFile::Tell};
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, decltype(&sf_close)> file(
      sf_open_virtual(&io, SFM_READ, &info, &memory), sf_close);
  if (!file) return InputError("file: not audio that can be read ({})", sf_strerror(nullptr));
  CBENCH_TRY(CheckFormat(info));
  CBENCH_ASSIGN(auto samples, ReadAll(file.get(), info));
  if (static_cast<double>(samples.size()) < kMinAudioSeconds * kSampleRate) {
    return InputError("file: the audio is shorter than {} s", kMinAudioSeconds);
  }
  return samples;
}

}  // namespace cbench::embedded
