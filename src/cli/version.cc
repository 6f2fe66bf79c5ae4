#include "cli/version.h"

#include <fstream>

namespace cbench::cli {

std::string Version() { return CBENCH_VERSION; }

std::vector<std::string> CommandLine() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace cbench::cli
