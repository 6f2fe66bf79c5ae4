// Expected failures are values. A function that can fail for a reason outside the program
// (a file, a user's input, an engine) returns Result<T>; the error travels up by the two
// macros below and is printed once, in main. Exceptions from libraries stop at the folder
// that uses the library.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace cbench {

// What went wrong decides the exit code: wrong usage or input is the user's to fix (2),
// a failure happened while doing what was asked (1).
enum class ErrorKind { kInput, kFailure };

struct Error {
  ErrorKind kind = ErrorKind::kFailure;
  std::string message;  // one sentence that names the option, file:line:column or command to change
};

template <typename T = void>
using Result = tl::expected<T, Error>;

template <typename... Args>
tl::unexpected<Error> InputError(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(Error{ErrorKind::kInput, fmt::format(format, std::forward<Args>(args)...)});
}

template <typename... Args>
tl::unexpected<Error> Failure(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(
      Error{ErrorKind::kFailure, fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace cbench

#define CBENCH_CONCAT_(a, b) a##b
#define CBENCH_CONCAT(a, b) CBENCH_CONCAT_(a, b)

// CBENCH_TRY(expr): returns expr's error from the enclosing function if it has one.
#define CBENCH_TRY(expr)                                                         \
  do {                                                                           \
    auto cbench_result = (expr);                                                 \
    if (!cbench_result) return tl::unexpected(std::move(cbench_result).error()); \
  } while (false)

// CBENCH_ASSIGN(declaration, expr): the same, else initialises the declaration with the value.
#define CBENCH_ASSIGN(declaration, expr) \
  CBENCH_ASSIGN_IMPL_(CBENCH_CONCAT(cbench_result_, __LINE__), declaration, expr)
#define CBENCH_ASSIGN_IMPL_(result, declaration, expr)           \
  auto result = (expr);                                          \
  if (!result) return tl::unexpected(std::move(result).error()); \
  declaration = std::move(*result)
