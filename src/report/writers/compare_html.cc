// `cbench compare --html`: one page that needs no network. All of it is markup made here; its
// script only follows the reader's choice of light or dark.
#include "report/html/assets.h"
#include "report/html/page.h"
#include "report/text.h"
#include "report/writers/change_bar.h"
#include "report/writers/compare_cells.h"

namespace cbench::report {
namespace {

constexpr char kScript[] = R"(<script>
(function () {
  'use strict';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => { document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'; };
  dark.addEventListener('change', follow);
  follow();
})();
</script>
)";

// What matters most comes first: on a phone the rest is scrolled to.
constexpr char kTableHead[] =
    "<div class=\"scroll\"><table><thead><tr><th class=\"first\">metric</th>"
    "<th class=\"num\">change</th><th></th><th></th><th class=\"num\">95 %</th>"
    "<th class=\"num\">noise</th><th class=\"num\">before</th><th class=\"num\">after</th>"
    "</tr></thead>\n<tbody>\n";

constexpr char kLegend[] =
    "<p class=\"lead\">Dot and line: the change and its 95 % interval, on one axis of ±{:.0f} % "
    "for "
    "all rows (attainment in points). Grey: what counts as no change, which is up to the noise "
    "floor, and up to {:.0f} %.</p>\n";

// For text between tags and in quoted attributes.
std::string Html(std::string_view text) {
  std::string out;
  for (const char c : Clean(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string Pill(Outcome outcome) {
  constexpr const char* kColors[] = {"good", "bad", "warn"};
  return fmt::format("<span class=\"pill {}\">{}</span>", kColors[static_cast<int>(outcome)],
                     Name(outcome));
}

std::string Row(const MetricChange& row, double range) {
  const CompareCells cells = CellsOf(row);
  const char* verdict = Name(row.verdict);
  std::string out =
      fmt::format(R"(<tr class="{}"><th class="first">{}</th>)", verdict, Html(row.metric));
  out += fmt::format(R"(<td class="num">{}</td><td class="verdict">{}</td><td>{}</td>)",
                     cells.change, verdict, ChangeBar(row, range));
  for (const std::string& cell : {cells.bounds, cells.noise})
    out += fmt::format(R"(<td class="num sub">{}</td>)", cell);
  for (const std::string& cell : {cells.before, cells.after})
    out += fmt::format(R"(<td class="num">{}</td>)", cell);
  return out + "</tr>\n";
}

std::string AppRow(const AppChanges& app) {
  const std::string name = app.app.empty() ? "the whole run" : Html(app.app);
  const std::string type = app.type.empty() || app.type == app.app ? "" : Html(app.type);
  return fmt::format(
      "<tr class=\"app\"><th colspan=\"8\">{} <span class=\"sub\">{}</span></th></tr>\n", name,
      type);
}

std::string Table(const Pairing& pairing) {
  const double range = BarRange(pairing);
  std::string out = fmt::format(kLegend, range * 100, kSmallestChange * 100);
  out += kTableHead;
  for (const AppChanges& app : pairing.apps) {
    out += AppRow(app);
    for (const MetricChange& row : app.metrics) out += Row(row, range);
  }
  return out + "</tbody></table></div>\n";
}

std::string List(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out = "<ul class=\"list\">\n";
  for (const std::string& item : items) out += fmt::format("<li>{}</li>\n", Html(item));
  return out + "</ul>\n";
}

std::string Card(const std::string& head, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("<section class=\"card\">\n{}\n{}</section>\n", head, body);
}

std::string PairingCard(const Pairing& pairing) {
  std::string body = fmt::format("<p class=\"lead\">{}</p>\n", CountText(pairing));
  body += List(pairing.reasons);
  if (!pairing.apps.empty()) body += Table(pairing);
  body += List(UnclearTexts(pairing));
  return Card(fmt::format("<div class=\"head-line\"><h2>{}</h2>{}</div>",
                          Html(PairingTitle(pairing)), Pill(pairing.outcome)),
              body);
}

std::string Headline(const Comparison& comparison) {
  if (comparison.pairings.size() != 1) return Name(comparison.outcome);
  const Pairing& only = comparison.pairings.front();
  return fmt::format("{}: {}", Name(comparison.outcome), CountText(only));
}

}  // namespace

std::string ToHtml(const Comparison& comparison) {
  std::string out = PageHead("ConsumerBench comparison", CompareStyles());
  out += kScript;
  out += "</head>\n<body>\n<main id=\"page\">\n<header class=\"head\"><div class=\"head-line\">" +
         Pill(comparison.outcome) + "<h1>cbench compare</h1></div>\n<p class=\"headline\">" +
         Html(Headline(comparison)) + "</p></header>\n";
  for (const Pairing& pairing : comparison.pairings) out += PairingCard(pairing);
  out += Card("<h2>Set-up differs</h2>", List(comparison.differences));
  out += Card("<h2>Notes</h2>", List(comparison.notes));
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace cbench::report
