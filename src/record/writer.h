// Appends to a record directory while a run goes on.
//   run.json       Header, written once at the start and again (atomically) at the end
//   events.jsonl   one Event a line      samples.jsonl   see samples.h      logs/
// Thread-safe: one mutex, held for one formatted write(2) a line, so that a killed harness loses
// at most the line it was writing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "record/event.h"

namespace cbench::record {

struct Header {
  Json scenario;  // scenario::ToJson
  std::string name;
  std::string started_utc;
  Nanos clock_base = 0;  // CLOCK_MONOTONIC at t = 0
  std::uint64_t seed = 0;
  Json device = Json::object();        // cpu, cores, memory, gpus, kernel
  Json engines = Json::object();       // versions, models, whether weights are synthetic
  Json arrangements = Json::object();  // strategy -> engine -> how it got the device
  std::string cbench_version;
  std::vector<std::string> command;  // argv of the run
  int minor = kSchemaMinor;          // of the program that wrote the record
};

class Writer {
 public:
  // Makes <name>-<UTC>-<short id> under `parent` (or exactly `directory` if that is not empty; it
  // may exist, but must hold nothing). header.clock_base is fixed here for the whole record.
  static Result<std::unique_ptr<Writer>> Create(const std::filesystem::path& parent,
                                                const std::filesystem::path& directory,
                                                Header header);
  virtual ~Writer() = default;

  virtual const std::filesystem::path& directory() const = 0;
  virtual std::filesystem::path LogPath(const std::string& engine) const = 0;
  virtual void Append(const Event& event) = 0;  // event.t and stamps: absolute; made relative here
  // In order of time, those of one reading beside each other: each reading is one line.
  virtual void Append(std::span<const Sample> samples) = 0;
  virtual Result<> UpdateHeader(const Header& header) = 0;
  // Called once, at the first line that could not be written, e.g. disk full; from the thread that
  // wrote it. Set it before others write.
  virtual void OnError(std::function<void(const Error&)> report) = 0;
  // Syncs to disk and reports the first write error, e.g. disk full. After an error in a file no
  // more is written to it, so that what is there stays readable.
  virtual Result<> Close() = 0;
};

}  // namespace cbench::record
