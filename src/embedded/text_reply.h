// The text engine's answers as OpenAI's chat and completion objects, whole or as stream chunks.
#pragma once

#include <string>

#include "base/json.h"
#include "embedded/text_generation.h"

namespace cbench::embedded {

Json UsageJson(const Usage& usage);

// Reads an answer that is nothing but a call of a tool ({"name", "arguments" or "parameters"},
// bare or within <tool_call> tags); null if it is anything else.
Json ToolCalls(const std::string& text, const std::string& id);

class TextReply {
 public:
  TextReply(bool chat, std::string model);

  const std::string& id() const { return id_; }
  Json RoleChunk() const;  // the first of a chat, before any token
  Json TextChunk(const std::string& text) const;
  Json ToolChunk(const Json& calls) const;
  Json FinishChunk(const std::string& reason) const;
  Json UsageChunk(const Usage& usage) const;
  Json Whole(const std::string& text, const Json& calls, const std::string& reason,
             const Usage& usage) const;

 private:
  Json Envelope(const char* object) const;
  Json Chunk(Json content, const Json& reason) const;

  bool chat_;
  std::string model_, id_;
  std::int64_t created_;
};

}  // namespace cbench::embedded
