// A person who has pictures made, one after another or by the clock (every:).
#include <algorithm>
#include <utility>

#include "app/app.h"
#include "app/arrivals.h"
#include "app/dataset.h"
#include "app/prompts.h"
#include "app/random.h"
#include "app/request.h"

namespace cbench::app {
namespace {

constexpr char kPrompts[] = "data/prompts/image.jsonl";

// When the whole image is due: its own target, else every step in its time.
std::optional<Nanos> ImageTarget(const scenario::AppSpec& app) {
  const auto step = Target(app, scenario::SloMetric::kStep);
  const auto whole = Target(app, scenario::SloMetric::kE2e);
  if (whole || !step) return whole;
  return *step * app.steps;
}

class ImageGen final : public App {
 public:
  Result<> Prepare(const Context& context) override {
    CBENCH_ASSIGN(const auto path, FindFile(context, "prompts", context.app.prompts, kPrompts));
    CBENCH_ASSIGN(prompts_, LoadImagePrompts(path));
    return {};
  }

  Result<> Run(const Context& context) override {
    const auto order = Permutation(prompts_.size(), context.seed);
    ServeArrivals(context, context.task.requests, [&](int n, Nanos t_sched) {
      const auto number = static_cast<std::size_t>(n);
      Make(context, prompts_[order[number % order.size()]].prompt, Mix(context.seed, number),
           t_sched);
    });
    return {};
  }

 private:
  static void Make(const Context& context, const std::string& prompt, std::uint64_t seed,
                   Nanos t_sched) {
    const scenario::AppSpec& app = context.app;
    engine::ImageRequest request;
    request.t_sched = t_sched;
    request.urgency = MakeUrgency(app, request.t_sched, ImageTarget(app),
                                  Target(app, scenario::SloMetric::kStep));
    if (app.every > 0) request.urgency.next_request = t_sched + app.every;
    request.timeout = app.timeout;
    request.prompt = prompt;
    request.width = app.width;
    request.height = app.height;
    request.steps = app.steps;
    request.guidance = app.guidance;
    request.seed = seed;
    const std::uint64_t id = context.sink.Issue("image", request.t_sched);
    record::RequestDone done = context.engine->Image(request, context.cancel).done;
    done.t_sched = request.t_sched;
    context.sink.Finish(id, std::move(done));
  }

  std::vector<ImagePrompt> prompts_;
};

}  // namespace

extern const Descriptor kImageGen;
const Descriptor kImageGen = {scenario::AppType::kImageGen, "has images made one after another",
                              [] { return Result<>(); },
                              [] { return std::unique_ptr<App>(std::make_unique<ImageGen>()); }};

}  // namespace cbench::app
