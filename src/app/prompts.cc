#include "app/prompts.h"

#include <utility>

#include "app/dataset.h"

namespace cbench::app {
namespace {

bool IsRole(std::string_view role) {
  return role == "system" || role == "user" || role == "assistant";
}

engine::Message MakeMessage(std::string role, std::string content) {
  engine::Message message;
  message.role = std::move(role);
  message.content = std::move(content);
  return message;
}

Result<engine::Message> ParseMessage(const Json& json, const std::string& where) {
  if (!json.is_object()) return InputError("{}: a message must be an object", where);
  const JsonLine message{where, json};
  CBENCH_ASSIGN(std::string role, RequiredText(message, "role"));
  CBENCH_ASSIGN(std::string content, RequiredText(message, "content"));
  if (!IsRole(role)) {
    return InputError("{}: \"role\" is \"{}\", not system, user or assistant", where, role);
  }
  return MakeMessage(std::move(role), std::move(content));
}

Result<std::vector<engine::Message>> ParseMessages(const JsonLine& line) {
  const auto found = line.object.find("messages");
  std::vector<engine::Message> messages;
  if (found == line.object.end()) {
    CBENCH_ASSIGN(std::string prompt, RequiredText(line, "prompt"));
    messages.push_back(MakeMessage("user", std::move(prompt)));
    return messages;
  }
  if (!found->is_array()) return InputError("{}: \"messages\" must be a list", line.where);
  for (const Json& json : *found) {
    CBENCH_ASSIGN(engine::Message message, ParseMessage(json, line.where));
    messages.push_back(std::move(message));
  }
  if (messages.empty() || messages.back().role != "user") {
    return InputError("{}: \"messages\" must end with one of the user's", line.where);
  }
  return messages;
}

Result<ChatPrompt> ParseChat(const JsonLine& line) {
  ChatPrompt prompt;
  CBENCH_ASSIGN(prompt.id, RequiredText(line, "id"));
  CBENCH_ASSIGN(prompt.messages, ParseMessages(line));
  CBENCH_ASSIGN(prompt.followups, TextList(line, "followups"));
  CBENCH_ASSIGN(prompt.max_tokens, PositiveNumber(line, "max_tokens"));
  return prompt;
}

Result<ImagePrompt> ParseImage(const JsonLine& line) {
  ImagePrompt prompt;
  CBENCH_ASSIGN(prompt.id, RequiredText(line, "id"));
  CBENCH_ASSIGN(prompt.prompt, RequiredText(line, "prompt"));
  return prompt;
}

Result<ResearchQuestion> ParseResearch(const JsonLine& line) {
  ResearchQuestion question;
  CBENCH_ASSIGN(question.id, RequiredText(line, "id"));
  CBENCH_ASSIGN(question.question, RequiredText(line, "question"));
  CBENCH_ASSIGN(question.queries, TextList(line, "queries"));
  return question;
}

template <typename T>
Result<std::vector<T>> LoadAll(const std::filesystem::path& path,
                               Result<T> (*parse)(const JsonLine& line)) {
  CBENCH_ASSIGN(const auto lines, ReadJsonLines(path));
  std::vector<T> all;
  for (const JsonLine& line : lines) {
    CBENCH_ASSIGN(T one, parse(line));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Result<std::vector<ChatPrompt>> LoadChatPrompts(const std::filesystem::path& path) {
  return LoadAll(path, ParseChat);
}

Result<std::vector<ImagePrompt>> LoadImagePrompts(const std::filesystem::path& path) {
  return LoadAll(path, ParseImage);
}

Result<std::vector<ResearchQuestion>> LoadResearchQuestions(const std::filesystem::path& path) {
  return LoadAll(path, ParseResearch);
}

}  // namespace cbench::app
