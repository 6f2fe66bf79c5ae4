// Runs a fuzz target over the files of its seed corpus, for compilers without libFuzzer.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      const std::string bytes = cbench::ReadFile(entry.path()).value();
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  std::printf("%d seeds\n", files);
  return files > 0 ? 0 : 1;
}
