// The arithmetic around the denoiser, on the host: noise, the sampler's schedule and its Euler
// step, guidance, and the cutting of latents into image tokens and back.
//
// Latents are planes, [channel][row][column], in one vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embedded/mmdit_config.h"

namespace cbench::embedded {

inline constexpr float kFlowShift = 3.0f;  // Stable Diffusion 3's default at every resolution

// Noise levels of a flow-matching sampler, steps + 1 of them, from 1 down to 0. Shifting a timestep
// towards noise is f(t) = s·t / (1 + (s - 1)·t) (Esser et al. 2024, equation 23). As the reference
// sampler does, times are spaced evenly from f(1) to f(1/1000), each is shifted, and 0 is appended.
std::vector<float> FlowSigmas(int steps, float shift = kFlowShift);

// x += (to - from) · velocity: one Euler step of dx/dsigma = velocity.
void EulerStep(std::vector<float>& latent, const std::vector<float>& velocity, float from,
               float to);

// Classifier-free guidance: unconditional + scale · (conditional - unconditional).
std::vector<float> Guide(std::span<const float> conditional, std::span<const float> unconditional,
                         float scale);

// Standard normal values, deterministic in the seed.
std::vector<float> Noise(std::uint64_t seed, std::size_t count);

// [channel][row][column] -> one row of (channel, y, x) values a token, tokens row by row.
std::vector<float> Patchify(const std::vector<float>& latent, const MmditDims& dims, int width,
                            int height);

// One row of (y, x, channel) values a token -> [channel][row][column]: the order of the final
// layer differs from that of the patch embedding.
std::vector<float> Unpatchify(std::span<const float> tokens, const MmditDims& dims, int width,
                              int height);

// Rows of the positional table for an image of so many tokens, cropped from the table's centre.
std::vector<std::int32_t> CroppedPositions(const MmditDims& dims, int tokens_wide, int tokens_high);

}  // namespace cbench::embedded
