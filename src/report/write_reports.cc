// The files that a record's directory gets. One row a writer; a new format is one more.
#include "base/file.h"
#include "report/summary.h"

namespace cbench::report {
namespace {

std::string JsonFile(const Summary& summary) { return DumpJson(ToJson(summary), 2) + '\n'; }

struct FileWriter {
  const char* name;
  std::string (*write)(const Summary&);
};
constexpr FileWriter kFiles[] = {{"summary.json", JsonFile}, {"report.md", ToMarkdown}};

}  // namespace

Result<> WriteReports(const Summary& summary, const std::filesystem::path& directory) {
  for (const FileWriter& file : kFiles)
    CBENCH_TRY(WriteFileAtomic(directory / file.name, file.write(summary)));
  return {};
}

}  // namespace cbench::report
