// What a sub-command is: one .cc file in this folder ending in a function
// `void AddFoo(CLI::App& app, ExitCode& code)` and one line in cli.cc's table.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cbench::cli {

enum ExitCode { kOk = 0, kFailed = 1, kUsage = 2, kRegression = 3, kNotComparable = 4 };

// A sub-command's work. Set by its callback, run by Main after parsing.
using Action = std::function<Result<ExitCode>()>;

void AddCheck(CLI::App& app, Action& action);
void AddRun(CLI::App& app, Action& action);
void AddReport(CLI::App& app, Action& action);
void AddDoctor(CLI::App& app, Action& action);
void AddServe(CLI::App& app, Action& action);
void AddModel(CLI::App& app, Action& action);

}  // namespace cbench::cli
