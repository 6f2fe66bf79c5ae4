#include "report/writers/escape.h"

#include "report/text.h"

namespace cbench::report {
namespace {

// One character for Markdown: entities for what has meaning in tables, HTML, mentions and
// formulas, a backslash for emphasis and links.
void AppendEscaped(std::string& out, std::string_view rest) {
  const char c = rest.front();
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '|':
      out += "&#124;";
      return;
    case '`':
      out += "&#96;";
      return;
    case '@':
      out += "&#64;";
      return;
    case '#':
      out += "&#35;";
      return;
    case '$':
      out += "&#36;";
      return;
    case ':':
      out += rest.starts_with("://") ? "&#58;" : ":";
      return;
    case '\\':
    case '*':
    case '_':
    case '[':
    case ']':
    case '~':
    case '!':
      out += '\\';
      break;
    default:
      break;
  }
  out += c;
}

}  // namespace

std::string Escape(std::string_view text) {
  const std::string clean = Clean(text);
  std::string_view rest = clean;
  std::string out;
  if (rest.starts_with('-') || rest.starts_with('+') || rest.starts_with('=')) out += '\\';
  while (!rest.empty()) {
    if (rest.starts_with("www.")) {
      out += "www&#46;";  // no link out of a bare host name
      rest.remove_prefix(4);
      continue;
    }
    AppendEscaped(out, rest);
    rest.remove_prefix(1);
  }
  return out;
}

}  // namespace cbench::report
