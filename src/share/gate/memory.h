// The gate's shared memory: made, found, checked, mapped.
#pragma once

#include <string>

#include "base/result.h"
#include "share/gate/layout.h"

namespace cbench::share {

struct GateOptions {
  std::string policy = "fifo";
  PolicyParams params = {};
  Lanes lanes = {};
  bool kernel_lanes = false;  // the hook gives threads the kernel's scheduling class of their lane
};

class GateMemory {
 public:
  // An object without a name, sealed in size; reachable as path() while this process lives.
  static Result<GateMemory> Make(const GateOptions& options);

  // A file for all who agree on its name; the first makes it. `path` is under /dev/shm or
  // $XDG_RUNTIME_DIR.
  static Result<GateMemory> MakeNamed(const std::string& path, const GateOptions& options);

  // Fails when there is none, or it is not of this version; the message says which.
  static Result<GateMemory> Open(const std::string& path);

  GateMemory(GateMemory&& other) noexcept;
  GateMemory& operator=(GateMemory&&) = delete;
  ~GateMemory();

  GateLayout& operator*() const { return *layout_; }
  GateLayout* operator->() const { return layout_; }
  const std::string& path() const { return path_; }

  // A file with a name: whether it still has it. Lock the gate first.
  bool HasName() const;
  void RemoveName();

 private:
  GateMemory(int fd, GateLayout* layout, std::string path)
      : fd_(fd), layout_(layout), path_(std::move(path)) {}
  static Result<GateMemory> Map(int fd, std::string path);

  int fd_;  // -1: moved from
  GateLayout* layout_;
  std::string path_;
};

}  // namespace cbench::share
