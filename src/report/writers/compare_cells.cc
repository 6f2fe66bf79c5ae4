#include "report/writers/compare_cells.h"

#include <cmath>

#include "report/text.h"

namespace cbench::report {
namespace {

constexpr char kNone[] = "—";

std::string ValueText(const std::optional<double>& value, Quantity quantity) {
  if (!value) return kNone;
  switch (quantity) {
    case Quantity::kSeconds:
      return Seconds(value);
    case Quantity::kJoules:
      return *value < 1000 ? fmt::format("{:.3g} J", *value)
                           : fmt::format("{:.4g} kJ", *value / 1000);
    case Quantity::kShare:
      return Percent(value);
    case Quantity::kPerMinute:
      return fmt::format("{:.3g}", *value);
  }
  return kNone;
}

// In percent or points, with sign; four characters and the sign at most.
std::string Signed(double share) {
  constexpr double kMost = 9999;
  const double percent = std::min(share * 100, kMost);
  return std::abs(percent) < 99.95 ? fmt::format("{:+.1f}", percent)
                                   : fmt::format("{:+.0f}", percent);
}

std::string Repetitions(int count) {
  return fmt::format("{} repetition{}", count, count == 1 ? "" : "s");
}

}  // namespace

CompareCells CellsOf(const MetricChange& row) {
  CompareCells cells{ValueText(row.before, row.quantity), ValueText(row.after, row.quantity), kNone,
                     kNone, kNone};
  if (row.change)
    cells.change = Signed(*row.change) + (row.quantity == Quantity::kShare ? " pt" : " %");
  if (row.bounds)
    cells.bounds = fmt::format("[{}, {}]", Signed(row.bounds->first), Signed(row.bounds->second));
  if (row.noise) cells.noise = Signed(*row.noise).substr(1);
  return cells;
}

std::string CountText(const Pairing& pairing) {
  std::string text;
  for (const Change change : {Change::kWorse, Change::kBetter, Change::kSame, Change::kUnclear}) {
    int count = 0;
    for (const AppChanges& app : pairing.apps) {
      for (const MetricChange& row : app.metrics) count += row.verdict == change;
    }
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, Name(change));
  }
  return text.empty() ? "nothing measured" : text;
}

std::string PairingTitle(const Pairing& pairing) {
  const bool same = pairing.strategy_before == pairing.strategy_after;
  const auto side = [&](const std::string& label, const std::string& strategy, int repetitions) {
    const bool named = label == strategy || label.ends_with(':' + strategy);
    return fmt::format("{}{}, {}", label, same || named ? "" : ", " + strategy,
                       Repetitions(repetitions));
  };
  return fmt::format("{} → {}{}",
                     side(pairing.before, pairing.strategy_before, pairing.repetitions_before),
                     side(pairing.after, pairing.strategy_after, pairing.repetitions_after),
                     same ? ": " + pairing.strategy_before : "");
}

std::vector<std::string> UnclearTexts(const Pairing& pairing) {
  std::vector<std::pair<std::string, std::string>> reasons;  // reason, metrics
  for (const AppChanges& app : pairing.apps) {
    for (const MetricChange& row : app.metrics) {
      if (row.verdict != Change::kUnclear) continue;
      const std::string metric = app.app.empty() ? row.metric : app.app + " " + row.metric;
      const auto found = std::find_if(reasons.begin(), reasons.end(),
                                      [&](const auto& one) { return one.first == row.reason; });
      if (found == reasons.end())
        reasons.emplace_back(row.reason, metric);
      else
        found->second += ", " + metric;
    }
  }
  std::vector<std::string> texts;
  for (const auto& [reason, metrics] : reasons)
    texts.push_back(fmt::format("unclear, {}: {}", reason, metrics));
  return texts;
}

}  // namespace cbench::report
