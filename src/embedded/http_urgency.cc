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

double Weight(const httplib::Request& request) {
  const double weight = HeaderNumber(request, share::kWeightHeader, 1.0);
  return std::isfinite(weight) ? weight : 1.0;
}

}  // namespace

share::Urgency ReadUrgency(const httplib::Request& request) {
  return {.app = request.get_header_value(share::kAppHeader),
          .priority_class = request.get_header_value(share::kClassHeader),
          .deadline = HeaderNumber(request, share::kDeadlineHeader, Nanos{0}),
          .per_step = HeaderNumber(request, share::kPerStepHeader, Nanos{0}),
          .weight = Weight(request),
          .next_request = HeaderNumber(request, share::kNextHeader, Nanos{0}),
          .request = share::NextRequestId()};
}

}  // namespace cbench::embedded
