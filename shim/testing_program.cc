// A program that loads an engine's library and computes, for shim_test:
//   testing_program LIBRARY local|global WORD…
// Each word is the function to compute a graph by, or "fork": the rest happens in a child.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bool local = std::string_view(argv[2]) == "local";
  void* library = dlopen(argv[1], RTLD_NOW | (local ? RTLD_LOCAL : RTLD_GLOBAL));
  if (library == nullptr) return 3;
  auto* const compute = reinterpret_cast<int (*)(const char*)>(dlsym(library, "TestingCompute"));
  pid_t child = 0;
  for (int i = 3; i < argc && child == 0; ++i) {
    if (std::string_view(argv[i]) == "fork") {
      std::fflush(stdout);
      child = fork();
    } else {
      std::printf("= %d\n", compute(argv[i]));
    }
  }
  if (child > 0) waitpid(child, nullptr, 0);
  return 0;
}
