#include "run/gate_log.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "share/gate_hook.h"
#include "share/machine_gate.h"
#include "share/preload.h"

namespace cbench::run {
namespace {

// The ring keeps kRingSize holds; the fastest engines make about a thousand a second.
constexpr std::chrono::milliseconds kReadEvery{100};

share::GateOptions Options(std::string_view strategy) {
  share::GateOptions options;
  options.policy = strategy.starts_with("credit") ? "credit" : strategy;
  options.params.use_slack = strategy != "credit-no-slack";
  options.params.anticipate = strategy != "credit-no-hold";
  options.params.use_credit = strategy != "credit-no-credit";
  if (strategy == "credit-no-split") options.params.back_step = 0;
  share::SetCpuLanes(options);
  return options;
}

}  // namespace

Result<std::unique_ptr<GateLog>> GateLog::Make(std::string_view strategy, record::Writer& writer) {
  CBENCH_ASSIGN(auto gate, share::Gate::Create(Options(strategy)));
  return std::unique_ptr<GateLog>(new GateLog(std::move(gate), writer));
}

GateLog::~GateLog() { End(); }

std::pair<std::string, std::string> GateLog::environment() const {
  return {share::kGateVariable, gate_->path()};
}

Result<GateLog::Environment> GateLog::CommandEnvironment(const scenario::AppSpec& app) const {
  const auto app_class = share::ParseAppClass(scenario::Name(app.priority_class));
  return share::PreloadEnvironment(
      {app.name, app_class.value_or(share::AppClass::kLatency), app.weight}, gate_->path());
}

void GateLog::Begin(std::map<int, std::string> engines) {
  engines_ = std::move(engines);
  gate_->Drain([](const share::Hold&) {});  // the warm-up's
  reader_ = std::jthread([this](const std::stop_token& stop) { Read(stop); });
}

void GateLog::End() {
  if (!reader_.joinable()) return;
  reader_.request_stop();
  reader_.join();
  Write();
}

void GateLog::Read(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    never.wait_for(lock, stop, kReadEvery, [] { return false; });
    Write();
  }
}

void GateLog::Write() {
  const std::uint64_t lost = gate_->Drain(
      [this](const share::Hold& hold) { writer_.Append({hold.released, StepOf(hold)}); });
  if (lost == 0) return;
  writer_.Append(
      {Now(), record::ErrorEvent{
                  "gate", fmt::format("{} steps came faster than they could be recorded", lost)}});
}

record::Step GateLog::StepOf(const share::Hold& hold) const {
  const auto engine = engines_.find(hold.pid);
  record::Step step;
  step.engine = engine != engines_.end()               ? engine->second
                : hold.kind == share::StepKind::kGraph ? hold.app  // a command
                                                       : fmt::format("pid {}", hold.pid);
  step.kind = share::Name(hold.kind);
  step.begin = hold.granted;
  step.end = hold.released;
  step.size = hold.size;
  step.app = hold.app;
  if (kernel_lanes())
    step.lane = share::LaneOf(hold.app_class) == share::Lane::kFront ? "front" : "back";
  step.asked = hold.asked;
  if (hold.known) step.predicted = hold.predicted;
  return step;
}

}  // namespace cbench::run
