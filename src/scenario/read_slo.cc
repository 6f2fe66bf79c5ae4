// Objectives in their three forms: {ttft: 1s, tpot: 250ms}, [TTFT1s, TPOT0.25s] and none.
#include <algorithm>
#include <cctype>

#include "base/units.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

constexpr Nanos kShortest = kMicrosecond;
constexpr Nanos kLongest = 24 * 3600 * kSecond;

bool StartsWithWord(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(),
                    [](unsigned char w, unsigned char t) { return w == std::tolower(t); });
}

std::vector<std::string_view> MetricNames(AppType type) {
  std::vector<std::string_view> names;
  for (const SloMetric metric : MetricsOf(type)) names.push_back(Name(metric));
  return names;
}

Result<> ReadSloMap(AppType type, const Node& map, std::vector<Slo>& out) {
  std::vector<Slo> read;
  Fields fields;
  for (const SloMetric metric : MetricsOf(type)) {
    fields.push_back(
        {Name(metric), [&, metric](std::string_view key, const Node& value) -> Result<> {
           Slo slo{metric, 0};
           CBENCH_TRY(Duration(slo.target, kShortest, kLongest)(key, value));
           read.push_back(slo);
           return {};
         }});
  }
  CBENCH_TRY(ReadMap(map, fmt::format("the slo of a {}", Name(type)), fields));
  out = std::move(read);
  return {};
}

// "TTFT1s": a metric and, without a space, its limit.
Result<Slo> ReadSloWord(AppType type, const Node& word) {
  for (const SloMetric metric : MetricsOf(type)) {
    if (!StartsWithWord(word.text, Name(metric))) continue;
    Slo slo{metric, 0};
    Node limit = word;
    limit.text = word.text.substr(Name(metric).size());
    CBENCH_TRY(Duration(slo.target, kShortest, kLongest)(Name(metric), limit));
    return slo;
  }
  const std::size_t digits = std::min(word.text.find_first_of("0123456789"), word.text.size());
  return ErrorAt(word.mark,
                 "slo: {} is no objective of a {}; write a metric and a limit, like {}1s; {}",
                 Describe(word), Name(type), Name(MetricsOf(type).front()),
                 Suggest(word.text.substr(0, digits), MetricNames(type)));
}

Result<> ReadSloList(AppType type, const Node& list, std::vector<Slo>& out) {
  std::vector<Slo> read;
  for (const Node& item : list.items) {
    CBENCH_ASSIGN(const Slo slo, ReadSloWord(type, item));
    if (std::any_of(read.begin(), read.end(),
                    [&](const Slo& s) { return s.metric == slo.metric; })) {
      return ErrorAt(item.mark, "slo: {} stands twice; keep one", Name(slo.metric));
    }
    read.push_back(slo);
  }
  out = std::move(read);
  return {};
}

}  // namespace

// What a file states replaces the type's defaults as a whole: what is written is what is judged.
Read SloReader(AppType type, std::vector<Slo>& out) {
  return [type, &out](std::string_view key, const Node& value) -> Result<> {
    if (value.kind == Node::Kind::kMap) return ReadSloMap(type, value, out);
    if (value.kind == Node::Kind::kList) return ReadSloList(type, value, out);
    if (value.text != "none") {
      return ErrorAt(value.mark, "{} wants limits like {{{}: 1s}} or none, not {}", key,
                     Name(MetricsOf(type).front()), Describe(value));
    }
    out.clear();
    return {};
  };
}

}  // namespace cbench::scenario
