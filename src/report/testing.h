// What tests of this folder build records from. Not part of the library.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "base/json.h"
#include "record/reader.h"
#include "report/summary.h"

namespace cbench::report {

using record::RequestDone;

inline constexpr Nanos kMs = kMillisecond;

inline constexpr char kScenario[] = R"({
  "name": "two", "strategies": ["greedy"], "repeat": 1,
  "apps": [{"name": "chat", "type": "chatbot", "class": "latency", "slo": {"ttft": 1.0, "tpot": 0.25}},
           {"name": "art", "type": "image_gen", "class": "throughput", "slo": {"step": 1.0}},
           {"name": "study", "type": "deep_research", "class": "background", "slo": {}}],
  "tasks": [{"name": "talk", "app": "chat", "requests": 2, "after": []},
            {"name": "paint", "app": "art", "requests": 1, "after": ["talk"]}],
  "engines": [{"name": "text", "use": "embedded-text", "model": "m.gguf"}]})";

// Builds a record event by event; times in ms.
class Tape {
 public:
  Tape() { record_.header.scenario = *ParseJson(kScenario, "scenario"); }

  Tape& Run(const char* strategy = "greedy", int repeat = 0) {
    return Put(0, record::RunStart{strategy, repeat});
  }
  Tape& Alone(const char* app, int repeat = 0) {
    return Put(0, record::RunStart{"exclusive", repeat, app});
  }
  Tape& Task(Nanos t, const char* task, const char* state, const char* detail = "") {
    return Put(t, record::TaskEvent{task, state, detail});
  }
  Tape& End(const char* status = "done") { return Put(9000, record::RunEnd{status}); }
  Tape& Issue(const char* task, const char* kind) {
    return Put(0, record::RequestIssued{++id_, task, kind, 0});
  }
  Tape& Done(RequestDone done) {
    Issue(done.task.c_str(), done.kind.c_str());
    done.id = id_;
    return Put(0, done);
  }
  template <typename Body>
  Tape& Put(Nanos t_ms, Body body) {
    record_.events.push_back({t_ms * kMs, std::move(body)});
    return *this;
  }

  record::Record& record() { return record_; }
  Summary Compute() const { return report::Compute(record_); }

 private:
  record::Record record_;
  std::uint64_t id_ = 0;
};

// TTFT and TPOT as asked for, in ms; 11 tokens.
inline RequestDone Chat(Nanos ttft, Nanos tpot, Nanos sched = 1000) {
  RequestDone done;
  done.task = "talk";
  done.kind = "chat";
  done.t_sched = done.t_send = sched * kMs;
  done.t_first = done.t_first_content = (sched + ttft) * kMs;
  done.t_last = done.t_end = done.t_first + 10 * tpot * kMs;
  done.deltas.assign(11, tpot * kMs);
  done.deltas[0] = 0;
  done.counts.assign(11, 1);
  done.usage_tokens = done.stream_tokens = 11;
  done.prompt_tokens = 5;
  return done;
}

inline RequestDone Image(Nanos step, int steps = 3) {
  RequestDone done;
  done.task = "paint";
  done.kind = "image";
  done.t_sched = done.t_send = 2000 * kMs;
  for (int i = 1; i <= steps; ++i) done.steps.push_back(done.t_send + i * step * kMs);
  done.t_end = done.t_send + (steps + 1) * step * kMs;
  return done;
}

}  // namespace cbench::report
