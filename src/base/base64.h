// Base64 (RFC 4648, standard alphabet), for images inside JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cbench {

// With padding.
std::string EncodeBase64(std::string_view bytes);

// The bytes; nothing if the text is not base64. Padding may be missing; white space is refused.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace cbench
