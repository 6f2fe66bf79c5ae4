#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/text.h"
#include "base/units.h"
#include "report/text.h"

namespace cbench::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{500};

constexpr int kWidest = 500;

int TerminalWidth() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::min<int>(size.ws_col, kWidest) : 80;
}

}  // namespace

Progress::Progress(bool live) : live_(live) {
  if (live_) ticker_ = std::jthread([this](const std::stop_token& stop) { Tick(stop); });
}

Progress::~Progress() {
  if (!live_) return;
  ticker_.request_stop();
  ticker_.join();
}

void Progress::Tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    changed_.wait_for(lock, stop, kRedraw, [] { return false; });
    if (running_) Draw();
  }
}

void Progress::Print(const std::string& line) {
  std::string text = drawn_ > 0 ? Return() + "\x1b[K" : "";
  text += Printable(line) + "\n";
  std::fputs(text.c_str(), stderr);
  drawn_ = 0;
  if (live_ && running_) Draw();
}

// "12 s  analysis 0/1  brainstorm 4/10  outline waiting"
std::string Progress::LiveLine() const {
  std::string line = fmt::format("{:>5.0f} s ", ToSeconds(Now() - start_));
  for (const auto& name : order_) {
    const auto& task = tasks_.at(name);
    const std::string done =
        task.state == "started" ? fmt::format("{}/{}", task.ended, task.planned) : task.state;
    line += fmt::format("  {} {}", name, done);
    if (task.failed > 0) line += fmt::format(" ({} failed)", task.failed);
  }
  return line;
}

// To the start of the live line. A terminal that has become narrower has wrapped it, and the cursor
// stands behind its end.
std::string Progress::Return() const {
  const int rows = drawn_ > 0 ? (drawn_ - 1) / TerminalWidth() : 0;
  return rows > 0 ? fmt::format("\r\x1b[{}A\x1b[J", rows) : "\r";
}

void Progress::Draw() {
  const std::string line = report::Cut(report::Clean(LiveLine()), TerminalWidth() - 1);
  std::fputs(fmt::format("{}{}\x1b[K", Return(), line).c_str(), stderr);
  drawn_ = report::Width(line);
}

void Progress::OnNote(std::string_view note) {
  const std::lock_guard lock(mutex_);
  Print(std::string(note));
}

void Progress::OnRunStart(const record::RunStart& start, const run::Plan& plan, int repeats) {
  const std::lock_guard lock(mutex_);
  order_.clear();
  tasks_.clear();
  for (const auto& planned : plan) {
    order_.push_back(planned.task->name);
    tasks_[planned.task->name] = {};
  }
  start_ = Now();
  running_ = true;
  const std::string who =
      start.alone.empty() ? start.strategy : fmt::format("{} alone", start.alone);
  Print(fmt::format("run: {}, repetition {} of {}", who, start.repeat + 1, repeats));
}

void Progress::OnTask(const std::string& task, std::string_view state, int planned) {
  const std::lock_guard lock(mutex_);
  auto& line = tasks_[task];
  line.state = state;
  line.planned = planned;
  const std::string requests =
      state == "started"
          ? fmt::format("{} request{}", planned, planned == 1 ? "" : "s")
          : fmt::format("{} of {} ended, {} failed", line.ended, planned, line.failed);
  Print(fmt::format("{:7.1f} s  {} {}: {}", ToSeconds(Now() - start_), task, state, requests));
}

void Progress::OnRequest(const std::string& task, int ended, int failed) {
  const std::lock_guard lock(mutex_);
  tasks_[task].ended = ended;
  tasks_[task].failed = failed;
}

void Progress::OnRunEnd(std::string_view status) {
  const std::lock_guard lock(mutex_);
  running_ = false;
  Print(fmt::format("run: {} after {}", status, FormatDuration(Now() - start_)));
}

}  // namespace cbench::cli
