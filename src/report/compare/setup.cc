#include "report/compare/setup.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "report/text.h"

namespace cbench::report {
namespace {

constexpr int kValueColumns = 40;
// What is compared on purpose, or varies without meaning.
constexpr std::array<std::string_view, 6> kIgnored = {
    "scenario.strategies", "scenario.repeat", "scenario.exclusive_baseline",
    "scenario.path",       "scenario.name",   "scenario.seed"};

class Differ {
 public:
  explicit Differ(std::string head) : head_(std::move(head)) {}

  void Add(const std::string& path, const Json& a, const Json& b) {
    if (a == b || std::find(kIgnored.begin(), kIgnored.end(), path) != kIgnored.end()) return;
    if (a.is_object() && b.is_object()) return AddMembers(path, a, b);
    if (IsNamed(a) && IsNamed(b)) return AddMembers(path, ByName(a), ByName(b));
    found_.push_back(fmt::format("{}: {} is {}, not {}", head_, path, Show(b), Show(a)));
  }

  std::vector<std::string> Take() { return std::move(found_); }

 private:
  void AddMembers(const std::string& path, const Json& a, const Json& b) {
    const Json none;
    for (const auto& [key, value] : a.items())
      Add(path + "." + key, value, b.contains(key) ? b[key] : none);
    for (const auto& [key, value] : b.items()) {
      if (!a.contains(key)) Add(path + "." + key, none, value);
    }
  }

  // A list of {"name": …}: apps, tasks, engines.
  static bool IsNamed(const Json& json) {
    return json.is_array() && !json.empty() && std::all_of(json.begin(), json.end(), [](auto& one) {
             return !StringAt(one, "name").empty();
           });
  }

  static Json ByName(const Json& list) {
    Json object = Json::object();
    for (const Json& item : list) object[std::string(StringAt(item, "name"))] = item;
    return object;
  }

  static std::string Show(const Json& value) {
    if (value.is_null()) return "absent";
    return Cut(Clean(value.is_string() ? value.get<std::string>() : DumpJson(value)),
               kValueColumns);
  }

  const std::string head_;
  std::vector<std::string> found_;
};

Json SetupOf(const record::Header& header) {
  return {{"scenario", header.scenario},
          {"engines", header.engines},
          {"device", header.device},
          {"seed", header.seed},
          {"cbench", header.cbench_version}};
}

void AddDifferences(const std::string& head, const record::Header& a, const record::Header& b,
                    std::vector<std::string>& all) {
  Differ differ(head);
  const Json from = SetupOf(a), to = SetupOf(b);
  for (const auto& [part, value] : from.items()) differ.Add(part, value, to[part]);
  for (std::string& one : differ.Take()) all.push_back(std::move(one));
}

}  // namespace

std::vector<std::string> SetupDifferences(const std::vector<Evidence>& sides) {
  std::vector<std::string> all;
  for (const Evidence& side : sides) {
    const record::Header& first = sides.front().headers.front();
    if (&side != &sides.front()) AddDifferences(side.label, first, side.headers.front(), all);
    for (std::size_t i = 1; i < side.headers.size(); ++i) {
      AddDifferences(fmt::format("{}, record {}", side.label, i + 1), side.headers.front(),
                     side.headers[i], all);
    }
  }
  if (all.size() <= kMostDifferences) return all;
  const std::size_t more = all.size() - kMostDifferences;
  all.resize(kMostDifferences);
  all.push_back(fmt::format("and {} more", more));
  return all;
}

}  // namespace cbench::report
