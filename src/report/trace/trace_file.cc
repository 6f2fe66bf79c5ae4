#include "report/trace/trace_file.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace cbench::report {
namespace {

constexpr std::size_t kLongestText = 240;

std::string AsciiJson(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Names and messages come from anybody.
std::string Quoted(std::string_view text) {
  return AsciiJson(Printable(text.substr(0, kLongestText)));
}

}  // namespace

TraceFile::TraceFile(const std::filesystem::path& path, Nanos origin)
    : file_(path), origin_(origin) {
  file_.Write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
}

// Stamps are within ±2⁶¹, so their difference fits.
std::int64_t TraceFile::Micros(Nanos t) const {
  return std::max<Nanos>(0, t - origin_) / kMicrosecond;
}

void TraceFile::Put(const std::string& event) {
  if (!std::exchange(is_first_, false)) file_.Write(",\n");
  file_.Write(event);
}

void TraceFile::Describe(Track track, std::string_view what, std::string_view name) {
  const std::string ids = fmt::format("\"pid\":{},\"tid\":{}", track.process, track.thread);
  Put(fmt::format(R"({{"ph":"M",{},"name":"{}_name","args":{{"name":{}}}}})", ids, what,
                  Quoted(name)));
  Put(fmt::format(R"({{"ph":"M",{},"name":"{}_sort_index","args":{{"sort_index":{}}}}})", ids, what,
                  last_id_));
}

int TraceFile::AddProcess(std::string_view name) {
  const int process = ++last_id_;
  Describe({process, process}, "process", name);
  return process;
}

Track TraceFile::AddTrack(int process, std::string_view name) {
  const Track track{process, ++last_id_};
  Describe(track, "thread", name);
  return track;
}

void TraceFile::Slice(Track track, std::string_view name, Nanos begin, Nanos end,
                      const Json& args) {
  const std::int64_t from = Micros(begin), length = std::max<std::int64_t>(0, Micros(end) - from);
  std::string event = fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})",
                                  track.process, track.thread, from, length, Quoted(name));
  if (!args.is_null()) event += ",\"args\":" + AsciiJson(args);
  Put(event + '}');
}

void TraceFile::Instant(Track track, std::string_view name, Nanos t) {
  Put(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}}})", track.process,
                  track.thread, Micros(t), Quoted(name)));
}

void TraceFile::Counters(int process, std::string_view group, Nanos t,
                         std::span<const std::pair<std::string, double>> values) {
  std::string event = fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{)", process,
                                  Micros(t), Quoted(group));
  for (const auto& [name, value] : values) {
    if (event.back() != '{') event += ',';
    fmt::format_to(std::back_inserter(event), "{}:{:.7g}", Quoted(name), value);
  }
  Put(event + "}}");
}

Result<> TraceFile::Finish() {
  file_.Write("\n]}\n");
  return file_.Finish();
}

Track LanedTrack::Take(Nanos begin, Nanos end) {
  const std::size_t lane = lanes_.Take(begin, std::max(begin, end));
  if (lane == tracks_.size())
    tracks_.push_back(
        file_.AddTrack(process_, lane == 0 ? name_ : fmt::format("{} ({})", name_, lane + 1)));
  return tracks_[lane];
}

}  // namespace cbench::report
