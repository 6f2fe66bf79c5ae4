// The scripted way through an episode, for models with random weights, whose words choose nothing:
//   plan, then for each query (search, read, note), then write.
// Every stage is a model call on the growing conversation, and the library is really searched and
// read; only what to search for and which hit to read is fixed: the question's own queries, and
// the best hit that has not been read yet.
#include <algorithm>

#include "app/episode.h"

namespace cbench::app {

const char kScriptInstructions[] =
    "You are a careful research assistant with a library of short articles. You work in steps: "
    "plan, search, read, take notes, and in the end write a report that rests on your notes only.";

namespace {

constexpr int kPlanTokens = 96, kSearchTokens = 24, kChoiceTokens = 16, kNoteTokens = 96;

Result<Hit> BestUnread(const Episode& episode, const std::vector<Hit>& hits) {
  const auto found = std::find_if(hits.begin(), hits.end(),
                                  [&](const Hit& hit) { return !episode.HasRead(hit.id); });
  if (found == hits.end()) return InputError("nothing new");
  return *found;
}

// One search, one article, one note. An error is the library's, a failed call is in the episode.
Result<> Round(Episode& episode, const std::string& query) {
  if (!episode.Ask("Write the next search query, as a few words.", kSearchTokens)) return {};
  CBENCH_ASSIGN(const auto hits, episode.Search(query));
  if (!episode.Ask(fmt::format("Results for \"{}\":\n{}Which article should be read? Answer with "
                               "its name.",
                               query, FormatHits(hits)),
                   kChoiceTokens, Transcript::Kind::kMaterial)) {
    return {};
  }
  const auto hit = BestUnread(episode, hits);
  if (!hit) return {};
  CBENCH_ASSIGN(const std::string text, episode.Read(hit->id));
  episode.Ask(fmt::format("{}\n\n{}\n\nNote the facts in it that help to answer the question.",
                          hit->title, text),
              kNoteTokens, Transcript::Kind::kMaterial);
  return {};
}

Result<> Stages(Episode& episode, const ResearchQuestion& question) {
  if (!episode.Ask("Plan: which facts must be found?", kPlanTokens)) return {};
  std::vector<std::string> queries = question.queries;
  if (queries.empty()) queries = {question.question};
  for (const std::string& query : queries) {
    CBENCH_TRY(Round(episode, query));
    if (episode.failed()) return {};
  }
  episode.Ask("Write the report from your notes.", episode.report_tokens());
  return {};
}

}  // namespace

record::RequestDone RunScript(Episode& episode, const ResearchQuestion& question) {
  if (const auto done = Stages(episode, question); !done) {
    episode.Fail({"process", done.error().message});
  }
  return episode.Finish(episode.last_answer(), "stop");
}

}  // namespace cbench::app
