// What a person sees while a run goes on: on a terminal one live line of all tasks below the
// notes, otherwise plain lines. Everything goes to stderr; stdout is for results.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "run/observer.h"

namespace cbench::cli {

class Progress final : public run::Observer {
 public:
  explicit Progress(bool live);  // live: stderr is a terminal
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void OnNote(std::string_view note) override;
  void OnRunStart(const record::RunStart& start, const run::Plan& plan, int repeats) override;
  void OnTask(const std::string& task, std::string_view state, int planned) override;
  void OnRequest(const std::string& task, int ended, int failed) override;
  void OnRunEnd(std::string_view status) override;

 private:
  struct TaskLine {
    std::string state = "waiting";
    int ended = 0, failed = 0, planned = 0;
  };

  void Print(const std::string& line);  // a lasting line above the live one
  void Draw();
  std::string Return() const;
  std::string LiveLine() const;
  void Tick(const std::stop_token& stop);

  const bool live_;
  std::mutex mutex_;  // guards everything below and the terminal
  std::condition_variable_any changed_;
  std::vector<std::string> order_;
  std::map<std::string, TaskLine> tasks_;
  Nanos start_ = 0;
  bool running_ = false;
  int drawn_ = 0;        // columns of the live line that stands there
  std::jthread ticker_;  // redraws the clock twice a second; only when live
};

}  // namespace cbench::cli
