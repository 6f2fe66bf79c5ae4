// For the speech tests: sounds, and files of them in memory.
#pragma once

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace cbench::embedded {

inline std::vector<float> Tone(double seconds, double hz, int rate) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * rate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 0.5f * static_cast<float>(std::sin(2 * M_PI * hz * static_cast<double>(i) / rate));
  }
  return samples;
}

enum class Container { kWav, kFlac, kFloatWav };

inline int FormatOf(Container container) {
  switch (container) {
    case Container::kWav:
      return SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    case Container::kFlac:
      return SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
    case Container::kFloatWav:
      return SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  }
  return 0;
}

// What libsndfile writes to, through its virtual functions.
struct MemorySink {
  std::string bytes;
  std::size_t position = 0;

  static MemorySink& Of(void* self) { return *static_cast<MemorySink*>(self); }
  static sf_count_t Length(void* self) { return static_cast<sf_count_t>(Of(self).bytes.size()); }
  static sf_count_t Tell(void* self) { return static_cast<sf_count_t>(Of(self).position); }
  static sf_count_t Seek(sf_count_t offset, int whence, void* self) {
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? Tell(self) : Length(self);
    Of(self).position = static_cast<std::size_t>(base + offset);
    return base + offset;
  }
  static sf_count_t Read(void* out, sf_count_t count, void* self) {
    MemorySink& sink = Of(self);
    const auto n = sink.bytes.copy(static_cast<char*>(out), static_cast<std::size_t>(count),
                                   std::min(sink.position, sink.bytes.size()));
    sink.position += n;
    return static_cast<sf_count_t>(n);
  }
  static sf_count_t Write(const void* in, sf_count_t count, void* self) {
    MemorySink& sink = Of(self);
    const auto n = static_cast<std::size_t>(count);
    sink.bytes.resize(std::max(sink.bytes.size(), sink.position + n));
    std::memcpy(sink.bytes.data() + sink.position, in, n);
    sink.position += n;
    return count;
  }
};

// Each channel carries the same sound.
inline std::string EncodeAudio(const std::vector<float>& mono, int rate, int channels,
                               Container container) {
  MemorySink sink;
  SF_VIRTUAL_IO io{MemorySink::Length, MemorySink::Seek, MemorySink::Read, MemorySink::Write,
                   MemorySink::Tell};
  SF_INFO info{};
  info.samplerate = rate;
  info.channels = channels;
  info.format = FormatOf(container);
  SNDFILE* file = sf_open_virtual(&io, SFM_WRITE, &info, &sink);
  std::vector<float> all;
  for (const float sample : mono) all.insert(all.end(), static_cast<std::size_t>(channels), sample);
  sf_writef_float(file, all.data(), static_cast<sf_count_t>(mono.size()));
  sf_close(file);
  return std::move(sink.bytes);
}

}  // namespace cbench::embedded
