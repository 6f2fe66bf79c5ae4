// Text of a record -> values. Lines are bounded in length before they are parsed.
#include "record/parse.h"

#include "record/json_in.h"

namespace cbench::record {
namespace {

constexpr std::string_view kSchema = "cbench.record/";

enum class LineEnd { kNewline, kEnd, kTooLong };

// One line without its newline. getline() would hold a line of any length.
LineEnd NextLine(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& buffer = *in.rdbuf();
  for (int c = buffer.sbumpc(); c != EOF; c = buffer.sbumpc()) {
    if (c == '\n') return LineEnd::kNewline;
    if (line.size() == kMaxLine) return LineEnd::kTooLong;
    line.push_back(static_cast<char>(c));
  }
  return LineEnd::kEnd;
}

Result<> CheckSchema(const std::string& schema, std::string_view what) {
  const std::string ours = fmt::format("{}{}", kSchema, kSchemaVersion);
  if (schema == ours) return {};
  if (schema.starts_with(kSchema)) {
    return InputError("{}: schema {}, but this cbench reads {}; use the version that wrote it",
                      what, schema, ours);
  }
  return InputError("{}: not a record, its schema is \"{}\"", what, schema);
}

// Device, engines and scenario are read by people and writers; any object will do.
Result<> TakeObject(const Json& json, const char* key, std::string_view what, Json& value) {
  const auto found = json.find(key);
  if (found == json.end()) return {};
  if (!found->is_object()) return InputError("{}: \"{}\" is not an object", what, key);
  value = *found;
  return {};
}

Error At(std::string_view what, int line, const Error& error) {
  return Error{ErrorKind::kInput, fmt::format("{}:{}: {}", what, line, error.message)};
}

}  // namespace

Json ToJson(const Header& header) {
  return {{"schema", fmt::format("{}{}", kSchema, kSchemaVersion)},
          {"minor", header.minor},
          {"name", header.name},
          {"started_utc", header.started_utc},
          {"clock_base", header.clock_base},
          {"seed", header.seed},
          {"cbench_version", header.cbench_version},
          {"command", header.command},
          {"device", header.device},
          {"engines", header.engines},
          {"arrangements", header.arrangements},
          {"scenario", header.scenario}};
}

Result<Header> ParseHeader(std::string_view text, std::string_view what) {
  CBENCH_ASSIGN(const Json json, ParseJson(text, what));
  Header header;
  std::string schema;
  JsonIn in(json);
  in.Must("schema", schema);
  if (!in.error().empty()) return InputError("{}: not a record: {}", what, in.error());
  CBENCH_TRY(CheckSchema(schema, what));
  in.Must("minor", header.minor);
  in.Must("name", header.name);
  in.May("started_utc", header.started_utc);
  in.May("clock_base", header.clock_base);
  in.May("seed", header.seed);
  in.May("cbench_version", header.cbench_version);
  in.May("command", header.command);
  if (!in.error().empty()) return InputError("{}: {}", what, in.error());
  header.scenario = Json::object();
  CBENCH_TRY(TakeObject(json, "device", what, header.device));
  CBENCH_TRY(TakeObject(json, "engines", what, header.engines));
  CBENCH_TRY(TakeObject(json, "arrangements", what, header.arrangements));
  CBENCH_TRY(TakeObject(json, "scenario", what, header.scenario));
  return header;
}

Result<> ForEachLine(std::istream& in, std::string_view what, bool& torn,
                     const std::function<Result<>(const Json&)>& visit) {
  std::string line;
  for (int number = 1;; ++number) {
    const LineEnd end = NextLine(in, line);
    if (end == LineEnd::kTooLong)
      return InputError("{}:{}: line over {} bytes", what, number, kMaxLine);
    if (end == LineEnd::kEnd && line.empty()) return {};
    const auto json = ParseJson(line, fmt::format("{}:{}", what, number));
    if (!json && end == LineEnd::kEnd) {
      torn = true;
      return {};
    }
    if (!json) return tl::unexpected(json.error());
    if (const auto visited = visit(*json); !visited)
      return tl::unexpected(At(what, number, visited.error()));
    if (end == LineEnd::kEnd) return {};
  }
}

Result<> ParseEvents(std::istream& in, std::string_view what, Record& record) {
  const bool newer = record.header.minor > kSchemaMinor;
  return ForEachLine(in, what, record.torn, [&](const Json& json) -> Result<> {
    const auto name = json.is_object() ? json.find("ev") : json.end();
    if (newer && name != json.end() && name->is_string() &&
        !IsKnownEvent(name->get_ref<const std::string&>())) {
      ++record.skipped;
      return {};
    }
    CBENCH_ASSIGN(record.events.emplace_back(), EventFromJson(json));
    return {};
  });
}

}  // namespace cbench::record
