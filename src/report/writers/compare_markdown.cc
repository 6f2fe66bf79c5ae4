// `cbench compare --markdown`: what changed first, what did not behind a fold. Fit for a comment
// on a pull request.
#include "report/writers/compare_cells.h"
#include "report/writers/escape.h"

namespace cbench::report {
namespace {

constexpr char kHead[] =
    "| app | metric | before | after | change | 95 % | noise | |\n"
    "|---|---|---:|---:|---:|---:|---:|---|\n";

bool IsChange(const MetricChange& row) { return row.verdict != Change::kSame; }

std::string Row(const AppChanges& app, const MetricChange& row) {
  const CompareCells cells = CellsOf(row);
  const bool called = row.verdict == Change::kWorse || row.verdict == Change::kBetter;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", Escape(app.app),
                     Escape(row.metric), cells.before, cells.after, cells.change, cells.bounds,
                     cells.noise,
                     called ? fmt::format("**{}**", Name(row.verdict)) : Name(row.verdict));
}

// The rows that are changes, or those that are none.
std::string Rows(const Pairing& pairing, bool changes) {
  std::string rows;
  for (const AppChanges& app : pairing.apps) {
    for (const MetricChange& row : app.metrics) {
      if (IsChange(row) == changes) rows += Row(app, row);
    }
  }
  return rows;
}

void List(std::string& out, const std::string& head, const std::vector<std::string>& items) {
  if (items.empty()) return;
  if (!head.empty()) out += head + "\n\n";
  for (const std::string& item : items) out += fmt::format("- {}\n", Escape(item));
  out += '\n';
}

void Section(std::string& out, const Pairing& pairing) {
  out += fmt::format("#### {}\n\n**{}**: {}.\n\n", Escape(PairingTitle(pairing)),
                     Name(pairing.outcome), CountText(pairing));
  List(out, "", pairing.reasons);
  const std::string changes = Rows(pairing, true), others = Rows(pairing, false);
  if (!changes.empty()) out += kHead + changes + '\n';
  List(out, "", UnclearTexts(pairing));
  if (others.empty()) return;
  out += fmt::format("<details><summary>Without change</summary>\n\n{}{}\n</details>\n\n", kHead,
                     others);
}

}  // namespace

std::string ToMarkdown(const Comparison& comparison) {
  std::string out = fmt::format("### cbench compare: {}\n\n", Name(comparison.outcome));
  for (const Pairing& pairing : comparison.pairings) Section(out, pairing);
  List(out, "Set-up differs:", comparison.differences);
  List(out, "", comparison.notes);
  return out;
}

}  // namespace cbench::report
