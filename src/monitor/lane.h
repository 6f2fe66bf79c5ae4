// One thread that reads some probes at fixed points of time.
//
// A probe may hang in a driver, and nothing in user space can take its thread back. So a lane can
// be given up: its thread is left alone, with everything it may still touch, and does no harm when
// it wakes. Who owns what:
//   - the Lane belongs to its sampler and to its own thread, each by a shared_ptr. The thread's
//     keeps the probes, their System and the buffers alive however late it comes back.
//   - what the thread tells the outside goes through sink_, under mutex_. GiveUp takes the same
//     mutex and clears sink_: after it returns, the sampler, the record and all else that the sink
//     stands for may be destroyed.
//   - a reading itself holds no lock, so that GiveUp never waits for a probe.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "monitor/probe.h"

namespace cbench::monitor {

// Where lanes put what they read. Called from the lanes' threads.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void Append(std::span<const record::Sample> samples) = 0;
  virtual void Note(const record::ProbeEvent& event) = 0;
};

class Lane {
 public:
  using Descriptors = std::vector<const ProbeDescriptor*>;

  // `name` stands in the names of the lane's own series. Reads every `period`, each probe at every
  // so-manieth of these points that its own period asks for, and fewer if it costs too much.
  static std::shared_ptr<Lane> Start(std::string name, Descriptors probes, System system,
                                     Nanos period, SampleSink& sink);
  Lane(std::string name, Descriptors probes, System system, Nanos period, SampleSink& sink);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  const std::string& name() const { return name_; }
  const Descriptors& probes() const { return descriptors_; }

  // The probe that the thread has been inside for at least `limit`; null: none.
  const ProbeDescriptor* StuckFor(Nanos limit) const;

  // Asks the thread to end; it does after the reading it is in.
  void Stop() { stop_.Trigger(); }
  // Waits for it to end until t, and takes it back; false: it is still inside a probe.
  bool JoinUntil(Nanos t);
  void GiveUp();

 private:
  struct Active {
    const ProbeDescriptor* descriptor;
    std::unique_ptr<Probe> probe;
    int divider;
    std::int64_t next = 0;  // tick
    Nanos cpu = 0;          // since the last report of own cost, as the next
    int readings = 0;
  };

  void Run();
  void MakeProbes();
  void Loop();
  std::int64_t NextDue() const;
  void ReadDue(std::int64_t tick, std::vector<record::Sample>& samples);
  void ReportCost(Nanos now, std::vector<record::Sample>& samples);
  void LimitCost(Active& active);
  void Emit(std::span<const record::Sample> samples);
  void Note(const record::ProbeEvent& event);
  void Enter(const ProbeDescriptor* descriptor);  // null: left

  const std::string name_;
  const Descriptors descriptors_;
  const System system_;
  const Nanos period_;
  Cancel stop_, ended_;
  std::thread thread_;

  // The thread's own.
  std::vector<Active> active_;
  Nanos reported_ = 0, thread_cpu_ = 0, late_ = 0;

  mutable std::mutex mutex_;  // guards everything below
  SampleSink* sink_;
  const ProbeDescriptor* inside_ = nullptr;
  Nanos since_ = 0;
};

}  // namespace cbench::monitor
