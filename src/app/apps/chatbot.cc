// A person who chats: asks, reads the answer, asks the next thing (closed loop, one request at a
// time), or several who each start a conversation when they please (every: open loop). Each turn of
// a conversation is a request; the history grows with the model's answers, so later turns may be
// answered from the prefix cache, as in real use. Conversations themselves share no prefix: each
// opens with a session number of its own (random.h).
#include <algorithm>
#include <utility>

#include "app/app.h"
#include "app/arrivals.h"
#include "app/dataset.h"
#include "app/prompts.h"
#include "app/random.h"
#include "app/request.h"
#include "app/transcript.h"

namespace cbench::app {
namespace {

constexpr char kPrompts[] = "data/prompts/chat.jsonl";
constexpr char kSystem[] = "You are a helpful assistant. Answer clearly and briefly.";
constexpr int kMaxTokens = 128;  // where neither the scenario nor the prompt says

class Conversation {
 public:
  Conversation(const Context& context, const ChatPrompt& prompt, std::uint64_t number)
      : context_(context), transcript_(context.engine->spec().context, 1) {
    max_tokens_ = context.app.max_tokens > 0 ? context.app.max_tokens
                  : prompt.max_tokens > 0    ? prompt.max_tokens
                                             : kMaxTokens;
    const std::string session = SessionLine(context.seed, number) + "\n";
    const bool own_system = prompt.messages.front().role == "system";
    transcript_.Say("system", session + (own_system ? prompt.messages.front().content : kSystem));
    for (std::size_t i = own_system ? 1 : 0; i < prompt.messages.size(); ++i) {
      transcript_.Add(prompt.messages[i]);
    }
  }

  void Say(const std::string& text) { transcript_.Say("user", text); }

  // Issues one request and takes its answer into the history; false if it failed.
  bool Ask(Nanos t_sched) {
    const std::uint64_t id = context_.sink.Issue("chat", t_sched);
    engine::ChatAnswer answer = context_.engine->Chat(MakeRequest(t_sched), context_.cancel);
    const bool failed = answer.done.failure.has_value();
    if (answer.done.prompt_tokens > 0) transcript_.Learn(answer.done.prompt_tokens);
    answer.done.t_sched = t_sched;
    context_.sink.Finish(id, std::move(answer.done));
    transcript_.Say("assistant", std::move(answer.content));
    return !failed;
  }

 private:
  engine::ChatRequest MakeRequest(Nanos t_sched) {
    const scenario::AppSpec& app = context_.app;
    const auto first = Target(app, scenario::SloMetric::kTtft);
    engine::ChatRequest request;
    request.urgency =
        MakeUrgency(app, t_sched, first ? first : Target(app, scenario::SloMetric::kE2e),
                    Target(app, scenario::SloMetric::kTpot));
    request.t_sched = t_sched;
    request.timeout = app.timeout;
    request.messages = transcript_.Fitted(max_tokens_);
    request.max_tokens = max_tokens_;
    request.ignore_eos = app.ignore_eos;
    request.seed = context_.seed;
    return request;
  }

  const Context& context_;
  Transcript transcript_;
  int max_tokens_;
};

class Chatbot final : public App {
 public:
  Result<> Prepare(const Context& context) override {
    CBENCH_ASSIGN(const auto path, FindFile(context, "prompts", context.app.prompts, kPrompts));
    CBENCH_ASSIGN(prompts_, LoadChatPrompts(path));
    // Only prompts with enough follow-ups can open a conversation of that many turns.
    const auto wanted = static_cast<std::size_t>(std::max(0, context.app.turns - 1));
    std::erase_if(prompts_, [wanted](const ChatPrompt& p) { return p.followups.size() < wanted; });
    if (!prompts_.empty()) return {};
    return InputError("{}: no prompt has the {} followups that turns: {} needs", path.string(),
                      wanted, context.app.turns);
  }

  Result<> Run(const Context& context) override {
    order_ = Permutation(prompts_.size(), context.seed);
    if (context.app.every > 0) {
      RunOpen(context);
    } else {
      RunClosed(context);
    }
    return {};
  }

 private:
  void RunClosed(const Context& context) const {
    int left = context.task.requests;
    for (int n = 0; left > 0 && !context.cancel.IsTriggered(); ++n) {
      left -= Talk(context, n, Now(), std::min(left, context.app.turns));
    }
  }

  // What a failed conversation did not come to ask is missing, and counts as missed.
  void RunOpen(const Context& context) const {
    const int requests = context.task.requests, turns = context.app.turns;
    ServeArrivals(context, (requests + turns - 1) / turns, [&](int n, Nanos t_sched) {
      Talk(context, n, t_sched, std::min(turns, requests - n * turns));
    });
  }

  // A conversation of `turns` requests at most; it ends with its first failure. Returns how many
  // requests it issued.
  int Talk(const Context& context, int n, Nanos t_sched, int turns) const {
    const auto number = static_cast<std::size_t>(n);
    const ChatPrompt& prompt = prompts_[order_[number % order_.size()]];
    Conversation conversation(context, prompt, number);
    int issued = 1;
    bool going = conversation.Ask(t_sched);
    while (going && issued < turns && !context.cancel.IsTriggered()) {
      conversation.Say(prompt.followups[static_cast<std::size_t>(issued - 1)]);
      going = conversation.Ask(Now());
      ++issued;
    }
    return issued;
  }

  std::vector<std::size_t> order_;
  std::vector<ChatPrompt> prompts_;
};

}  // namespace

extern const Descriptor kChatbot;
const Descriptor kChatbot = {
    scenario::AppType::kChatbot, "asks questions one after another and reads the answers",
    [] { return Result<>(); }, [] { return std::unique_ptr<App>(std::make_unique<Chatbot>()); }};

}  // namespace cbench::app
