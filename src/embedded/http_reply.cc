#include "embedded/http_reply.h"

#include <httplib.h>

namespace cbench::embedded {
namespace {

constexpr int kMaxDepth = 64;

const char* ErrorType(int status) {
  if (status == 503) return "unavailable_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

// Brackets outside strings. Text that is not JSON may count wrongly, but then does not parse.
bool TooDeep(const std::string& text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
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
  if (TooDeep(body)) return InputError("body: nested deeper than {} levels", kMaxDepth);
  CBENCH_ASSIGN(Json json, ParseJson(body, "body"));
  if (!json.is_object()) return InputError("body: a JSON object is expected");
  return json;
}

}  // namespace cbench::embedded
