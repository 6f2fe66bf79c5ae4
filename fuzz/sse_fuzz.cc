// Server-sent events and the chat and image answers made of them, from any bytes, cut anywhere.
// The first byte says where to cut. Both ways of feeding must give the same events.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/sse.h"
#include "engine/protocols/openai_chat.h"
#include "engine/protocols/openai_image.h"

namespace cbench {
namespace {

constexpr std::size_t kLimit = 4096;  // small, so that the bound is met often

std::string Events(std::string_view head, std::string_view tail) {
  SseParser parser(kLimit);
  std::string events;
  const auto keep = [&events](const SseEvent& event) {
    events.append(event.type).append("\1").append(event.data).append("\2");
  };
  for (const std::string_view piece : {head, tail}) {
    const std::string copy(piece);  // its own memory, so that a view kept too long is noticed
    if (!parser.Feed(copy, keep)) return events + "\3";
  }
  if (!parser.Finish(keep)) return events + "\3";
  return events;
}

template <typename Stream, typename Answer>
void FeedAnswer(std::string_view head, std::string_view tail) {
  Answer answer;
  Stream stream(answer);
  if (stream.Feed(head, 1) && stream.Feed(tail, 2)) stream.Finish();
  if constexpr (requires { stream.Close(); }) stream.Close();
}

}  // namespace
}  // namespace cbench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = bytes.empty() ? 0 : data[0] % (bytes.size() + 1);
  const std::string_view head = bytes.substr(0, cut), tail = bytes.substr(cut);
  if (cbench::Events(bytes, {}) != cbench::Events(head, tail)) std::abort();
  cbench::FeedAnswer<cbench::engine::ChatStream, cbench::engine::ChatAnswer>(head, tail);
  cbench::FeedAnswer<cbench::engine::ImageStream, cbench::engine::ImageAnswer>(head, tail);
  return 0;
}
