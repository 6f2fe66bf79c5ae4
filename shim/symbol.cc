// A program that is linked to ggml has it in the global scope: RTLD_NEXT finds it there. One that
// loads it later for itself (Python, a plug-in) has not; then the caller's own library and those it
// is linked to are searched, as the loader would have. Where the caller can't be seen (a tail call,
// a call through libffi) any library that has the name must do. That takes microseconds and is
// remembered by the address of the call, because a process may have loaded two ggmls.
#include "shim/symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <string>
#include <vector>

namespace cbench::shim {
namespace {

// `name` as the library at that path and those it is linked to define it; never our own function.
void* SearchLibrary(const char* path, const char* name) {
  void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* found = dlsym(library, name);
  dlclose(library);
  Dl_info whose = {}, ours = {};
  static const char here = 0;
  if (found == nullptr || dladdr(found, &whose) == 0 || dladdr(&here, &ours) == 0) return nullptr;
  return whose.dli_fbase == ours.dli_fbase ? nullptr : found;
}

std::vector<std::string> LoadedLibraries() {
  std::vector<std::string> paths;
  const auto add = [](dl_phdr_info* library, std::size_t, void* all) {
    if (library->dlpi_name != nullptr && *library->dlpi_name != '\0')
      static_cast<std::vector<std::string>*>(all)->emplace_back(library->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &paths);
  return paths;
}

void* SearchFrom(void* caller, const char* name) noexcept try {
  Dl_info facts = {};
  if (dladdr(caller, &facts) != 0 && facts.dli_fname != nullptr)
    if (void* found = SearchLibrary(facts.dli_fname, name)) return found;
  for (const std::string& path : LoadedLibraries())
    if (void* found = SearchLibrary(path.c_str(), name)) return found;
  return nullptr;
} catch (...) {  // no memory
  return nullptr;
}

}  // namespace

void* Symbol::Find(void* caller) {
  if (void* next = next_.load(std::memory_order_acquire)) return next;
  if (void* next = dlsym(RTLD_NEXT, name_)) {
    next_.store(next, std::memory_order_release);
    return next;
  }
  return FindForCaller(caller);
}

void* Symbol::FindForCaller(void* caller) {
  for (Known& known : known_) {
    void* whose = nullptr;
    const bool ours = known.caller.compare_exchange_strong(whose, caller);
    if (!ours && whose != caller) continue;
    if (void* function = known.function.load(std::memory_order_acquire)) return function;
    void* function = SearchFrom(caller, name_);
    known.function.store(function, std::memory_order_release);
    return function;
  }
  return SearchFrom(caller, name_);
}

}  // namespace cbench::shim
