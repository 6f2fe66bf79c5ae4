#include "cli/share_view.h"

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "cli/table.h"

namespace cbench::cli {
namespace {

using State = ShareRow::State;

constexpr const char* kStates[] = {"idle", "waits", "holds"};

const char* Name(State state) { return kStates[static_cast<std::size_t>(state)]; }

std::vector<int> ProcessesOf(const share::GateStatus& status, int account) {
  std::vector<int> asking, keeping;
  for (const auto& process : status.processes) {
    if (process.account != account) continue;
    (process.keeper ? keeping : asking).push_back(process.pid);
  }
  return asking.empty() ? keeping : asking;
}

// A step that holds the device counts more than one that waits, an older one more than a newer.
void AddSteps(const share::GateStatus& status, int account, ShareRow& row) {
  for (const auto& step : status.steps) {
    if (step.view.account != account) continue;
    const State state = step.running ? State::kHolds : State::kWaits;
    const Nanos since = status.now - (step.running ? step.granted : step.view.asked);
    if (state < row.state || (state == row.state && since < row.since)) continue;
    row.state = state;
    row.since = since;
  }
}

// Averages over [now - window, now].
void AddRates(const std::vector<share::Hold>& holds, Nanos now, Nanos window, ShareRow& row) {
  Nanos busy = 0, waited = 0;
  std::int64_t count = 0;
  for (const share::Hold& hold : holds) {
    if (hold.released < now - window || row.app != hold.app) continue;
    ++count;
    busy += hold.released - std::max(hold.granted, now - window);
    waited += hold.granted - hold.asked;
  }
  if (row.state == State::kHolds) busy += std::min(row.since, window);
  if (window <= 0) return;
  row.steps_per_s = static_cast<double>(count) / ToSeconds(window);
  row.device_share = ToSeconds(busy) / ToSeconds(window);
  if (count > 0) row.mean_wait = waited / count;
}

std::string Processes(const std::vector<int>& processes) {
  return processes.empty() ? "-" : fmt::format("{}", fmt::join(processes, ","));
}

std::string Doing(const ShareRow& row) {
  if (row.state == State::kIdle) return "idle";
  return fmt::format("{} {}", Name(row.state), FormatDuration(row.since));
}

Row Cells(const ShareRow& row) {
  return {Printable(row.app),
          std::string(share::Name(row.app_class)),
          fmt::format("{:g}", row.weight),
          Processes(row.processes),
          Doing(row),
          fmt::format("{:.1f}", row.steps_per_s),
          fmt::format("{:.0f} %", 100 * row.device_share),
          FormatDuration(row.mean_wait),
          fmt::format("{:+.0f} ms", 1e3 * ToSeconds(row.credit))};
}

}  // namespace

// When the ring is too short for the window the window is as long as the ring goes back.
ShareView MakeShareView(const share::GateStatus& status, const std::vector<share::Hold>& holds) {
  ShareView view;
  view.policy = status.policy;
  view.window = kShareWindow;
  if (holds.size() >= share::kRingSize)
    view.window = std::min(view.window, status.now - holds.front().released);
  for (const auto& app : status.apps) {
    ShareRow row;
    row.app = app.account.Name();
    row.app_class = app.account.app_class;
    row.weight = app.account.weight;
    row.processes = ProcessesOf(status, app.index);
    row.steps = app.account.steps;
    row.credit = app.account.credit;
    AddSteps(status, app.index, row);
    AddRates(holds, status.now, view.window, row);
    if (!row.processes.empty() || row.state != State::kIdle || row.steps_per_s > 0)
      view.rows.push_back(std::move(row));
  }
  return view;
}

std::string ToText(const ShareView& view) {
  if (view.rows.empty()) return "nobody shares the device\n";
  std::vector<Row> rows = {
      {"APP", "CLASS", "WEIGHT", "PID", "NOW", "STEPS/S", "DEVICE", "WAIT", "CREDIT"}};
  for (const ShareRow& row : view.rows) rows.push_back(Cells(row));
  return AlignColumns(rows, "");
}

Json ToJson(const ShareView& view) {
  Json apps = Json::array();
  for (const ShareRow& row : view.rows) {
    apps.push_back({{"app", row.app},
                    {"class", share::Name(row.app_class)},
                    {"weight", row.weight},
                    {"pids", row.processes},
                    {"state", Name(row.state)},
                    {"since_ns", row.since},
                    {"steps", row.steps},
                    {"steps_per_s", row.steps_per_s},
                    {"device_share", row.device_share},
                    {"mean_wait_ns", row.mean_wait},
                    {"credit_ns", row.credit}});
  }
  return {{"policy", view.policy}, {"window_ns", view.window}, {"apps", std::move(apps)}};
}

}  // namespace cbench::cli
