// JSON bodies of the requests to our engines, from any bytes: a refusal that can be sent, or a
// request within its limits.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "embedded/http_reply.h"
#include "embedded/image_request.h"
#include "embedded/text_request.h"

namespace {

using namespace cbench;
using namespace cbench::embedded;

void Check(bool ok, const std::string& refusal) {
  if (!ok) std::abort();
  if (DumpJson(ErrorBody(400, refusal)).empty()) std::abort();
}

template <typename Request, typename Good>
void CheckParsed(const Result<Request>& parsed, const Good& good) {
  if (parsed) {
    Check(good(*parsed), "");
  } else {
    Check(!parsed.error().message.empty(), parsed.error().message);
  }
}

bool CommonGood(const TextRequest& request) {
  return request.max_tokens.value_or(1) >= 1 && request.min_tokens >= 0 &&
         request.temperature >= 0 && request.top_p >= 0 && request.top_p <= 1;
}

bool ImageGood(const embedded::ImageRequest& request) {
  return request.count >= 1 && request.width > 0 && request.height > 0 && request.steps >= 1 &&
         request.guidance >= 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto body = ParseBody(std::string(reinterpret_cast<const char*>(data), size));
  if (!body) return 0;
  CheckParsed(ParseChat(*body),
              [](const auto& chat) { return CommonGood(chat) && !chat.messages.empty(); });
  CheckParsed(ParseCompletion(*body), CommonGood);
  CheckParsed(ParseImageRequest(*body, *FindImageDims("sd3.5-test"), 1), ImageGood);
  return 0;
}
