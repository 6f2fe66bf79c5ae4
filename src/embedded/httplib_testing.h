// What tests of services need of the server library. Not part of the library.
#pragma once

#include <httplib.h>

namespace cbench::embedded {

// httplib makes its tables when the first request needs them. Send one before there are two at
// once: it is not instrumented, so the thread sanitizer does not see that the second one waits.
inline void SendFirstRequest(int port) { httplib::Client("127.0.0.1", port).Get("/"); }

}  // namespace cbench::embedded
