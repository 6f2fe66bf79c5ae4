// cbench share status: who has the device, who waits, what everybody is owed. It looks at the gate
// anew each time without becoming one of its users, so a watcher neither keeps a gate alive nor has
// to leave it.
#include "cli/share_status.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>

#include "cli/share_view.h"
#include "cli/terminal.h"
#include "share/gate/gate.h"
#include "share/machine_gate.h"

namespace cbench::cli {
namespace {

constexpr auto kPeriod = std::chrono::seconds(1);

struct Options {
  bool json = false, watch = false;
};

Result<ShareView> Look() {
  const std::string path = share::MachineGatePath();
  if (access(path.c_str(), F_OK) != 0 && errno == ENOENT) return ShareView{};
  CBENCH_ASSIGN(const auto gate, share::Gate::Look(path));
  gate->Inspect();
  const share::GateStatus status = gate->Status();
  std::vector<share::Hold> holds;
  gate->Rewind();
  gate->Drain([&](const share::Hold& hold) { holds.push_back(hold); });
  return MakeShareView(status, holds);
}

void Show(const ShareView& view, const Options& options) {
  if (options.json && options.watch) return Print(DumpJson(ToJson(view)) + "\n");
  if (options.json) return PrintJson(ToJson(view));
  const bool redraw = options.watch && UseColor(STDOUT_FILENO);
  Print((redraw ? "\x1b[H\x1b[2J" : "") + ToText(view) + (options.watch && !redraw ? "\n" : ""));
}

Result<ExitCode> Status(const Options& options) {
  for (;;) {
    CBENCH_ASSIGN(const ShareView view, Look());
    Show(view, options);
    if (!options.watch || std::fflush(stdout) != 0) return kOk;
    std::this_thread::sleep_for(kPeriod);
  }
}

}  // namespace

void AddShareStatus(CLI::App& share, Action& action) {
  auto* command = share.add_subcommand("status", "Who has the device, who waits, who is owed what");
  auto options = std::make_shared<Options>();
  command->add_flag("--json", options->json, "Print JSON; with --watch an object a line");
  command->add_flag("--watch", options->watch, "Again each second, until Ctrl-C");
  command->footer(
      "Examples:\n"
      "  cbench share status\n"
      "  cbench share status --json | jq '.apps[] | {app, state, device_share}'\n\n"
      "STEPS/S, DEVICE and WAIT are of the last five seconds. Exit code 0, also when nobody "
      "shares.");
  command->callback([options, &action] { action = [options] { return Status(*options); }; });
}

}  // namespace cbench::cli
