// A server for tests that does exactly what its script says, byte by byte: stalls, resets, closes
// at the wrong time. Header only: test programs alone include it.
//
// Threads: one accepts, and one for each connection runs the script. The destructor cuts all
// connections, which ends whatever a script waits for, and joins.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cbench {

// The last request that any connection has read.
class LastRequest {
 public:
  void Set(const std::string& request) {
    const std::lock_guard lock(mutex_);
    request_ = request;
  }
  std::string Get() const {
    const std::lock_guard lock(mutex_);
    return request_;
  }

 private:
  mutable std::mutex mutex_;
  std::string request_;  // guarded by mutex_
};

class Connection {
 public:
  Connection(int fd, int number, LastRequest& last) : fd_(fd), number_(number), last_(last) {}
  int number() const { return number_; }  // 0 for the server's first connection

  // The next request, head and body; empty when the client has closed.
  std::string ReadRequest() {
    std::string request;
    std::size_t wanted = std::string::npos;
    while (request.size() < wanted) {
      char buffer[4096];
      const ssize_t n = recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) return {};
      request.append(buffer, static_cast<std::size_t>(n));
      const std::size_t head = request.find("\r\n\r\n");
      if (head != std::string::npos) wanted = head + 4 + BodyLength(request.substr(0, head));
    }
    last_.Set(request);
    return request;
  }

  // False once the client is gone.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  bool SendHead(std::string_view status = "200 OK", std::string_view headers = "") {
    return Send(std::string("HTTP/1.1 ") + std::string(status) +
                "\r\nTransfer-Encoding: chunked\r\n" + std::string(headers) + "\r\n");
  }
  bool SendChunk(std::string_view bytes) {
    char size[32];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    return Send(std::string(size) + std::string(bytes) + "\r\n");
  }
  bool SendLastChunk() { return Send("0\r\n\r\n"); }
  // A whole answer of known length.
  bool Answer(std::string_view status, std::string_view body, std::string_view headers = "") {
    return Send(std::string("HTTP/1.1 ") + std::string(status) +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
                std::string(headers) + "\r\n" + std::string(body));
  }

  void WaitUntilClosed() {
    char buffer[256];
    while (recv(fd_, buffer, sizeof buffer, 0) > 0) continue;
  }
  void Reset() {  // RST instead of FIN when the script returns
    const linger now = {1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

 private:
  static std::size_t BodyLength(const std::string& head) {
    const std::size_t at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
  }
  const int fd_;
  const int number_;
  LastRequest& last_;
};

class ScriptedServer {
 public:
  using Script = std::function<void(Connection&)>;

  explicit ScriptedServer(Script script) : script_(std::move(script)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
    listen(listener_, 16);
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { Accept(); });
  }
  ~ScriptedServer() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
    {
      const std::lock_guard lock(mutex_);
      for (const int fd : open_) shutdown(fd, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string last_request() const { return last_.Get(); }
  std::string url(std::string_view path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
  }

 private:
  void Accept() {
    for (int number = 0;; ++number) {
      const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) return;
      const std::lock_guard lock(mutex_);
      open_.push_back(fd);
      threads_.emplace_back([this, fd, number] { Serve(fd, number); });
    }
  }
  void Serve(int fd, int number) {
    Connection connection(fd, number, last_);
    script_(connection);
    const std::lock_guard lock(mutex_);
    std::erase(open_, fd);
    close(fd);
  }

  const Script script_;
  LastRequest last_;
  int listener_ = -1, port_ = 0;
  std::thread acceptor_;
  std::mutex mutex_;
  std::vector<int> open_;             // guarded by mutex_
  std::vector<std::thread> threads_;  // the acceptor's until it has been joined
};

}  // namespace cbench
