#include "monitor/fields.h"

#include <charconv>

namespace cbench::monitor {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (auto begin = text.find_first_not_of(separators); begin != text.npos;) {
    const auto end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<double> Number(std::string_view text) {
  text = Trim(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> Number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return Number(std::string_view(*text));
}

std::optional<std::uint64_t> Unsigned(std::string_view text) {
  text = Trim(text);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> Words(std::string_view line) { return Split(line, kSpace); }

std::vector<std::string_view> Lines(std::string_view text) { return Split(text, "\n"); }

std::optional<double> Field(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; (at = text.find(key, at)) != text.npos; at += key.size()) {
    if (at > 0 && text[at - 1] != '\n') continue;
    text.remove_prefix(at + key.size());
    text = Trim(text.substr(0, text.find('\n')));
    return Number(text.substr(0, text.find_first_of(kSpace)));
  }
  return std::nullopt;
}

std::optional<double> Scaled(std::optional<double> value, double factor) {
  if (value) *value *= factor;
  return value;
}

std::optional<double> Rate::PerSecond(Nanos now, std::optional<double> counter) {
  std::optional<double> rate;
  if (counter && last_ && *counter >= *last_ && now > t_) {
    rate = (*counter - *last_) / ToSeconds(now - t_);
  }
  last_ = counter;
  t_ = now;
  return rate;
}

}  // namespace cbench::monitor
