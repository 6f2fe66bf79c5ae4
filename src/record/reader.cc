// Opens a record's files; the parsing is in parse.cc.
#include "record/reader.h"

#include <fstream>

#include "base/file.h"
#include "record/parse.h"
#include "record/samples.h"

namespace cbench::record {
namespace fs = std::filesystem;

namespace {

// Only regular files: opening a pipe would wait for ever.
Result<std::ifstream> Open(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return InputError("{}: missing or not a file, so this is not a record", path.string());
  std::ifstream in(path, std::ios::binary);
  if (!in) return InputError("{}: cannot be read", path.string());
  return in;
}

}  // namespace

Result<Record> Read(const fs::path& directory) {
  Record record;
  record.directory = directory;
  const fs::path run = directory / "run.json";
  CBENCH_TRY(Open(run));
  CBENCH_ASSIGN(const std::string text, ReadFile(run));
  CBENCH_ASSIGN(record.header, ParseHeader(text, run.string()));
  const fs::path events = directory / "events.jsonl";
  CBENCH_ASSIGN(std::ifstream in, Open(events));
  CBENCH_TRY(ParseEvents(in, events.string(), record));
  return record;
}

Result<> ReadSamples(const fs::path& directory, const std::function<void(const Sample&)>& visit) {
  const fs::path path = directory / "samples.jsonl";
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  CBENCH_ASSIGN(std::ifstream in, Open(path));
  bool torn = false;
  SampleReader reader(visit);
  return ForEachLine(in, path.string(), torn,
                     [&reader](const Json& json) { return reader.Take(json); });
}

}  // namespace cbench::record
