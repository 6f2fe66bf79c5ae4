// One of our engines as a child process: `cbench serve`, found ready in four steps:
//   it prints its URL, /health says 200, one real request succeeds, and it still lives.
//
// Threads: the constructor's thread launches, uses and stops it. Lines of its output and its death
// come on base/subprocess's keeper thread. mutex_ guards what both touch. Two Cancel objects wake
// whoever waits: news_ at the URL, death or the caller's cancel; gone_ at the latter two.
#include <atomic>
#include <mutex>

#include "base/subprocess.h"
#include "base/units.h"
#include "engine/readiness.h"
#include "engine/running.h"

namespace cbench::engine {
namespace {

constexpr int kTailLines = 12;
constexpr int kUsageExit = 2;  // the child's own verdict: wrong input
constexpr Nanos kStopGrace = 5 * kSecond;
constexpr Nanos kDeathNotice = 200 * kMillisecond;  // a broken connection is seen before its cause

const char* Name(Modality modality) {
  switch (modality) {
    case Modality::kSpeech:
      return "speech";
    case Modality::kImage:
      return "image";
    default:
      return "text";
  }
}

std::vector<std::string> Command(const scenario::EngineSpec& spec, Modality modality,
                                 const LaunchOptions& options) {
  std::vector<std::string> argv = options.prefix;
  argv.push_back(options.cbench.string());
  argv.emplace_back("serve");
  const auto add = [&argv](const char* flag, std::string value) {
    argv.emplace_back(flag);
    argv.push_back(std::move(value));
  };
  add("--modality", Name(modality));
  add("--model", spec.model);
  add("--port", "0");
  if (!spec.quant.empty()) add("--quant", spec.quant);
  add("--parallel", std::to_string(spec.parallel));
  add("--context", std::to_string(spec.context));
  add("--threads", std::to_string(spec.threads));
  if (!spec.wait.empty()) add("--wait", spec.wait);
  if (!spec.affinity.empty()) add("--affinity", spec.affinity);
  add("--device", spec.device);
  if (!spec.kv_offload) argv.emplace_back("--no-kv-offload");
  argv.emplace_back("--exit-with-parent");
  return argv;
}

// {"what": "making synth:x", "done": 1048576, "total": 2097152}, in bytes
std::string ProgressText(const Json& line) {
  const auto bytes = [&line](const char* key) -> std::uint64_t {
    const Json* member = FindMember(line, key);
    const auto* number = member ? member->get_ptr<const Json::number_unsigned_t*>() : nullptr;
    return number ? *number : 0;
  };
  const std::string_view what = StringAt(line, "what");
  if (bytes("total") == 0) return std::string(what);
  return fmt::format("{}: {} of {}", what, FormatBytes(bytes("done")), FormatBytes(bytes("total")));
}

class Embedded : public Running {
 public:
  Embedded(const scenario::EngineSpec& spec, Modality modality, const LaunchOptions& options)
      : spec_(spec), modality_(modality), options_(options) {}
  ~Embedded() override { Stop(); }

  Result<> Start(const Cancel& cancel);

  Engine& engine() override { return *engine_; }
  int pid() const override { return child_->pid(); }
  Nanos load_time() const override { return load_time_; }
  Json facts() const override { return facts_; }
  void Stop() override {
    stopping_ = true;
    if (child_) child_->Stop(kStopGrace);
  }

 private:
  Result<> Fork();
  Result<> BecomeReady(Nanos deadline);
  Result<std::string> WaitForUrl(Nanos deadline);
  tl::unexpected<Error> GiveUp(Error error, const Cancel& cancel);

  void OnLine(std::string_view line);
  void OnExit(const Exit& exit);

  const scenario::EngineSpec spec_;
  const Modality modality_;
  const LaunchOptions options_;
  Cancel news_, gone_;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_;
  std::string url_;     // guarded by mutex_
  bool ready_ = false;  // guarded by mutex_
  bool dead_ = false;   // guarded by mutex_

  std::unique_ptr<Engine> engine_;
  Json facts_;
  Nanos load_time_ = 0;
  std::unique_ptr<Subprocess> child_;  // last: ends before what its callbacks use
};

Result<> Embedded::Start(const Cancel& cancel) {
  const Nanos start = Now();
  CBENCH_TRY(Fork());
  const auto token = cancel.Subscribe([this] {
    gone_.Trigger();
    news_.Trigger();
  });
  Result<> ready = BecomeReady(start + options_.ready_timeout);
  cancel.Unsubscribe(token);
  if (!ready) return GiveUp(std::move(ready).error(), cancel);
  load_time_ = Now() - start;
  return {};
}

Result<> Embedded::Fork() {
  SubprocessOptions child;
  child.argv = Command(spec_, modality_, options_);
  child.environment = options_.environment;
  child.log = options_.log;
  child.hold_stdin = true;
  child.on_line = [this](std::string_view line) { OnLine(line); };
  child.on_exit = [this](const Exit& exit) { OnExit(exit); };
  CBENCH_ASSIGN(child_, Subprocess::Start(std::move(child)));
  return {};
}

Result<> Embedded::BecomeReady(Nanos deadline) {
  CBENCH_ASSIGN(const std::string url, WaitForUrl(deadline));
  CBENCH_ASSIGN(facts_, WaitHealthy(url + "/health", deadline, gone_));
  if (facts_.is_object()) facts_.erase("status");
  CBENCH_ASSIGN(engine_, Connect(spec_, url + "/v1"));
  CBENCH_TRY(Prove(*engine_, {modality_, true, deadline}, gone_));
  const std::lock_guard lock(mutex_);
  if (dead_) return Failure("it ended right after its first answer");
  ready_ = true;
  return {};
}

Result<std::string> Embedded::WaitForUrl(Nanos deadline) {
  news_.WaitUntil(deadline);
  const std::lock_guard lock(mutex_);
  if (url_.empty()) return Failure("it did not say where it listens");
  return url_;
}

// Stops it and says why it is not ready: its own end explains more than what we saw of it.
tl::unexpected<Error> Embedded::GiveUp(Error error, const Cancel& cancel) {
  const bool cancelled = cancel.IsTriggered();
  if (!cancelled) child_->WaitUntil(Now() + kDeathNotice);
  const auto exit = child_->exit();
  Stop();
  if (cancelled) return Failure("{}: start cancelled", Where(spec_));
  if (exit && !exit->signalled && exit->code == kUsageExit) error.kind = ErrorKind::kInput;
  error.message =
      exit ? fmt::format("{} ended before it was ready: {}", Where(spec_), exit->ToString())
           : fmt::format("{} is not ready: {}", Where(spec_), error.message);
  if (const std::string tail = LogTail(options_.log, kTailLines); !tail.empty()) {
    error.message += fmt::format("\n{} ends with:\n{}", options_.log.string(), tail);
  }
  return tl::unexpected(std::move(error));
}

void Embedded::OnLine(std::string_view line) {
  if (!line.starts_with('{')) return;
  const auto json = ParseJson(line, "line");
  if (!json) return;
  const std::string_view event = StringAt(*json, "event");
  if (event == "progress" && options_.progress) options_.progress(ProgressText(*json));
  if (event != "listening") return;
  {
    const std::lock_guard lock(mutex_);
    url_ = StringAt(*json, "url");
  }
  news_.Trigger();
}

void Embedded::OnExit(const Exit& exit) {
  bool unasked = false;
  {
    const std::lock_guard lock(mutex_);
    dead_ = true;
    unasked = ready_ && !stopping_;
  }
  gone_.Trigger();
  news_.Trigger();
  if (unasked && options_.on_exit) options_.on_exit(exit.wait_status);
}

}  // namespace

Result<std::unique_ptr<Running>> StartEmbedded(const scenario::EngineSpec& spec, Modality modality,
                                               const LaunchOptions& options, const Cancel& cancel) {
  auto engine = std::make_unique<Embedded>(spec, modality, options);
  CBENCH_TRY(engine->Start(cancel));
  return engine;
}

}  // namespace cbench::engine
