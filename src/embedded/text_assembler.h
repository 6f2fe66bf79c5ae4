// From token pieces to text that may be sent: whole UTF-8 sequences only, and nothing of a stop
// string. A piece may end inside a character or look like the start of a stop string; such text
// is held back until the next piece decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cbench::embedded {

// Lets complete UTF-8 through, holds an unfinished sequence, replaces what can never become valid
// by U+FFFD.
class Utf8Splitter {
 public:
  std::string Feed(std::string_view bytes);
  std::string Flush();  // the end: an unfinished sequence becomes U+FFFD

 private:
  std::string pending_;  // at most 3 bytes between calls
};

class StopMatcher {
 public:
  explicit StopMatcher(std::vector<std::string> stops) : stops_(std::move(stops)) {}
  // Text that is safe to send. After a stop string is complete: the text before it, and stopped().
  std::string Feed(std::string_view text);
  std::string Flush();  // the end: what was held back after all
  bool stopped() const { return stopped_; }

 private:
  std::size_t HeldBack() const;  // longest end of pending_ that begins a stop string

  std::vector<std::string> stops_;
  std::string pending_;
  bool stopped_ = false;
};

}  // namespace cbench::embedded
