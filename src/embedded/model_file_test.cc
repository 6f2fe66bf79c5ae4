#include "embedded/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "embedded/speech_file.h"
#include "embedded/speech_test_model.h"

namespace cbench::embedded {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string WhisperError(const std::string& bytes) {
  std::istringstream in(bytes);
  const auto checked = CheckWhisperFile(in, bytes.size(), "m.bin");
  if (checked) return "";
  EXPECT_EQ(checked.error().kind, ErrorKind::kInput);
  return checked.error().message;
}

TEST(ModelFile, TakesEveryQuantOfASyntheticSpeechModel) {
  for (const std::string& quant : SpeechSynth("whisper-test").quants) {
    const auto checked = CheckModelFile("speech", MakeTestModel(quant));
    EXPECT_TRUE(checked) << quant << ": " << checked.error().message;
  }
}

TEST(ModelFile, SaysWhereAWhisperFileEnds) {
  const std::string whole = Contents(MakeTestModel("q4_0"));
  ASSERT_EQ(WhisperError(whole), "");
  for (const std::size_t size :
       {std::size_t{4}, std::size_t{46}, std::size_t{60}, whole.size() / 2, whole.size() - 1}) {
    EXPECT_THAT(WhisperError(whole.substr(0, size)),
                StartsWith(fmt::format("m.bin was cut short after {} bytes", size)));
  }
}

// The file ends where a tensor does: each that is there is whole.
TEST(ModelFile, CountsTheTensorsOfAWhisperFile) {
  const std::string whole = Contents(MakeTestModel("q4_0"));
  const std::string last = "decoder.blocks.0.mlp.2.bias";
  const std::size_t record = whole.find(last) - 4 * sizeof(std::int32_t);
  EXPECT_THAT(WhisperError(whole.substr(0, record)), HasSubstr("tensors of its shape"));
}

// Every byte of the numbers in front, and of the first tensor's, set to what is not there.
TEST(ModelFile, SurvivesWrongNumbers) {
  const std::string whole = Contents(MakeTestModel("q4_0"));
  const std::size_t tensor = whole.find("encoder.positional_embedding") - 20;
  for (std::size_t at = 4; at < tensor + 20; at = at == 55 ? tensor : at + 1) {
    for (const char byte : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = byte;
      WhisperError(changed);  // must come back
    }
  }
}

TEST(ModelFile, NamesWhatIsNotThere) {
  const auto checked = CheckModelFile("text", "/no/such/file.gguf");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, StartsWith("/no/such/file.gguf is not a file"));
}

}  // namespace
}  // namespace cbench::embedded
