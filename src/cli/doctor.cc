// cbench doctor: what this device has and which engines, apps and probes work here, or why not.
#include <unistd.h>

#include "app/app.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/command.h"
#include "embedded/devices.h"
#include "embedded/ggml_device.h"
#include "embedded/model_store.h"
#include "engine/engine.h"
#include "monitor/device_facts.h"
#include "monitor/survey.h"

namespace cbench::cli {
namespace {

// One line of the doctor's list: {"name", "summary", "available", "reason"}.
Json Entry(std::string_view name, std::string_view summary, const Result<>& available) {
  Json entry = {{"name", name}, {"summary", summary}, {"available", available.has_value()}};
  entry["reason"] = available ? Json(nullptr) : Json(available.error().message);
  return entry;
}

Json Engines() {
  Json list = Json::array();
  for (const auto& engine : embedded::Engines()) {
    list.push_back(Entry(engine.name, engine.summary, engine.available()));
  }
  return list;
}

Json Models() {
  Json list = Json::array();
  for (const auto& model : embedded::ListCachedModels()) {
    list.push_back({{"name", model.name}, {"quant", model.quant}, {"bytes", model.bytes}});
  }
  return list;
}

template <typename Descriptors, typename NameOf>
Json Plugins(const Descriptors& descriptors, NameOf name) {
  Json list = Json::array();
  for (const auto* plugin : descriptors) {
    list.push_back(Entry(name(*plugin), plugin->summary, plugin->available()));
  }
  return list;
}

// What a probe reads here: {"name", "unit", "value"}. A rate is null at this first reading.
Json Series(const std::vector<record::Sample>& samples) {
  Json list = Json::array();
  for (const auto& sample : samples) {
    list.push_back({{"name", sample.name}, {"unit", sample.unit}});
    list.back()["value"] = sample.value ? Json(*sample.value) : Json(nullptr);
  }
  return list;
}

Json Probes() {
  Json list = Json::array();
  for (const auto& answer : monitor::Survey(monitor::RealSystem({{"cbench", getpid()}}))) {
    list.push_back(Entry(answer.probe->name, answer.probe->summary, answer.available));
    list.back()["series"] = Series(answer.samples);
  }
  return list;
}

Json Diagnose() {
  Json report = Json::object();
  report["device"] = monitor::DeviceFacts();
  report["compute"] = embedded::ComputeDevices();
  report["gpu"] = Entry("gpu", "for engines with device: gpu", embedded::GpuAvailable());
  report["engines"] = Engines();
  report["protocols"] = Plugins(engine::Protocols(), [](const auto& p) { return p.name; });
  report["apps"] = Plugins(app::Apps(), [](const auto& a) { return scenario::Name(a.type); });
  report["probes"] = Probes();
  report["models"] = {{"folder", (CacheDir() / "models").string()}, {"cached", Models()}};
  return report;
}

std::string Text(const Json& value) {
  return value.is_null()     ? "unknown"
         : value.is_string() ? value.get<std::string>()
                             : DumpJson(value);
}

std::string DeviceText(const Json& report) {
  const Json& device = report["device"];
  std::string text =
      fmt::format("device\n  cpu      {}, {} cores\n", Text(device["cpu"]), Text(device["cores"]));
  if (device["memory_bytes"].is_number()) {
    const auto bytes = device["memory_bytes"].get<std::uint64_t>();
    text += fmt::format("  memory   {}\n", FormatBytes(bytes));
  }
  text += fmt::format("  system   {}, Linux {}\n", Text(device["os"]), Text(device["kernel"]));
  for (const auto& compute : report["compute"]) {
    text += fmt::format("  compute  {}: {}\n", Text(compute["name"]), Text(compute["description"]));
  }
  const Json& gpu = report["gpu"];
  if (gpu["available"] == false) text += fmt::format("  no gpu   {}\n", Text(gpu["reason"]));
  return text;
}

std::string ListText(std::string_view title, const Json& list) {
  std::string text = fmt::format("\n{}\n", title);
  for (const auto& entry : list) {
    const bool available = entry["available"].get<bool>();
    text += fmt::format("  {} {:<16} {}\n", available ? "yes" : "no ", Text(entry["name"]),
                        available ? Text(entry["summary"]) : Text(entry["reason"]));
  }
  return text;
}

std::string ModelsText(const Json& models) {
  std::string text = fmt::format("\nsynthetic models in {}\n", Text(models["folder"]));
  if (models["cached"].empty()) text += "  none yet; 'cbench model list' shows what can be made\n";
  for (const auto& model : models["cached"]) {
    text += fmt::format("  {} {}, {}\n", Text(model["name"]), Text(model["quant"]),
                        FormatBytes(model["bytes"].get<std::uint64_t>()));
  }
  return text;
}

Result<ExitCode> Doctor(bool json) {
  const Json report = Diagnose();
  if (json) {
    PrintJson(report);
    return kOk;
  }
  Print(DeviceText(report));
  for (const char* list : {"engines", "protocols", "apps", "probes"}) {
    Print(ListText(list, report[list]));
  }
  Print(ModelsText(report["models"]));
  return kOk;
}

}  // namespace

void AddDoctor(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("doctor", "Show devices, engines and probes: available or why not");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print the report as JSON");
  command->footer("Example:\n  cbench doctor --json | jq '.engines[] | select(.available | not)'");
  command->callback([json, &action] { action = [json] { return Doctor(*json); }; });
}

}  // namespace cbench::cli
