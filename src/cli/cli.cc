#include "cli/cli.h"

#include <cstdio>

#include "cli/command.h"

namespace cbench::cli {

int Main(int argc, char** argv) {
  CLI::App app{
      "ConsumerBench: what happens on this device when several GenAI applications run at once"};
  app.require_subcommand(1);
  Action action;
  AddServe(app, action);
  AddModel(app, action);
  CLI11_PARSE(app, argc, argv);
  return kUsage;
}

}  // namespace cbench::cli
