// A model file and its vocabulary, as libllama has them. Immutable after Load, so any thread may
// use it.
#pragma once

#include <llama.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "embedded/server.h"

namespace cbench::embedded {

struct ChatMessage {
  std::string role, content;
};

class TextModel {
 public:
  static Result<std::unique_ptr<TextModel>> Load(const ServeOptions& options);

  llama_model* llama() const { return model_.get(); }
  bool synthetic() const { return synthetic_; }
  int vocabulary() const { return vocabulary_; }
  std::size_t longest_piece() const { return longest_piece_; }  // bytes

  std::vector<llama_token> Tokenize(std::string_view text) const;
  std::string Piece(llama_token token) const;
  bool EndsText(llama_token token) const;
  // Tokens that end a text; tokens that a synthetic model must not produce: those, control tokens
  // and pieces that are not text by themselves, so that one token is always one visible chunk.
  const std::vector<llama_token>& ending() const { return ending_; }
  const std::vector<llama_token>& unwanted() const { return unwanted_; }

  // The prompt of a chat, up to where the assistant begins. By the model's template if libllama
  // knows it, else as ChatML; Facts says which.
  std::string ApplyTemplate(const std::vector<ChatMessage>& messages) const;

  Json Facts() const;

 private:
  struct Deleter {
    void operator()(llama_model* model) const { llama_model_free(model); }
  };

  explicit TextModel(llama_model* model);
  void SortVocabulary();
  std::string Meta(const char* key) const;

  std::unique_ptr<llama_model, Deleter> model_;
  const llama_vocab* vocab_;
  int vocabulary_;
  bool synthetic_;
  std::size_t longest_piece_ = 1;
  std::vector<llama_token> ending_, unwanted_;
  std::string template_;
  bool knows_template_ = true;
};

}  // namespace cbench::embedded
