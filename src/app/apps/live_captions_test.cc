// Arrival and lateness are proven by what must be able to happen, not by how long it took: a fake
// engine holds its answers until later segments have been issued. Waits have a limit, so that a
// wrong app fails instead of hanging.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>

#include "app/audio.h"
#include "app/testing.h"

namespace cbench::app {
namespace {

using scenario::AppType;
using scenario::SloMetric;

constexpr auto kLimit = std::chrono::seconds(30);

// Counts, and lets threads wait for a count.
class Turnstile {
 public:
  void Reach(std::size_t n) {
    const std::lock_guard lock(mutex_);
    count_ = std::max(count_, n);
    changed_.notify_all();
  }
  std::size_t Pass() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
    return ++count_;
  }
  bool WaitFor(std::size_t n) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kLimit, [&] { return count_ >= n; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_ = 0;
};

struct CaptionsTest : testing::Test {
  CaptionsTest() : bench(AppType::kLiveCaptions) {
    bench.spec.segment = 20 * kMillisecond;
    bench.spec.audio = "talk.wav";
    Talk(100 * kMillisecond);
  }
  void Talk(Nanos length) {
    std::vector<std::int16_t> samples(static_cast<std::size_t>(length / (kSecond / kSampleRate)));
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<std::int16_t>(i);
    bench.folder.Write("talk.wav", EncodeWav(samples));
  }
  Nanos Sched(std::size_t i) { return bench.sink.issued.at(i).t_sched; }
  Bench bench;
};

TEST_F(CaptionsTest, CountsEverySegmentOfEveryPlay) {
  Talk(110 * kMillisecond);
  bench.task.requests = 2;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.app->PlannedRequests(bench.context()), 12);
  ASSERT_EQ(bench.sink.finished.size(), 12u);
  EXPECT_EQ(bench.sink.finished.at(1).audio, 20 * kMillisecond);
  EXPECT_EQ(bench.sink.finished.at(6).audio, 10 * kMillisecond);
  // The second play starts when the first has been heard to its end.
  EXPECT_EQ(Sched(6) - Sched(0), 110 * kMillisecond);
}

TEST_F(CaptionsTest, MaxAudioPlaysTheBeginning) {
  bench.spec.max_audio = 100 * kMillisecond;
  Talk(10 * kSecond);
  ASSERT_TRUE(bench.Prepare().has_value());
  EXPECT_EQ(bench.app->PlannedRequests(bench.context()), 5);
}

TEST_F(CaptionsTest, SegmentsExistWhenTheirLastSampleWasSpoken) {
  const Nanos before = Now();
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  ASSERT_EQ(bench.sink.issued.size(), 5u);
  EXPECT_GE(Sched(0), before + 20 * kMillisecond);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(Sched(i) - Sched(i - 1), 20 * kMillisecond);
  for (const auto& [id, done] : bench.sink.finished) {
    EXPECT_EQ(done.t_available, Sched(id - 1));
    EXPECT_EQ(done.t_sched, Sched(id - 1));
    EXPECT_GE(done.t_send, done.t_available);
  }
}

TEST_F(CaptionsTest, NoSegmentWaitsForAnEarlierResult) {
  Turnstile arrived;
  bench.engine.transcribe = [&](const auto&, const Cancel&) {
    arrived.Pass();
    EXPECT_TRUE(arrived.WaitFor(5));  // nobody is answered until all five were sent
    return FakeEngine::Done();
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.finished.size(), 5u);
}

TEST_F(CaptionsTest, OutstandingRequestsAreBoundedButArrivalsGoOn) {
  Talk(240 * kMillisecond);
  Turnstile issued;
  bench.sink.on_issue = [&](std::size_t n) { issued.Reach(n); };
  std::atomic<int> running = 0, most = 0;
  bench.engine.transcribe = [&](const auto&, const Cancel&) {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    EXPECT_TRUE(issued.WaitFor(12));
    --running;
    return FakeEngine::Done();
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(most, 8);
  ASSERT_EQ(bench.sink.finished.size(), 12u);
  EXPECT_EQ(Sched(11) - Sched(0), 220 * kMillisecond);
}

TEST_F(CaptionsTest, CancelEndsWhatIsInFlightAndWhatWaits) {
  Talk(2 * kSecond);
  bench.sink.on_issue = [&](std::size_t n) {
    if (n == 10) bench.cancel.Trigger();
  };
  bench.engine.transcribe = [&](const auto&, const Cancel& cancel) {
    EXPECT_TRUE(cancel.WaitUntil(Now() + 30 * kSecond));
    auto done = FakeEngine::Done();
    done.failure = record::Failure{"cancelled", "by the engine"};
    return done;
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  ASSERT_EQ(bench.sink.issued.size(), 10u);
  ASSERT_EQ(bench.sink.finished.size(), 10u);
  for (std::uint64_t id = 1; id <= 10; ++id) EXPECT_EQ(bench.FailureOf(id), "cancelled");
  EXPECT_LE(bench.engine.segments.size(), 8u);
}

TEST_F(CaptionsTest, TheWindowCarriesEarlierAudio) {
  Talk(5 * kSecond);
  bench.spec.segment = 1500 * kMillisecond;
  bench.spec.realtime = false;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  const auto& sent = bench.engine.segments;
  ASSERT_EQ(sent.size(), 4u);
  const auto seconds = [&](std::size_t i) {
    return static_cast<double>(sent[i].wav.size() - 44) / 2 / kSampleRate;
  };
  EXPECT_EQ(seconds(0), 1.5);
  EXPECT_EQ(seconds(1), 3.0);
  EXPECT_EQ(seconds(2), 3.5);  // two seconds of context at most
  EXPECT_EQ(seconds(3), 2.5);
}

TEST_F(CaptionsTest, BatchSendsOneAfterAnother) {
  bench.spec.realtime = false;
  std::atomic<int> running = 0;
  bench.engine.transcribe = [&](const auto&, const Cancel&) {
    EXPECT_EQ(++running, 1);
    --running;
    return FakeEngine::Done();
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.finished.size(), 5u);
  EXPECT_EQ(bench.sink.finished.at(5).audio, 20 * kMillisecond);
  EXPECT_GE(bench.sink.finished.at(5).t_send, bench.sink.finished.at(5).t_available);
}

TEST_F(CaptionsTest, TheDeadlineCountsFromTheSegmentsEnd) {
  bench.spec.slo = {{SloMetric::kSegment, 2 * kSecond}};
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  for (const auto& segment : bench.engine.segments) {
    EXPECT_EQ(segment.urgency.deadline, segment.t_sched + 2 * kSecond);
    EXPECT_EQ(segment.urgency.per_step, 0);
  }
}

}  // namespace
}  // namespace cbench::app
