// A user who has a question looked into: an agent plans, searches a library, reads, takes notes and
// writes a report. One episode is one request, whatever number of model calls it takes; its record
// has llm_time, tool_time, llm_calls and the sums of tokens, t_send and t_first of the first call,
// t_last of the last. A failed call fails the episode. See episode.h.
#include <utility>

#include "app/app.h"
#include "app/corpus.h"
#include "app/dataset.h"
#include "app/episode.h"
#include "app/prompts.h"
#include "app/random.h"

namespace cbench::app {
namespace {

constexpr char kQuestions[] = "data/prompts/research.jsonl";
constexpr char kLibrary[] = "data/corpus";

class DeepResearch final : public App {
 public:
  Result<> Prepare(const Context& context) override {
    CBENCH_ASSIGN(const auto path, FindFile(context, "prompts", context.app.prompts, kQuestions));
    CBENCH_ASSIGN(questions_, LoadResearchQuestions(path));
    CBENCH_ASSIGN(corpus_, Corpus::Load(context.home / kLibrary));
    return {};
  }

  Result<> Run(const Context& context) override {
    const auto order = Permutation(questions_.size(), context.seed);
    for (std::size_t n = 0; n < static_cast<std::size_t>(context.task.requests); ++n) {
      if (context.cancel.IsTriggered()) break;
      RunEpisode(context, questions_[order[n % order.size()]], SessionLine(context.seed, n));
    }
    return {};
  }

 private:
  void RunEpisode(const Context& context, const ResearchQuestion& question,
                  const std::string& session) const {
    const bool scripted = context.engine->spec().model.starts_with("synth:");
    Episode episode(context, *corpus_, session, scripted ? kScriptInstructions : kAgentInstructions,
                    question.question);
    const std::uint64_t id = context.sink.Issue("episode", episode.t_sched());
    context.sink.Finish(id, scripted ? RunScript(episode, question) : RunAgent(episode));
  }

  std::vector<ResearchQuestion> questions_;
  std::unique_ptr<Corpus> corpus_;
};

}  // namespace

extern const Descriptor kDeepResearch;
const Descriptor kDeepResearch = {
    scenario::AppType::kDeepResearch, "an agent that searches a library and writes a report",
    FullTextSearchAvailable, [] { return std::unique_ptr<App>(std::make_unique<DeepResearch>()); }};

}  // namespace cbench::app
