// A scenario: one YAML file, loaded from any of three dialects into one immutable, validated
// value. Everything later (plan, run, record) reads only this. See docs/scenario.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace cbench::scenario {

// Where something stood in the file, for errors that come up after parsing.
struct Mark {
  std::string file;
  int line = 0, column = 0;      // from 1
  std::string ToString() const;  // "file:line:column"
};

enum class AppType { kChatbot, kDeepResearch, kImageGen, kLiveCaptions, kNull, kSleep, kExec };
enum class PriorityClass { kLatency, kThroughput, kBackground };
enum class SloMetric { kTtft, kTpot, kStep, kSegment, kE2e };
// The last four are credit with one of its parts off: what is that part worth?
enum class Strategy {
  kGreedy,
  kTamed,
  kNice,
  kPartition,
  kFifo,
  kPriority,
  kCredit,
  kCreditNoSlack,
  kCreditNoHold,
  kCreditNoCredit,
  kCreditNoSplit
};
enum class Dialect { kNative, kOriginal, kList };

// Names as they stand in files, flags and records: "live_captions", "latency", "ttft", "greedy".
std::string_view Name(AppType type);
std::string_view Name(PriorityClass priority_class);
std::string_view Name(SloMetric metric);
std::string_view Name(Strategy strategy);
std::string_view Name(Dialect dialect);
std::optional<Strategy> ParseStrategy(std::string_view name);

// "greedy,credit" as --strategy takes it. The error says what is known, not where it stood.
Result<std::vector<Strategy>> ParseStrategies(std::string_view comma_list);

struct Slo {
  SloMetric metric;
  Nanos target;
};

struct EngineSpec {
  std::string name;  // its key under engines:
  std::string use;  // embedded-text, embedded-speech, embedded-image or a recipe; empty if attached
  std::string attach;  // base URL of an engine that runs already, e.g. http://127.0.0.1:8080/v1
  std::string protocol = "openai";
  std::string model;  // path or synth:NAME; for an attached engine the name it is asked for
  std::string quant;  // synth: models only; empty: the model's default
  std::string device = "auto";    // auto, cpu or gpu
  int parallel = 1;               // request slots; unless stated, one for each app that uses it
  int context = 4096;             // tokens a slot can hold
  int threads = 0;                // 0: the strategy's choice, all cores unless it divides them
  std::string wait;               // passive or spin: idle worker threads; empty: the strategy's
  std::string affinity;           // own: a core for each thread; any; empty: the strategy's
  bool kv_offload = true;         // false: KV cache stays in main memory on a GPU
  std::vector<std::string> args;  // appended to a recipe's command line
  Mark mark;                      // where its model is named, else the engine itself
  Mark device_mark;               // where its device is named, else as mark

  bool IsEmbedded() const { return use.starts_with("embedded-"); }
};

struct AppSpec {
  std::string name;  // its key under apps:
  AppType type = AppType::kNull;
  std::string engine;  // empty for null, sleep, exec
  int requests = 1;
  Nanos every = 0;  // chatbot, image_gen: a request starts every so often; 0: after the last
  PriorityClass priority_class = PriorityClass::kLatency;
  double weight = 1;
  std::vector<Slo> slo;    // the type's defaults unless the file says otherwise
  Nanos timeout = 0;       // for one request; the type's default unless the file says otherwise
  std::uint64_t seed = 0;  // 0: derived from the run's seed

  // chatbot, deep_research
  std::string prompts;      // JSONL file, image_gen too; empty: data/prompts/ has one for the type
  int turns = 1;            // messages of one conversation
  int max_tokens = 0;       // 0: each prompt's own, else the app type's default
  bool ignore_eos = false;  // true: the answer has exactly max_tokens
  // image_gen
  int steps = 28;
  int width = 512, height = 512;
  double guidance = 4.5;
  // live_captions
  std::string audio;  // WAV or FLAC; empty: data/audio/talk.flac
  Nanos segment = 2 * kSecond;
  Nanos max_audio = 0;   // plays only the file's beginning; 0: all of it
  bool realtime = true;  // false: batch mode, RTF
  // sleep, exec
  Nanos duration = kSecond;
  std::vector<std::string> command;
  std::string ggml;  // "shared": behind a gate its graphs ask (docs/shim.md); empty: unknown
  int partition_percent = 0;  // share of the device under `partition`; 0: equal (original: mps)
  Mark mark;
};

struct TaskSpec {
  std::string name;
  std::string app;
  int requests = 0;  // the app's, unless overridden; always > 0 after loading
  std::vector<std::string> after;
  Mark mark;
};

struct Scenario {
  std::string name;
  std::filesystem::path path;
  Dialect dialect = Dialect::kNative;
  std::vector<Strategy> strategies = {Strategy::kGreedy};
  int repeat = 1;
  bool exclusive_baseline = false;  // each app alone first, in every repetition
  int warmup = 1;                   // requests sent to each engine before the clock starts
  std::uint64_t seed = 1;
  std::vector<EngineSpec> engines;
  std::vector<AppSpec> apps;
  std::vector<TaskSpec> tasks;  // in file order; acyclic; every name resolves

  const EngineSpec* FindEngine(std::string_view engine) const;
  const AppSpec* FindApp(std::string_view app) const;
  const TaskSpec* FindTask(std::string_view task) const;
};

// How model names of files that are not on this machine are resolved.
enum class Synthetic { kOff, kDemo, kFull };

// Every NAME that may stand in `model: synth:NAME`.
std::vector<std::string> SyntheticNames();

// What `quant:` may say of synth:NAME; empty if there is no such model.
std::vector<std::string> SyntheticQuants(std::string_view name);

// What --synthetic does: each embedded or recipe engine's model becomes the synthetic model of the
// same name, or its modality's default; prompt and audio files that are not there become the
// project's own; `device: gpu` becomes auto, so that the scenario runs on any machine.
struct LoadOptions {
  Synthetic synthetic = Synthetic::kOff;
};

// Parses, resolves and validates. The error is one message that starts with file:line:column.
Result<Scenario> Load(const std::filesystem::path& path, const LoadOptions& options = {});
Result<Scenario> Parse(const std::string& text, const std::filesystem::path& path,
                       const LoadOptions& options = {});

// The tasks so that each stands after all it waits for; in file order where that leaves a choice.
std::vector<const TaskSpec*> TopologicalOrder(const Scenario& scenario);

// What `cbench check` prints: models, prompt and audio files that are not on this machine, each
// with the way out. Load does not fail for them; `run` does.
std::vector<Error> MissingModels(const Scenario& scenario);

// The resolved scenario as it goes into run.json and `cbench check --json`: engines, apps and tasks
// are arrays in file order whose elements have a "name"; durations are in seconds, keys end in _s.
Json ToJson(const Scenario& scenario);

}  // namespace cbench::scenario
