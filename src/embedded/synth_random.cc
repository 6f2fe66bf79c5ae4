#include "embedded/synth_random.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/cores.h"
#include "base/random.h"

namespace cbench::embedded {
namespace {

// The sum of four uniforms of 16 bits has mean 2·65535 and this standard deviation; it is near
// enough to a normal for weights, and three times as fast as Box-Muller.
constexpr float kIrwinHallMean = 131070.0f;
constexpr float kIrwinHallSigma = 37837.2f;

void RandomRow(float* row, std::int64_t width, float sigma, SplitMix64 random) {
  const float scale = sigma / kIrwinHallSigma;
  for (std::int64_t i = 0; i < width; ++i) {
    const std::uint64_t r = random.Next();
    const auto sum =
        static_cast<float>((r & 0xffff) + (r >> 16 & 0xffff) + (r >> 32 & 0xffff) + (r >> 48));
    row[i] = (sum - kIrwinHallMean) * scale;
  }
}

void Convert(ggml_type type, const float* in, char* out, std::int64_t width) {
  const auto bytes = ggml_row_size(type, width);
  if (type == GGML_TYPE_F32) {
    std::memcpy(out, in, bytes);
  } else if (type == GGML_TYPE_F16) {
    ggml_fp32_to_fp16_row(in, reinterpret_cast<ggml_fp16_t*>(out), width);
  } else {
    ggml_quantize_chunk(type, in, out, 0, 1, width, nullptr);
  }
}

}  // namespace

std::vector<char> RandomRows(ggml_type type, std::int64_t width, std::int64_t first,
                             std::int64_t rows, float sigma, std::uint64_t seed) {
  const std::size_t row_bytes = ggml_row_size(type, width);
  std::vector<char> out(row_bytes * static_cast<std::size_t>(rows));
  ggml_quantize_init(type);
  const std::int64_t workers = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(AllowedCores().size()), 1, std::max<std::int64_t>(rows, 1));
  const auto work = [&](std::int64_t worker) {
    std::vector<float> row(static_cast<std::size_t>(width));
    for (std::int64_t r = worker; r < rows; r += workers) {
      RandomRow(row.data(), width, sigma,
                SplitMix64(seed ^ (static_cast<std::uint64_t>(first + r) * 0xD1B54A32D192ED03ull)));
      Convert(type, row.data(), out.data() + row_bytes * static_cast<std::size_t>(r), width);
    }
  };
  std::vector<std::jthread> threads;
  for (std::int64_t worker = 1; worker < workers; ++worker) threads.emplace_back(work, worker);
  work(0);
  threads.clear();
  return out;
}

}  // namespace cbench::embedded
