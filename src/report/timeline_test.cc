#include "report/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/testing/scratch_folder.h"
#include "record/samples.h"
#include "report/testing.h"

namespace cbench::report {
namespace {

using testing::ElementsAre;

class TimelineTest : public testing::Test {
 protected:
  TimelineTest() {
    record_.directory = folder_.path();
    At(0, record::RunStart{"greedy", 0});
    At(0, record::ProbeEvent{"cpu", "present", 10 * kMs, ""});
    At(0, record::ProbeEvent{"rapl", "absent", 0, "no RAPL"});
    At(1000, record::RunEnd{"done"});
  }

  template <typename Body>
  void At(Nanos t_ms, Body body) {
    record_.events.push_back({t_ms * kMs, std::move(body)});
  }
  void Put(Nanos t_ms, std::optional<double> value, const char* name = "busy",
           const char* probe = "cpu") {
    samples_.push_back({t_ms * kMs, probe, name, "ratio", value});
  }
  Timeline Read(std::size_t buckets, std::string_view tail = "",
                std::optional<Interval> window = {}) {
    std::ofstream(record_.directory / "samples.jsonl")
        << record::SampleLines().Format(samples_, 0) << tail;
    return ReadTimeline(record_, buckets, window);
  }

  const ScratchFolder folder_;
  record::Record record_;
  std::vector<record::Sample> samples_;
};

// "t=low..high" in ms of each point; a gap is "t=".
std::vector<std::string> Points(const Series& series) {
  std::vector<std::string> points;
  for (const auto& point : series.points) {
    points.push_back(point.mean ? fmt::format("{}={}..{}", point.t / kMs, *point.low, *point.high)
                                : fmt::format("{}=", point.t / kMs));
  }
  return points;
}

TEST_F(TimelineTest, ProbesHaveTheirLastStateAndReason) {
  At(500, record::ProbeEvent{"cpu", "dropped", 0, "hangs"});
  const Timeline timeline = Read(0);
  ASSERT_EQ(timeline.probes.size(), 2u);
  EXPECT_EQ(timeline.probes[0].state, "dropped");
  EXPECT_EQ(timeline.probes[0].detail, "hangs");
  EXPECT_EQ(timeline.probes[0].period, 10 * kMs);
  EXPECT_EQ(timeline.probes[1].detail, "no RAPL");
  EXPECT_EQ(timeline.window, Interval(0, 1000 * kMs));
  EXPECT_TRUE(timeline.series.empty());
  EXPECT_EQ(timeline.reason, "");
}

TEST_F(TimelineTest, ANullOrASilentProbeIsAGap) {
  Put(0, std::nullopt), Put(10, 1), Put(20, 2), Put(30, std::nullopt), Put(40, std::nullopt);
  Put(50, 3), Put(74, 4), Put(100, 5);
  const Timeline timeline = Read(0);
  ASSERT_EQ(timeline.series.size(), 1u);
  EXPECT_THAT(Points(timeline.series[0]),
              ElementsAre("10=1..1", "20=2..2", "30=", "50=3..3", "74=4..4", "74=", "100=5..5"));
  EXPECT_EQ(timeline.series[0].values, 5u);
  EXPECT_EQ(timeline.series[0].missing, 3u);
  EXPECT_EQ(timeline.series[0].mean, 3);
  EXPECT_EQ(timeline.series[0].last, 5);
  EXPECT_EQ(timeline.series[0].unit, "ratio");
}

TEST_F(TimelineTest, ASeriesThatComesRarelyHasNoGaps) {
  for (Nanos t = 0; t <= 100; t += 10) {
    Put(t, 1);
    if (t % 50 == 0) Put(t, 2, "rare");
  }
  const Timeline timeline = Read(0);
  EXPECT_THAT(Points(timeline.series.at(1)), ElementsAre("0=2..2", "50=2..2", "100=2..2"));
}

TEST_F(TimelineTest, BucketsKeepTheRange) {
  for (Nanos t = 0; t < 1000; t += 10) Put(t, static_cast<double>(t % 100));
  const Timeline timeline = Read(4);
  EXPECT_THAT(Points(timeline.series.at(0)),
              ElementsAre("0=0..90", "250=0..90", "500=0..90", "750=0..90"));
  EXPECT_DOUBLE_EQ(*timeline.series[0].points[0].mean, 40);
  EXPECT_EQ(timeline.series[0].values, 100u);
}

TEST_F(TimelineTest, AWindowLeavesOutTheRest) {
  for (Nanos t = 0; t < 1000; t += 100) Put(t, static_cast<double>(t), "busy", "other");
  const Timeline timeline = Read(0, "", Interval(200 * kMs, 300 * kMs));
  EXPECT_THAT(Points(timeline.series.at(0)), ElementsAre("200=200..200", "300=300..300"));
}

TEST_F(TimelineTest, SeveralWindowsAreReadAtOnce) {
  for (Nanos t = 0; t < 1000; t += 100) Put(t, static_cast<double>(t), "busy", "other");
  Read(0);
  const auto timelines =
      ReadTimelines(record_, 0, {{0, 100 * kMs}, {300 * kMs, 300 * kMs}, {2000 * kMs, 3000 * kMs}});
  ASSERT_EQ(timelines.size(), 3u);
  EXPECT_THAT(Points(timelines[0].series.at(0)), ElementsAre("0=0..0", "100=100..100"));
  EXPECT_THAT(Points(timelines[1].series.at(0)), ElementsAre("300=300..300"));
  EXPECT_TRUE(timelines[2].series.empty());
}

TEST_F(TimelineTest, ABrokenFileGivesWhatCameBefore) {
  Put(10, 1);
  const Timeline torn = Read(0, "{\"t\":1");
  EXPECT_EQ(torn.reason, "");
  const Timeline broken = Read(0, "{}\n");
  EXPECT_THAT(broken.reason, testing::HasSubstr("samples.jsonl:3"));
  EXPECT_EQ(broken.series.size(), 1u);
}

}  // namespace
}  // namespace cbench::report
