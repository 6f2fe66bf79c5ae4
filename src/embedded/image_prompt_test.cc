#include "embedded/image_prompt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cbench::embedded {
namespace {

TEST(EmbedPrompt, HasTheRealShapeAndLayout) {
  const MmditDims dims;
  const auto embedding = EmbedPrompt("a cat on a mat", dims);
  ASSERT_EQ(embedding.context.size(), 154u * 4096u);
  ASSERT_EQ(embedding.pooled.size(), 2048u);
  const auto row = [&](std::size_t i) {
    return embedding.context.begin() + static_cast<std::ptrdiff_t>(i * 4096);
  };
  const auto zero = [](float v) { return v == 0.0f; };
  EXPECT_TRUE(std::all_of(row(0) + 2048, row(1), zero)) << "CLIP fills half the width";
  EXPECT_TRUE(std::none_of(row(77) + 2048, row(78), zero)) << "T5 fills it all";
}

TEST(EmbedPrompt, IsTheSameForTheSamePromptOnly) {
  const MmditDims dims;
  const auto cat = EmbedPrompt("a cat", dims), again = EmbedPrompt(" a  cat\n", dims),
             dog = EmbedPrompt("a dog", dims);
  EXPECT_EQ(cat.context, again.context) << "only words count";
  EXPECT_EQ(cat.pooled, EmbedPrompt("a cat", dims).pooled);
  EXPECT_NE(cat.context, dog.context);
  EXPECT_NE(cat.pooled, dog.pooled);
  EXPECT_NE(cat.context, EmbedPrompt("cat a", dims).context) << "the order counts";
}

TEST(EmbedPrompt, HasUnitSpreadAndTakesAnyLength) {
  const MmditDims dims;
  std::string prompt;
  for (int i = 0; i < 5000; ++i) prompt += fmt::format("w{} ", i);
  for (const std::string& text : {std::string(), prompt}) {
    const auto embedding = EmbedPrompt(text, dims);
    double square = 0;
    for (const float v : embedding.pooled) square += v * v / 2048;
    EXPECT_NEAR(square, 1.0, 0.15);
    EXPECT_TRUE(std::all_of(embedding.context.begin(), embedding.context.end(),
                            [](float v) { return std::isfinite(v); }));
  }
}

}  // namespace
}  // namespace cbench::embedded
