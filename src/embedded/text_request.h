// The body of POST /v1/chat/completions and /v1/completions, checked. Errors name the field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "embedded/text_model.h"

namespace cbench::embedded {

struct TextRequest {
  std::vector<ChatMessage> messages;       // chat; tool definitions are part of the first
  std::string prompt;                      // completion: text …
  std::vector<llama_token> prompt_tokens;  // … or tokens
  std::optional<int> max_tokens;
  int min_tokens = 0;
  bool ignore_eos = false;
  bool cache_prompt = true;
  float temperature = 1, top_p = 1;
  int top_k = 0;
  std::optional<std::uint32_t> seed;
  std::vector<std::string> stop;
  bool stream = false;
  bool include_usage = false;     // a last chunk with the usage
  bool continuous_usage = false;  // and the usage so far in every chunk
  bool has_tools = false;
};

Result<TextRequest> ParseChat(const Json& body);
Result<TextRequest> ParseCompletion(const Json& body);

}  // namespace cbench::embedded
