#include "report/html/spans.h"

#include <algorithm>
#include <tuple>

namespace cbench::report {
namespace {

constexpr Nanos kWidestGap = Nanos{1} << 60;

bool IsClose(const Span& earlier, const Span& later, Nanos gap) {
  return earlier.group == later.group && later.asked - earlier.end <= gap;
}

void Merge(const Span& later, Span& into) {
  into.end = std::max(into.end, later.end);
  into.busy += later.busy;
  into.predicted += later.predicted;
  into.size += later.size;
  into.count += later.count;
  into.first = 0;
  if (into.detail < 0) into.detail = later.detail;
}

// Spans in order; one that is close to the last kept one goes into it.
std::vector<Span> Merged(const std::vector<Span>& spans, Nanos gap) {
  std::vector<Span> kept;
  for (const Span& span : spans) {
    if (!kept.empty() && IsClose(kept.back(), span, gap))
      Merge(span, kept.back());
    else
      kept.push_back(span);
  }
  return kept;
}

}  // namespace

ThinnedSpans Thin(std::vector<Span> spans, std::size_t most) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tie(a.group, a.asked) < std::tie(b.group, b.asked);
  });
  ThinnedSpans thinned;
  thinned.total = spans.size();
  thinned.spans = spans;
  for (Nanos gap = kMicrosecond; thinned.spans.size() > most && gap < kWidestGap; gap *= 2) {
    thinned.gap = gap;
    thinned.spans = Merged(spans, gap);
  }
  if (thinned.spans.size() <= most) return thinned;
  thinned.dropped = thinned.spans.size() - most;
  thinned.spans.resize(most);
  return thinned;
}

}  // namespace cbench::report
