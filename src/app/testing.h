// Test doubles for apps: an engine that answers as a test tells it to, a sink that keeps what it
// is given, and a scratch folder.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "app/app.h"
#include "base/testing/scratch_folder.h"

namespace cbench::app {

// Keeps every request; answers by the test's functions, which may block. Thread-safe.
class FakeEngine final : public engine::Engine {
 public:
  std::function<engine::ChatAnswer(const engine::ChatRequest&)> chat = [](const auto&) {
    return Answer("An answer.");
  };
  std::function<record::RequestDone(const engine::SpeechRequest&, const Cancel&)> transcribe =
      [](const auto&, const Cancel&) { return Done(); };

  engine::ChatAnswer Chat(const engine::ChatRequest& request, const Cancel&) override {
    Keep(chats, request);
    return chat(request);
  }
  engine::ImageAnswer Image(const engine::ImageRequest& request, const Cancel&) override {
    Keep(images, request);
    return {Done(), "png"};
  }
  engine::SpeechAnswer Transcribe(const engine::SpeechRequest& request,
                                  const Cancel& cancel) override {
    Keep(segments, request);
    return {transcribe(request, cancel), "text"};
  }
  const scenario::EngineSpec& spec() const override { return engine_spec; }

  static record::RequestDone Done() {
    record::RequestDone done;
    done.t_send = Now();
    done.t_first = done.t_first_content = done.t_last = done.t_end = done.t_send + 10;
    done.prompt_tokens = 100;
    done.cached_tokens = 10;
    done.usage_tokens = 5;
    done.stream_tokens = 4;
    return done;
  }
  static engine::ChatAnswer Answer(std::string content, Json tool_calls = nullptr) {
    engine::ChatAnswer answer;
    answer.done = Done();
    answer.content = std::move(content);
    answer.tool_calls = std::move(tool_calls);
    return answer;
  }
  static engine::ChatAnswer Failed(std::string kind) {
    engine::ChatAnswer answer;
    answer.done.failure = record::Failure{std::move(kind), "told to fail"};
    return answer;
  }

  scenario::EngineSpec engine_spec;
  std::vector<engine::ChatRequest> chats;
  std::vector<engine::ImageRequest> images;
  std::vector<engine::SpeechRequest> segments;

 private:
  template <typename T>
  void Keep(std::vector<T>& all, const T& one) {
    const std::lock_guard lock(mutex_);
    all.push_back(one);
  }
  std::mutex mutex_;
};

class FakeSink final : public Sink {
 public:
  std::uint64_t Issue(const std::string& kind, Nanos t_sched) override {
    std::function<void(std::size_t)> hook;
    std::uint64_t id = 0;
    {
      const std::lock_guard lock(mutex_);
      issued.push_back({kind, t_sched});
      id = issued.size();
      hook = on_issue;
    }
    if (hook) hook(id);
    return id;
  }
  void Finish(std::uint64_t id, record::RequestDone done) override {
    const std::lock_guard lock(mutex_);
    finished[id] = std::move(done);
  }

  struct Issued {
    std::string kind;
    Nanos t_sched;
  };
  std::vector<Issued> issued;
  std::map<std::uint64_t, record::RequestDone> finished;
  std::function<void(std::size_t)> on_issue;  // called with the number issued so far

 private:
  std::mutex mutex_;
};

// One task of one app, ready to run. The scenario lies in an empty folder; home is the project.
struct Bench {
  explicit Bench(scenario::AppType type) : app(FindApp(type)->make()) {
    spec.name = "user";
    spec.type = type;
    spec.timeout = 60 * kSecond;
    task.name = "task";
    task.requests = 1;
    spec.mark = {"test.yaml", 3, 5};
  }

  Context context() {
    return {spec, task, &engine, sink, cancel, seed, CBENCH_SOURCE_DIR, folder.path()};
  }
  Result<> Prepare() { return app->Prepare(context()); }
  Result<> Run() { return app->Run(context()); }
  Result<> PrepareAndRun() {
    CBENCH_TRY(Prepare());
    return Run();
  }
  std::string FailureOf(std::uint64_t id) {
    const auto& failure = sink.finished.at(id).failure;
    return failure ? failure->kind : "";
  }

  ScratchFolder folder;
  scenario::AppSpec spec;
  scenario::TaskSpec task;
  FakeEngine engine;
  FakeSink sink;
  Cancel cancel;
  std::uint64_t seed = 7;
  std::unique_ptr<App> app;
};

}  // namespace cbench::app
