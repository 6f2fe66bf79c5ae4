// What an app of each type is and expects unless its file says otherwise. The objectives are the
// original ConsumerBench's.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

constexpr AppType kTypes[] = {AppType::kChatbot,      AppType::kDeepResearch, AppType::kImageGen,
                              AppType::kLiveCaptions, AppType::kNull,         AppType::kSleep,
                              AppType::kExec};

// Lower-case letters only, without the original's suffix.
std::string Simplify(std::string_view text) {
  std::string simple;
  for (const char c : text) {
    if (c == '_' || c == '-' || c == ' ') continue;
    simple += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  constexpr std::string_view kSuffix = "application";
  if (simple.size() > kSuffix.size() && simple.ends_with(kSuffix)) {
    simple.resize(simple.size() - kSuffix.size());
  }
  return simple;
}

}  // namespace

std::optional<AppType> ParseAppType(std::string_view text) {
  const std::string simple = Simplify(text);
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](AppType type) { return Simplify(Name(type)) == simple; });
  if (found == std::end(kTypes)) return std::nullopt;
  return *found;
}

std::vector<std::string_view> AppTypeNames() {
  std::vector<std::string_view> names;
  for (const AppType type : kTypes) names.push_back(Name(type));
  return names;
}

std::string_view EmbeddedEngineFor(AppType type) {
  switch (type) {
    case AppType::kChatbot:
    case AppType::kDeepResearch:
      return "embedded-text";
    case AppType::kImageGen:
      return "embedded-image";
    case AppType::kLiveCaptions:
      return "embedded-speech";
    case AppType::kNull:
    case AppType::kSleep:
    case AppType::kExec:
      break;
  }
  return "";
}

AppSpec DefaultApp(AppType type) {
  AppSpec app;
  app.type = type;
  if (type == AppType::kChatbot) {
    app.slo = {{SloMetric::kTtft, kSecond}, {SloMetric::kTpot, 250 * kMillisecond}};
  } else if (type == AppType::kImageGen) {
    app.slo = {{SloMetric::kStep, kSecond}};
    app.priority_class = PriorityClass::kThroughput;
  } else if (type == AppType::kLiveCaptions) {
    app.slo = {{SloMetric::kSegment, 2 * kSecond}};
  } else if (type == AppType::kDeepResearch) {
    app.priority_class = PriorityClass::kBackground;
  }
  return app;
}

// Generous: a timeout ends what hangs, it does not judge what is slow; that is the SLO's work.
Nanos DefaultTimeout(const AppSpec& app) {
  constexpr Nanos kMinute = 60 * kSecond;
  switch (app.type) {
    case AppType::kChatbot:
      return 5 * kMinute;
    case AppType::kDeepResearch:
    case AppType::kExec:
      return 60 * kMinute;
    case AppType::kImageGen:
      return (app.steps + 5) * kMinute;
    case AppType::kLiveCaptions:
      return 2 * kMinute;
    case AppType::kNull:
      return kMinute;
    case AppType::kSleep:
      return app.duration + kMinute;
  }
  return kMinute;
}

std::vector<SloMetric> MetricsOf(AppType type) {
  switch (type) {
    case AppType::kChatbot:
      return {SloMetric::kTtft, SloMetric::kTpot, SloMetric::kE2e};
    case AppType::kDeepResearch:  // an episode is many calls: only its whole is what a user awaits
      return {SloMetric::kE2e};
    case AppType::kImageGen:
      return {SloMetric::kStep, SloMetric::kE2e};
    case AppType::kLiveCaptions:
      return {SloMetric::kSegment, SloMetric::kE2e};
    case AppType::kNull:
    case AppType::kSleep:
    case AppType::kExec:
      break;
  }
  return {SloMetric::kE2e};
}

}  // namespace cbench::scenario
