#include "record/samples.h"

#include <cmath>

#include "record/json_in.h"

namespace cbench::record {
namespace {

std::string Quoted(const std::string& text) { return DumpJson(Json(text)); }

// Seven digits are more than any sensor has; whole numbers, such as bytes, are written whole.
void AppendNumber(std::optional<double> value, std::string& out) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!value || !std::isfinite(*value))
    out += "null";
  else if (std::trunc(*value) == *value && std::abs(*value) < kExact)
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(*value));
  else
    fmt::format_to(std::back_inserter(out), "{:.7g}", *value);
}

std::size_t LengthOfReading(std::span<const Sample> samples) {
  std::size_t n = 1;
  while (n < samples.size() && samples[n].t == samples[0].t && samples[n].probe == samples[0].probe)
    ++n;
  return n;
}

Result<> ReadValue(const Json& value, Sample& sample) {
  if (!value.is_null() && !value.is_number())
    return InputError("\"{}\" is neither a number nor null", sample.name);
  sample.value = value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  return {};
}

Result<Sample> ReadOldForm(const Json& line) {
  Sample sample;
  JsonIn in(line);
  in.Must("t", sample.t);
  in.Must("probe", sample.probe);
  in.Must("name", sample.name);
  in.Must("unit", sample.unit);
  CBENCH_TRY(in.Finish());
  const auto value = line.find("value");
  if (value == line.end()) return InputError("\"value\" is missing");
  CBENCH_TRY(ReadValue(*value, sample));
  return sample;
}

}  // namespace

std::string SampleLines::Format(std::span<const Sample> samples, Nanos clock_base) {
  std::string out;
  while (!samples.empty()) {
    const auto reading = samples.first(LengthOfReading(samples));
    samples = samples.subspan(reading.size());
    const std::string& probe = reading[0].probe;
    Keys& keys = probes_[probe];
    Announce(reading, keys, out);
    fmt::format_to(std::back_inserter(out), "{{\"t\":{},\"probe\":{},\"values\":{{",
                   reading[0].t - clock_base, Quoted(probe));
    for (const Sample& sample : reading) {
      if (&sample != &reading[0]) out += ',';
      out += keys.find(sample.name)->second;
      AppendNumber(sample.value, out);
    }
    out += "}}\n";
  }
  return out;
}

void SampleLines::Announce(std::span<const Sample> reading, Keys& keys, std::string& out) {
  Json units = Json::object();
  for (const Sample& sample : reading) {
    if (keys.contains(sample.name)) continue;
    keys[sample.name] = Quoted(sample.name) + ':';
    units[sample.name] = sample.unit;
  }
  if (units.empty()) return;
  out += DumpJson({{"probe", reading[0].probe}, {"units", units}}) + '\n';
}

Result<> SampleReader::Take(const Json& line) {
  if (line.is_object() && line.contains("name")) {
    CBENCH_ASSIGN(const Sample sample, ReadOldForm(line));
    visit_(sample);
    return {};
  }
  std::string probe;
  JsonIn in(line);
  in.Must("probe", probe);
  CBENCH_TRY(in.Finish());
  if (const auto units = line.find("units"); units != line.end()) return TakeUnits(probe, *units);
  const auto values = line.find("values");
  if (values == line.end() || !values->is_object()) return InputError("\"values\" is missing");
  return TakeValues(line, probe, *values);
}

Result<> SampleReader::TakeUnits(const std::string& probe, const Json& units) {
  if (!units.is_object()) return InputError("\"units\" is not an object");
  for (const auto& [name, unit] : units.items()) {
    if (!unit.is_string()) return InputError("the unit of \"{}\" is not a string", name);
    units_[{probe, name}] = unit.get<std::string>();
  }
  return {};
}

Result<> SampleReader::TakeValues(const Json& line, const std::string& probe, const Json& values) {
  Sample sample;
  JsonIn in(line);
  in.Must("t", sample.t);
  CBENCH_TRY(in.Finish());
  sample.probe = probe;
  for (const auto& [name, value] : values.items()) {
    const auto unit = units_.find({probe, name});
    if (unit == units_.end()) return InputError("\"{}\" has no unit yet", name);
    sample.name = name;
    sample.unit = unit->second;
    CBENCH_TRY(ReadValue(value, sample));
    visit_(sample);
  }
  return {};
}

}  // namespace cbench::record
