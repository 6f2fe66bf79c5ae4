// Prompt files, from any bytes: an error that names the file, or prompts that can be sent.
#include <cstdint>
#include <cstdlib>

#include "app/prompts.h"
#include "bytes_as_file.h"

namespace {

template <typename T, typename Usable>
void Check(const cbench::Result<std::vector<T>>& loaded, const std::string& path,
           const Usable& usable) {
  if (!loaded && !loaded.error().message.starts_with(path)) std::abort();
  if (!loaded) return;
  if (loaded->empty()) std::abort();
  for (const T& one : *loaded) {
    if (one.id.empty() || !usable(one)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cbench::app;
  const cbench::BytesAsFile file(data, size);
  const std::string path = file.path().string();
  Check(LoadChatPrompts(path), path, [](const ChatPrompt& chat) {
    return !chat.messages.empty() && chat.messages.back().role == "user" && chat.max_tokens >= 0;
  });
  Check(LoadImagePrompts(path), path,
        [](const ImagePrompt& image) { return !image.prompt.empty(); });
  Check(LoadResearchQuestions(path), path,
        [](const ResearchQuestion& research) { return !research.question.empty(); });
  return 0;
}
