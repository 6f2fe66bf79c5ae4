// Requests that end as they start: what the harness itself costs.
#include <utility>

#include "app/app.h"

namespace cbench::app {
namespace {

class Null final : public App {
 public:
  Result<> Prepare(const Context&) override { return {}; }

  Result<> Run(const Context& context) override {
    for (int i = 0; i < context.task.requests && !context.cancel.IsTriggered(); ++i) {
      record::RequestDone done;
      done.t_sched = done.t_send = Now();
      const std::uint64_t id = context.sink.Issue("null", done.t_sched);
      done.t_end = Now();
      context.sink.Finish(id, std::move(done));
    }
    return {};
  }
};

}  // namespace

extern const Descriptor kNull;
const Descriptor kNull = {scenario::AppType::kNull, "does nothing, to measure the harness",
                          [] { return Result<>(); },
                          [] { return std::unique_ptr<App>(std::make_unique<Null>()); }};

}  // namespace cbench::app
