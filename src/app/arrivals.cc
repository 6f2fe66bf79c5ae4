#include "app/arrivals.h"

#include "app/sender_pool.h"

namespace cbench::app {
namespace {

constexpr std::size_t kMaxOutstanding =
    64;  // more than engines take at once; later ones queue here

}  // namespace

void ServeArrivals(const Context& context, int count,
                   const std::function<void(int n, Nanos t_sched)>& serve) {
  if (context.app.every == 0) {
    for (int n = 0; n < count && !context.cancel.IsTriggered(); ++n) serve(n, Now());
    return;
  }
  SenderPool senders(kMaxOutstanding);
  const Nanos start = Now();
  for (int n = 0; n < count; ++n) {
    const Nanos due = start + n * context.app.every;
    if (context.cancel.WaitUntil(due)) return;
    senders.Post([&serve, n, due] { serve(n, due); });
  }
}

}  // namespace cbench::app
