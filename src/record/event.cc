// Event to and from one JSON object.
#include "record/event.h"

#include <algorithm>

#include "record/fields.h"
#include "record/json_in.h"
#include "record/parse.h"

namespace cbench::record {
namespace {

// Writes fields into a JSON object; defaults and absent stamps are left out.
class JsonOut {
 public:
  explicit JsonOut(Json& json) : json_(json) {}

  template <typename T>
  void Must(const char* key, const T& value) {
    json_[key] = value;
  }
  template <typename T>
  void May(const char* key, const T& value) {
    if (value != T{}) json_[key] = value;
  }
  void May(const char* key, const std::optional<int>& value) {
    if (value) json_[key] = *value;
  }
  void May(const char* key, const std::optional<Failure>& value) {
    if (!value) return;
    JsonOut out(json_[key]);
    Fields(out, *value);
  }
  void Stamp(const char* key, Nanos value) { May(key, value); }
  void Stamps(const char* key, const std::vector<Nanos>& value) { May(key, value); }

 private:
  Json& json_;
};

// Makes `body` hold a default value of its alternative number `index`.
template <std::size_t I = 0>
void Hold(Body& body, std::size_t index) {
  if constexpr (I < std::variant_size_v<Body>) {
    if (index == I)
      body.emplace<I>();
    else
      Hold<I + 1>(body, index);
  }
}

}  // namespace

bool IsKnownEvent(std::string_view name) {
  return std::find(kEventNames.begin(), kEventNames.end(), name) != kEventNames.end();
}

Json ToJson(const Event& event) {
  Json json = Json::object();
  json["t"] = event.t;
  json["ev"] = kEventNames[event.body.index()];
  JsonOut out(json);
  std::visit([&out](const auto& body) { Fields(out, body); }, event.body);
  return json;
}

Result<Event> EventFromJson(const Json& json) {
  Event event;
  std::string name;
  JsonIn in(json);
  in.Must("t", event.t);
  in.Must("ev", name);
  CBENCH_TRY(in.Finish());
  const auto found = std::find(kEventNames.begin(), kEventNames.end(), name);
  if (found == kEventNames.end()) return InputError("unknown event \"{}\"", name);
  Hold(event.body, static_cast<std::size_t>(found - kEventNames.begin()));
  std::visit([&in](auto& body) { Fields(in, body); }, event.body);
  CBENCH_TRY(in.Finish());
  return event;
}

}  // namespace cbench::record
