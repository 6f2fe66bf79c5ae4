// cbench: what happens on a device when several GenAI applications run at once.
#include "cli/cli.h"

int main(int argc, char** argv) { return cbench::cli::Main(argc, argv); }
