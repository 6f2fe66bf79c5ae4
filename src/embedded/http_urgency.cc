#include "embedded/http_urgency.h"

#include <httplib.h>

#include <charconv>

namespace cbench::embedded {
namespace {

Nanos HeaderNanos(const httplib::Request& request, const char* name) {
  const std::string text = request.get_header_value(name);
  const char* all = text.data() + text.size();
  Nanos value = 0;
  const auto [end, error] = std::from_chars(text.data(), all, value);
  return error == std::errc() && end == all && value > 0 ? value : 0;
}

}  // namespace

share::Urgency ReadUrgency(const httplib::Request& request) {
  return {.app = request.get_header_value(share::kAppHeader),
          .priority_class = request.get_header_value(share::kClassHeader),
          .deadline = HeaderNanos(request, share::kDeadlineHeader),
          .per_step = HeaderNanos(request, share::kPerStepHeader)};
}

}  // namespace cbench::embedded
