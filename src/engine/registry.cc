// The protocols that exist. An explicit table: linkers drop objects that register themselves.
#include "engine/registry.h"

namespace cbench::engine {

const std::vector<const Protocol*>& Protocols() {
  static const std::vector<const Protocol*> protocols = {&kOpenAiProtocol};
  return protocols;
}

const Protocol* FindProtocol(std::string_view name) {
  for (const Protocol* protocol : Protocols()) {
    if (protocol->name == name) return protocol;
  }
  return nullptr;
}

}  // namespace cbench::engine
