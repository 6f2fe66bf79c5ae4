// A record from anywhere: the first line is run.json, the rest events.jsonl. Whatever it says,
// reading ends in a value or an error, no report carries a control character to a terminal, and the
// page's data ends where the page ends it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "record/parse.h"
#include "report/html/page.h"
#include "report/html/page_data.h"
#include "report/summary.h"

namespace {

bool HasControl(const std::string& text) {
  for (const char c : text) {
    if (c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cbench;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  record::Record record;
  auto header = record::ParseHeader(std::string_view(text).substr(0, end), "run.json");
  if (!header) return 0;
  record.header = std::move(*header);
  std::istringstream events(text.substr(end == text.size() ? end : end + 1));
  if (!record::ParseEvents(events, "events.jsonl", record)) return 0;
  const report::Summary summary = report::Compute(record);
  if (HasControl(report::ToTerminal(summary, false))) std::abort();
  if (HasControl(report::ToMarkdown(summary))) std::abort();
  if (DumpJson(report::ToJson(summary)).empty()) std::abort();
  const std::string page = report::EmbeddedJson(report::PageData(summary, record));
  if (page.find_first_of("<>&") != std::string::npos) std::abort();
  return 0;
}
