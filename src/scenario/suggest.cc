#include "scenario/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace cbench::scenario {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer ones are no slip of the finger
constexpr std::size_t kMostListed = 12;

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

// Optimal string alignment: three rows of the usual table, since a swap looks two rows back.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
                           Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string Suggest(std::string_view word, const std::vector<std::string_view>& known) {
  if (known.empty()) return "";
  const auto distance = [&](std::string_view k) {
    return std::max(word.size(), k.size()) > kLongestWord ? kLongestWord : EditDistance(word, k);
  };
  const auto nearest = *std::min_element(known.begin(), known.end(),
                                         [&](auto a, auto b) { return distance(a) < distance(b); });
  if (distance(nearest) <= std::max<std::size_t>(1, std::min(word.size(), nearest.size()) / 3)) {
    return fmt::format("did you mean {}?", Quote(nearest));
  }
  const std::size_t shown = std::min(known.size(), kMostListed);
  return fmt::format("known: {}{}", fmt::join(known.begin(), known.begin() + shown, ", "),
                     shown < known.size() ? ", …" : "");
}

std::string Suggest(std::string_view word, const std::vector<std::string>& known) {
  return Suggest(word, std::vector<std::string_view>(known.begin(), known.end()));
}

std::string Quote(std::string_view word) {
  std::size_t end = std::min<std::size_t>(word.size(), 200);
  while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;
  return fmt::format("'{}{}'", Printable(word.substr(0, end)), end < word.size() ? "…" : "");
}

}  // namespace cbench::scenario
