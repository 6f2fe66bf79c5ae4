// What the embedded engines take. The scenario loader reads the same numbers, so that `check` says
// no where `serve` would. All inclusive.
#pragma once

namespace cbench::limits {

inline constexpr int kParallel = 64;    // requests a text engine answers at once
inline constexpr int kMinContext = 16;  // tokens of a slot
inline constexpr int kContext = 1 << 20;
inline constexpr int kThreads = 512;
inline constexpr int kImageSteps = 1000;  // denoising steps
inline constexpr int kMinImageSide = 64;  // pixels, in multiples of kImageSideStep
inline constexpr int kImageSide = 2048;
inline constexpr int kImageSideStep = 16;
inline constexpr int kRepetitions = 1000;

}  // namespace cbench::limits
