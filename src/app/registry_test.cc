#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/app.h"

namespace cbench::app {
namespace {

TEST(Registry, HoldsEveryFileOfTheFolderOnce) {
  std::size_t files = 0;
  std::set<scenario::AppType> types;
  for (const auto& entry : std::filesystem::directory_iterator(CBENCH_SOURCE_DIR "/src/app/apps")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".cc") && !name.ends_with("_test.cc")) ++files;
  }
  for (const Descriptor* app : Apps()) types.insert(app->type);
  EXPECT_EQ(Apps().size(), files);
  EXPECT_EQ(types.size(), files);
}

TEST(Registry, EveryAppIsAvailableHereAndCanBeMade) {
  for (const Descriptor* app : Apps()) {
    EXPECT_TRUE(app->available().has_value());
    EXPECT_NE(app->make(), nullptr);
    EXPECT_EQ(FindApp(app->type), app);
    EXPECT_STRNE(app->summary, "");
  }
}

}  // namespace
}  // namespace cbench::app
