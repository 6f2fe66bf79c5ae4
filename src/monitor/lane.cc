#include "monitor/lane.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cbench::monitor {
namespace {

constexpr Nanos kCostPeriod = kSecond;
constexpr double kMostCost = 0.004;  // cores, for one probe; what costs more is read less often

Nanos ThreadCpu() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

// struct sched_attr of sched_setattr(2), which the C library of Debian 12 does not declare.
struct SchedulingAttributes {
  std::uint32_t size, policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime, deadline, period;  // ns
};

// From Linux 6.12 on, a thread that asks for short turns gets them sooner; its share stays the
// same. A device that is busy, which is when its samples matter, would otherwise delay each by some
// ms.
void AskForShortTurns() {
  SchedulingAttributes attributes{};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtime = static_cast<std::uint64_t>(100 * kMicrosecond);
  syscall(SYS_sched_setattr, 0, &attributes, 0);  // an older kernel does not mind
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
  AskForShortTurns();
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
    tick = std::max(NextDue(), (Now() - start) / period_);
  } while (!stop_.WaitUntil(start + tick * period_));
}

// Waking costs more than most readings: points at which no probe is due are slept through.
std::int64_t Lane::NextDue() const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  for (const Active& active : active_) next = std::min(next, active.next);
  return next;
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
    ++active.readings;
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
    LimitCost(active);
    probes += std::exchange(active.cpu, 0);
    active.readings = 0;
  }
  const Nanos cpu = ThreadCpu();
  out.Add(name_ + ".overhead", "cores", ToSeconds(cpu - thread_cpu_ - probes) / elapsed);
  out.Add(name_ + ".late", "s", ToSeconds(std::exchange(late_, 0)));
  thread_cpu_ = cpu;
  reported_ = now;
}

// /proc/stat of a machine with hundreds of cores takes milliseconds, and so do the page tables of a
// large model: watching must not become a load of its own.
void Lane::LimitCost(Active& active) {
  if (active.readings == 0) return;
  const double reading = ToSeconds(active.cpu) / active.readings;
  const double period = ToSeconds(active.divider * period_), cores = reading / period;
  int factor = 1;
  while (reading > kMostCost * period * factor) factor *= 2;
  if (factor == 1) return;
  active.divider *= factor;
  Note({active.descriptor->name, "present", active.divider * period_,
        fmt::format("read {} times more rarely, as it cost {:.1f} % of a core", factor,
                    cores * 100)});
}

void Lane::Emit(std::span<const record::Sample> samples) {
  const std::lock_guard lock(mutex_);
  if (sink_) sink_->Append(samples);
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
