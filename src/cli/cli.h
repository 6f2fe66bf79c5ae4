// The command line. One file per sub-command in this folder; cli.cc holds the table.
#pragma once

namespace cbench::cli {

// Parses, runs one sub-command, prints its one error if it has one, returns the exit code:
// 0 fine, 1 failed or INVALID, 2 wrong usage or input, 3 regression, 4 not comparable.
int Main(int argc, char** argv);

}  // namespace cbench::cli
