#include "embedded/text_model.h"

#include <ggml.h>

#include <array>
#include <mutex>

#include "base/text.h"
#include "embedded/ggml_device.h"
#include "embedded/model_file.h"
#include "embedded/model_store.h"
#include "embedded/text_assembler.h"

namespace cbench::embedded {
namespace {

constexpr char kFallbackTemplate[] = "chatml";
constexpr int kAllLayers = 1'000'000;

void InitLlama() {
  static std::once_flag once;
  std::call_once(once, [] {
    llama_log_set(
        [](ggml_log_level level, const char* text, void*) {
          if (level >= GGML_LOG_LEVEL_WARN && level != GGML_LOG_LEVEL_CONT) {
            std::fputs(text, stderr);
          }
        },
        nullptr);
    llama_backend_init();
  });
}

// The text, or nothing when libllama does not know the template.
std::optional<std::string> Apply(const std::string& pattern,
                                 const std::vector<ChatMessage>& messages) {
  std::vector<llama_chat_message> chat;
  std::size_t bytes = 1024;
  for (const ChatMessage& message : messages) {
    chat.push_back({message.role.c_str(), message.content.c_str()});
    bytes += 2 * (message.role.size() + message.content.size());
  }
  std::string out(bytes, '\0');
  const auto run = [&] {
    return llama_chat_apply_template(pattern.c_str(), chat.data(), chat.size(), true, out.data(),
                                     static_cast<int>(out.size()));
  };
  int size = run();
  if (size > static_cast<int>(out.size())) {
    out.resize(static_cast<std::size_t>(size));
    size = run();
  }
  if (size < 0) return std::nullopt;
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

Result<std::unique_ptr<TextModel>> TextModel::Load(const ServeOptions& options) {
  CBENCH_ASSIGN(const auto path, ResolveModel(options.model, options.quant, nullptr));
  CBENCH_ASSIGN(const ggml_backend_dev_t device, FindDevice(options.device));
  CBENCH_TRY(CheckModelFile("text", path));  // before libllama prints a page about it
  InitLlama();
  const bool cpu = ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU;
  std::array<ggml_backend_dev_t, 2> devices{cpu ? nullptr : device, nullptr};
  llama_model_params params = llama_model_default_params();
  params.devices = devices.data();
  params.n_gpu_layers = cpu ? 0 : kAllLayers;
  llama_model* model = llama_model_load_from_file(path.c_str(), params);
  if (!model) {
    return InputError("--model: {} could not be loaded as a GGUF text model (see the log above)",
                      path.string());
  }
  return std::unique_ptr<TextModel>(new TextModel(model));
}

TextModel::TextModel(llama_model* model)
    : model_(model),
      vocab_(llama_model_get_vocab(model)),
      vocabulary_(llama_vocab_n_tokens(vocab_)),
      synthetic_(Meta("cbench.synthetic") == "true") {
  SortVocabulary();
  const char* pattern = llama_model_chat_template(model, nullptr);
  template_ = pattern ? pattern : kFallbackTemplate;
  knows_template_ = pattern && Apply(template_, {{"user", "?"}});
  if (!knows_template_) template_ = kFallbackTemplate;
}

void TextModel::SortVocabulary() {
  for (llama_token token = 0; token < vocabulary_; ++token) {
    const std::string piece = Piece(token);
    longest_piece_ = std::max(longest_piece_, piece.size());
    const bool ends = EndsText(token);
    if (ends) ending_.push_back(token);
    const auto attributes = llama_vocab_get_attr(vocab_, token);
    const bool plain = (attributes & LLAMA_TOKEN_ATTR_NORMAL) != 0;
    if (ends || !plain || piece.empty() || !IsUtf8(piece)) unwanted_.push_back(token);
  }
}

std::string TextModel::Meta(const char* key) const {
  std::array<char, 256> buffer{};
  const int size = llama_model_meta_val_str(model_.get(), key, buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data()) : std::string();
}

std::vector<llama_token> TextModel::Tokenize(std::string_view text) const {
  std::vector<llama_token> tokens(text.size() / 3 + 16);
  const auto run = [&] {
    return llama_tokenize(vocab_, text.data(), static_cast<int>(text.size()), tokens.data(),
                          static_cast<int>(tokens.size()), true, true);
  };
  int count = run();
  if (count < 0) {
    tokens.resize(static_cast<std::size_t>(-count));
    count = run();
  }
  tokens.resize(static_cast<std::size_t>(std::max(count, 0)));
  return tokens;
}

std::string TextModel::Piece(llama_token token) const {
  std::string piece(64, '\0');
  const auto run = [&] {
    return llama_token_to_piece(vocab_, token, piece.data(), static_cast<int>(piece.size()), 0,
                                false);
  };
  int size = run();
  if (size < 0) {
    piece.resize(static_cast<std::size_t>(-size));
    size = run();
  }
  piece.resize(static_cast<std::size_t>(std::max(size, 0)));
  return piece;
}

bool TextModel::EndsText(llama_token token) const { return llama_vocab_is_eog(vocab_, token); }

std::string TextModel::ApplyTemplate(const std::vector<ChatMessage>& messages) const {
  return Apply(template_, messages).value_or("");
}

Json TextModel::Facts() const {
  return {{"architecture", Meta("general.architecture")},
          {"name", Meta("general.name")},
          {"parameters", llama_model_n_params(model_.get())},
          {"bytes", llama_model_size(model_.get())},
          {"synthetic", synthetic_},
          {"vocabulary", vocabulary_},
          {"trained_context", llama_model_n_ctx_train(model_.get())},
          {"chat_template",
           knows_template_ ? "the model's own" : "chatml (the model has none that libllama knows)"},
          {"versions", {{"llama.cpp", llama_version()}, {"ggml", ggml_version()}}}};
}

}  // namespace cbench::embedded
