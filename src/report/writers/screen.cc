#include "report/writers/screen.h"

#include "report/text.h"

namespace cbench::report {
namespace {

const char* Code(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kBold:
      return "\x1b[1m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGreen:
      return "\x1b[32m";
    case Style::kRed:
      return "\x1b[31m";
    case Style::kYellow:
      return "\x1b[33m";
  }
  return "";
}

}  // namespace

void Screen::Styled(std::string_view clean, Style style) {
  const bool styled = color_ && style != Style::kPlain && !clean.empty();
  if (styled) line_ += Code(style);
  line_ += clean;
  if (styled) line_ += "\x1b[0m";
}

void Screen::Column(std::string_view text, int width, Align align, Style style) {
  if (!line_.empty()) line_ += ' ';
  const std::string clean = Clean(text);
  Styled(align == Align::kLeft ? Fit(clean, width) : FitRight(clean, width), style);
}

void Screen::EndLine() {
  // With colour the padding stands before the code that ends it; harmless there.
  while (line_.ends_with(' ')) line_.pop_back();
  out_ += line_ + '\n';
  line_.clear();
}

void Screen::Paragraph(std::string_view bullet, std::string_view text, Style style) {
  const std::string head = Clean(bullet);
  const int indent = Width(head);
  bool is_first = true;
  for (const std::string& part : Wrap(Clean(text), kColumns - indent)) {
    line_ += is_first ? head : std::string(static_cast<std::size_t>(indent), ' ');
    Styled(part, style);
    EndLine();
    is_first = false;
  }
}

}  // namespace cbench::report
