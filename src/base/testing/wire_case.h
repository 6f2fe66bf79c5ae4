// Reads the cases of tests/conformance/ for tests: bytes on the wire and what must come of them.
// docs/wire.md describes the format of a case. Header only: test programs alone include it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/json.h"

namespace cbench {

struct WireCase {
  std::string name;   // the file's, as a C identifier
  std::string bytes;  // what arrives
  Json expected;      // the whole case
};
inline void PrintTo(const WireCase& wire, std::ostream* out) { *out << wire.name; }

inline std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// A string as it is, {"hex": "00ff"}, {"repeat": "x", "times": 3}, or a list of these.
inline std::string ExpandBytes(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  std::string bytes;
  if (json.is_array()) {
    for (const Json& part : json) bytes += ExpandBytes(part);
  } else if (json.contains("hex")) {
    bytes = FromHex(json.at("hex").get<std::string>());
  } else {
    const std::string unit = ExpandBytes(json.at("repeat"));
    const int times = json.at("times").get<int>();
    for (int i = 0; i < times; ++i) bytes += unit;
  }
  return bytes;
}

// The cases of a folder that say something about `level` ("events", "chat").
inline std::vector<WireCase> LoadWireCases(const std::string& folder, const char* level) {
  const std::filesystem::path path =
      std::filesystem::path(CBENCH_SOURCE_DIR) / "tests/conformance" / folder;
  std::vector<WireCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() != ".json") continue;
    const Json json = ParseJson(ReadFile(entry.path()).value(), entry.path().string()).value();
    if (!json.contains(level)) continue;
    std::string name = entry.path().stem().string();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    cases.push_back({name, ExpandBytes(json.at("bytes")), json});
  }
  std::sort(cases.begin(), cases.end(),
            [](const WireCase& a, const WireCase& b) { return a.name < b.name; });
  return cases;
}

// Calls visit(pieces) with the bytes cut in two at every place, and cut into single bytes. Of long
// texts only the first and last places and some between are taken.
template <typename Visit>
void ForEachCut(std::string_view bytes, const Visit& visit) {
  constexpr std::size_t kEdge = 12, kLong = 5000;
  const bool is_long = bytes.size() > kLong;
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const bool inner = is_long && cut > kEdge && cut + kEdge < bytes.size();
    if (inner && cut % (bytes.size() / 16) != 0) continue;
    visit(std::vector<std::string_view>{bytes.substr(0, cut), bytes.substr(cut)});
    if (testing::Test::HasFatalFailure()) return;
  }
  if (is_long) return;
  std::vector<std::string_view> single;
  for (std::size_t i = 0; i < bytes.size(); ++i) single.push_back(bytes.substr(i, 1));
  if (!single.empty()) visit(single);
}

}  // namespace cbench
