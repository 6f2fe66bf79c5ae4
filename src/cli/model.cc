// cbench model: the synthetic models on this machine.
#include <unistd.h>

#include <cstdio>

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/scenario_options.h"
#include "embedded/model_store.h"

namespace cbench::cli {
namespace {

using embedded::CachedModel;
using embedded::SynthModel;

constexpr Nanos kTerminalInterval = 100 * kMillisecond;
constexpr Nanos kPlainInterval = 5 * kSecond;

std::vector<CachedModel> CachedOf(const std::vector<CachedModel>& all, const std::string& name) {
  std::vector<CachedModel> own;
  for (const CachedModel& model : all) {
    if (model.name == name) own.push_back(model);
  }
  return own;
}

Json Describe(const SynthModel& model, const std::vector<CachedModel>& cached) {
  Json files = Json::array();
  for (const CachedModel& file : CachedOf(cached, model.name)) {
    files.push_back({{"quant", file.quant}, {"bytes", file.bytes}, {"path", file.path.string()}});
  }
  return {{"name", model.name},
          {"family", model.family},
          {"summary", model.summary},
          {"quants", model.quants},
          {"default_quant", model.default_quant},
          {"bytes", model.bytes(model, model.default_quant)},
          {"cached", files}};
}

std::string CachedText(const SynthModel& model, const std::vector<CachedModel>& cached) {
  std::string text;
  for (const CachedModel& file : CachedOf(cached, model.name)) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", file.quant, FormatBytes(file.bytes));
  }
  return text.empty() ? "-" : text;
}

Result<ExitCode> List(bool json) {
  const auto cached = embedded::ListCachedModels();
  Json all = Json::array();
  if (!json)
    Print(
        fmt::format("{:<28} {:<7} {:>9}  {:<24} {}\n", "NAME", "FAMILY", "SIZE", "CACHED", "WHAT"));
  for (const SynthModel& model : embedded::SynthModels()) {
    if (json) {
      all.push_back(Describe(model, cached));
    } else {
      Print(fmt::format("{:<28} {:<7} {:>9}  {:<24} {}\n", model.name, model.family,
                        FormatBytes(model.bytes(model, model.default_quant)),
                        CachedText(model, cached), model.summary));
    }
  }
  if (json) PrintJson({{"schema", "cbench.models/1"}, {"models", all}});
  return kOk;
}

// One line that is rewritten on a terminal, a line now and then elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what) : what_(std::move(what)) {}

  void Show(std::uint64_t done, std::uint64_t total) {
    const bool complete = done >= total;
    total_ = complete ? 0 : total;
    if (!complete && Now() < next_) return;
    next_ = Now() + (terminal_ ? kTerminalInterval : kPlainInterval);
    const auto percent = total > 0 ? 100 * done / total : 100;
    const std::string line = fmt::format("{}{}: {} of {} ({} %){}", terminal_ ? "\r\033[K" : "",
                                         what_, FormatBytes(done), FormatBytes(total), percent,
                                         terminal_ && !complete ? "" : "\n");
    std::fwrite(line.data(), 1, line.size(), stderr);
  }

  // The size was an estimate, and the last step may have come too soon to be shown.
  void Complete() {
    if (total_ > 0) Show(total_, total_);
  }

 private:
  std::string what_;
  std::uint64_t total_ = 0;  // of a line that is not complete
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  Nanos next_ = 0;
};

Result<ExitCode> Synth(const std::vector<std::string>& names, const std::string& quant) {
  for (const std::string& asked : names) {
    const std::string model = embedded::SynthName(asked) ? asked : "synth:" + asked;
    ProgressLine line(model);
    CBENCH_ASSIGN(const auto path, embedded::ResolveModel(model, quant, [&](auto done, auto total) {
                    line.Show(done, total);
                  }));
    line.Complete();
    Print(path.string() + "\n");
  }
  return kOk;
}

Result<ExitCode> Remove(const std::vector<std::string>& names) {
  for (const std::string& name : names) CBENCH_TRY(embedded::RemoveCachedModel(name));
  return kOk;
}

void AddList(CLI::App& model, Action& action) {
  CLI::App* command = model.add_subcommand("list", "Known models and which are cached");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->footer(
      "Examples:\n  cbench model list\n  cbench model list --json | jq -r '.models[].name'\n");
  command->callback([json, &action] { action = [json] { return List(*json); }; });
}

void AddSynth(CLI::App& model, Action& action) {
  CLI::App* command = model.add_subcommand("synth", "Make models now instead of on first use");
  auto names = std::make_shared<std::vector<std::string>>();
  auto quant = std::make_shared<std::string>();
  command->add_option("name", *names, "Names from 'cbench model list'")->required();
  command->add_option("--quant", *quant, "Number format; each model has a default")
      ->check(NotEmpty());
  command->callback(
      [names, quant, &action] { action = [names, quant] { return Synth(*names, *quant); }; });
}

void AddRemove(CLI::App& model, Action& action) {
  CLI::App* command = model.add_subcommand("rm", "Remove cached models; they can be made again");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("name", *names, "Names from 'cbench model list'")->required();
  command->footer("Example:\n  cbench model rm llama-3.2-3b-demo\n");
  command->callback([names, &action] { action = [names] { return Remove(*names); }; });
}

}  // namespace

void AddModel(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("model", "Synthetic models: list, make, remove");
  command->require_subcommand(1);
  command->footer("Example:\n  cbench model synth llama-3.2-3b-demo && cbench model list\n");
  AddList(*command, action);
  AddSynth(*command, action);
  AddRemove(*command, action);
}

}  // namespace cbench::cli
