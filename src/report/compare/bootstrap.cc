// The bootstrap of chance.h. A set is sorted once; a draw is then how often each of its requests
// was taken, and a percentile one walk over the sorted samples.
#include <algorithm>

#include "base/random.h"
#include "report/compare/chance.h"

namespace cbench::report {
namespace {

constexpr int kMostDraws = 2000, kFewestDraws = 400;
constexpr double kMostWork = 3e8;  // samples walked over, about a second

class SortedSet {
 public:
  explicit SortedSet(const SetSamples& set) {
    for (const RepetitionSamples& repetition : set) {
      if (repetition.empty()) continue;
      repetitions_.push_back({weights_.size(), repetition.size()});
      for (const RequestSamples& request : repetition) AddRequest(request);
    }
    std::sort(samples_.begin(), samples_.end(),
              [](const Sample& a, const Sample& b) { return a.value < b.value; });
    taken_.assign(weights_.size(), 1);
  }

  std::size_t requests() const { return weights_.size(); }
  std::size_t samples() const { return samples_.size(); }

  void Draw(SplitMix64& random) {
    std::fill(taken_.begin(), taken_.end(), 0);
    for (std::size_t i = 0; i < repetitions_.size(); ++i) {
      const auto [first, count] = repetitions_[random.Next() % repetitions_.size()];
      for (std::size_t k = 0; k < count; ++k) ++taken_[first + random.Next() % count];
    }
  }

  // Of what was drawn last; of everything before the first draw. Null without samples.
  std::optional<double> Percentile(int percent) const {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) total += taken_[i] * weights_[i];
    std::int64_t rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
    if (rank <= 0) return std::nullopt;
    for (const Sample& sample : samples_) {
      rank -= sample.weight * taken_[sample.request];
      if (rank <= 0) return sample.value;
    }
    return std::nullopt;
  }

 private:
  struct Sample {
    double value;
    std::int64_t weight;
    std::size_t request;
  };
  struct Repetition {
    std::size_t first, count;  // of its requests
  };

  void AddRequest(const RequestSamples& request) {
    std::int64_t sum = 0;
    for (const auto& [value, weight] : request) {
      samples_.push_back({value, weight, weights_.size()});
      sum += weight;
    }
    weights_.push_back(sum);
  }

  std::vector<Sample> samples_;
  std::vector<std::int64_t> weights_, taken_;  // of each request: of its samples; how often drawn
  std::vector<Repetition> repetitions_;
};

int DrawsFor(std::size_t samples) {
  const double affordable = kMostWork / static_cast<double>(std::max<std::size_t>(samples, 1));
  return static_cast<int>(std::clamp<double>(affordable, kFewestDraws, kMostDraws));
}

// The middle 95 % of `values`.
Bounds Middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t tail = values.size() / 40;
  return {values[tail], values[values.size() - 1 - tail]};
}

}  // namespace

std::optional<double> PercentileOf(const SetSamples& set, int percent) {
  return SortedSet(set).Percentile(percent);
}

std::optional<Bounds> BootstrapRatio(const SetSamples& a, const SetSamples& b, int percent) {
  SortedSet from(a), to(b);
  if (from.requests() < 2 || to.requests() < 2) return std::nullopt;
  SplitMix64 random(0);
  std::vector<double> ratios;
  const int draws = DrawsFor(from.samples() + to.samples());
  for (int i = 0; i < draws; ++i) {
    from.Draw(random);
    to.Draw(random);
    const auto before = from.Percentile(percent), after = to.Percentile(percent);
    if (!before || !after || *before <= 0) return std::nullopt;
    ratios.push_back(*after / *before);
  }
  return Middle(std::move(ratios));
}

}  // namespace cbench::report
