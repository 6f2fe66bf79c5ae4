// Lines for a terminal of 80 columns. All text enters through Column and Paragraph, which clean
// it, so that no escape sequence but our own colours gets out.
#pragma once

#include <string>
#include <string_view>

namespace cbench::report {

enum class Style { kPlain, kBold, kDim, kGreen, kRed, kYellow };

class Screen {
 public:
  static constexpr int kColumns = 80;
  enum class Align { kLeft, kRight };

  explicit Screen(bool color) : color_(color) {}

  // Appends `text` in a field of `width` columns, one column apart from the field before.
  void Column(std::string_view text, int width, Align align = Align::kLeft,
              Style style = Style::kPlain);
  void EndLine();
  // A line or several: `bullet`, then the text, wrapped and indented below itself.
  void Paragraph(std::string_view bullet, std::string_view text, Style style = Style::kPlain);
  void Blank() { out_ += '\n'; }

  std::string Take() { return std::move(out_); }

 private:
  void Styled(std::string_view clean, Style style);

  const bool color_;
  std::string line_, out_;
};

}  // namespace cbench::report
