// What a sub-command is: one .cc file in this folder ending in a function
// `void AddFoo(CLI::App& app, Action& action)` and one line in cli.cc's table.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace cbench::cli {

// Fixed, because `cbench share` ends with its command's.
enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kRegression = 3, kNotComparable = 4 };

// A sub-command's work. Set by its callback, run by Main after parsing.
using Action = std::function<Result<ExitCode>()>;

void AddCheck(CLI::App& app, Action& action);
void AddRun(CLI::App& app, Action& action);
void AddCompare(CLI::App& app, Action& action);
void AddMonitor(CLI::App& app, Action& action);
void AddReport(CLI::App& app, Action& action);
void AddDoctor(CLI::App& app, Action& action);
void AddServe(CLI::App& app, Action& action);
void AddShare(CLI::App& app, Action& action);
void AddModel(CLI::App& app, Action& action);

// Results go to standard output, everything else to standard error. Both write as they are and
// never throw; Main reports a standard output that could not be written.
void Print(std::string_view text);
void PrintJson(const Json& json);
void PrintNote(std::string_view text);  // "cbench: …"
void PrintError(const Error& error);    // "cbench: error: …"

ExitCode ExitCodeOf(const Error& error);

}  // namespace cbench::cli
