#include <gguf.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/testing/scratch_folder.h"
#include "embedded/model_store.h"
#include "embedded/synth_random.h"
#include "embedded/synth_text_shape.h"
#include "embedded/text_engine.h"

namespace cbench::embedded {
namespace {

namespace fs = std::filesystem;

TEST(Llama3RopeFactors, StretchOnlyLongWavelengths) {
  const auto factors = Llama3RopeFactors(500000, 128);
  ASSERT_EQ(factors.size(), 64u);
  EXPECT_FLOAT_EQ(factors.front(), 1);
  EXPECT_FLOAT_EQ(factors.back(), 32);
  for (std::size_t i = 1; i < factors.size(); ++i) EXPECT_GE(factors[i], factors[i - 1]);
}

// Parameters of the published models, their tied embedding counted once.
TEST(TextShapes, HaveThePublishedSizes) {
  const auto parameters = [](const std::string& name) {
    double sum = 0;
    for (const TextShape& shape : TextShapes()) {
      if (shape.name != name) continue;
      for (const TextTensor& tensor : Tensors(shape, "f16")) {
        sum += static_cast<double>(tensor.width) * static_cast<double>(tensor.rows);
      }
    }
    return sum;
  };
  EXPECT_NEAR(parameters("llama-3.2-1b"), 1.236e9, 0.001e9);
  EXPECT_NEAR(parameters("llama-3.2-3b"), 3.213e9, 0.001e9);
  EXPECT_NEAR(parameters("qwen3-0.6b"), 0.596e9, 0.001e9);
}

class SynthText : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override { setenv("CBENCH_CACHE", folder_.path().c_str(), 1); }
  void TearDown() override { unsetenv("CBENCH_CACHE"); }
  const ScratchFolder folder_;
};

TEST_P(SynthText, LoadsAndComputes) {
  const auto [name, quant] = GetParam();
  ServeOptions options;
  options.model = std::string("synth:") + name;
  options.quant = quant;
  options.device = "cpu";
  options.threads = 1;
  options.context = 64;
  const auto model = TextModel::Load(options);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE((*model)->synthetic());
  const CachedModel file = ListCachedModels().front();
  const auto estimate = FindSynthModel(name)->bytes(*FindSynthModel(name), quant);
  EXPECT_GE(estimate, file.bytes);

  const std::string prompt = (*model)->ApplyTemplate({{"user", "Hello world"}});
  EXPECT_NE(prompt.find("Hello world"), std::string::npos);
  EXPECT_EQ((*model)->Facts()["chat_template"], "the model's own");

  const auto hook = share::MakeFreeHook();
  const auto engine = TextEngine::Make(options, **model, *hook);
  ASSERT_TRUE(engine) << engine.error().message;
  GenerationRequest request;
  request.prompt = (*model)->Tokenize(prompt);
  request.max_tokens = 8;
  request.temperature = 0;
  const auto generation = std::make_shared<Generation>(request);
  ASSERT_TRUE((*engine)->Submit(generation));
  int tokens = 0;
  for (bool last = false; !last; ++tokens) {
    const auto output = generation->Next(30 * kSecond);
    ASSERT_TRUE(output);
    EXPECT_EQ(output->error, "");
    EXPECT_FALSE(output->text.empty());  // every token of a synthetic model can be seen
    last = output->last();
  }
  EXPECT_EQ(tokens, 8);
}

INSTANTIATE_TEST_SUITE_P(Models, SynthText,
                         testing::Values(std::pair("llama-test", "q4_0"),
                                         std::pair("llama-test", "f16"),
                                         std::pair("qwen3-test", "q8_0")),
                         [](const auto& model) {
                           std::string name =
                               std::string(model.param.first) + "_" + model.param.second;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace cbench::embedded
