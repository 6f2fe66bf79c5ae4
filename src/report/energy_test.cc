#include "report/energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/testing/scratch_folder.h"
#include "record/samples.h"

namespace cbench::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class EnergyTest : public testing::Test {
 protected:
  EnergyTest() { record_.directory = folder_.path(); }

  void Put(Nanos t, const char* name, std::optional<double> joules, const char* probe = "rapl") {
    samples_.push_back({t, probe, name, "J", joules});
  }
  auto Measure(const std::vector<std::optional<Interval>>& windows) {
    std::ofstream(record_.directory / "samples.jsonl") << record::SampleLines().Format(samples_, 0);
    return MeasureEnergy(record_, windows);
  }

  const ScratchFolder folder_;
  record::Record record_;
  std::vector<record::Sample> samples_;
};

TEST_F(EnergyTest, IsTheCountersWayInsideEachWindow) {
  for (Nanos t = 0; t <= 10; ++t) Put(t, "package-0.energy", 2.0 * static_cast<double>(t));
  Put(3, "gpu0.energy", 1000, "nvidia"), Put(5, "gpu0.energy", 1007, "nvidia");
  const auto joules = Measure({Interval(2, 6), std::nullopt, Interval(6, 10)});
  EXPECT_THAT(joules[0], ElementsAre(Pair("gpu0", 7), Pair("package-0", 8)));
  EXPECT_THAT(joules[1], IsEmpty());
  EXPECT_THAT(joules[2], ElementsAre(Pair("package-0", 8)));
}

TEST_F(EnergyTest, LeavesOutPartsSumsAndWhatIsBroken) {
  for (Nanos t = 0; t < 3; ++t) {
    Put(t, "package-0.core.energy", 1.0 * static_cast<double>(t));
    Put(t, "psys.energy", 1.0 * static_cast<double>(t));
    Put(t, "package-0.power", 5);
    Put(t, "package-1.energy", 10.0 - static_cast<double>(t));
  }
  Put(0, "package-2.energy", 3), Put(1, "package-2.energy", std::nullopt);
  EXPECT_THAT(Measure({Interval(0, 10)}), ElementsAre(IsEmpty()));
}

}  // namespace
}  // namespace cbench::report
