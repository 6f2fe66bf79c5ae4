#include "report/task_summary.h"

#include <algorithm>
#include <cmath>

#include "report/request_metrics.h"

namespace cbench::report {
namespace {

using record::RequestDone;

constexpr double kPinnedTolerance = 0.10;
constexpr std::size_t kColdNeeds = 5;  // requests, before the first can be called an outlier

// Collects a task's completed requests; each Add… is one family of metrics.
class Metrics {
 public:
  Metrics(SummarizedTask& task, std::optional<double> tpot_target)
      : summary_(task.summary),
        checks_(task.checks),
        samples_(task.samples),
        tpot_target_(tpot_target) {}

  void Add(const RequestDone& done) {
    samples_["e2e"].Add(E2eService(done));
    samples_["e2e_response"].Add(E2eResponse(done));
    AddText(done);
    AddImageAndAudio(done);
    AddAgent(done);
    AddChecks(done);
  }

  void Finish() {
    for (auto& [name, samples] : samples_) {
      if (samples.count() > 0) summary_.metrics[name] = samples.Describe();
    }
  }

 private:
  void AddText(const RequestDone& done) {
    samples_["ttft"].Add(TtftService(done));
    samples_["ttft_response"].Add(TtftResponse(done));
    samples_["ttfo"].Add(Ttfo(done));
    const auto tpot = Tpot(done);
    samples_["tpot"].Add(tpot);
    if (tpot) samples_["decode_rate"].Add(1 / *tpot);
    AddItl(done, samples_["itl"]);
    if (tpot_target_) samples_["fluidity"].Add(Fluidity(done, *tpot_target_));
    Total("output_tokens", static_cast<double>(OutputTokens(done).value_or(0)));
    Total("stream_tokens", done.stream_tokens);
    Total("prompt_tokens", done.prompt_tokens);
    if (done.prompt_tokens > 0) summary_.totals["cached_tokens"] += done.cached_tokens;
  }

  void AddImageAndAudio(const RequestDone& done) {
    samples_["first_step"].Add(FirstStep(done));
    if (const auto steps = LaterSteps(done)) {
      for (const double step : *steps) samples_["step"].Add(step);
    }
    samples_["segment"].Add(SegmentLatency(done));
    samples_["rtf"].Add(Rtf(done));
    Total("audio_s", ToSeconds(done.audio));
    Total("image_bytes", done.image_bytes);
  }

  void AddAgent(const RequestDone& done) {
    if (done.kind != "episode") return;
    samples_["episode"].Add(Episode(done));
    samples_["llm_time"].Add(ToSeconds(done.llm_time));
    samples_["tool_time"].Add(ToSeconds(done.tool_time));
    Total("llm_time_s", ToSeconds(done.llm_time));
    Total("tool_time_s", ToSeconds(done.tool_time));
    Total("llm_calls", done.llm_calls);
  }

  void AddChecks(const RequestDone& done) {
    checks_.retried += done.retried;
    checks_.prompt_tokens += done.prompt_tokens;
    checks_.cached_tokens += done.cached_tokens;
    if (done.usage_tokens && done.stream_tokens > 0) {
      checks_.usage_tokens += *done.usage_tokens;
      checks_.token_difference += std::abs(double{1} * *done.usage_tokens - done.stream_tokens);
    }
    if (done.pinned_tokens <= 0) return;
    const double wanted = done.pinned_tokens;
    const auto got = static_cast<double>(OutputTokens(done).value_or(0));
    ++checks_.pinned;
    checks_.pinned_off += std::abs(got - wanted) > kPinnedTolerance * wanted;
  }

  // A total that nothing was added to stays absent: not measured is not zero.
  void Total(const char* name, double value) {
    if (value > 0) summary_.totals[name] += value;
  }

  TaskSummary& summary_;
  TaskChecks& checks_;
  std::map<std::string, Samples>& samples_;
  const std::optional<double> tpot_target_;
};

// Judges every issued request against every SLO.
class Attainment {
 public:
  explicit Attainment(const PlannedApp& app) {
    for (const auto& [metric, target] : app.slo) {
      Slo& slo = slos_.emplace_back();
      slo.metric = metric;
      slo.result.target_s = target;
    }
  }

  void Add(const RequestFacts& request) {
    bool met_all = request.IsCompleted();
    for (Slo& slo : slos_) {
      if (request.IsCompleted()) met_all &= Met(slo, *request.done);
    }
    met_ += met_all;
  }

  void Finish(TaskSummary& summary) {
    if (slos_.empty()) return;
    for (Slo& slo : slos_) {
      slo.result.latency = slo.latency.Describe();
      summary.slo[slo.metric] = slo.result;
    }
    summary.met = met_;
    if (summary.issued > 0) summary.attainment = static_cast<double>(met_) / summary.issued;
    summary.attainment_ci95 = Wilson95(met_, summary.issued);
  }

 private:
  struct Slo {
    std::string metric;
    SloResult result;
    Samples latency;
  };

  static bool Met(Slo& slo, const RequestDone& done) {
    const Judged judged = Judge(slo.metric, slo.result.target_s, done);
    for (const double value : judged.values) slo.latency.Add(value);
    slo.result.missing += judged.outcome == Judged::kMissing;
    slo.result.not_applicable += judged.outcome == Judged::kNotApplicable;
    const bool met = judged.outcome == Judged::kMet || judged.outcome == Judged::kNotApplicable;
    slo.result.met += met;
    return met;
  }

  std::vector<Slo> slos_;
  int met_ = 0;
};

std::optional<double> TpotTarget(const PlannedApp& app) {
  for (const auto& [metric, target] : app.slo) {
    if (metric == "tpot" && target > 0) return target;
  }
  return std::nullopt;
}

void CountRequests(const TaskFacts& facts, TaskSummary& summary) {
  summary.issued = static_cast<int>(facts.requests.size());
  for (const RequestFacts& request : facts.requests) {
    if (request.IsCompleted())
      ++summary.completed;
    else
      ++summary.failures[request.done ? request.done->failure->kind : "interrupted"];
  }
  summary.failed = summary.issued - summary.completed;
}

// Rates over the task's own window, first start to last end.
void AddRates(TaskSummary& summary) {
  if (!summary.start_s || !summary.end_s || *summary.end_s <= *summary.start_s) return;
  const double window = *summary.end_s - *summary.start_s;
  const auto tokens = summary.totals.find("output_tokens");
  if (tokens != summary.totals.end())
    summary.totals["output_tokens_per_s"] = tokens->second / window;
  if (!summary.slo.empty()) summary.totals["goodput_per_s"] = summary.met / window;
}

// The latency a user notices first: the first token's of text, else the whole request's.
std::optional<double> NoticedLatency(const RequestFacts& request) {
  if (!request.IsCompleted()) return std::nullopt;
  const auto first_token = TtftService(*request.done);
  return first_token ? first_token : Episode(*request.done);
}

void CompareFirst(const TaskFacts& facts, TaskChecks& checks) {
  if (facts.requests.size() < kColdNeeds) return;
  std::vector<double> others;
  for (std::size_t i = 1; i < facts.requests.size(); ++i) {
    if (const auto latency = NoticedLatency(facts.requests[i])) others.push_back(*latency);
  }
  checks.first_latency = NoticedLatency(facts.requests.front());
  checks.median_latency = Median(std::move(others));
}

// A request that comes while the app's senders are all busy waits for the end of one, however
// fast the harness is: that is load, and part of its latency. What the harness adds is the time
// from t_sched, or from the last end of a request of the task if that came later, to t_send.
void AddDispatch(const TaskFacts& facts, Samples& dispatch) {
  std::vector<Nanos> ends;
  for (const RequestFacts& request : facts.requests) {
    if (request.done && request.done->t_end != 0) ends.push_back(request.done->t_end);
  }
  std::sort(ends.begin(), ends.end());
  for (const RequestFacts& request : facts.requests) {
    if (!request.IsCompleted() || !DispatchDelay(*request.done)) continue;
    const RequestDone& done = *request.done;
    const auto later = std::upper_bound(ends.begin(), ends.end(), done.t_send);
    const Nanos free = later == ends.begin() ? done.t_sched : *(later - 1);
    dispatch.Add(ToSeconds(done.t_send - std::max(done.t_sched, free)));
  }
}

std::optional<double> Since(Nanos start, const std::optional<Nanos>& t) {
  if (!t) return std::nullopt;
  return ToSeconds(*t - start);
}

}  // namespace

SummarizedTask SummarizeTask(const TaskFacts& facts, const PlannedApp& app, Nanos run_start) {
  SummarizedTask result;
  TaskSummary& summary = result.summary;
  summary.app = facts.plan.app;
  summary.type = app.type;
  summary.priority_class = app.priority_class;
  summary.after = facts.plan.after;
  summary.state = facts.state;
  summary.start_s = Since(run_start, facts.start);
  summary.end_s = Since(run_start, facts.end);
  summary.planned = facts.plan.requests;
  CountRequests(facts, summary);

  Metrics metrics(result, TpotTarget(app));
  Attainment attainment(app);
  for (const RequestFacts& request : facts.requests) {
    if (request.IsCompleted()) metrics.Add(*request.done);
    attainment.Add(request);
  }
  metrics.Finish();
  attainment.Finish(summary);
  AddRates(summary);
  CompareFirst(facts, result.checks);
  AddDispatch(facts, result.checks.dispatch);
  return result;
}

}  // namespace cbench::report
