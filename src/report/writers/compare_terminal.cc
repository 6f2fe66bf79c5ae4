// `cbench compare` on a terminal.
#include "report/writers/compare_cells.h"
#include "report/writers/screen.h"

namespace cbench::report {
namespace {

using Align = Screen::Align;

constexpr int kMetric = 20, kValue = 9, kChange = 8, kBounds = 15, kNoise = 6, kVerdict = 7;

Style StyleOf(Change change) {
  constexpr Style kStyles[] = {Style::kPlain, Style::kGreen, Style::kRed, Style::kYellow};
  return kStyles[static_cast<int>(change)];
}

Style StyleOf(Outcome outcome) {
  constexpr Style kStyles[] = {Style::kGreen, Style::kRed, Style::kYellow};
  return kStyles[static_cast<int>(outcome)];
}

void HeadLine(Screen& screen) {
  screen.Column("metric", kMetric, Align::kLeft, Style::kDim);
  screen.Column("before", kValue, Align::kRight, Style::kDim);
  screen.Column("after", kValue, Align::kRight, Style::kDim);
  screen.Column("change", kChange, Align::kRight, Style::kDim);
  screen.Column("95 %", kBounds, Align::kRight, Style::kDim);
  screen.Column("noise", kNoise, Align::kRight, Style::kDim);
  screen.Column("", kVerdict);
  screen.EndLine();
}

void MetricLine(Screen& screen, const MetricChange& row, bool indented) {
  const CompareCells cells = CellsOf(row);
  screen.Column((indented ? "  " : "") + row.metric, kMetric);
  screen.Column(cells.before, kValue, Align::kRight);
  screen.Column(cells.after, kValue, Align::kRight);
  screen.Column(cells.change, kChange, Align::kRight);
  screen.Column(cells.bounds, kBounds, Align::kRight);
  screen.Column(cells.noise, kNoise, Align::kRight);
  screen.Column(Name(row.verdict), kVerdict, Align::kLeft, StyleOf(row.verdict));
  screen.EndLine();
}

void Block(Screen& screen, const Pairing& pairing) {
  screen.Paragraph("", PairingTitle(pairing), Style::kBold);
  HeadLine(screen);
  for (const AppChanges& app : pairing.apps) {
    if (!app.app.empty()) screen.Paragraph("", app.app, Style::kBold);
    for (const MetricChange& row : app.metrics) MetricLine(screen, row, !app.app.empty());
  }
  screen.Paragraph("", fmt::format("{}: {}", Name(pairing.outcome), CountText(pairing)),
                   StyleOf(pairing.outcome));
  for (const std::string& text : UnclearTexts(pairing)) screen.Paragraph("  - ", text);
  for (const std::string& reason : pairing.reasons)
    screen.Paragraph("  not comparable: ", reason, Style::kYellow);
  screen.Blank();
}

}  // namespace

std::string ToTerminal(const Comparison& comparison, bool color) {
  Screen screen(color);
  for (const Pairing& pairing : comparison.pairings) Block(screen, pairing);
  if (!comparison.differences.empty()) screen.Paragraph("", "Set-up differs", Style::kYellow);
  for (const std::string& one : comparison.differences) screen.Paragraph("  - ", one);
  for (const std::string& note : comparison.notes) screen.Paragraph("  - ", note);
  if (comparison.pairings.size() != 1)
    screen.Paragraph("", Name(comparison.outcome), StyleOf(comparison.outcome));
  return screen.Take();
}

}  // namespace cbench::report
