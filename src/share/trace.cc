#include "share/trace.h"

#include <charconv>
#include <map>
#include <optional>

#include "base/units.h"
#include "share/account.h"

namespace cbench::share {
namespace {

// So that no sum over a trace overflows.
constexpr Nanos kLongest = 3600 * kSecond;
constexpr int kMost = kMaxTraceSteps;

using Words = std::vector<std::string_view>;

Words Split(std::string_view line) {
  line = line.substr(0, line.find('#'));
  Words words;
  while (true) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const auto end = line.find_first_of(" \t\r");
    words.push_back(line.substr(0, end));
    line.remove_prefix(words.back().size());
  }
}

std::optional<StepKind> ParseKind(std::string_view name) {
  for (const StepKind kind :
       {StepKind::kPrefill, StepKind::kDecode, StepKind::kDenoise, StepKind::kVae,
        StepKind::kEncode, StepKind::kDecodeAudio, StepKind::kGraph})
    if (Name(kind) == name) return kind;
  return std::nullopt;
}

// The KEY=VALUE words of a line; what nobody asked for is an error at the end.
class Options {
 public:
  Result<> Read(const Words& words, std::size_t from) {
    for (std::size_t i = from; i < words.size(); ++i) {
      const auto equals = words[i].find('=');
      if (equals == std::string_view::npos) return InputError("expected KEY=VALUE: {}", words[i]);
      values_[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
    return {};
  }
  Result<> Duration(std::string_view key, Nanos& out) {
    const auto text = Take(key);
    if (!text) return {};
    const auto value = ParseDuration(*text);
    if (!value) return InputError("{} is no duration such as 5ms: {}", key, *text);
    if (*value > kLongest) return InputError("{} is over an hour: {}", key, *text);
    out = *value;
    return {};
  }
  template <typename Number>
  Result<> Positive(std::string_view key, Number& out) {
    const auto text = Take(key);
    if (!text) return {};
    Number value{};
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() ||
        !(value > 0 && value <= kMost))
      return InputError("{} is no number above 0 and up to {}: {}", key, kMost, *text);
    out = value;
    return {};
  }
  bool Has(std::string_view key) const { return values_.count(key) > 0; }
  std::optional<std::string_view> Take(std::string_view key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    const auto value = found->second;
    values_.erase(found);
    return value;
  }
  Result<> Done() const {
    if (values_.empty()) return {};
    return InputError("unknown option {}", values_.begin()->first);
  }

 private:
  std::map<std::string_view, std::string_view> values_;
};

class Parser {
 public:
  Result<> Line(const Words& words) {
    if (words[0] == "app") return App(words);
    if (words[0] == "request") return Request(words);
    if (words[0] == "step") return Step(words);
    return InputError("expected app, request or step: {}", words[0]);
  }
  std::vector<TraceApp> Take() { return std::move(apps_); }

 private:
  Result<> App(const Words& words);
  Result<> Request(const Words& words);
  Result<> Step(const Words& words);
  Result<> Count(std::size_t requests, std::size_t steps);

  std::vector<TraceApp> apps_;
  std::size_t copies_ = 0;  // how many requests at the end of the last app a step belongs to
  std::size_t total_ = 0;
};

// A short line can ask for a lot; memory is bounded by what is asked for in all.
Result<> Parser::Count(std::size_t requests, std::size_t steps) {
  if (total_ + requests * steps > kMost)  // neither factor is over kMost
    return InputError("more than {} steps; shorten the trace", kMost);
  total_ += requests * steps;
  return {};
}

Result<> Parser::App(const Words& words) {
  if (words.size() < 3) return InputError("expected app NAME CLASS");
  if (apps_.size() == kMaxAccounts) return InputError("more than {} apps", kMaxAccounts);
  const auto app_class = ParseAppClass(words[2]);
  if (!app_class)
    return InputError("class {} is none of latency, throughput, background", words[2]);
  TraceApp app{.name = std::string(words[1]), .app_class = *app_class, .requests = {}};
  Options options;
  CBENCH_TRY(options.Read(words, 3));
  CBENCH_TRY(options.Positive("weight", app.weight));
  apps_.push_back(std::move(app));
  copies_ = 0;
  return options.Done();
}

Result<> Parser::Request(const Words& words) {
  if (apps_.empty()) return InputError("a request needs an app above it");
  Options options;
  CBENCH_TRY(options.Read(words, 1));
  TraceRequest request;
  request.after = options.Has("after");
  int times = 1;
  Nanos every = 0;
  CBENCH_TRY(options.Duration(request.after ? "after" : "at", request.at));
  CBENCH_TRY(options.Duration("deadline", request.deadline));
  CBENCH_TRY(options.Duration("per_step", request.per_step));
  CBENCH_TRY(options.Duration("every", every));
  CBENCH_TRY(options.Positive("times", times));
  request.announce = options.Take("announce").value_or("no") == "yes";
  CBENCH_TRY(options.Done());
  copies_ = static_cast<std::size_t>(times);
  CBENCH_TRY(Count(copies_, 1));
  for (int i = 0; i < times; ++i, request.at += every) apps_.back().requests.push_back(request);
  return {};
}

Result<> Parser::Step(const Words& words) {
  if (copies_ == 0) return InputError("a step needs a request above it");
  const auto kind = words.size() > 1 ? ParseKind(words[1]) : std::nullopt;
  if (!kind) return InputError("expected step KIND, such as step decode cost=5ms");
  TraceStep step{.kind = *kind};
  int times = 1;
  Options options;
  CBENCH_TRY(options.Read(words, 2));
  CBENCH_TRY(options.Duration("cost", step.cost));
  CBENCH_TRY(options.Duration("gap", step.gap));
  CBENCH_TRY(options.Positive("size", step.size));
  CBENCH_TRY(options.Positive("times", times));
  CBENCH_TRY(options.Done());
  if (step.cost <= 0) return InputError("a step needs its cost, such as cost=5ms");
  const auto n = static_cast<std::size_t>(times);
  CBENCH_TRY(Count(copies_, n));
  auto& requests = apps_.back().requests;
  for (std::size_t i = requests.size() - copies_; i < requests.size(); ++i)
    requests[i].steps.insert(requests[i].steps.end(), n, step);
  return {};
}

}  // namespace

Result<std::vector<TraceApp>> ParseTrace(std::string_view text, std::string_view name) {
  Parser parser;
  for (int line = 1; !text.empty(); ++line) {
    const auto end = text.find('\n');
    const Words words = Split(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (words.empty()) continue;
    if (const auto parsed = parser.Line(words); !parsed)
      return InputError("{}:{}: {}", name, line, parsed.error().message);
  }
  return parser.Take();
}

}  // namespace cbench::share
