// The prompt files, one JSON object a line (docs/apps.md shows each):
//   chat      {"id", "prompt" or "messages": [{"role", "content"}…], "max_tokens"?, "followups"?}
//   image     {"id", "prompt"}
//   research  {"id", "question", "queries"?: what a scripted agent searches for, in turn}
// Keys that are not listed are ignored, so that other people's files can be used as they are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"

namespace cbench::app {

struct ChatPrompt {
  std::string id;
  std::vector<engine::Message> messages;  // the last one is the user's
  std::vector<std::string> followups;     // what the user says in later turns
  int max_tokens = 0;                     // 0: the file doesn't say
};
Result<std::vector<ChatPrompt>> LoadChatPrompts(const std::filesystem::path& path);

struct ImagePrompt {
  std::string id, prompt;
};
Result<std::vector<ImagePrompt>> LoadImagePrompts(const std::filesystem::path& path);

struct ResearchQuestion {
  std::string id, question;
  std::vector<std::string> queries;
};
Result<std::vector<ResearchQuestion>> LoadResearchQuestions(const std::filesystem::path& path);

}  // namespace cbench::app
