// What this device is: the part of a record that lets someone else judge its figures.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/json.h"

namespace cbench::monitor {

// Gives a file's text, or nothing if it cannot be read; tests answer with strings.
using Opener = std::function<std::optional<std::string>(const std::string& path)>;
std::optional<std::string> OpenReal(const std::string& path);

// {"cpu", "cores", "memory_bytes", "kernel", "os", "governor"}; what cannot be read is null.
Json DeviceFacts(const Opener& open = OpenReal);

}  // namespace cbench::monitor
