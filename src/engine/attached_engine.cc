// An engine that somebody else started: probed, used, and left running.
#include "base/http_client.h"
#include "engine/readiness.h"
#include "engine/running.h"

namespace cbench::engine {
namespace {

constexpr Nanos kModelsTimeout = 10 * kSecond;

class Attached : public Running {
 public:
  Attached(std::unique_ptr<Engine> engine, Json facts, Nanos load_time)
      : engine_(std::move(engine)), facts_(std::move(facts)), load_time_(load_time) {}

  Engine& engine() override { return *engine_; }
  int pid() const override { return 0; }
  Nanos load_time() const override { return load_time_; }
  Json facts() const override { return facts_; }
  void Stop() override {}

 private:
  std::unique_ptr<Engine> engine_;
  Json facts_;
  Nanos load_time_;
};

// Names of /models; empty if the engine does not say.
Json ModelNames(const Json& models) {
  Json names = Json::array();
  const Json* data = FindMember(models, "data");
  if (!data || !data->is_array()) return names;
  for (const Json& model : *data) {
    if (const auto id = StringAt(model, "id"); !id.empty()) names.push_back(id);
  }
  return names;
}

}  // namespace

Result<std::unique_ptr<Running>> Attach(const scenario::EngineSpec& spec, Modality modality,
                                        const LaunchOptions& options, const Cancel& cancel) {
  const Nanos start = Now();
  if (const auto checked = CheckLoopbackUrl(spec.attach); !checked) {
    return InputError("{}: attach: {}", Where(spec), checked.error().message);
  }
  std::string base_url = spec.attach;
  while (base_url.ends_with('/')) base_url.pop_back();
  const JsonAnswer models = GetJson(base_url + "/models", kModelsTimeout, cancel);
  if (models.status == 0) {
    return Failure("{}: nothing answers at {} ({}); start the engine or change attach:",
                   Where(spec), base_url, models.message);
  }
  const Json names = ModelNames(models.body);
  scenario::EngineSpec named = spec;
  if (named.model.empty() && !names.empty()) named.model = names.front().get<std::string>();
  CBENCH_ASSIGN(auto engine, Connect(named, base_url));
  const ProofOptions proof{modality, false, start + options.ready_timeout};
  if (const auto proven = Prove(*engine, proof, cancel); !proven) {
    return Failure("{}: {}: {}", Where(spec), base_url, proven.error().message);
  }
  Json facts = {{"attached", base_url}, {"model", named.model}, {"models", names}};
  return std::make_unique<Attached>(std::move(engine), std::move(facts), Now() - start);
}

}  // namespace cbench::engine
