// Answers in the shape OpenAI clients expect, shared by the embedded engines.
#pragma once

#include <string>

#include "base/json.h"

namespace httplib {
struct Response;
}

namespace cbench::embedded {

// {"error": {"message", "type", "code"}}. The type follows from the status: 4xx is the request's
// fault ("invalid_request_error"), 503 "unavailable_error", anything else "server_error".
Json ErrorBody(int status, const std::string& message);

void ReplyError(httplib::Response& response, int status, const std::string& message);
void ReplyJson(httplib::Response& response, const Json& body);

// One server-sent event: "data: …\n\n".
std::string Event(const Json& body);

// A request's JSON body; it must be an object.
Result<Json> ParseBody(const std::string& body);

}  // namespace cbench::embedded
