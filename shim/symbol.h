// What a name would have meant to a caller if we were not there.
#pragma once

#include <array>
#include <atomic>

namespace cbench::shim {

// Any thread. Lives in static storage, never destroyed: programs compute until the very end.
class Symbol {
 public:
  explicit constexpr Symbol(const char* name) : name_(name) {}

  // Null: there is none. `caller` is an address in the code that called us.
  template <typename Function>
  Function* For(void* caller) {
    return reinterpret_cast<Function*>(Find(caller));
  }

 private:
  struct Known {
    std::atomic<void*> caller{nullptr}, function{nullptr};
  };
  void* Find(void* caller);
  void* FindForCaller(void* caller);

  const char* const name_;
  std::atomic<void*> next_{nullptr};  // in the global scope, behind us
  std::array<Known, 16> known_{};     // by call, where the library isn't in the global scope
};

}  // namespace cbench::shim
