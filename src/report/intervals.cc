#include "report/intervals.h"

#include <algorithm>

namespace cbench::report {

Intervals Union(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end());
  Intervals merged;
  for (const auto& [begin, end] : intervals) {
    if (end <= begin) continue;
    if (!merged.empty() && begin <= merged.back().second)
      merged.back().second = std::max(merged.back().second, end);
    else
      merged.emplace_back(begin, end);
  }
  return merged;
}

Intervals Intersection(const Intervals& a, const Intervals& b) {
  Intervals both;
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    const Nanos begin = std::max(x->first, y->first), end = std::min(x->second, y->second);
    if (begin < end) both.emplace_back(begin, end);
    if (x->second < y->second)
      ++x;
    else
      ++y;
  }
  return both;
}

Nanos Length(const Intervals& intervals) {
  Nanos length = 0;
  for (const auto& [begin, end] : intervals) length += end - begin;
  return length;
}

}  // namespace cbench::report
