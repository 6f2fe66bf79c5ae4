// Requests that only take time: a user who thinks, a placeholder in a workflow.
#include <utility>

#include "app/app.h"
#include "app/request.h"

namespace cbench::app {
namespace {

class Sleep final : public App {
 public:
  Result<> Prepare(const Context&) override { return {}; }

  Result<> Run(const Context& context) override {
    for (int i = 0; i < context.task.requests && !context.cancel.IsTriggered(); ++i) One(context);
    return {};
  }

 private:
  static void One(const Context& context) {
    const Nanos start = Now();
    const std::uint64_t id = context.sink.Issue("sleep", start);
    record::RequestDone done;
    if (context.cancel.WaitUntil(start + context.app.duration)) {
      done = FailedRequest(start, "cancelled", "the run ended during the sleep");
    }
    done.t_sched = done.t_send = start;
    done.t_end = Now();
    context.sink.Finish(id, std::move(done));
  }
};

}  // namespace

extern const Descriptor kSleep;
const Descriptor kSleep = {scenario::AppType::kSleep, "waits for a given time",
                           [] { return Result<>(); },
                           [] { return std::unique_ptr<App>(std::make_unique<Sleep>()); }};

}  // namespace cbench::app
