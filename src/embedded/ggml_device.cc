#include "embedded/ggml_device.h"

#include <dlfcn.h>
#include <ggml-backend.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "base/cores.h"

namespace cbench::embedded {
namespace {

void LogWarning(ggml_log_level level, const char* text, void*) {
  if (level >= GGML_LOG_LEVEL_WARN && level != GGML_LOG_LEVEL_CONT) std::fputs(text, stderr);
}

std::string BackendFolder() {
  const char* folder = std::getenv("CBENCH_GGML_DIR");
  return folder && *folder ? folder : CBENCH_GGML_DIR;
}

ggml_backend_dev_t FindGpu() {
  auto* gpu = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_GPU);
  return gpu ? gpu : ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_IGPU);
}

// Why a backend library that is there gave no device.
std::string WhyNoDevice(const std::filesystem::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  dlclose(handle);
  return fmt::format("{} finds no device that it can use", library.string());
}

}  // namespace

Result<> LoadBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    ggml_log_set(LogWarning, nullptr);
    ggml_backend_load_all_from_path(BackendFolder().c_str());
  });
  if (!ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU)) {
    return Failure("no ggml CPU backend in {}: run 'make setup' or set CBENCH_GGML_DIR",
                   BackendFolder());
  }
  return {};
}

Result<> GpuAvailable() {
  CBENCH_TRY(LoadBackends());
  if (FindGpu()) return {};
  std::error_code error;
  for (const char* backend : {"cuda", "hip", "vulkan", "sycl"}) {
    const auto library =
        std::filesystem::path(BackendFolder()) / fmt::format("libggml-{}.so", backend);
    if (std::filesystem::exists(library, error)) return Failure("{}", WhyNoDevice(library));
  }
  return Failure(
      "no GPU backend of ggml (libggml-cuda.so, libggml-hip.so, libggml-vulkan.so or "
      "libggml-sycl.so) in {}",
      BackendFolder());
}

Result<ggml_backend_dev_t> FindDevice(const std::string& name) {
  CBENCH_TRY(LoadBackends());
  auto* cpu = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (name == "cpu") return cpu;
  if (auto* gpu = FindGpu()) return gpu;
  if (name == "auto") return cpu;
  return InputError(
      "--device gpu: {}; write cpu or auto, or set CBENCH_GGML_DIR to a ggml that has one",
      GpuAvailable().error().message);
}

int ResolveThreads(int threads) {
  return threads > 0 ? threads : static_cast<int>(AllowedCores().size());
}

void* FindCpuFunction(const char* name) {
  auto* device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (!device) return nullptr;
  return ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), name);
}

void ComputeOn(ggml_backend_t cpu, ggml_threadpool* pool) {
  if (const auto set_pool = CpuFunction<void (*)(ggml_backend_t, ggml_threadpool*)>(
          "ggml_backend_cpu_set_threadpool")) {
    set_pool(cpu, pool);
  }
}

Result<Backend> MakeBackend(ggml_backend_dev_t device, ggml_threadpool* pool, int threads) {
  Backend backend(ggml_backend_dev_init(device, nullptr));
  if (!backend) return Failure("ggml cannot use device {}", ggml_backend_dev_name(device));
  if (ggml_backend_dev_type(device) != GGML_BACKEND_DEVICE_TYPE_CPU) return backend;
  if (const auto set_threads =
          CpuFunction<void (*)(ggml_backend_t, int)>("ggml_backend_set_n_threads")) {
    set_threads(backend.get(), threads);
  }
  ComputeOn(backend.get(), pool);
  return backend;
}

}  // namespace cbench::embedded
