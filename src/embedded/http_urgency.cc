#include "embedded/http_urgency.h"

#include <httplib.h>

#include <charconv>
#include <cmath>

namespace cbench::embedded {
namespace {

// A positive number, or `otherwise`.
template <typename T>
T HeaderNumber(const httplib::Request& request, const char* name, T otherwise) {
  const std::string text = request.get_header_value(name);
  const char* all = text.data() + text.size();
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), all, value);
  return error == std::errc() && end == all && value > 0 ? value : otherwise;
}

constexpr Nanos kLatest = Nanos{1} << 61;            // sums of a few such times do not overflow
constexpr Nanos kLongestStep = 24 * 3600 * kSecond;  // nor does this times the tokens of an answer

Nanos HeaderTime(const httplib::Request& request, const char* name, Nanos most) {
  const Nanos time = HeaderNumber(request, name, Nanos{0});
  return time <= most ? time : 0;
}

double Weight(const httplib::Request& request) {
  const double weight = HeaderNumber(request, share::kWeightHeader, 1.0);
  return std::isfinite(weight) ? weight : 1.0;
}

}  // namespace

share::Urgency ReadUrgency(const httplib::Request& request) {
  return {.app = request.get_header_value(share::kAppHeader),
          .priority_class = request.get_header_value(share::kClassHeader),
          .deadline = HeaderTime(request, share::kDeadlineHeader, kLatest),
          .per_step = HeaderTime(request, share::kPerStepHeader, kLongestStep),
          .weight = Weight(request),
          .next_request = HeaderTime(request, share::kNextHeader, kLatest),
          .request = share::NextRequestId()};
}

}  // namespace cbench::embedded
