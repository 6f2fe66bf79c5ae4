#include "cli/record_options.h"

#include <fstream>

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

std::vector<std::string> CommandLine() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace cbench::cli
