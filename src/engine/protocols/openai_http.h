// What all OpenAI-style requests share: the POST, its stamps, and how its end becomes a failure.
#pragma once

#include <functional>
#include <string>

#include "base/http_client.h"
#include "engine/engine.h"

namespace cbench::engine {

struct Post {
  std::string url;
  std::string content_type = "application/json";
  std::string body;
  std::size_t max_response = 64u << 20;
  std::function<bool(std::string_view bytes, Nanos t)> on_body;  // of a 200; false: enough
};

struct PostEnd {
  HttpOutcome outcome;
  std::string error_body;  // of any other status, cut at 64 KiB
};

// Sends it and blocks until its end. Fills done.t_sched, t_send, t_end and retried; sets
// done.failure for whatever went wrong in HTTP unless on_body has already set one.
PostEnd Send(Post post, const CommonRequest& request, const Cancel& cancel,
             record::RequestDone& done);

// A copy of at most record::kMaxOutput bytes that ends between two characters.
std::string Shorten(std::string_view text);

// The message of {"error": {"message": …}}, {"error": "…"} or {"object": "error", …}; nothing if
// it is none of these.
std::optional<std::string> ErrorMessage(const Json& json);

}  // namespace cbench::engine
