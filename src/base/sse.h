// Server-sent events out of a byte stream that may be cut anywhere: inside a line end, inside a
// UTF-8 sequence, inside the byte-order mark.
//
// The format is WHATWG HTML section 9.2. Two departures, both on purpose:
//   - what stands at the end of the stream without its blank line is still an event (engines that
//     close the connection right after their last line lose nothing);
//   - "id" and "retry" are ignored: we never reconnect.
// An event whose single data line came in one piece is handed out as a view of the caller's bytes;
// anything else is gathered in one buffer. Both are bounded by `limit`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cbench {

struct SseEvent {
  std::string_view type;  // "event:" field; empty means "message"
  std::string_view data;  // data lines joined by '\n'
};

class SseParser {
 public:
  using OnEvent = std::function<void(const SseEvent&)>;  // the views die with the call

  static constexpr std::size_t kDefaultLimit = 2u << 20;  // a 1 MiB line passes, with its framing
  explicit SseParser(std::size_t limit = kDefaultLimit) : limit_(limit) {}

  // Takes the next bytes. Errors (a line or an event over the limit) are final.
  Result<> Feed(std::string_view bytes, const OnEvent& on_event);
  // The stream has ended: what is left becomes the last event.
  Result<> Finish(const OnEvent& on_event);

 private:
  Result<> TakeLine(std::string_view line, const OnEvent& on_event);
  Result<> AddData(std::string_view value);
  void Dispatch(const OnEvent& on_event);
  void KeepData();
  Result<> CheckSize(std::size_t size) const;

  std::size_t limit_;
  bool first_line_ = true;     // may start with a byte-order mark
  bool skip_newline_ = false;  // the last byte was '\r': a '\n' now belongs to it
  std::string partial_;        // an unfinished line
  std::string type_;
  bool has_data_ = false;
  std::string_view view_;  // the only data line so far, in the bytes being fed
  std::string data_;       // data lines that had to be gathered
};

}  // namespace cbench
