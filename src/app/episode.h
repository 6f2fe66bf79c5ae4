// One research episode while it goes on: the conversation, the library, and the sums that its one
// record line will hold. The two ways to drive it are research_script.cc (the order of tools is
// fixed, for models with random weights) and research_agent.cc (the model calls the tools).
// Used by one thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/corpus.h"
#include "app/prompts.h"
#include "app/transcript.h"

namespace cbench::app {

class Episode {
 public:
  // `session` opens the system message (random.h); the clock starts here.
  Episode(const Context& context, const Corpus& corpus, const std::string& session,
          const std::string& instructions, const std::string& question);

  // One model call over the conversation so far; the answer is not added to it. Nothing if it
  // failed: then the episode has failed and must end. `tools` costs about `tool_tokens` of context.
  std::optional<engine::ChatAnswer> Call(int max_tokens, const Json& tools = nullptr,
                                         int tool_tokens = 0);

  // As Call, without tools: adds the answer to the conversation as the assistant's. False: failed.
  bool Ask(const std::string& instruction, int max_tokens,
           Transcript::Kind kind = Transcript::Kind::kTalk);

  // The library, on the clock of tool_time. Article texts are cut to a fifth of the context.
  Result<std::vector<Hit>> Search(const std::string& query);
  Result<std::string> Read(const std::string& id);
  bool HasRead(const std::string& id) const { return read_.contains(id); }

  Transcript& transcript() { return transcript_; }

  // Limit of the final report; no other answer is longer.
  int report_tokens() const;
  const std::string& last_answer() const { return last_answer_; }
  Nanos t_sched() const { return done_.t_sched; }

  void Fail(record::Failure failure) { done_.failure = std::move(failure); }
  bool failed() const { return done_.failure.has_value(); }

  // Closes the books.
  record::RequestDone Finish(const std::string& report, std::string finish_reason);

 private:
  engine::ChatRequest MakeRequest(int max_tokens, const Json& tools, int tool_tokens);
  void Account(const record::RequestDone& call);

  const Context& context_;
  const Corpus& corpus_;
  Transcript transcript_;
  Nanos deadline_;  // of the episode's time limit
  std::set<std::string> read_;
  std::string last_answer_;
  record::RequestDone done_;
};

// Search results and articles as the model sees them.
std::string FormatHits(const std::vector<Hit>& hits);

// Both drive an episode to its end; whether it failed is in the result.
record::RequestDone RunScript(Episode& episode, const ResearchQuestion& question);
record::RequestDone RunAgent(Episode& episode);
extern const char kScriptInstructions[];
extern const char kAgentInstructions[];

}  // namespace cbench::app
