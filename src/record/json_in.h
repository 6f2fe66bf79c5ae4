// Reads fields out of one JSON object: the first missing or wrong one is kept as the error.
// Keys that nobody asks for are ignored, so newer writers may add some.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/fields.h"

namespace cbench::record {

// Times beyond ±73 years are a broken file; within, no difference of two can overflow.
constexpr Nanos kMaxTime = Nanos{1} << 61;

class JsonIn {
 public:
  explicit JsonIn(const Json& json) : json_(json) {
    if (!json.is_object()) error_ = "is not an object";
  }

  template <typename T>
  void Must(const char* key, T& value) {
    Read(key, value, true);
  }
  template <typename T>
  void May(const char* key, T& value) {
    Read(key, value, false);
  }
  void Stamp(const char* key, Nanos& value) { Read(key, value, false); }
  void Stamps(const char* key, std::vector<Nanos>& value) { Read(key, value, false); }

  const std::string& error() const { return error_; }  // empty: all fields were fine
  Result<> Finish() const {
    if (error_.empty()) return {};
    return InputError("{}", error_);
  }

 private:
  template <typename T>
  void Read(const char* key, T& value, bool required) {
    if (!error_.empty()) return;
    const auto found = json_.find(key);
    if (found != json_.end()) {
      if (!Get(*found, value)) error_ = fmt::format("\"{}\" has the wrong type or range", key);
    } else if (required) {
      error_ = fmt::format("\"{}\" is missing", key);
    }
  }

  static bool Get(const Json& json, std::string& value) {
    if (json.is_string()) value = json.get_ref<const std::string&>();
    return json.is_string();
  }
  static bool Get(const Json& json, bool& value) {
    if (json.is_boolean()) value = json.get<bool>();
    return json.is_boolean();
  }
  static bool Get(const Json& json, std::uint64_t& value) {
    if (json.is_number_unsigned()) value = json.get<std::uint64_t>();
    return json.is_number_unsigned();
  }
  static bool Get(const Json& json, Nanos& value) {
    return GetSigned(json, -kMaxTime, kMaxTime, value);
  }
  static bool Get(const Json& json, int& value) {
    Nanos wide = 0;
    const bool fits =
        GetSigned(json, std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), wide);
    value = static_cast<int>(wide);
    return fits;
  }
  template <typename T>
  static bool Get(const Json& json, std::optional<T>& value) {
    return Get(json, value.emplace());
  }
  template <typename T>
  static bool Get(const Json& json, std::vector<T>& value) {
    if (!json.is_array()) return false;
    value.reserve(json.size());
    for (const Json& item : json) {
      if (!Get(item, value.emplace_back())) return false;
    }
    return true;
  }
  static bool Get(const Json& json, Failure& value) {
    JsonIn in(json);
    Fields(in, value);
    return in.error().empty();
  }

  static bool GetSigned(const Json& json, std::int64_t low, std::int64_t high, Nanos& value) {
    if (!json.is_number_integer()) return false;
    // A number above int64's range is stored unsigned; it would wrap to a negative one.
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
      return false;
    const auto number = json.get<std::int64_t>();
    if (number < low || number > high) return false;
    value = number;
    return true;
  }

  const Json& json_;
  std::string error_;
};

}  // namespace cbench::record
