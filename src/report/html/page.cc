#include "report/html/page.h"

#include "report/html/assets.h"
#include "report/html/page_data.h"

namespace cbench::report {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
)";
constexpr std::string_view kBody = R"(</head>
<body>
<noscript><p>This report needs JavaScript; report.md beside it holds the same numbers.</p></noscript>
<main id="page"></main>
)";

void Append(std::string_view open, const std::vector<std::string_view>& texts,
            std::string_view close, std::string& out) {
  out += open;
  for (const std::string_view text : texts) out += text;
  out += close;
}

}  // namespace

std::string EmbeddedJson(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {  // these three stand in strings only
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string PageHead(std::string_view title, const std::vector<std::string_view>& styles) {
  std::string out = fmt::format("{}<title>{}</title>\n", kHead, title);
  Append("<style>\n", styles, "</style>\n", out);
  return out;
}

std::string PageHtml(const Json& data) {
  std::string out = PageHead("ConsumerBench report", PageStyles());
  out += kBody;
  out += "<script type=\"application/json\" id=\"data\">" + EmbeddedJson(data) + "</script>\n";
  Append("<script>\n", PlotScripts(), "</script>\n", out);
  Append("<script>\n(function () {\n'use strict';\n", PageScripts(), "})();\n</script>\n", out);
  out += "</body>\n</html>\n";
  return out;
}

std::string ToHtml(const Summary& summary, const record::Record& record) {
  return PageHtml(PageData(summary, record));
}

}  // namespace cbench::report
