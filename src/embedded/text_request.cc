#include "embedded/text_request.h"

#include <cmath>
#include <limits>

#include "base/file.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kMaxStops = 16;
constexpr std::size_t kMaxMessages = 4096;

// Null stands for absent, as clients send it.
const Json* Find(const Json& body, const char* key) {
  const auto found = body.find(key);
  return found == body.end() || found->is_null() ? nullptr : &*found;
}

Result<> Read(const Json& body, const char* key, bool& out) {
  const Json* value = Find(body, key);
  if (!value) return {};
  if (!value->is_boolean()) return InputError("{}: true or false is expected", key);
  out = value->get<bool>();
  return {};
}

Result<> Read(const Json& body, const char* key, int low, int high, std::optional<int>& out) {
  const Json* value = Find(body, key);
  if (!value) return {};
  const bool whole =
      value->is_number_integer() ||
      (value->is_number_float() && std::floor(value->get<double>()) == value->get<double>());
  const double number = whole ? value->get<double>() : 0;
  if (!whole || number < low || number > high) {
    return InputError("{}: a whole number from {} to {} is expected", key, low, high);
  }
  out = static_cast<int>(number);
  return {};
}

Result<> Read(const Json& body, const char* key, int low, int high, int& out) {
  std::optional<int> value;
  CBENCH_TRY(Read(body, key, low, high, value));
  out = value.value_or(out);
  return {};
}

Result<> Read(const Json& body, const char* key, float low, float high, float& out) {
  const Json* value = Find(body, key);
  if (!value) return {};
  const double number = value->is_number() ? value->get<double>() : -1;
  if (!value->is_number() || !(number >= low && number <= high)) {
    return InputError("{}: a number from {} to {} is expected", key, low, high);
  }
  out = static_cast<float>(number);
  return {};
}

// Any integer is a seed; libllama takes 32 bits, so the halves of longer ones are mixed.
Result<> ReadSeed(const Json& body, std::optional<std::uint32_t>& out) {
  const Json* value = Find(body, "seed");
  if (!value) return {};
  if (!value->is_number_integer()) return InputError("seed: a whole number is expected");
  const auto seed = value->is_number_unsigned()
                        ? value->get<std::uint64_t>()
                        : static_cast<std::uint64_t>(value->get<std::int64_t>());
  const auto mixed = static_cast<std::uint32_t>(seed ^ (seed >> 32));
  out = mixed == LLAMA_DEFAULT_SEED ? mixed - 1 : mixed;  // which would mean "by chance"
  return {};
}

Result<> ReadStop(const Json& body, std::vector<std::string>& out) {
  const Json* value = Find(body, "stop");
  if (!value) return {};
  const Json list = value->is_array() ? *value : Json::array({*value});
  if (list.size() > kMaxStops) return InputError("stop: at most {} strings", kMaxStops);
  for (const Json& item : list) {
    if (!item.is_string() || item.get_ref<const std::string&>().empty()) {
      return InputError("stop: a string that is not empty, or a list of such, is expected");
    }
    out.push_back(item.get<std::string>());
  }
  return {};
}

Result<> ReadStreamOptions(const Json& body, TextRequest& out) {
  const Json* options = Find(body, "stream_options");
  if (!options) return {};
  if (!options->is_object()) return InputError("stream_options: an object is expected");
  CBENCH_TRY(Read(*options, "include_usage", out.include_usage));
  return Read(*options, "continuous_usage_stats", out.continuous_usage);
}

Result<> Refuse(const Json& body) {
  int n = 1;
  CBENCH_TRY(Read(body, "n", 1, 1, n));
  bool echo = false;
  CBENCH_TRY(Read(body, "echo", echo));
  if (echo) return InputError("echo: not supported here");
  const Json* logprobs = Find(body, "logprobs");
  if (logprobs && *logprobs != false) return InputError("logprobs: not supported here");
  return {};
}

Result<> ReadCommon(const Json& body, TextRequest& out) {
  constexpr int kMost = std::numeric_limits<int>::max();
  CBENCH_TRY(Refuse(body));
  CBENCH_TRY(Read(body, "max_tokens", 1, kMost, out.max_tokens));
  CBENCH_TRY(Read(body, "max_completion_tokens", 1, kMost, out.max_tokens));
  CBENCH_TRY(Read(body, "min_tokens", 0, kMost, out.min_tokens));
  CBENCH_TRY(Read(body, "ignore_eos", out.ignore_eos));
  CBENCH_TRY(Read(body, "cache_prompt", out.cache_prompt));
  CBENCH_TRY(Read(body, "temperature", 0.0f, 10.0f, out.temperature));
  CBENCH_TRY(Read(body, "top_p", 0.0f, 1.0f, out.top_p));
  CBENCH_TRY(Read(body, "top_k", 0, kMost, out.top_k));
  CBENCH_TRY(ReadSeed(body, out.seed));
  CBENCH_TRY(ReadStop(body, out.stop));
  CBENCH_TRY(Read(body, "stream", out.stream));
  return ReadStreamOptions(body, out);
}

// A string, or a list of {"type": "text", "text": …} parts.
Result<std::string> ContentText(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) return InputError("messages: content must be text or a list of parts");
  std::string text;
  for (const Json& part : content) {
    const Json* piece = part.is_object() ? Find(part, "text") : nullptr;
    if (!piece || !piece->is_string()) {
      return InputError("messages: only parts of type text are understood here");
    }
    text += piece->get<std::string>();
  }
  return text;
}

Result<ChatMessage> ParseMessage(const Json& message) {
  if (!message.is_object()) return InputError("messages: each must be an object");
  const Json* role = Find(message, "role");
  if (!role || !role->is_string()) return InputError("messages: each needs a role");
  ChatMessage out{role->get<std::string>(), ""};
  const Json *content = Find(message, "content"), *calls = Find(message, "tool_calls");
  if (!content && !calls) return InputError("messages: each needs content");
  if (content) {
    CBENCH_ASSIGN(out.content, ContentText(*content));
  }
  if (calls) out.content += DumpJson(*calls);
  return out;
}

// libllama's templates know nothing of tools, so the definitions go in as text.
Result<> AddTools(const Json& body, TextRequest& out) {
  const Json* tools = Find(body, "tools");
  if (!tools) return {};
  if (!tools->is_array()) return InputError("tools: a list is expected");
  if (tools->empty()) return {};
  out.has_tools = true;
  const std::string text =
      "You may call one of these tools. To call it, answer with nothing but a JSON object "
      "{\"name\": …, \"arguments\": {…}}.\n" +
      DumpJson(*tools);
  if (out.messages.front().role != "system") {
    out.messages.insert(out.messages.begin(), {"system", text});
  } else {
    out.messages.front().content += "\n\n" + text;
  }
  return {};
}

}  // namespace

Result<TextRequest> ParseChat(const Json& body) {
  TextRequest out;
  CBENCH_TRY(ReadCommon(body, out));
  const Json* messages = Find(body, "messages");
  if (!messages || !messages->is_array() || messages->empty()) {
    return InputError("messages: a list with at least one message is expected");
  }
  if (messages->size() > kMaxMessages) return InputError("messages: at most {}", kMaxMessages);
  for (const Json& message : *messages) {
    CBENCH_ASSIGN(ChatMessage parsed, ParseMessage(message));
    out.messages.push_back(std::move(parsed));
  }
  CBENCH_TRY(AddTools(body, out));
  return out;
}

Result<TextRequest> ParseCompletion(const Json& body) {
  TextRequest out;
  CBENCH_TRY(ReadCommon(body, out));
  const Json* prompt = Find(body, "prompt");
  const bool single =
      prompt && prompt->is_array() && prompt->size() == 1 && prompt->front().is_string();
  if (single) prompt = &prompt->front();
  if (prompt && prompt->is_string()) {
    out.prompt = prompt->get<std::string>();
    return out;
  }
  if (!prompt || !prompt->is_array() || prompt->empty()) {
    return InputError("prompt: a text or a list of tokens is expected");
  }
  for (const Json& token : *prompt) {
    if (!token.is_number_integer() || token < 0 ||
        token > std::numeric_limits<llama_token>::max()) {
      return InputError("prompt: a text or a list of tokens is expected");
    }
    out.prompt_tokens.push_back(token.get<llama_token>());
  }
  return out;
}

}  // namespace cbench::embedded
