#include "embedded/speech_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>

namespace cbench::embedded {
namespace {

int PeerPort(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (getpeername(socket, generic, &size) != 0 || address.sin_family != AF_INET) return -1;
  return ntohs(address.sin_port);
}

}  // namespace

Peer::Peer(const httplib::Request& request) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (PeerPort(descriptor) == request.remote_port) socket_ = descriptor;
  }
}

bool Peer::HasHungUp() const {
  char byte = 0;
  return socket_ >= 0 && recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace cbench::embedded
