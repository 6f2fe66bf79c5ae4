#include "embedded/text_assembler.h"

#include <algorithm>
#include <cstdint>

namespace cbench::embedded {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";

// What stands at the start of `bytes`: a whole character of `size` bytes, the first `size` bytes
// of one that is not finished, or `size` bytes that can never be valid (RFC 3629, section 4).
enum class Sequence { kWhole, kUnfinished, kInvalid };
struct Found {
  Sequence kind;
  std::size_t size;
};

struct Lead {
  std::size_t size;                      // of the whole character; 0: no character starts so
  std::uint8_t second_low, second_high;  // bounds of the second byte
};

Lead LeadOf(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {4, 0x80, 0xBF};
}

Found First(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const Lead lead = LeadOf(at(0));
  if (lead.size == 0) return {Sequence::kInvalid, 1};
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (i == bytes.size()) return {Sequence::kUnfinished, i};
    const std::uint8_t low = i == 1 ? lead.second_low : 0x80;
    const std::uint8_t high = i == 1 ? lead.second_high : 0xBF;
    if (at(i) < low || at(i) > high) return {Sequence::kInvalid, i};
  }
  return {Sequence::kWhole, lead.size};
}

}  // namespace

std::string Utf8Splitter::Feed(std::string_view bytes) {
  pending_ += bytes;
  std::string out;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const Found found = First(rest);
    if (found.kind == Sequence::kUnfinished) break;
    out += found.kind == Sequence::kWhole ? rest.substr(0, found.size) : kReplacement;
    rest.remove_prefix(found.size);
  }
  pending_ = std::string(rest);
  return out;
}

std::string Utf8Splitter::Flush() {
  const bool unfinished = !pending_.empty();
  pending_.clear();
  return unfinished ? kReplacement : "";
}

std::size_t StopMatcher::HeldBack() const {
  std::size_t longest = 0;
  for (const std::string& stop : stops_) {
    for (std::size_t n = std::min(stop.size() - 1, pending_.size()); n > longest; --n) {
      if (std::string_view(pending_).substr(pending_.size() - n) ==
          std::string_view(stop).substr(0, n)) {
        longest = n;
      }
    }
  }
  return longest;
}

std::string StopMatcher::Feed(std::string_view text) {
  pending_ += text;
  std::size_t end = std::string::npos;
  for (const std::string& stop : stops_) end = std::min(end, pending_.find(stop));
  stopped_ = end != std::string::npos;
  if (!stopped_) end = pending_.size() - HeldBack();
  std::string out = pending_.substr(0, end);
  pending_.erase(0, end);
  return out;
}

std::string StopMatcher::Flush() {
  std::string out = stopped_ ? "" : pending_;
  pending_.clear();
  return out;
}

}  // namespace cbench::embedded
