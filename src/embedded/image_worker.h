// One thread that makes images, one after another, and the bounded queue in front of it.
//
// Threads: HTTP handlers submit tasks and take events from them; the worker thread owns the engine
// and puts events in. ImageTask's events and end are guarded by its mutex; ImageWorker's queue by
// its own. Neither lock is held while the other is taken or while the engine computes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "embedded/image_engine.h"
#include "embedded/image_request.h"

namespace cbench::embedded {

struct ImageEvent {
  enum Kind { kStep, kImage, kError, kEnd };
  Kind kind = kEnd;
  int index = 0;           // of the image within the request
  int step = 0;            // kStep: from 1
  Nanos took = 0;          // kStep
  std::uint64_t seed = 0;  // kImage
  std::string text = {};   // kImage: the PNG; kError: what went wrong
};

// One request on its way through the worker. Its last event is kError or kEnd.
class ImageTask {
 public:
  explicit ImageTask(ImageRequest request) : request_(std::move(request)) {}

  const ImageRequest& request() const { return request_; }
  // The next event, or nothing within `limit`.
  std::optional<ImageEvent> Next(Nanos limit);
  void Push(ImageEvent event);  // ignored after the last event
  void Fail(std::string reason);
  void Cancel() { cancelled_ = true; }
  bool IsCancelled() const { return cancelled_; }

 private:
  const ImageRequest request_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ImageEvent> events_;  // guarded by mutex_
  bool ended_ = false;             // guarded by mutex_
};

class ImageWorker {
 public:
  explicit ImageWorker(std::unique_ptr<ImageEngine> engine);
  ~ImageWorker();

  // Null when the queue is full or the worker has been stopped.
  std::shared_ptr<ImageTask> Submit(ImageRequest request);
  // Fails every task, waiting or in progress, at once; the engine stops at its next group.
  void Stop();
  const ImageEngine& engine() const { return *engine_; }  // its constant facts

 private:
  void Loop();
  std::shared_ptr<ImageTask> Take();
  void Make(ImageTask& task);
  Result<> MakeOne(ImageTask& task, int index);

  std::unique_ptr<ImageEngine> engine_;  // computes on thread_ only
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<ImageTask>> queue_;  // guarded by mutex_
  std::shared_ptr<ImageTask> current_;            // guarded by mutex_
  bool stopped_ = false;                          // guarded by mutex_
  std::thread thread_;
};

}  // namespace cbench::embedded
