#include "app/transcript.h"

#include <algorithm>
#include <utility>

namespace cbench::app {
namespace {

constexpr double kTokensPerMessage = 8;  // role markers of common chat templates
constexpr double kMinTokensPerCharacter = 0.25;
constexpr char kDropped[] = "(left out to save space)";

}  // namespace

void Transcript::Add(engine::Message message, Kind kind) {
  entries_.push_back({std::move(message), kind});
}

void Transcript::Say(std::string role, std::string content, Kind kind) {
  engine::Message message;
  message.role = std::move(role);
  message.content = std::move(content);
  Add(std::move(message), kind);
}

std::vector<engine::Message> Transcript::Fitted(int max_tokens, int reserved) {
  reserved_ = reserved;
  const int limit = context_ - context_ / 8 - max_tokens - reserved;
  while (Estimate() > limit && (DropMaterial() || DropExchange())) {
  }
  std::vector<engine::Message> messages;
  for (const Entry& entry : entries_) messages.push_back(entry.message);
  return messages;
}

void Transcript::Learn(int prompt_tokens) {
  const double text =
      prompt_tokens - reserved_ - kTokensPerMessage * static_cast<double>(entries_.size());
  const double seen = text / static_cast<double>(std::max<std::size_t>(1, Characters()));
  tokens_per_character_ = std::max(kMinTokensPerCharacter, seen);
}

double Transcript::Estimate() const {
  return static_cast<double>(Characters()) * tokens_per_character_ +
         kTokensPerMessage * static_cast<double>(entries_.size());
}

std::size_t Transcript::Characters() const {
  std::size_t sum = 0;
  for (const auto& [message, kind] : entries_) {
    sum += message.content.size();
    if (!message.tool_calls.is_null()) sum += DumpJson(message.tool_calls).size();
  }
  return sum;
}

bool Transcript::DropMaterial() {
  for (std::size_t i = head_; i + 1 < entries_.size(); ++i) {
    auto& [message, kind] = entries_[i];
    if (kind != Kind::kMaterial || message.content.size() < sizeof kDropped) continue;
    message.content = kDropped;
    kind = Kind::kTalk;
    return true;
  }
  return false;
}

bool Transcript::DropExchange() {
  if (head_ + 1 >= entries_.size()) return false;
  const std::string& role = entries_[head_].message.role;
  std::size_t next = head_ + 1;
  while (next < entries_.size() && entries_[next].message.role != role) ++next;
  if (next == entries_.size()) return false;
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(head_);
  entries_.erase(begin, begin + static_cast<std::ptrdiff_t>(next - head_));
  return true;
}

}  // namespace cbench::app
