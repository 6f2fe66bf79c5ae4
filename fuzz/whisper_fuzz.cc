// A whisper.cpp model file from anywhere: walking over it ends in a verdict that names the file.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "embedded/speech_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  const auto checked = cbench::embedded::CheckWhisperFile(in, size, "fuzz.bin");
  if (!checked && checked.error().message.find("fuzz.bin") != 0) std::abort();
  return 0;
}
