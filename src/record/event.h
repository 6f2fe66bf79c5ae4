// What a run leaves behind. One Event is one line of events.jsonl; times are CLOCK_MONOTONIC ns
// relative to the clock base in run.json. Kinds and fields are the record's contract
// (docs/record.md); adding a field is compatible, changing one raises kSchemaVersion.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace cbench::record {

constexpr int kSchemaVersion = 1;  // raised when an old reader would misread
constexpr int kSchemaMinor = 2;    // raised when events or fields are added

// One (strategy, repetition) of the scenario. Everything until the next RunStart belongs to it.
struct RunStart {
  std::string strategy;
  int repeat = 0;
  std::string alone = {};  // the one app that had the device to itself, as baseline; empty: all ran
};
struct RunEnd {
  std::string status;  // "done", "cancelled", "failed"
};

struct EngineEvent {
  std::string engine;
  std::string state;   // "starting", "ready", "stopped", "crashed"
  int pid = 0;         // 0: attached
  Nanos load = 0;      // ready: time from start to the first real answer
  std::string detail;  // crashed: exit status or signal
};

struct TaskEvent {
  std::string task;
  std::string state;  // "started", "finished", "failed", "skipped", "cancelled"
  std::string detail;
};

// A request is announced when issued, so that one whose end is missing counts as a miss.
struct RequestIssued {
  std::uint64_t id = 0;  // unique in the record
  std::string task;
  std::string kind;  // "chat", "image", "segment", "episode", "null", "sleep", "exec"
  Nanos t_sched = 0;
};

struct Failure {
  std::string kind;  // "timeout", "connect", "http", "in-band", "protocol", "cancelled", "process"
  std::string message;
};

// The end of a request, with everything measured about it. Stamps are the harness's, taken in
// the receive callback; 0 means "did not happen". METRICS defines what they are used for.
struct RequestDone {
  std::uint64_t id = 0;
  std::string task;
  std::string kind;
  std::optional<Failure> failure;

  Nanos t_sched = 0;          // when the load shape wanted it to start
  Nanos t_send = 0;           // first byte written
  Nanos t_first = 0;          // first non-empty output token
  Nanos t_first_content = 0;  // first one that is not reasoning
  Nanos t_last = 0;           // last output token
  Nanos t_end = 0;            // stream closed

  // Text: chunk k arrived at t_first + Σ deltas[0..k] and carried counts[k] tokens.
  std::vector<Nanos> deltas;
  std::vector<int> counts;
  int prompt_tokens = 0, cached_tokens = 0;
  std::optional<int> usage_tokens;  // the server's completion_tokens
  int stream_tokens = 0;            // counted from the stream
  int pinned_tokens = 0;            // asked for exactly; 0: not pinned
  std::string finish_reason;

  // Image: arrival of denoising-step event k; audio: the segment's place in the stream.
  std::vector<Nanos> steps;
  int image_bytes = 0;
  Nanos t_available = 0;  // the segment's last sample existed in real time (batch: start of work)
  Nanos audio = 0;        // duration of the audio

  // Agent episode.
  Nanos llm_time = 0, tool_time = 0;
  int llm_calls = 0;

  bool retried = false;  // sent again after the server closed a kept-alive connection
  std::string output;    // at most kMaxOutput bytes, for people; never parsed
};
constexpr std::size_t kMaxOutput = 400;

// One step of an engine: it asked for the device, had it from begin to end.
struct Step {
  std::string engine;
  std::string kind;  // "prefill", "decode", "denoise", "encode", "decode_audio", "vae", "graph"
  Nanos begin = 0, end = 0;
  int size = 0;  // tokens, images or segments in it
  // What the gate knows beside it; empty and 0 where there was none.
  std::string app = {};
  std::string lane = {};  // "front" or "back": the kernel's class it ran under, if it was told
  Nanos asked = 0;        // when it asked
  Nanos predicted = 0;    // how long the cost model thought it would take
};

struct ErrorEvent {
  std::string where, message;
};

// What became of a probe of the monitor: why its series are not there, or end.
struct ProbeEvent {
  std::string probe;
  std::string state;   // "present", "absent", "dropped" (it did not come back from a reading)
  Nanos period = 0;    // present: between two of its readings
  std::string detail;  // absent, dropped: why
};

struct Event {
  Nanos t = 0;
  std::variant<RunStart, RunEnd, EngineEvent, TaskEvent, RequestIssued, RequestDone, Step,
               ErrorEvent, ProbeEvent>
      body;
};

Json ToJson(const Event& event);
Result<Event> EventFromJson(const Json& json);

// One value of one series; samples.h writes and reads them.
struct Sample {
  Nanos t = 0;
  std::string probe, name, unit;
  std::optional<double> value;  // null: could not be read
};
}  // namespace cbench::record
