// Threads: a lane a probe (lane.h). Each Question belongs to Survey's thread and is told its
// answer by its lane; it ends after its lane was joined or given up.
#include "monitor/survey.h"

namespace cbench::monitor {
namespace {

class Question final : private SampleSink {
 public:
  Question(const ProbeDescriptor* probe, const System& system)
      : survey_{probe, {}}, lane_(Lane::Start(probe->name, {probe}, system, kSecond, *this)) {}

  // Waits for the answer until t.
  ProbeSurvey Answer(Nanos t) {
    const bool answered = answered_.WaitUntil(t);
    lane_->Stop();
    if (!answered || !lane_->JoinUntil(t)) lane_->GiveUp();
    if (!answered_.IsTriggered())
      survey_.available = Failure("did not answer; the driver or device behind it hangs");
    return std::move(survey_);
  }

 private:
  void Append(std::span<const record::Sample> samples) override {
    if (answered_.IsTriggered()) return;
    survey_.samples.assign(samples.begin(), samples.end());
    answered_.Trigger();
  }
  void Note(const record::ProbeEvent& event) override {
    if (event.state != "absent") return;
    survey_.available = Failure("{}", event.detail);
    answered_.Trigger();
  }

  Cancel answered_;
  ProbeSurvey survey_;  // the lane's until answered_ or the end of the lane
  const std::shared_ptr<Lane> lane_;
};

}  // namespace

std::vector<ProbeSurvey> Survey(const System& system, Nanos limit,
                                const std::vector<const ProbeDescriptor*>& probes) {
  const Nanos end = Now() + limit;
  std::vector<std::unique_ptr<Question>> questions;
  for (const auto* probe : probes) questions.push_back(std::make_unique<Question>(probe, system));
  std::vector<ProbeSurvey> answers;
  for (const auto& question : questions) answers.push_back(question->Answer(end));
  return answers;
}

}  // namespace cbench::monitor
