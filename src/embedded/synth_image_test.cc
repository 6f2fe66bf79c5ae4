// Model files: what is written, what loads, and what is refused by name.
#include "embedded/synth_image.h"

#include <fstream>
#include <map>

#include "embedded/image_tensors.h"
#include "embedded/image_testing.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {
namespace {

std::uint64_t Parameters(const char* name, const std::string& part = "") {
  std::uint64_t sum = 0;
  for (const TensorSpec& spec : ImageTensors(*FindImageDims(name), GGML_TYPE_F16)) {
    const bool vae = spec.name.starts_with("first_stage_model.");
    if (part.empty() || vae == (part == "vae")) sum += static_cast<std::uint64_t>(spec.Elements());
  }
  return sum;
}

const SynthModel& Synth(const std::string& name) {
  static const auto models = ImageSynthModels();
  return *std::find_if(models.begin(), models.end(), [&](auto& m) { return m.name == name; });
}

// The published checkpoint has 2.47 billion parameters in the denoiser, and SD3's decoder 49.5
// million; both follow from shapes alone.
TEST(ImageTensors, MediumHasThePublishedSize) {
  EXPECT_NEAR(static_cast<double>(Parameters("sd3.5-medium", "denoiser")) / 1e9, 2.47, 0.01);
  EXPECT_NEAR(static_cast<double>(Parameters("sd3.5-medium", "vae")) / 1e6, 49.5, 0.1);
}

TEST(ImageTensors, AreThoseOfTheReferenceCheckpoint) {
  std::map<std::string, std::array<std::int64_t, 4>> shapes;
  for (const auto& spec : ImageTensors(*FindImageDims("sd3.5-medium"), GGML_TYPE_F16)) {
    EXPECT_LT(spec.name.size(), static_cast<std::size_t>(GGML_MAX_NAME));
    EXPECT_TRUE(shapes.emplace(spec.name, spec.shape).second) << spec.name << " twice";
  }
  using Shape = std::array<std::int64_t, 4>;
  EXPECT_EQ(shapes["x_embedder.proj.weight"], (Shape{2, 2, 16, 1536}));
  EXPECT_EQ(shapes["pos_embed"], (Shape{1536, 147456, 1, 1}));
  EXPECT_EQ(shapes["context_embedder.weight"], (Shape{4096, 1536, 1, 1}));
  EXPECT_EQ(shapes["joint_blocks.12.x_block.adaLN_modulation.1.weight"],
            (Shape{1536, 9 * 1536, 1, 1}));
  EXPECT_EQ(shapes["joint_blocks.13.x_block.adaLN_modulation.1.weight"],
            (Shape{1536, 6 * 1536, 1, 1}));
  EXPECT_EQ(shapes["joint_blocks.23.context_block.adaLN_modulation.1.weight"],
            (Shape{1536, 2 * 1536, 1, 1}));
  EXPECT_TRUE(shapes.contains("joint_blocks.12.x_block.attn2.ln_k.weight"));
  EXPECT_FALSE(shapes.contains("joint_blocks.13.x_block.attn2.ln_k.weight"));
  EXPECT_FALSE(shapes.contains("joint_blocks.23.context_block.attn.proj.weight"));
  EXPECT_EQ(shapes["first_stage_model.decoder.up.0.block.0.nin_shortcut.weight"],
            (Shape{1, 1, 256, 128}));
}

TEST(ImageSynthModels, SizesAreKnownBeforehand) {
  const SynthModel& medium = Synth("sd3.5-medium");
  EXPECT_NEAR(static_cast<double>(medium.bytes(medium, "q8_0")) / (1 << 30), 2.53, 0.1);
  EXPECT_NEAR(static_cast<double>(medium.bytes(medium, "q4_0")) / (1 << 30), 1.4, 0.1);
  const SynthModel& demo = Synth("sd3.5-medium-demo");
  EXPECT_LT(demo.bytes(demo, ""), 200u << 20);
  const auto file = std::filesystem::file_size(TestModel("q8_0"));
  const SynthModel& test = Synth("sd3.5-test");
  EXPECT_NEAR(static_cast<double>(file) / static_cast<double>(test.bytes(test, "q8_0")), 1, 0.02);
}

TEST(ImageSynthModels, WriteReportsItsProgress) {
  const TemporaryFile file("progress.gguf");
  std::uint64_t last = 0, whole = 0;
  const SynthModel& test = Synth("sd3.5-test");
  const auto made =
      test.write(test, "q4_0", file.path(), [&](std::uint64_t done, std::uint64_t of) {
        EXPECT_GE(done, last);
        last = done;
        whole = of;
      });
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(last, whole);
  EXPECT_GT(whole, 0u);
}

TEST(WriteImageModel, NamesTheQuantItDoesNotKnow) {
  const auto made = WriteImageModel(*FindImageDims("sd3.5-test"), "q9", "/tmp/never", nullptr);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("quant: 'q9'"), std::string::npos);
}

TEST(WriteImageModel, SaysWhenTheFileCannotBeWritten) {
  const auto made = WriteImageModel(*FindImageDims("sd3.5-test"), "q8_0", "/dev/full", nullptr);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("/dev/full: No space left"), std::string::npos);
}

class LoadWeights : public testing::Test {
 protected:
  void SetUp() override {
    pool_ = std::move(*ThreadPool::Make({.threads = 1}));
    backend_ = std::move(*MakeBackend(*FindDevice("cpu"), pool_.get(), 1));
  }
  std::string ErrorOf(const std::filesystem::path& path) {
    const auto loaded = ImageWeights::Load(path, backend_.get());
    return loaded ? "" : loaded.error().message;
  }
  // A header that claims `dims` over the tensors that `of` has.
  void WriteHeader(const std::filesystem::path& path, const ImageDims& dims, const ImageDims& of,
                   const std::string& without = "") {
    const GgmlContext context(ggml_init({512 * ggml_tensor_overhead(), nullptr, true}));
    const GgufFile file(gguf_init_empty());
    WriteDims(dims, file.get());
    for (const TensorSpec& spec : ImageTensors(of, GGML_TYPE_F16)) {
      if (spec.name == without) continue;
      auto* tensor = ggml_new_tensor(context.get(), spec.type, 4, spec.shape.data());
      ggml_set_name(tensor, spec.name.c_str());
      gguf_add_tensor(file.get(), tensor);
    }
    ASSERT_TRUE(gguf_write_to_file(file.get(), path.c_str(), true));
  }

  ThreadPool pool_;
  Backend backend_;
  const ImageDims& test_ = *FindImageDims("sd3.5-test");
};

TEST_F(LoadWeights, ReadsBackDimensionsAndValues) {
  const auto weights = ImageWeights::Load(TestModel("f32"), backend_.get());
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->dims().name, "sd3.5-test");
  EXPECT_TRUE(weights->dims().synthetic);
  EXPECT_EQ(weights->dims().mmdit.depth, 2);
  EXPECT_EQ(weights->dims().vae.channels, test_.vae.channels);
  EXPECT_EQ(weights->Parameters(), Parameters("sd3.5-test"));
  EXPECT_EQ(weights->Quant(), "f32");
  const ggml_tensor* matrix = weights->Get("joint_blocks.1.x_block.mlp.fc1.weight");
  std::vector<float> values(static_cast<std::size_t>(ggml_nelements(matrix)));
  ggml_backend_tensor_get(matrix, values.data(), 0, ggml_nbytes(matrix));
  double square = 0;
  for (const float v : values) square += v * v / static_cast<double>(values.size());
  EXPECT_NEAR(square, 1.0 / 128, 0.02 / 128) << "variance 1 / inputs";
}

TEST_F(LoadWeights, NamesTheFileThatIsNotThere) {
  EXPECT_NE(ErrorOf("/no/such.gguf").find("/no/such.gguf: no such model file"), std::string::npos);
}

TEST_F(LoadWeights, RefusesWhatIsNoGguf) {
  const TemporaryFile file("text.gguf");
  std::ofstream(file.path()) << "not a model";
  EXPECT_NE(ErrorOf(file.path()).find("not a readable GGUF file"), std::string::npos);
}

TEST_F(LoadWeights, RefusesAForeignArchitecture) {
  const TemporaryFile file("llama.gguf");
  const GgufFile llama(gguf_init_empty());
  gguf_set_val_str(llama.get(), "general.architecture", "llama");
  ASSERT_TRUE(gguf_write_to_file(llama.get(), file.path().c_str(), true));
  EXPECT_NE(ErrorOf(file.path()).find("general.architecture is 'llama'"), std::string::npos);
}

TEST_F(LoadWeights, NamesTheMissingTensor) {
  const TemporaryFile file("missing.gguf");
  const std::string name = "joint_blocks.0.x_block.attn2.qkv.weight";
  WriteHeader(file.path(), test_, test_, name);
  EXPECT_NE(ErrorOf(file.path()).find("tensor " + name + " is missing"), std::string::npos);
}

TEST_F(LoadWeights, NamesTheTensorOfTheWrongShape) {
  const TemporaryFile file("shape.gguf");
  ImageDims other = test_;
  other.mmdit.pooled_dim *= 2;
  WriteHeader(file.path(), other, test_);
  EXPECT_NE(ErrorOf(file.path())
                .find("tensor y_embedder.mlp.0.weight has shape [64, 128, 1, 1], expected "
                      "[128, 128, 1, 1]"),
            std::string::npos)
      << ErrorOf(file.path());
}

TEST_F(LoadWeights, NamesTheKeyOutOfRange) {
  const TemporaryFile file("key.gguf");
  ImageDims wrong = test_;
  wrong.mmdit.depth = 0;
  WriteHeader(file.path(), wrong, test_);
  EXPECT_NE(ErrorOf(file.path()).find("key sd3.block_count must be 1 to"), std::string::npos);
}

TEST_F(LoadWeights, SaysWhenTheFileIsCutShort) {
  const TemporaryFile file("short.gguf");
  std::filesystem::copy_file(TestModel("q8_0"), file.path());
  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) / 2);
  EXPECT_NE(ErrorOf(file.path()).find("the file ends within tensor"), std::string::npos)
      << ErrorOf(file.path());
}

}  // namespace
}  // namespace cbench::embedded
