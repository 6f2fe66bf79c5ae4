// The table of apps: one line for each file in apps/.
#include <algorithm>

#include "app/app.h"

namespace cbench::app {

extern const Descriptor kChatbot, kDeepResearch, kImageGen, kLiveCaptions, kNull, kSleep, kExec;

const std::vector<const Descriptor*>& Apps() {
  static const std::vector<const Descriptor*> apps = {
      &kChatbot, &kDeepResearch, &kImageGen, &kLiveCaptions, &kNull, &kSleep, &kExec};
  return apps;
}

const Descriptor* FindApp(scenario::AppType type) {
  const auto& apps = Apps();
  const auto found =
      std::find_if(apps.begin(), apps.end(), [type](const auto* app) { return app->type == type; });
  return found == apps.end() ? nullptr : *found;
}

}  // namespace cbench::app
