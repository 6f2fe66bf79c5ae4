#include "report/html/tracks.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/html/columns.h"
#include "report/html/spans.h"
#include "report/request_metrics.h"
#include "report/request_span.h"

namespace cbench::report {
namespace {

constexpr Nanos kUnit = kMicrosecond;
constexpr std::size_t kMostTexts = 200, kLongestText = 240;

std::int64_t Micros(Nanos t) { return t / kUnit; }
std::int64_t Micros(double t) {
  constexpr double kMost = 9e15;  // as far as the page's numbers are whole
  return static_cast<std::int64_t>(std::clamp(t / static_cast<double>(kUnit), 0.0, kMost));
}

// Texts that many requests may share, each once.
class Texts {
 public:
  int Add(std::string text) {
    const auto [place, is_new] = index_.try_emplace(text, static_cast<int>(texts_.size()));
    if (!is_new) return place->second;
    if (texts_.size() >= kMostTexts) {
      index_.erase(place);
      return -1;
    }
    if (text.size() > kLongestText) text.resize(kLongestText);
    texts_.push_back(std::move(text));
    return place->second;
  }
  Json ToJson() const { return texts_; }

 private:
  std::map<std::string, int> index_;
  std::vector<std::string> texts_;
};

Span ToSpan(const RequestFacts& request, Nanos run_end) {
  const RequestSpan phases = SpanOf(request, run_end);
  Span span;
  span.asked = phases.asked;
  span.begin = phases.begin;
  span.first = phases.first;
  span.end = phases.end;
  if (request.done) span.size = OutputTokens(*request.done).value_or(0);
  span.busy = static_cast<double>(span.end) - static_cast<double>(span.begin);
  return span;
}

std::vector<Span> RequestSpans(const RunFacts& run, const Plan& plan, Texts& texts) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const TaskFacts& task = run.tasks[i];
    const auto found = plan.apps.find(task.plan.app);
    const PlannedApp app = found == plan.apps.end() ? PlannedApp{} : found->second;
    for (const RequestFacts& request : task.requests) {
      Span span = ToSpan(request, run.end);
      if (span.asked == 0) continue;  // nobody knows when it was
      span.group = static_cast<int>(i) * kOutcomes + OutcomeOf(request, app);
      if (request.done && request.done->failure) {
        const record::Failure& failure = *request.done->failure;
        span.detail = texts.Add(failure.kind + ": " + failure.message);
      }
      spans.push_back(span);
    }
  }
  return spans;
}

Json ThinnedJson(const ThinnedSpans& thinned) {
  return {{"total", thinned.total}, {"gap", Micros(thinned.gap)}, {"dropped", thinned.dropped}};
}

// The columns that requests and steps share.
class SpanColumns {
 public:
  SpanColumns(const ThinnedSpans& thinned, Nanos start) {
    for (const Span& span : thinned.spans) {
      group_.push_back(span.group);
      asked_.push_back(Micros(span.asked - start));
      wait_.push_back(Micros(span.begin - span.asked));
      length_.push_back(Micros(span.end - span.begin));
      size_.push_back(span.size);
      count_.push_back(span.count);
    }
  }
  void AddTo(Json& json) const {
    json["t"] = DeltaJson(asked_);
    json["wait"] = PlainJson(wait_);
    json["length"] = PlainJson(length_);
    json["size"] = PlainJson(size_);
    json["count"] = PlainJson(count_);
  }
  const Column& group() const { return group_; }

 private:
  Column group_, asked_, wait_, length_, size_, count_;
};

// What steps are told apart by.
using StepKey = std::tuple<std::string, std::string, std::string, std::string>;

class StepGroups {
 public:
  int Of(const record::Step& step) {
    const auto key = StepKey(step.engine, step.app, step.kind, step.lane);
    return index_.try_emplace(key, static_cast<int>(index_.size())).first->second;
  }
  Json ToJson() const {
    std::vector<Json> groups(index_.size());
    for (const auto& [key, number] : index_) {
      const auto& [engine, app, kind, lane] = key;
      groups[static_cast<std::size_t>(number)] = {
          {"engine", engine}, {"app", app}, {"kind", kind}, {"lane", lane}};
    }
    return groups;
  }

 private:
  std::map<StepKey, int> index_;
};

std::vector<Span> StepSpans(const RunFacts& run, StepGroups& groups) {
  std::vector<Span> spans;
  for (const record::Step* step : run.steps) {
    if (step->begin == 0 || step->end < step->begin) continue;
    Span span;
    span.group = groups.Of(*step);
    span.begin = step->begin;
    span.asked = step->asked != 0 ? std::min(step->asked, step->begin) : step->begin;
    span.end = step->end;
    span.busy = static_cast<double>(step->end) - static_cast<double>(step->begin);
    span.predicted = static_cast<double>(step->predicted);
    span.size = step->size;
    spans.push_back(span);
  }
  return spans;
}

void AddTicks(const std::vector<Nanos>& stamps, Nanos start, Column& column) {
  for (const Nanos stamp : stamps) column.push_back(Micros(stamp - start));
}

// When each chunk of the answer came, or each denoising step ended.
std::vector<Nanos> Stamps(const record::RequestDone& done) {
  if (!done.steps.empty()) return done.steps;
  std::vector<Nanos> stamps;
  double t = static_cast<double>(done.t_first);
  constexpr double kLatest = 4e18;
  for (const Nanos delta : done.deltas) {
    t = std::clamp(t + static_cast<double>(delta), -kLatest, kLatest);
    stamps.push_back(static_cast<Nanos>(t));
  }
  return stamps;
}

}  // namespace

Json RequestsJson(const RunFacts& run, const Plan& plan, std::size_t most) {
  Texts texts;
  const ThinnedSpans thinned = Thin(RequestSpans(run, plan, texts), most);
  const SpanColumns columns(thinned, run.start);
  Column task, outcome, first, detail;
  for (const Span& span : thinned.spans) {
    task.push_back(span.group / kOutcomes);
    outcome.push_back(span.group % kOutcomes);
    first.push_back(span.first != 0 ? Micros(span.first - span.begin) : -1);
    detail.push_back(span.detail);
  }
  Json json = {{"thinned", ThinnedJson(thinned)}, {"texts", texts.ToJson()}};
  json["task"] = DeltaJson(task);
  json["outcome"] = PlainJson(outcome);
  columns.AddTo(json);
  json["first"] = PlainJson(first);
  json["text"] = PlainJson(detail);
  return json;
}

Json StepsJson(const RunFacts& run, std::size_t most) {
  StepGroups groups;
  const ThinnedSpans thinned = Thin(StepSpans(run, groups), most);
  const SpanColumns columns(thinned, run.start);
  Column busy, predicted;
  for (const Span& span : thinned.spans) {
    busy.push_back(span.count > 1 ? Micros(span.busy) : -1);
    predicted.push_back(Micros(span.predicted));
  }
  Json json = {{"thinned", ThinnedJson(thinned)}, {"groups", groups.ToJson()}};
  json["group"] = DeltaJson(columns.group());
  columns.AddTo(json);
  json["busy"] = PlainJson(busy);
  json["predicted"] = PlainJson(predicted);
  return json;
}

Json TicksJson(const RunFacts& run, std::size_t most) {
  Json json = Json::array();
  std::size_t total = 0;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    Column column;
    for (const RequestFacts& request : run.tasks[i].requests) {
      if (request.IsCompleted()) AddTicks(Stamps(*request.done), run.start, column);
    }
    total += column.size();
    if (total > most) return nullptr;
    std::sort(column.begin(), column.end());
    json.push_back(DeltaJson(column));
  }
  return json;
}

}  // namespace cbench::report
