// The stand-in for the three text encoders (CLIP-L, CLIP-G, T5) that no package ships: a lookup of
// random vectors, seeded by each word and its place. It gives the denoiser inputs of the real shape
// and spread, the same for the same prompt; it knows no meaning. Facts say "stand-in".
#pragma once

#include <string_view>
#include <vector>

#include "embedded/mmdit_config.h"

namespace cbench::embedded {

struct PromptEmbedding {
  std::vector<float> context;  // [context tokens][context dim]
  std::vector<float> pooled;   // [pooled dim]
};

// As in the real layout, the first half of the rows is CLIP's (its vectors fill half the width, the
// rest is 0), the second half T5's; words beyond a half's rows are cut, missing ones are padding.
PromptEmbedding EmbedPrompt(std::string_view prompt, const MmditDims& dims);

}  // namespace cbench::embedded
