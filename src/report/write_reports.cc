// The files that a record's directory gets. One row a writer; a new format is one more. A trace is
// too large to be a row: it is written piece by piece.
#include "base/file.h"
#include "report/summary.h"
#include "report/trace/trace.h"

namespace cbench::report {
namespace {

std::string JsonFile(const Summary& summary, const record::Record&) {
  return DumpJson(ToJson(summary), 2) + '\n';
}

std::string MarkdownFile(const Summary& summary, const record::Record&) {
  return ToMarkdown(summary);
}

struct FileWriter {
  const char* name;
  std::string (*write)(const Summary&, const record::Record&);
};
constexpr FileWriter kFiles[] = {
    {"summary.json", JsonFile}, {"report.md", MarkdownFile}, {"report.html", ToHtml}};

}  // namespace

Result<> WriteReports(const Summary& summary, const record::Record& record) {
  for (const FileWriter& file : kFiles)
    CBENCH_TRY(WriteFileAtomic(record.directory / file.name, file.write(summary, record)));
  return WriteTrace(record);
}

}  // namespace cbench::report
