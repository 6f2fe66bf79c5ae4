// A conversation that never outgrows its engine's context. Tokens are estimated from characters,
// since apps have no tokeniser: 4 characters a token at first, then whatever ratio the engine's
// own prompt_tokens showed, if that is more (text in other scripts, or the output of random
// weights). One eighth of the context is left free as a margin for the estimate.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace cbench::app {

class Transcript {
 public:
  enum class Kind {
    kTalk,
    kMaterial,  // search results, articles: long, and the first to go
  };

  // `context` is in tokens; the first `head` messages are never dropped, nor is the last one.
  Transcript(int context, std::size_t head) : context_(context), head_(head) {}

  void Add(engine::Message message, Kind kind = Kind::kTalk);
  void Say(std::string role, std::string content, Kind kind = Kind::kTalk);

  // What is sent: drops the oldest until the prompt, `reserved` tokens beside it (tool definitions)
  // and an answer of `max_tokens` fit. First material, replaced by a line that says so; then whole
  // exchanges: the oldest message after the head up to the next one of the same role, so that no
  // tool result loses its call.
  std::vector<engine::Message> Fitted(int max_tokens, int reserved = 0);

  // The engine counted this many tokens in what Fitted returned last.
  void Learn(int prompt_tokens);

 private:
  struct Entry {
    engine::Message message;
    Kind kind;
  };
  double Estimate() const;
  std::size_t Characters() const;
  bool DropMaterial();
  bool DropExchange();

  int context_;
  std::size_t head_;
  int reserved_ = 0;
  double tokens_per_character_ = 0.25;
  std::vector<Entry> entries_;
};

}  // namespace cbench::app
