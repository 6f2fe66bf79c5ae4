// What nearly every file includes and what is slow to read, compiled once: a third of the build
// time otherwise goes into reading these headers again. Files still include what they use.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <variant>
#include <vector>
