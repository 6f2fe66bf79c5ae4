#include "cli/record_options.h"

#include <fstream>

#include "cli/scenario_options.h"
#include "monitor/sampler.h"

namespace cbench::cli {

void AddSampleRate(CLI::App& command, double& rate) {
  command
      .add_option("--sample-rate", rate,
                  "How often a second the monitor reads the device's counters")
      ->check(CLI::Range(monitor::kMinRate, monitor::kMaxRate))
      ->type_name("HZ")
      ->capture_default_str();
}

void AddRecordFolder(CLI::App& command, std::string& runs, std::string& out) {
  command.add_option("--runs", runs, "Folder that gets one folder a record")
      ->check(NotEmpty())
      ->capture_default_str();
  command.add_option("--out", out, "Exactly this folder for the record; must not hold one")
      ->check(NotEmpty());
}

std::vector<std::string> CommandLine() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace cbench::cli
