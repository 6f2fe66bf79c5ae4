#include "report/html/columns.h"

#include <algorithm>

namespace cbench::report {

Json DeltaJson(const Column& column) {
  Json json = Json::array();
  std::int64_t last = 0;
  for (const std::int64_t value : column) {
    json.push_back(value - last);
    last = value;
  }
  return json;
}

Json PlainJson(const Column& column) {
  const bool same = !column.empty() && std::all_of(column.begin(), column.end(),
                                                   [&](auto value) { return value == column[0]; });
  if (same) return column[0];
  return column;
}

}  // namespace cbench::report
