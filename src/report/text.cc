#include "report/text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace cbench::report {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kNone = "—";

// Takes the first character off `text`. Overlong forms, surrogates and stray bytes are taken one
// byte at a time as U+FFFD.
char32_t Next(std::string_view& text, std::string_view& bytes) {
  const auto at = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xC2 ? 0
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                           : lead < 0xF5 ? 4
                                         : 0;
  char32_t code = size == 1 ? lead : size == 0 ? kReplacement : lead & (0x7Fu >> size);
  bool valid = size != 0 && size <= text.size();
  for (std::size_t i = 1; valid && i < size; ++i) {
    valid = (at(i) & 0xC0) == 0x80;
    code = code << 6 | (at(i) & 0x3Fu);
  }
  if ((size == 3 && code < 0x800) || (size == 4 && (code < 0x10000 || code > 0x10FFFF)) ||
      (code >= 0xD800 && code < 0xE000))
    valid = false;
  bytes = text.substr(0, valid ? size : 1);
  text.remove_prefix(bytes.size());
  return valid ? code : kReplacement;
}

bool IsBetween(char32_t code, char32_t low, char32_t high) { return code >= low && code <= high; }

// Controls, direction marks, invisible and private characters.
bool IsHarmful(char32_t code) {
  return code < 0x20 || IsBetween(code, 0x7F, 0x9F) || code == 0xAD || code == 0x61C ||
         IsBetween(code, 0x180B, 0x180F) || IsBetween(code, 0x200B, 0x200F) ||
         IsBetween(code, 0x2028, 0x202E) || IsBetween(code, 0x2060, 0x206F) ||
         IsBetween(code, 0xE000, 0xF8FF) || IsBetween(code, 0xFE00, 0xFE0F) || code == 0xFEFF ||
         IsBetween(code, 0xFFF0, 0xFFFC) || IsBetween(code, 0xE0000, 0x10FFFF);
}

int CodeWidth(char32_t code) {
  if (IsBetween(code, 0x300, 0x36F) || IsBetween(code, 0x20D0, 0x20F0)) return 0;  // combining
  const bool wide = IsBetween(code, 0x1100, 0x115F) || IsBetween(code, 0x2E80, 0xA4CF) ||
                    IsBetween(code, 0xAC00, 0xD7A3) || IsBetween(code, 0xF900, 0xFAFF) ||
                    IsBetween(code, 0xFE30, 0xFE6F) || IsBetween(code, 0xFF00, 0xFF60) ||
                    IsBetween(code, 0xFFE0, 0xFFE6) || IsBetween(code, 0x1F300, 0x1FAFF) ||
                    IsBetween(code, 0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

// The longest beginning of `text` that takes at most `width` columns.
std::string_view Beginning(std::string_view text, int width) {
  std::string_view rest = text, bytes;
  while (!rest.empty()) {
    const std::string_view before = rest;
    width -= CodeWidth(Next(rest, bytes));
    if (width < 0) return text.substr(0, text.size() - before.size());
  }
  return text;
}

// Three significant digits without an exponent.
std::string ThreeDigits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

std::string Clean(std::string_view text) {
  std::string clean;
  std::string_view bytes;
  while (!text.empty()) {
    const char32_t code = Next(text, bytes);
    if (code == '\n' || code == '\t' || code == '\r')
      clean += ' ';
    else
      clean += code == kReplacement || IsHarmful(code) ? kReplacementBytes : bytes;
  }
  return clean;
}

int Width(std::string_view text) {
  int width = 0;
  std::string_view bytes;
  while (!text.empty()) width += CodeWidth(Next(text, bytes));
  return width;
}

std::string Cut(std::string_view text, int width) {
  if (Width(text) <= width) return std::string(text);
  return std::string(Beginning(text, width - 1)) + std::string(kEllipsis);
}

std::string Fit(std::string_view text, int width) {
  std::string fit = Cut(text, width);
  return fit.append(static_cast<std::size_t>(width - Width(fit)), ' ');
}

std::string FitRight(std::string_view text, int width) {
  const std::string fit = Cut(text, width);
  return std::string(static_cast<std::size_t>(width - Width(fit)), ' ') + fit;
}

std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (Width(text) > width) {
    const std::string_view head = Beginning(text, width + 1);
    std::size_t end = head.rfind(' ');
    if (end == std::string_view::npos || end == 0) end = Beginning(text, width).size();
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string Seconds(std::optional<double> seconds) {
  if (!seconds || !std::isfinite(*seconds)) return std::string(kNone);
  const double s = *seconds;
  if (s == 0) return "0 s";
  if (s < 0.9995e-3) return ThreeDigits(s * 1e6) + " us";
  if (s < 0.9995) return ThreeDigits(s * 1e3) + " ms";
  if (s < 3600) return ThreeDigits(s) + " s";
  if (s < 9e6) return ThreeDigits(s / 3600) + " h";
  return "> 100 d";
}

std::string Percent(std::optional<double> share) {
  if (!share) return std::string(kNone);
  // 99.6 % is not 100 %: only all is all.
  const double percent = *share * 100;
  if (percent > 99 && percent < 100) return "> 99 %";
  return fmt::format("{:.0f} %", percent);
}

std::string Ratio(std::optional<double> value) {
  return value ? fmt::format("{:.2f}", *value) : std::string(kNone);
}

}  // namespace cbench::report
