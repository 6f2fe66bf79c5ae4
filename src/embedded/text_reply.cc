#include "embedded/text_reply.h"

#include <atomic>
#include <ctime>

namespace cbench::embedded {
namespace {

std::string NewId(bool chat) {
  static std::atomic<std::uint64_t> counter = 0;
  return fmt::format("{}-{:08x}", chat ? "chatcmpl" : "cmpl", ++counter);
}

std::string_view Trim(std::string_view text) {
  constexpr char kSpace[] = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view WithoutTags(std::string_view text) {
  constexpr std::string_view kOpen = "<tool_call>", kClose = "</tool_call>";
  if (text.substr(0, kOpen.size()) != kOpen) return text;
  return Trim(text.substr(kOpen.size(), text.find(kClose) - kOpen.size()));
}

}  // namespace

Json UsageJson(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt},
          {"completion_tokens", usage.completion},
          {"total_tokens", usage.prompt + usage.completion},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached}}}};
}

Json ToolCalls(const std::string& text, const std::string& id) {
  const auto call = ParseJson(WithoutTags(Trim(text)), "tool call");
  if (!call || !call->is_object() || !call->contains("name") || !(*call)["name"].is_string()) {
    return nullptr;
  }
  const char* key = call->contains("arguments") ? "arguments" : "parameters";
  if (!call->contains(key)) return nullptr;
  const Json& arguments = (*call)[key];
  return Json::array({{{"index", 0},
                       {"id", "call-" + id},
                       {"type", "function"},
                       {"function",
                        {{"name", (*call)["name"]},
                         {"arguments", arguments.is_string() ? arguments.get<std::string>()
                                                             : DumpJson(arguments)}}}}});
}

TextReply::TextReply(bool chat, std::string model)
    : chat_(chat), model_(std::move(model)), id_(NewId(chat)), created_(std::time(nullptr)) {}

Json TextReply::Envelope(const char* object) const {
  return {{"id", id_}, {"object", object}, {"created", created_}, {"model", model_}};
}

Json TextReply::Chunk(Json content, const Json& reason) const {
  Json chunk = Envelope(chat_ ? "chat.completion.chunk" : "text_completion");
  Json choice = {{"index", 0}};
  choice[chat_ ? "delta" : "text"] = std::move(content);
  choice["finish_reason"] = reason;
  chunk["choices"] = Json::array({std::move(choice)});
  return chunk;
}

Json TextReply::RoleChunk() const {
  return Chunk({{"role", "assistant"}, {"content", ""}}, nullptr);
}

Json TextReply::TextChunk(const std::string& text) const {
  return Chunk(chat_ ? Json{{"content", text}} : Json(text), nullptr);
}

Json TextReply::ToolChunk(const Json& calls) const {
  return Chunk({{"tool_calls", calls}}, nullptr);
}

Json TextReply::FinishChunk(const std::string& reason) const {
  return Chunk(chat_ ? Json::object() : Json(""), reason);
}

Json TextReply::UsageChunk(const Usage& usage) const {
  Json chunk = Envelope(chat_ ? "chat.completion.chunk" : "text_completion");
  chunk["choices"] = Json::array();
  chunk["usage"] = UsageJson(usage);
  return chunk;
}

Json TextReply::Whole(const std::string& text, const Json& calls, const std::string& reason,
                      const Usage& usage) const {
  Json body = Envelope(chat_ ? "chat.completion" : "text_completion");
  Json choice = {{"index", 0}};
  if (chat_) {
    choice["message"] = {{"role", "assistant"}, {"content", text}};
    if (!calls.is_null()) {
      choice["message"]["content"] = nullptr;
      choice["message"]["tool_calls"] = calls;
    }
  } else {
    choice["text"] = text;
  }
  choice["finish_reason"] = calls.is_null() ? reason : "tool_calls";
  body["choices"] = Json::array({std::move(choice)});
  body["usage"] = UsageJson(usage);
  return body;
}

}  // namespace cbench::embedded
