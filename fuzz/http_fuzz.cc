// Any bytes on a connection to our HTTP server. Whatever they are, they are answered in HTTP or
// not at all, the connection ends, and the server takes the next one. Requests that are understood
// go as far as the engines take them without a model.
//
// Threads: the server's own two, from the first input until the process ends.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "embedded/http_reply.h"
#include "embedded/http_urgency.h"
#include "embedded/loopback_server.h"
#include "embedded/speech_request.h"
#include "embedded/text_request.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kBody = 8192;  // small, so that the bound is met often

void Chat(const httplib::Request& request, httplib::Response& response) {
  const auto body = ParseBody(request.body);
  const auto chat = body ? ParseChat(*body) : tl::unexpected(body.error());
  if (!chat) return ReplyError(response, 400, chat.error().message);
  if (!(ReadUrgency(request).weight > 0)) std::abort();
  ReplyJson(response, {{"messages", chat->messages.size()}});
}

void Transcribe(const httplib::Request& request, httplib::Response& response) {
  const auto form = ParseSpeechForm(request);
  if (!form) return ReplyError(response, 400, form.error().message);
  if (form->audio.size() > kBody) std::abort();
  ReplyJson(response, {{"bytes", form->audio.size()}});
}

class Server {
 public:
  Server() : server_(1) {
    server_.LimitBody(kBody);
    server_.Post("/v1/chat/completions", Chat);
    server_.Post("/v1/audio/transcriptions", Transcribe);
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) ReplyError(response, response.status, "refused");
      LoopbackServer::CloseAfterReply();
    });
    port_ = server_.Bind(0).value();
    thread_ = std::thread([this] { server_.Run(); });
  }
  ~Server() {
    server_.Stop();
    thread_.join();
  }
  int port() const { return port_; }

 private:
  LoopbackServer server_;
  int port_ = 0;
  std::thread thread_;
};

int Connect(int port) {
  const int sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (connect(sock, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
  return sock;
}

// All that comes back. The server may have had enough before it has read everything.
std::string Exchange(int port, std::string_view bytes) {
  const int sock = Connect(port);
  while (!bytes.empty()) {
    const ssize_t n = send(sock, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  shutdown(sock, SHUT_WR);
  std::string answer;
  char buffer[4096];
  for (ssize_t n = 0; (n = recv(sock, buffer, sizeof buffer, 0)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  close(sock);
  return answer;
}

}  // namespace
}  // namespace cbench::embedded

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cbench::embedded::Server server;
  const std::string answer =
      cbench::embedded::Exchange(server.port(), {reinterpret_cast<const char*>(data), size});
  if (!answer.empty() && !answer.starts_with("HTTP/1.1 ")) std::abort();
  return 0;
}
