#include "cli/cli.h"

#include <cstdio>

#include "cli/command.h"

namespace cbench::cli {

int Main(int argc, char** argv) {
  CLI::App app{
      "ConsumerBench: what happens on this device when several GenAI applications run at once"};
  app.require_subcommand(1);
  Action action;
  AddReport(app, action);
  CLI11_PARSE(app, argc, argv);
  const Result<ExitCode> code = action();
  if (code) return *code;
  fmt::print(stderr, "cbench: error: {}\n", code.error().message);
  return code.error().kind == ErrorKind::kInput ? kUsage : kFailed;
}

}  // namespace cbench::cli
