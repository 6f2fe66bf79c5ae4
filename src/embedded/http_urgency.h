// What a request's X-Cbench-* headers (share/step_hook.h) say about its urgency.
#pragma once

#include "share/step_hook.h"

namespace httplib {
struct Request;
}

namespace cbench::embedded {

// A time that is absent, not a whole number or not positive is 0: none.
share::Urgency ReadUrgency(const httplib::Request& request);

}  // namespace cbench::embedded
