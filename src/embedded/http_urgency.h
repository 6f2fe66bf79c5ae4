// What a request's X-Cbench-* headers (share/step_hook.h) say about its urgency.
#pragma once

#include "share/step_hook.h"

namespace httplib {
struct Request;
}

namespace cbench::embedded {

// Call it once a request: each call makes the id of one. A time that is absent, not a whole number
// or not positive is 0: none; such a weight is 1.
share::Urgency ReadUrgency(const httplib::Request& request);

}  // namespace cbench::embedded
