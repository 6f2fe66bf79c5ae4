// Image model files, from any bytes: refused by name, never followed into memory that the file
// only claims. (Files of the other models are libllama's and libwhisper's to read.)
#include <ggml-backend.h>

#include <cstdint>
#include <cstdlib>

#include "bytes_as_file.h"
#include "embedded/ggml_device.h"
#include "embedded/image_weights.h"

namespace {

cbench::embedded::Backend Cpu() {
  ggml_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  return cbench::embedded::Backend(
      ggml_backend_dev_init(cbench::embedded::FindDevice("cpu").value(), nullptr));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cbench;
  static const embedded::Backend cpu = Cpu();
  const BytesAsFile file(data, size);
  const auto loaded = embedded::ImageWeights::Load(file.path(), cpu.get());
  if (!loaded && !loaded.error().message.starts_with(file.path().string())) std::abort();
  return 0;
}
