// Events are arrivals, ends of steps and the times at which the policy asked to be asked again;
// between two events the running steps progress at constant rates.
#include "share/simulator.h"

#include <algorithm>
#include <cmath>

#include "share/cost_model.h"

namespace cbench::share {
namespace {

constexpr Nanos kStart = kSecond;  // the clock's first reading: 0 means "never" in accounts
constexpr Nanos kNever = std::numeric_limits<Nanos>::max();

// Where an app stands in its part of the trace.
struct Cursor {
  std::size_t request = 0, step = 0;
  Nanos request_start = kStart;  // when its current request wanted to begin
  Nanos arrival = kStart;        // when its next step asks; kNever: waits, runs or is done
  Nanos last_end = kStart;
  Nanos deadline = 0;
  bool late = false;
};

struct Running {
  StepView view;
  Nanos granted = 0;
  double left = 0;  // device time, ns
};

class Simulator {
 public:
  Simulator(std::span<const TraceApp> trace, const Policy& policy, const SimulatorOptions& options)
      : trace_(trace), policy_(policy), options_(options), cursors_(trace.size()) {
    out_.accounts.resize(trace.size());
    out_.apps.resize(trace.size());
    for (std::size_t app = 0; app < trace.size(); ++app) Open(app);
  }

  Result<Simulation> Play() {
    while (true) {
      Arrivals();
      const Nanos look_again = Grants();
      const Nanos next = std::min({NextArrival(), NextEnd(), look_again});
      if (next == kNever) break;
      Advance(next);
      Releases();
    }
    if (!waiting_.empty()) return Failure("the policy left {} steps waiting", waiting_.size());
    out_.end = now_ - kStart;
    return std::move(out_);
  }

 private:
  void Open(std::size_t app);
  void StartRequest(std::size_t app);
  void Arrivals();
  StepView Ask(std::size_t app);
  Nanos StepDeadline(std::size_t app) const;
  Nanos Announced(std::size_t app) const;
  Cost Predict(std::size_t app, const TraceStep& step) const;
  Nanos Grants();
  Nanos NextArrival() const;
  Nanos NextEnd() const;
  double Rate(const Running& running) const;
  void Advance(Nanos to);
  void Releases();
  void Release(const Running& done);
  void Next(std::size_t app);

  const TraceRequest& RequestOf(std::size_t app) const {
    return trace_[app].requests[cursors_[app].request];
  }
  const TraceStep& StepOf(std::size_t app) const {
    return RequestOf(app).steps[cursors_[app].step];
  }

  std::span<const TraceApp> trace_;
  const Policy& policy_;
  SimulatorOptions options_;
  std::vector<Cursor> cursors_;
  std::vector<StepView> waiting_;
  std::vector<Running> running_;
  CostModel costs_;
  Simulation out_;
  Nanos now_ = kStart;
  Nanos idle_since_ = 0;  // start of the current idle time with a waiter; 0: none
};

void Simulator::Open(std::size_t app) {
  Account& account = out_.accounts[app];
  SetName(account, trace_[app].name);
  account.app_class = trace_[app].app_class;
  account.weight = trace_[app].weight;
  out_.apps[app].name = trace_[app].name;
  StartRequest(app);
}

// Begins the cursor's request, or the next one that has steps; none left: never again.
void Simulator::StartRequest(std::size_t app) {
  Cursor& cursor = cursors_[app];
  const auto& requests = trace_[app].requests;
  while (cursor.request < requests.size() && requests[cursor.request].steps.empty())
    ++cursor.request;
  cursor.arrival = kNever;
  if (cursor.request == requests.size()) return;
  const TraceRequest& request = RequestOf(app);
  cursor.step = 0;
  cursor.late = false;
  cursor.request_start = request.at + (request.after ? cursor.last_end : kStart);
  cursor.arrival = std::max(cursor.request_start, cursor.last_end) + StepOf(app).gap;
}

void Simulator::Arrivals() {
  for (std::size_t app = 0; app < cursors_.size(); ++app) {
    if (cursors_[app].arrival > now_) continue;
    waiting_.push_back(Ask(app));
    cursors_[app].arrival = kNever;
    policy_.Arrive(out_.accounts, waiting_.back());
  }
}

StepView Simulator::Ask(std::size_t app) {
  const TraceStep& step = StepOf(app);
  const Cost cost = Predict(app, step);
  cursors_[app].deadline = StepDeadline(app);
  return {.account = static_cast<int>(app),
          .kind = step.kind,
          .size = step.size,
          .asked = now_,
          .deadline = cursors_[app].deadline,
          .next_request = Announced(app),
          .cost = cost.mean,
          .cost_q95 = cost.q95,
          .request = cursors_[app].request + 1};
}

Nanos Simulator::StepDeadline(std::size_t app) const {
  const TraceRequest& request = RequestOf(app);
  const Cursor& cursor = cursors_[app];
  const bool first = StepOf(app).kind == StepKind::kPrefill;
  if (request.per_step != 0 && !first)
    return request.per_step + (cursor.step == 0 ? cursor.request_start : cursor.last_end);
  return request.deadline == 0 ? 0 : cursor.request_start + request.deadline;
}

Nanos Simulator::Announced(std::size_t app) const {
  const auto& requests = trace_[app].requests;
  const std::size_t next = cursors_[app].request + 1;
  if (!RequestOf(app).announce || next >= requests.size() || requests[next].after) return 0;
  return kStart + requests[next].at;
}

Cost Simulator::Predict(std::size_t app, const TraceStep& step) const {
  if (options_.exact_costs) return {step.cost, step.cost, true};
  return costs_.Predict(static_cast<int>(app), step.kind, step.size);
}

// Grants until the policy names nobody; returns when it wants to be asked again.
Nanos Simulator::Grants() {
  while (true) {
    std::vector<StepView> running;
    running.reserve(running_.size());
    for (const Running& one : running_) running.push_back(one.view);
    const Choice choice = policy_.Choose({now_, out_.accounts, waiting_, running, options_.lanes});
    if (choice.waiting < 0) return choice.look_again > now_ ? choice.look_again : kNever;
    const auto chosen = waiting_.begin() + choice.waiting;
    chosen->why = choice.why;
    const auto app = static_cast<std::size_t>(chosen->account);
    running_.push_back({*chosen, now_, static_cast<double>(StepOf(app).cost)});
    waiting_.erase(chosen);
  }
}

Nanos Simulator::NextArrival() const {
  Nanos next = kNever;
  for (const Cursor& cursor : cursors_) next = std::min(next, cursor.arrival);
  return next;
}

double Simulator::Rate(const Running& running) const {
  const auto lane = [&](const Running& one) {
    return LaneOf(trace_[static_cast<std::size_t>(one.view.account)].app_class);
  };
  const bool pushed_aside = options_.lanes.preempts && lane(running) == Lane::kBack &&
                            std::any_of(running_.begin(), running_.end(), [&](const Running& one) {
                              return lane(one) == Lane::kFront;
                            });
  if (pushed_aside) return 0;
  return std::min(1.0, options_.lanes.total / static_cast<double>(running_.size()));
}

Nanos Simulator::NextEnd() const {
  Nanos next = kNever;
  for (const Running& running : running_) {
    if (const double rate = Rate(running); rate > 0)
      next = std::min(next, now_ + static_cast<Nanos>(std::ceil(running.left / rate)));
  }
  return next;
}

void Simulator::Advance(Nanos to) {
  std::vector<double> rates;
  rates.reserve(running_.size());
  for (const Running& running : running_) rates.push_back(Rate(running));
  for (std::size_t i = 0; i < running_.size(); ++i)
    running_[i].left -= rates[i] * static_cast<double>(to - now_);
  const bool idle = running_.empty() && !waiting_.empty();
  if (idle && idle_since_ == 0) idle_since_ = now_;
  if (!idle) idle_since_ = 0;
  if (idle) {
    out_.idle_with_waiter += to - now_;
    out_.longest_idle = std::max(out_.longest_idle, to - idle_since_);
  }
  now_ = to;
}

void Simulator::Releases() {
  for (std::size_t i = 0; i < running_.size();) {
    if (running_[i].left > 0.5) {
      ++i;
      continue;
    }
    const Running done = running_[i];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    Release(done);
  }
}

void Simulator::Release(const Running& done) {
  const auto index = static_cast<std::size_t>(done.view.account);
  const Nanos cost = StepOf(index).cost;
  Cursor& cursor = cursors_[index];
  policy_.Charge(out_.accounts, done.view, cost, now_);
  costs_.Learn(done.view.account, done.view.kind, done.view.size, cost);
  const Nanos deadline = done.view.deadline == 0 ? 0 : done.view.deadline - kStart;
  out_.steps.push_back({done.view.account, done.view.request, done.view.asked - kStart,
                        done.granted - kStart, now_ - kStart, deadline, cost, done.view.why});
  cursor.late |= out_.steps.back().Late();
  SimulatedApp& app = out_.apps[index];
  app.served += cost;
  app.longest_wait = std::max(app.longest_wait, done.granted - done.view.asked);
  Next(index);
}

void Simulator::Next(std::size_t app) {
  Cursor& cursor = cursors_[app];
  cursor.last_end = now_;
  if (++cursor.step < RequestOf(app).steps.size()) {
    cursor.arrival = now_ + StepOf(app).gap;
    return;
  }
  SimulatedApp& out = out_.apps[app];
  ++out.requests;
  out.met += cursor.late ? 0 : 1;
  out.took += now_ - cursor.request_start;
  ++cursor.request;
  StartRequest(app);
}

}  // namespace

Result<Simulation> Simulate(std::span<const TraceApp> trace, const Policy& policy,
                            const SimulatorOptions& options) {
  return Simulator(trace, policy, options).Play();
}

}  // namespace cbench::share
