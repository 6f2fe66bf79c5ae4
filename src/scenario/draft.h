// What the dialects' readers leave behind and resolve.cc turns into a Scenario: the same specs,
// with what is only needed until names, models and defaults are resolved.
#pragma once

#include <string>
#include <vector>

#include "scenario/fields.h"
#include "scenario/scenario.h"
#include "scenario/yaml_tree.h"

namespace cbench::scenario {

struct EngineDraft {
  EngineSpec spec;  // parallel 0: not stated
  Mark quant_mark;
};

struct AppDraft {
  AppSpec spec;
  Mark engine_mark;  // where `engine` is named
  // Dialects without an engines section: what the app wants to run on. Empty model: not stated.
  std::string model, device = "auto";
  Mark model_mark, device_mark;
};

struct TaskDraft {
  TaskSpec spec;
  Mark app_mark;
  std::vector<Mark> after_marks;  // one for each of spec.after
  bool background = false;
};

struct Draft {
  Scenario scenario;  // its engines, apps and tasks are still empty
  std::vector<EngineDraft> engines;
  std::vector<AppDraft> apps;
  std::vector<TaskDraft> tasks;
};

// One reader a dialect; `root` is a map, `draft.scenario` has path and name from the file's name.
Result<> ReadNative(const Node& root, Draft& draft);
Result<> ReadOriginal(const Node& root, Draft& draft);
Result<> ReadList(const Node& root, Draft& draft);

// Parts that dialects share. `extra` are fields of the surrounding form, e.g. a list task's.
Result<EngineDraft> ReadEngine(const Entry& entry);
Result<AppDraft> ReadApp(const std::string& name, const Mark& mark, const Node& map,
                         Dialect dialect, const Fields& extra = {});
Read SloReader(AppType type, std::vector<Slo>& out);
Read Marked(Read read, Mark& mark);  // also keeps where the value stood
Read Strategies(std::vector<Strategy>& out);
std::string WithoutStrangeLetters(std::string_view text);  // a name for a scenario

// What an app of a type is and expects unless its file says otherwise (app_defaults.cc).
AppSpec DefaultApp(AppType type);
Nanos DefaultTimeout(const AppSpec& app);
std::vector<SloMetric> MetricsOf(AppType type);

// "ImageGen", "imagegen", "image_gen" and "SleepApplication" are all types.
std::optional<AppType> ParseAppType(std::string_view text);
std::vector<std::string_view> AppTypeNames();

// The embedded engine an app of this type needs ("embedded-text"); empty if it needs none.
std::string_view EmbeddedEngineFor(AppType type);

// Gives the apps of a dialect without engines: section their engines (derive.cc).
void DeriveEngines(Draft& draft);

// Checks every reference and fills in what depends on other parts.
Result<Scenario> Resolve(Draft draft, const LoadOptions& options);
Result<> CheckGraph(const std::vector<TaskDraft>& tasks);

// Models and files (synthetic.cc, files.cc).
void UseSyntheticTwins(Draft& draft, Synthetic size);
Result<> CheckSyntheticModels(const std::vector<EngineDraft>& engines);
std::string TwinOf(std::string_view model, std::string_view embedded_engine, Synthetic size);
bool IsSynthetic(std::string_view model);
bool IsModelFile(const EngineSpec& engine);
std::filesystem::path FindModel(const std::filesystem::path& scenario, const std::string& model);
bool DataFileExists(const std::filesystem::path& scenario, const std::string& file);

}  // namespace cbench::scenario
