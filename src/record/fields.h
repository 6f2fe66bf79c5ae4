// The fields of every event, each listed once. Writing a line, reading one and moving its stamps
// to the record's clock are three visitors over this list, so they cannot drift apart.
//   Must   always written, required when read
//   May    left out when it has its default value
//   Stamp  a point in time; 0 means "did not happen" and is left out
// Keys are the record's contract, described in docs/record.md.
#pragma once

#include <array>
#include <concepts>
#include <type_traits>
#include <variant>

#include "record/event.h"

namespace cbench::record {

using Body = decltype(Event::body);

// The value of "ev", in the order of Event::body's alternatives.
inline constexpr std::array kEventNames = {"run",  "run_end", "engine", "task", "issue",
                                           "done", "step",    "error",  "probe"};
static_assert(kEventNames.size() == std::variant_size_v<Body>);

template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

template <typename Io, Is<RunStart> E>
void Fields(Io& io, E& event) {
  io.Must("strategy", event.strategy);
  io.Must("repeat", event.repeat);
  io.May("alone", event.alone);
}

template <typename Io, Is<RunEnd> E>
void Fields(Io& io, E& event) {
  io.Must("status", event.status);
}

template <typename Io, Is<EngineEvent> E>
void Fields(Io& io, E& event) {
  io.Must("engine", event.engine);
  io.Must("state", event.state);
  io.May("pid", event.pid);
  io.May("load", event.load);
  io.May("detail", event.detail);
}

template <typename Io, Is<TaskEvent> E>
void Fields(Io& io, E& event) {
  io.Must("task", event.task);
  io.Must("state", event.state);
  io.May("detail", event.detail);
}

template <typename Io, Is<RequestIssued> E>
void Fields(Io& io, E& event) {
  io.Must("id", event.id);
  io.Must("task", event.task);
  io.Must("kind", event.kind);
  io.Stamp("sched", event.t_sched);
}

template <typename Io, Is<Failure> E>
void Fields(Io& io, E& failure) {
  io.Must("kind", failure.kind);
  io.Must("message", failure.message);
}

template <typename Io, Is<RequestDone> E>
void Fields(Io& io, E& event) {
  io.Must("id", event.id);
  io.Must("task", event.task);
  io.Must("kind", event.kind);
  io.May("failure", event.failure);
  io.Stamp("sched", event.t_sched);
  io.Stamp("send", event.t_send);
  io.Stamp("first", event.t_first);
  io.Stamp("content", event.t_first_content);
  io.Stamp("last", event.t_last);
  io.Stamp("end", event.t_end);
  io.May("deltas", event.deltas);
  io.May("counts", event.counts);
  io.May("prompt", event.prompt_tokens);
  io.May("cached", event.cached_tokens);
  io.May("usage", event.usage_tokens);
  io.May("stream", event.stream_tokens);
  io.May("pinned", event.pinned_tokens);
  io.May("finish", event.finish_reason);
  io.Stamps("steps", event.steps);
  io.May("bytes", event.image_bytes);
  io.Stamp("avail", event.t_available);
  io.May("audio", event.audio);
  io.May("llm", event.llm_time);
  io.May("tool", event.tool_time);
  io.May("calls", event.llm_calls);
  io.May("retried", event.retried);
  io.May("output", event.output);
}

template <typename Io, Is<Step> E>
void Fields(Io& io, E& event) {
  io.Must("engine", event.engine);
  io.Must("kind", event.kind);
  io.Stamp("begin", event.begin);
  io.Stamp("end", event.end);
  io.May("size", event.size);
  io.May("app", event.app);
  io.May("lane", event.lane);
  io.Stamp("asked", event.asked);
  io.May("predicted", event.predicted);
}

template <typename Io, Is<ErrorEvent> E>
void Fields(Io& io, E& event) {
  io.Must("where", event.where);
  io.Must("message", event.message);
}

template <typename Io, Is<ProbeEvent> E>
void Fields(Io& io, E& event) {
  io.Must("probe", event.probe);
  io.Must("state", event.state);
  io.May("period", event.period);
  io.May("detail", event.detail);
}

}  // namespace cbench::record
