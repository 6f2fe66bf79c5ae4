#include "embedded/image_worker.h"

#include <chrono>

namespace cbench::embedded {
namespace {

constexpr std::size_t kMaxQueue = 32;

}  // namespace

std::optional<ImageEvent> ImageTask::Next(Nanos limit) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return !events_.empty(); };
  if (!changed_.wait_for(lock, std::chrono::nanoseconds(limit), ready)) return std::nullopt;
  ImageEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void ImageTask::Push(ImageEvent event) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = event.kind == ImageEvent::kError || event.kind == ImageEvent::kEnd;
    events_.push_back(std::move(event));
  }
  changed_.notify_all();
}

void ImageTask::Fail(std::string reason) {
  Push({.kind = ImageEvent::kError, .text = std::move(reason)});
}

ImageWorker::ImageWorker(std::unique_ptr<ImageEngine> engine)
    : engine_(std::move(engine)), thread_([this] { Loop(); }) {}

ImageWorker::~ImageWorker() {
  Stop();
  thread_.join();
}

std::shared_ptr<ImageTask> ImageWorker::Submit(ImageRequest request) {
  auto task = std::make_shared<ImageTask>(std::move(request));
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || queue_.size() >= kMaxQueue) return nullptr;
    queue_.push_back(task);
  }
  changed_.notify_one();
  return task;
}

void ImageWorker::Stop() {
  std::deque<std::shared_ptr<ImageTask>> tasks;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    tasks.swap(queue_);
    if (current_) tasks.push_back(current_);
  }
  changed_.notify_one();
  for (const auto& task : tasks) {
    task->Cancel();
    task->Fail("the server is shutting down");
  }
}

void ImageWorker::Loop() {
  while (const auto task = Take()) Make(*task);
}

std::shared_ptr<ImageTask> ImageWorker::Take() {
  std::unique_lock lock(mutex_);
  current_.reset();
  changed_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
  if (stopped_) return nullptr;
  current_ = std::move(queue_.front());
  queue_.pop_front();
  return current_;
}

void ImageWorker::Make(ImageTask& task) {
  for (int index = 0; index < task.request().count; ++index) {
    const auto made = MakeOne(task, index);
    if (!made) return task.Fail(made.error().message);
  }
  task.Push({.kind = ImageEvent::kEnd});
}

Result<> ImageWorker::MakeOne(ImageTask& task, int index) {
  const ImageRequest& request = task.request();
  const std::uint64_t seed = request.seed + static_cast<std::uint64_t>(index);
  ImageJob job{.prompt = request.prompt,
               .width = request.width,
               .height = request.height,
               .steps = request.steps,
               .guidance = request.guidance,
               .seed = seed,
               .urgency = request.urgency,
               .on_step = {},
               .stopped = [&task] { return task.IsCancelled(); }};
  job.on_step = [&](int step, Nanos took) {
    task.Push({.kind = ImageEvent::kStep, .index = index, .step = step, .took = took});
  };
  CBENCH_ASSIGN(const RgbImage image, engine_->Generate(job));
  CBENCH_ASSIGN(std::string png, EncodePng(image));
  task.Push({.kind = ImageEvent::kImage, .index = index, .seed = seed, .text = std::move(png)});
  return {};
}

}  // namespace cbench::embedded
