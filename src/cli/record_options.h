// What the commands that make a record have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cbench::cli {

// Adds --sample-rate. `rate` must outlive the parsing.
void AddSampleRate(CLI::App& command, double& rate);

// Adds --runs and --out: where the record goes.
void AddRecordFolder(CLI::App& command, std::string& runs, std::string& out);

// argv of this process, for the record.
std::vector<std::string> CommandLine();

}  // namespace cbench::cli
