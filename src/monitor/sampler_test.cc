// The sampler on probes that do as the tests say. Order is made by latches: no test waits for a
// time, and none fails because a machine is slow.
#include "monitor/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <ctime>
#include <future>
#include <set>

#include "monitor/survey.h"

namespace cbench::monitor {
namespace {

// Keeps what was written and lets tests wait for it.
class FakeWriter final : public record::Writer {
 public:
  const std::filesystem::path& directory() const override { return directory_; }
  std::filesystem::path LogPath(const std::string&) const override { return {}; }
  void Append(const record::Event& event) override {
    Add([&] { notes_.push_back(std::get<record::ProbeEvent>(event.body)); });
  }
  void Append(std::span<const record::Sample> samples) override {
    Add([&] { samples_.insert(samples_.end(), samples.begin(), samples.end()); });
  }
  Result<> UpdateHeader(const record::Header&) override { return {}; }
  void OnError(std::function<void(const Error&)>) override {}
  Result<> Close() override { return {}; }

  void AwaitSamples(const std::string& probe, int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return CountLocked(probe) >= count; });
  }
  record::ProbeEvent AwaitNote(const std::string& probe, const std::string& state) {
    std::unique_lock lock(mutex_);
    const record::ProbeEvent* found = nullptr;
    changed_.wait(lock, [&] {
      for (const auto& note : notes_)
        if (note.probe == probe && note.state == state) found = &note;
      return found != nullptr;
    });
    return *found;
  }
  int Count(const std::string& probe) {
    const std::lock_guard lock(mutex_);
    return CountLocked(probe);
  }
  std::vector<record::Sample> samples() {
    const std::lock_guard lock(mutex_);
    return samples_;
  }

 private:
  template <typename F>
  void Add(F add) {
    const std::lock_guard lock(mutex_);
    add();
    changed_.notify_all();
  }
  int CountLocked(const std::string& probe) const {
    int count = 0;
    for (const auto& sample : samples_) count += sample.probe == probe;
    return count;
  }

  const std::filesystem::path directory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<record::Sample> samples_;
  std::vector<record::ProbeEvent> notes_;
};

class SteadyProbe final : public Probe {
 public:
  void Read(Reading& out) override { out.Add("value", "count", 1); }
};

// Hangs in every reading until it is released; tells when it was destroyed.
struct Hanging {
  std::promise<void> release, destroyed;
  std::shared_future<void> released{release.get_future()};
};
Hanging* hanging = nullptr;

class HangingProbe final : public Probe {
 public:
  ~HangingProbe() override { state_->destroyed.set_value(); }
  void Read(Reading& out) override {
    state_->released.wait();
    out.Add("value", "count", 1);
  }

 private:
  Hanging* const state_ = hanging;
};

// Takes 5 ms of CPU time for a reading.
class CostlyProbe final : public Probe {
 public:
  void Read(Reading& out) override {
    const auto end = std::clock() + CLOCKS_PER_SEC / 200;
    while (std::clock() < end) {
    }
    out.Add("value", "count", 1);
  }
};

template <typename P>
Result<std::unique_ptr<Probe>> Make(const System&) {
  return std::make_unique<P>();
}
Result<std::unique_ptr<Probe>> MakeNothing(const System&) { return Failure("not on this device"); }

constexpr ProbeDescriptor kSteady = {"steady", "always there", kMillisecond, false,
                                     Make<SteadyProbe>};
constexpr ProbeDescriptor kSlow = {"slow", "every fourth time", 20 * kMillisecond, false,
                                   Make<SteadyProbe>};
constexpr ProbeDescriptor kCostly = {"costly", "burns CPU time", 100 * kMillisecond, false,
                                     Make<CostlyProbe>};
constexpr ProbeDescriptor kHangs = {"hangs", "never comes back", kMillisecond, false,
                                    Make<HangingProbe>};
constexpr ProbeDescriptor kHangsApart = {"apart", "never comes back", kMillisecond, true,
                                         Make<HangingProbe>};
constexpr ProbeDescriptor kAbsent = {"absent", "never there", kMillisecond, true, MakeNothing};

SamplerOptions Options(std::vector<const ProbeDescriptor*> probes,
                       Nanos give_up = 20 * kMillisecond) {
  return {200, {}, give_up, std::move(probes)};
}

TEST(Sampler, SaysWhatIsThereAndWhyTheRestIsNot) {
  FakeWriter writer;
  const Sampler sampler(writer, {}, Options({&kSteady, &kAbsent, &kSlow}));
  EXPECT_EQ(writer.AwaitNote("absent", "absent").detail, "not on this device");
  EXPECT_EQ(writer.AwaitNote("steady", "present").period, 5 * kMillisecond);
  EXPECT_EQ(writer.AwaitNote("slow", "present").period, 20 * kMillisecond);
}

TEST(Sampler, EachProbeIsReadAtItsOwnRate) {
  FakeWriter writer;
  {
    const Sampler sampler(writer, {}, Options({&kSteady, &kSlow}, kSecond));
    writer.AwaitSamples("slow", 5);
  }
  // Between two readings of the slow one the other is read up to four times, fewer if the machine
  // is too busy for that.
  EXPECT_GE(writer.Count("steady"), writer.Count("slow"));
  EXPECT_LE(writer.Count("steady"), 4 * writer.Count("slow"));
  Nanos last = 0;
  for (const auto& sample : writer.samples()) {
    EXPECT_GE(sample.t, last);
    last = sample.t;
  }
}

TEST(Sampler, AProbeThatHangsIsDroppedAndItsNeighboursGoOn) {
  Hanging state;
  hanging = &state;
  FakeWriter writer;
  std::promise<std::string> note;
  {
    SamplerOptions options = Options({&kSteady, &kHangs});
    options.note = [&note](std::string_view text) { note.set_value(std::string(text)); };
    const Sampler sampler(writer, {}, options);
    writer.AwaitNote("hangs", "dropped");
    writer.AwaitSamples("steady", writer.Count("steady") + 3);
  }
  EXPECT_THAT(note.get_future().get(), testing::HasSubstr("probe hangs: did not come back"));
  const int before = writer.Count("hangs");
  state.release.set_value();
  state.destroyed.get_future().wait();
  EXPECT_EQ(writer.Count("hangs"), before) << "it woke up and must not have written";
}

TEST(Sampler, AProbeOfItsOwnLaneStallsNobody) {
  Hanging state;
  hanging = &state;
  FakeWriter writer;
  {
    const Sampler sampler(writer, {}, Options({&kSteady, &kHangsApart}, kSecond));
    writer.AwaitSamples("steady", 10);
    EXPECT_EQ(writer.Count("apart"), 0);
    state.release.set_value();
    writer.AwaitSamples("apart", 1);
  }
  state.destroyed.get_future().wait();
}

TEST(Sampler, EndsThoughAProbeHangsAndItsOwnersAreGone) {
  Hanging state;
  hanging = &state;
  {
    FakeWriter writer;
    const Sampler sampler(writer, {}, Options({&kHangsApart}));
    writer.AwaitNote("apart", "present");
  }
  state.release.set_value();
  state.destroyed.get_future().wait();
}

TEST(Sampler, WhatCostsTooMuchIsReadLessOften) {
  FakeWriter writer;
  const Sampler sampler(writer, {}, Options({&kCostly}, kSecond));
  writer.AwaitSamples("monitor", 1);
  const auto note = writer.AwaitNote("costly", "present");
  EXPECT_GE(note.period, 200 * kMillisecond);
  EXPECT_THAT(note.detail, testing::HasSubstr("times more rarely"));
}

TEST(Sampler, MeasuresItsOwnCost) {
  FakeWriter writer;
  {
    const Sampler sampler(writer, {}, Options({&kSteady}, kSecond));
    writer.AwaitSamples("monitor", 3);
  }
  std::set<std::string> names;
  for (const auto& sample : writer.samples())
    if (sample.probe == "monitor") names.insert(sample.name);
  EXPECT_THAT(names, testing::ElementsAre("files.late", "files.overhead", "steady.cpu"));
}

TEST(Survey, AProbeThatHangsIsSaidToHang) {
  Hanging state;
  hanging = &state;
  const auto answers = Survey({}, 50 * kMillisecond, {&kHangsApart});
  EXPECT_THAT(answers.at(0).available.error().message, testing::HasSubstr("hangs"));
  state.release.set_value();
  state.destroyed.get_future().wait();
}

TEST(Survey, HoldsTheFirstReadingOrTheReason) {
  const auto answers = Survey({}, 60 * kSecond, {&kSteady, &kAbsent, &kSlow});
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0].samples.at(0).probe, "steady");
  EXPECT_EQ(answers[1].available.error().message, "not on this device");
  EXPECT_TRUE(answers[1].samples.empty());
  EXPECT_EQ(answers[2].samples.at(0).probe, "slow");
}

}  // namespace
}  // namespace cbench::monitor
