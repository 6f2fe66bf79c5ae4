// How a comparison's numbers read, on a terminal and in Markdown alike. All of it is our own text.
#pragma once

#include <array>
#include <string>

#include "report/compare/comparison.h"

namespace cbench::report {

struct CompareCells {
  std::string before, after;
  std::string change;  // "+12.3 %"; of a share "-4.0 pt", percentage points
  std::string bounds;  // "[+10.1, +14.2]", in the unit of `change`
  std::string noise;   // "6.1"
};
CompareCells CellsOf(const MetricChange& row);

// "2 worse, 1 better, 9 same, 1 unclear"; what there is none of is left out.
std::string CountText(const Pairing& pairing);

// "main, 3 repetitions -> branch, 5 repetitions"; with strategies where they differ.
std::string PairingTitle(const Pairing& pairing);

// Each reason why something is unclear once, with the metrics it holds for.
std::vector<std::string> UnclearTexts(const Pairing& pairing);

}  // namespace cbench::report
