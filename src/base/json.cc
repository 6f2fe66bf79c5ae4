#include "base/json.h"

#include <array>

namespace cbench {
namespace {

// Counts while nlohmann's parser (which does not recurse) builds. After a refusal nothing more is
// built.
class Bounds {
 public:
  explicit Bounds(std::string_view what) : what_(what) {}

  bool Keep(int depth, Json::parse_event_t event) {
    using Event = Json::parse_event_t;
    if (!kept_) return false;
    if (event == Event::object_start || event == Event::array_start) return Enter(depth);
    if (event == Event::key) return CountMember(depth);
    return true;
  }

  const Result<>& kept() const { return kept_; }

 private:
  bool Enter(int depth) {
    if (depth < kMaxJsonDepth) {
      members_[static_cast<std::size_t>(depth) + 1] = 0;
    } else {
      kept_ = InputError("{}: nested deeper than {} levels", what_, kMaxJsonDepth);
    }
    return kept_.has_value();
  }

  bool CountMember(int depth) {
    if (++members_[static_cast<std::size_t>(depth)] > kMaxJsonMembers) {
      kept_ = InputError("{}: an object of more than {} members", what_, kMaxJsonMembers);
    }
    return kept_.has_value();
  }

  std::string_view what_;
  std::array<int, kMaxJsonDepth + 1> members_ = {};  // of the object being read at each depth
  Result<> kept_;
};

}  // namespace

Result<Json> ParseJson(std::string_view text, std::string_view what) {
  Bounds bounds(what);
  Json json = Json::parse(
      text, [&bounds](int depth, auto event, Json&) { return bounds.Keep(depth, event); },
      /*allow_exceptions=*/false);
  CBENCH_TRY(bounds.kept());
  if (json.is_discarded()) return InputError("{}: not valid JSON", what);
  return json;
}

}  // namespace cbench
