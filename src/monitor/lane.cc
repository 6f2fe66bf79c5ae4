#include "monitor/lane.h"

#include <time.h>

#include <algorithm>
#include <cmath>

namespace cbench::monitor {
namespace {

constexpr Nanos kCostPeriod = kSecond;

Nanos ThreadCpu() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

int Divider(Nanos wanted, Nanos period) {
  return std::max(1, static_cast<int>(std::lround(ToSeconds(wanted) / ToSeconds(period))));
}

}  // namespace

Lane::Lane(std::string name, Descriptors probes, System system, Nanos period, SampleSink& sink)
    : name_(std::move(name)),
      descriptors_(std::move(probes)),
      system_(std::move(system)),
      period_(period),
      sink_(&sink) {}

std::shared_ptr<Lane> Lane::Start(std::string name, Descriptors probes, System system, Nanos period,
                                  SampleSink& sink) {
  auto lane =
      std::make_shared<Lane>(std::move(name), std::move(probes), std::move(system), period, sink);
  lane->thread_ = std::thread([lane] { lane->Run(); });
  return lane;
}

const ProbeDescriptor* Lane::StuckFor(Nanos limit) const {
  const std::lock_guard lock(mutex_);
  return inside_ && Now() - since_ >= limit ? inside_ : nullptr;
}

bool Lane::JoinUntil(Nanos t) {
  if (!ended_.WaitUntil(t)) return false;
  thread_.join();
  return true;
}

void Lane::GiveUp() {
  {
    const std::lock_guard lock(mutex_);
    sink_ = nullptr;
  }
  stop_.Trigger();
  thread_.detach();
}

void Lane::Run() {
  MakeProbes();
  if (!active_.empty()) Loop();
  ended_.Trigger();
}

void Lane::MakeProbes() {
  for (const ProbeDescriptor* descriptor : descriptors_) {
    Enter(descriptor);
    auto probe = descriptor->make(system_);
    Enter(nullptr);
    if (!probe) {
      Note({descriptor->name, "absent", 0, probe.error().message});
      continue;
    }
    const int divider = Divider(descriptor->period, period_);
    Note({descriptor->name, "present", divider * period_, ""});
    active_.push_back({descriptor, std::move(*probe), divider});
  }
}

// Sleeps to fixed points of time, so that a slow reading does not shift the later ones; those it
// has missed are left out.
void Lane::Loop() {
  std::vector<record::Sample> samples;
  const Nanos start = reported_ = Now();
  thread_cpu_ = ThreadCpu();
  std::int64_t tick = 0;
  do {
    samples.clear();
    late_ = std::max(late_, Now() - (start + tick * period_));
    ReadDue(tick, samples);
    if (Now() >= reported_ + kCostPeriod) ReportCost(Now(), samples);
    Emit(samples);
    tick = std::max(tick + 1, (Now() - start) / period_);
  } while (!stop_.WaitUntil(start + tick * period_));
}

void Lane::ReadDue(std::int64_t tick, std::vector<record::Sample>& samples) {
  for (Active& active : active_) {
    if (tick < active.next) continue;
    active.next = (tick / active.divider + 1) * active.divider;
    const Nanos before = ThreadCpu();
    Enter(active.descriptor);
    Reading out(Now(), active.descriptor->name, samples);
    active.probe->Read(out);
    Enter(nullptr);
    active.cpu += ThreadCpu() - before;
  }
}

// The monitor watches itself: each probe's share of a core, what the lane needs beside them, and
// how late its latest reading was.
void Lane::ReportCost(Nanos now, std::vector<record::Sample>& samples) {
  Reading out(now, "monitor", samples);
  const double elapsed = ToSeconds(now - reported_);
  Nanos probes = 0;
  for (Active& active : active_) {
    out.Add(std::string(active.descriptor->name) + ".cpu", "cores",
            ToSeconds(active.cpu) / elapsed);
    probes += std::exchange(active.cpu, 0);
  }
  const Nanos cpu = ThreadCpu();
  out.Add(name_ + ".overhead", "cores", ToSeconds(cpu - thread_cpu_ - probes) / elapsed);
  out.Add(name_ + ".late", "s", ToSeconds(std::exchange(late_, 0)));
  thread_cpu_ = cpu;
  reported_ = now;
}

void Lane::Emit(std::span<const record::Sample> samples) {
  const std::lock_guard lock(mutex_);
  if (sink_ && !samples.empty()) sink_->Append(samples);
}

void Lane::Note(const record::ProbeEvent& event) {
  const std::lock_guard lock(mutex_);
  if (sink_) sink_->Note(event);
}

void Lane::Enter(const ProbeDescriptor* descriptor) {
  const std::lock_guard lock(mutex_);
  inside_ = descriptor;
  since_ = Now();
}

}  // namespace cbench::monitor
