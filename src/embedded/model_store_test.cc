#include "embedded/model_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/file.h"
#include "base/testing/scratch_folder.h"

namespace cbench::embedded {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::atomic<int> writes = 0;

std::uint64_t Small(const SynthModel&, const std::string&) { return 1000; }
std::uint64_t Vast(const SynthModel&, const std::string&) { return 1ull << 60; }

Result<> WriteText(const SynthModel&, const std::string& quant, const fs::path& path,
                   const Progress& progress) {
  ++writes;
  std::ofstream(path) << "weights " << quant;
  if (progress) progress(1000, 1000);
  return {};
}

Result<> WriteHalf(const SynthModel&, const std::string&, const fs::path& path, const Progress&) {
  std::ofstream(path) << "half";
  return Failure("disk on fire");
}

SynthModel Model(std::string name) {
  return {std::move(name), "text", "a test", "q4_0", {"q4_0", "f16"}, Small, WriteText};
}

class ModelStore : public testing::Test {
 protected:
  void SetUp() override {
    setenv("CBENCH_CACHE", folder_.path().c_str(), 1);
    writes = 0;
  }
  void TearDown() override { unsetenv("CBENCH_CACHE"); }

  std::vector<std::string> Leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path() / "models")) {
      if (entry.path().extension() == ".tmp") names.push_back(entry.path().filename());
    }
    return names;
  }

  const ScratchFolder folder_;
};

TEST_F(ModelStore, MakesOnceAndKeeps) {
  const auto first = EnsureCached(Model("tiny"), "", nullptr);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(*ReadFile(*first), "weights q4_0");
  EXPECT_EQ(*EnsureCached(Model("tiny"), "q4_0", nullptr), *first);
  EXPECT_EQ(writes, 1);
  EXPECT_NE(*EnsureCached(Model("tiny"), "f16", nullptr), *first);
  EXPECT_THAT(Leftovers(), testing::IsEmpty());
}

TEST_F(ModelStore, ReportsProgress) {
  std::uint64_t last = 0;
  ASSERT_TRUE(
      EnsureCached(Model("tiny"), "", [&](std::uint64_t done, std::uint64_t) { last = done; }));
  EXPECT_EQ(last, 1000u);
}

TEST_F(ModelStore, IsMadeOnceWhenManyAskAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> made = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { made += EnsureCached(Model("busy"), "", nullptr) ? 1 : 0; });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(made, 8);
  EXPECT_EQ(writes, 1);
}

TEST_F(ModelStore, WaitsForAnotherHolderOfTheLock) {
  fs::create_directories(folder_.path() / "models");
  const fs::path lock = folder_.path() / "models" / "slow-q4_0-v1.gguf.lock";
  const int fd = open(lock.c_str(), O_RDWR | O_CREAT, 0644);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  std::thread asker([] { EXPECT_TRUE(EnsureCached(Model("slow"), "", nullptr)); });
  EXPECT_EQ(writes, 0);
  close(fd);
  asker.join();
  EXPECT_EQ(writes, 1);
}

TEST_F(ModelStore, SaysWhatToDoWhenTheDiskIsFull) {
  SynthModel model = Model("vast");
  model.bytes = Vast;
  const auto path = EnsureCached(model, "", nullptr);
  ASSERT_FALSE(path);
  EXPECT_THAT(path.error().message, HasSubstr("CBENCH_CACHE"));
  EXPECT_THAT(path.error().message, HasSubstr("cbench model rm"));
  EXPECT_EQ(writes, 0);
}

TEST_F(ModelStore, LeavesNothingBehindWhenWritingFails) {
  SynthModel model = Model("broken");
  model.write = WriteHalf;
  const auto path = EnsureCached(model, "", nullptr);
  ASSERT_FALSE(path);
  EXPECT_THAT(path.error().message, HasSubstr("disk on fire"));
  EXPECT_THAT(Leftovers(), testing::IsEmpty());
  EXPECT_THAT(ListCachedModels(), testing::IsEmpty());
}

TEST_F(ModelStore, CleansUpAfterProcessesThatDied) {
  fs::create_directories(folder_.path() / "models");
  std::ofstream(folder_.path() / "models" / "dead-q4_0-v1.gguf.tmp") << "half";
  std::ofstream(folder_.path() / "models" / "alive-q4_0-v1.gguf.tmp") << "half";
  const fs::path lock = folder_.path() / "models" / "alive-q4_0-v1.gguf.lock";
  const int fd = open(lock.c_str(), O_RDWR | O_CREAT, 0644);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  ASSERT_TRUE(EnsureCached(Model("other"), "", nullptr));
  EXPECT_THAT(Leftovers(), testing::ElementsAre("alive-q4_0-v1.gguf.tmp"));
  close(fd);
}

TEST_F(ModelStore, ListsAndRemoves) {
  ASSERT_TRUE(EnsureCached(Model("two-b"), "", nullptr));
  ASSERT_TRUE(EnsureCached(Model("one"), "", nullptr));
  ASSERT_TRUE(EnsureCached(Model("one"), "f16", nullptr));
  const auto models = ListCachedModels();
  ASSERT_EQ(models.size(), 3u);
  EXPECT_EQ(models[0].name, "one");
  EXPECT_EQ(models[0].quant, "f16");
  EXPECT_EQ(models[2].name, "two-b");
  ASSERT_TRUE(RemoveCachedModel("synth:one"));
  EXPECT_EQ(ListCachedModels().size(), 1u);
  EXPECT_FALSE(RemoveCachedModel("one"));
}

TEST_F(ModelStore, RefusesUnknownNamesQuantsAndFiles) {
  const auto unknown = ResolveModel("synth:gpt-9", "", nullptr);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("llama-3.2-3b"));
  EXPECT_EQ(unknown.error().kind, ErrorKind::kInput);
  EXPECT_THAT(EnsureCached(Model("tiny"), "q3_k", nullptr).error().message, HasSubstr("q4_0, f16"));
  EXPECT_FALSE(ResolveModel((folder_.path() / "none.gguf").string(), "", nullptr));
  std::ofstream(folder_.path() / "some.gguf") << "x";
  EXPECT_TRUE(ResolveModel((folder_.path() / "some.gguf").string(), "", nullptr));
}

}  // namespace
}  // namespace cbench::embedded
