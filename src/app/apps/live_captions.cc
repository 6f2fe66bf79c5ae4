// A listener who reads along. In real time the talk does not wait: segment k exists from
// start + (k + 1) · segment on and is sent at that moment, however late earlier results are. So
// requests may overlap, and the thread that keeps the time sends nothing itself: it issues each
// segment and posts it to a pool of senders. When all senders are busy a segment waits, but its
// t_sched and t_available stay what they were, so the wait counts as lateness.
//
// Each request carries up to two seconds of the audio before its segment (a sliding window, as
// streaming clients of whisper send), because words are cut at segment borders.
//
// Batch mode (realtime: false) sends the same segments one after another as fast as they are
// answered; their RTF follows from t_send, t_end and `audio`.
#include <algorithm>
#include <limits>
#include <utility>

#include "app/app.h"
#include "app/audio.h"
#include "app/dataset.h"
#include "app/request.h"
#include "app/sender_pool.h"

namespace cbench::app {
namespace {

constexpr char kAudio[] = "data/audio/talk.flac";
constexpr Nanos kWindow = 2 * kSecond;
constexpr std::size_t kMaxOutstanding = 8;

class LiveCaptions final : public App {
 public:
  Result<> Prepare(const Context& context) override {
    CBENCH_ASSIGN(const auto path, FindFile(context, "audio", context.app.audio, kAudio));
    CBENCH_ASSIGN(samples_, LoadAudio(path, context.app.max_audio));
    segments_ = CutSegments(samples_.size(), context.app.segment, kWindow);
    if (CountRequests(context) <= std::numeric_limits<int>::max()) return {};
    return InputError("{}: segment: {} ns makes too many requests of {}",
                      context.app.mark.ToString(), context.app.segment, path.string());
  }

  int PlannedRequests(const Context& context) const override {
    return static_cast<int>(CountRequests(context));
  }

  Result<> Run(const Context& context) override {
    if (context.app.realtime) {
      RunRealtime(context);
    } else {
      RunBatch(context);
    }
    return {};
  }

 private:
  std::int64_t CountRequests(const Context& context) const {
    return static_cast<std::int64_t>(segments_.size()) * context.task.requests;
  }

  void RunRealtime(const Context& context) const {
    SenderPool senders(kMaxOutstanding);
    Nanos start = Now();
    for (int play = 0; play < context.task.requests; ++play) {
      for (const Segment& segment : segments_) {
        const Nanos available = start + AudioDuration(segment.end);
        if (context.cancel.WaitUntil(available)) return;
        const std::uint64_t id = context.sink.Issue("segment", available);
        senders.Post(
            [this, &context, &segment, id, available] { Send(context, segment, id, available); });
      }
      start += AudioDuration(samples_.size());
    }
  }

  void RunBatch(const Context& context) const {
    for (int play = 0; play < context.task.requests; ++play) {
      for (const Segment& segment : segments_) {
        if (context.cancel.IsTriggered()) return;
        const Nanos start = Now();
        Send(context, segment, context.sink.Issue("segment", start), start);
      }
    }
  }

  // Any sender's thread.
  void Send(const Context& context, const Segment& segment, std::uint64_t id,
            Nanos available) const {
    record::RequestDone done =
        context.cancel.IsTriggered()
            ? FailedRequest(available, "cancelled", "the run ended before this segment was sent")
            : context.engine
                  ->Transcribe(MakeRequest(context.app, segment, available), context.cancel)
                  .done;
    done.t_sched = done.t_available = available;
    done.audio = AudioDuration(segment.end - segment.begin);
    context.sink.Finish(id, std::move(done));
  }

  engine::SpeechRequest MakeRequest(const scenario::AppSpec& app, const Segment& segment,
                                    Nanos available) const {
    const auto target = Target(app, scenario::SloMetric::kSegment);
    engine::SpeechRequest request;
    request.urgency = MakeUrgency(
        app, available, target ? target : Target(app, scenario::SloMetric::kE2e), std::nullopt);
    if (app.realtime) request.urgency.next_request = available + app.segment;
    request.t_sched = available;
    request.timeout = app.timeout;
    request.wav =
        EncodeWav(std::span(samples_).subspan(segment.window, segment.end - segment.window));
    return request;
  }

  std::vector<std::int16_t> samples_;
  std::vector<Segment> segments_;
};

}  // namespace

extern const Descriptor kLiveCaptions;
const Descriptor kLiveCaptions = {
    scenario::AppType::kLiveCaptions, "has speech written down while it is spoken, or in batch",
    [] { return Result<>(); },
    [] { return std::unique_ptr<App>(std::make_unique<LiveCaptions>()); }};

}  // namespace cbench::app
