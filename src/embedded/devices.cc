#include "embedded/devices.h"

#include "embedded/ggml_device.h"

namespace cbench::embedded {
namespace {

const char* TypeName(enum ggml_backend_dev_type type) {
  switch (type) {
    case GGML_BACKEND_DEVICE_TYPE_CPU:
      return "cpu";
    case GGML_BACKEND_DEVICE_TYPE_GPU:
      return "gpu";
    case GGML_BACKEND_DEVICE_TYPE_IGPU:
      return "integrated gpu";
    default:
      return "accelerator";
  }
}

Json Describe(ggml_backend_dev_t device) {
  std::size_t free = 0, total = 0;
  ggml_backend_dev_memory(device, &free, &total);
  return {{"name", ggml_backend_dev_name(device)},
          {"description", ggml_backend_dev_description(device)},
          {"type", TypeName(ggml_backend_dev_type(device))},
          {"memory_bytes", total > 0 ? Json(total) : Json(nullptr)}};
}

}  // namespace

Json ComputeDevices() {
  Json list = Json::array();
  if (!LoadBackends()) return list;
  for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    list.push_back(Describe(ggml_backend_dev_get(i)));
  }
  return list;
}

const std::vector<EngineDescriptor>& Engines() {
  static const std::vector<EngineDescriptor> engines = {
      {"embedded-text", "text", "llama.cpp: any GGUF model or synth:NAME", LoadBackends},
      {"embedded-speech", "speech", "whisper.cpp: any of its model files or synth:NAME",
       LoadBackends},
      {"embedded-image", "image", "SD3.5-medium's MMDiT and VAE on ggml: synth:NAME", LoadBackends},
  };
  return engines;
}

}  // namespace cbench::embedded
