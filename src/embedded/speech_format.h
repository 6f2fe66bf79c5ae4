// What a whisper.cpp model file holds, in its order, without the weights' values: used to write
// synthetic files and to count a loaded model's parameters.
//
// The file, little-endian, 32-bit integers unless said: magic "ggml"; eleven hyper-parameters;
// the mel filter bank (mels, bins, f32 values); the vocabulary (count, then length and bytes of
// each token); then until the end of the file one record a tensor (dimensions, length of the name,
// ggml type, sizes, name, data). Special tokens are not listed: whisper.cpp derives their ids.
#pragma once

#include <ggml.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cbench::embedded {

inline constexpr std::uint32_t kWhisperMagic = 0x67676d6c;
inline constexpr int kSampleRate = 16000;    // Hz, of everything whisper hears
inline constexpr int kFramesPerSecond = 50;  // of the encoder; the mel spectrogram has twice that
inline constexpr int kMelBins = 201;         // of its 400-point transform

struct WhisperShape {
  int vocabulary = 51865;
  int state = 384;  // width of both halves
  int audio_heads = 6, audio_layers = 4;
  int text_heads = 6, text_layers = 4;
  int mels = 80;
  int audio_context = 1500, text_context = 448;
};

enum class Fill { kRandom, kOnes, kZeros, kSinusoid };

struct WhisperTensor {
  std::string name;
  ggml_type type;
  std::vector<std::int64_t> sizes;  // fastest-running first
  Fill fill;

  std::int64_t Elements() const;
  std::int64_t Rows() const { return Elements() / sizes[0]; }
  std::uint64_t Bytes() const;
};

// Matrices are of type `weights`; convolutions are F16, norms, biases and positions F32.
std::vector<WhisperTensor> WhisperTensors(const WhisperShape& shape, ggml_type weights);

std::int64_t CountParameters(const WhisperShape& shape);

// Triangular filters on Slaney's mel scale (linear below 1 kHz, logarithmic above), 0 to 8 kHz,
// each of equal area, as librosa.filters.mel makes them; mels × kMelBins values.
std::vector<float> MelFilters(int mels);

// The encoder's position table: sines in the first half of each row, cosines in the second, with
// wavelengths from 2π to 10000·2π (Vaswani et al.: Attention is all you need, 2017).
std::vector<float> SinusoidPositions(int state, int positions);

}  // namespace cbench::embedded
