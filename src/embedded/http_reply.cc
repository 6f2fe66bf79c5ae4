#include "embedded/http_reply.h"

#include <httplib.h>

namespace cbench::embedded {
namespace {

const char* ErrorType(int status) {
  if (status == 503) return "unavailable_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

}  // namespace

Json ErrorBody(int status, const std::string& message) {
  return {{"error", {{"message", message}, {"type", ErrorType(status)}, {"code", status}}}};
}

void ReplyError(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(DumpJson(ErrorBody(status, message)), "application/json");
}

void ReplyJson(httplib::Response& response, const Json& body) {
  response.set_content(DumpJson(body), "application/json");
}

std::string Event(const Json& body) { return "data: " + DumpJson(body) + "\n\n"; }

Result<Json> ParseBody(const std::string& body) {
  CBENCH_ASSIGN(Json json, ParseJson(body, "body"));
  if (!json.is_object()) return InputError("body: a JSON object is expected");
  return json;
}

}  // namespace cbench::embedded
