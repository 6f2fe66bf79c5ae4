#include "embedded/loopback_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "base/clock.h"

namespace cbench::embedded {
namespace {

constexpr int kBacklog = 512;  // httplib's 5 makes a burst of clients wait a second for a retry
constexpr int kIdleMs = 120'000;
constexpr int kReadMs = 30'000;
constexpr int kWriteMs = 30'000;
constexpr int kLingerMs = 500;
constexpr Nanos kDrain = 2 * kSecond;        // at most, however much the client goes on sending
constexpr std::size_t kHeaders = 64u << 10;  // the request line and all headers
constexpr std::size_t kFraming = 64u << 10;  // around a body that comes in chunks

bool Wait(int sock, short events, int timeout_ms) {
  pollfd entry{sock, events, 0};
  int ready = 0;
  do ready = poll(&entry, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

// A connection as httplib sees it. Reads ahead, since httplib asks for one byte at a time.
class Connection final : public httplib::Stream {
 public:
  explicit Connection(int sock) : sock_(sock) {}

  bool is_readable() const override { return begin_ < end_ || Wait(sock_, POLLIN, kReadMs); }
  bool is_writable() const override { return Wait(sock_, POLLOUT, kWriteMs) && !PeerGone(); }
  socket_t socket() const override { return sock_; }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { Loopback(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { Loopback(ip, port); }

  ssize_t read(char* out, std::size_t size) override {
    if (begin_ == end_ && !Fill()) return ended_ ? 0 : -1;
    const std::size_t n = std::min(size, end_ - begin_);
    if (n > left_) return Overrun();
    left_ -= n;
    std::memcpy(out, buffer_.data() + begin_, n);
    begin_ += n;
    return static_cast<ssize_t>(n);
  }

  ssize_t write(const char* data, std::size_t size) override {
    for (std::size_t sent = 0; sent < size;) {
      if (!Wait(sock_, POLLOUT, kWriteMs)) return -1;
      const ssize_t n = send(sock_, data + sent, size - sent, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return -1;
      sent += static_cast<std::size_t>(n);
    }
    return static_cast<ssize_t>(size);
  }

  // A next request has begun to arrive within the limit of an idle connection.
  bool WaitForRequest() {
    left_ = kHeaders;
    in_body_ = false;
    return begin_ < end_ || (Wait(sock_, POLLIN, kIdleMs) && !PeerGone());
  }

  void BeginBody(std::size_t limit) {
    left_ = limit + kFraming;
    in_body_ = true;
  }

  bool PeerGone() const {
    if (begin_ < end_) return false;
    char byte = 0;
    const ssize_t n = recv(sock_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  }

  // Closing with unread bytes would reset the connection and lose our answer on its way.
  void Drain() {
    const Nanos end = Now() + kDrain;
    shutdown(sock_, SHUT_WR);
    while (Now() < end && Wait(sock_, POLLIN, kLingerMs) &&
           recv(sock_, buffer_.data(), buffer_.size(), 0) > 0) {
    }
  }

  bool close_after_reply = false;
  int overrun = 0;  // the status that says which limit was met

 private:
  static void Loopback(std::string& ip, int& port) {
    ip = "127.0.0.1";
    port = 0;
  }

  ssize_t Overrun() {
    overrun = in_body_ ? 413 : 431;
    return -1;
  }

  bool Fill() {
    if (!Wait(sock_, POLLIN, kReadMs)) return false;
    const ssize_t n = recv(sock_, buffer_.data(), buffer_.size(), 0);
    ended_ = n == 0;
    begin_ = 0;
    end_ = n > 0 ? static_cast<std::size_t>(n) : 0;
    return n > 0;
  }

  const int sock_;
  std::size_t left_ = 0;  // bytes that may still be read of the headers, or of the body
  bool in_body_ = false;
  std::array<char, 16384> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
};

thread_local Connection* current = nullptr;

void SetOptions(int sock) {
  const int yes = 1;
  setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// curl -d calls any body a form, which httplib would parse and limit to 8 KiB. A request that does
// not say how its body ends has none; httplib would wait until the client leaves.
void TakeBodyAsItIs(httplib::Request& request) {
  const auto type = request.headers.find("Content-Type");
  if (type != request.headers.end() &&
      type->second.rfind("application/x-www-form-urlencoded", 0) == 0) {
    request.headers.erase(type);
  }
  const bool sized =
      request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
  if (!sized) request.headers.emplace("Content-Length", "0");
}

}  // namespace

LoopbackServer::LoopbackServer(int connections) {
  new_task_queue = [connections] {
    return new httplib::ThreadPool(static_cast<std::size_t>(connections));
  };
  // Not httplib's SO_REUSEPORT, with which two servers could share one port unnoticed.
  set_socket_options([](socket_t sock) {
    const int yes = 1;
    setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
}

LoopbackServer::~LoopbackServer() {
  if (listener_ >= 0) close(listener_);
}

void LoopbackServer::LimitBody(std::size_t bytes) {
  set_payload_max_length(bytes);
  body_limit_ = bytes;
}

Result<int> LoopbackServer::Bind(int port) {
  const int bound = port == 0                         ? bind_to_any_port("127.0.0.1")
                    : bind_to_port("127.0.0.1", port) ? port
                                                      : -1;
  if (bound < 0) return InputError("port: 127.0.0.1:{} is taken; choose another, or 0", port);
  listener_ = svr_sock_;
  if (::listen(listener_, kBacklog) != 0) return Failure("listen: {}", std::strerror(errno));
  return bound;
}

void LoopbackServer::Run() { listen_after_bind(); }

void LoopbackServer::Stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  svr_sock_ = INVALID_SOCKET;                            // httplib's loop ends when it sees this,
  shutdown(listener_, SHUT_RDWR);                        // and accept() returns so that it looks
  for (const int sock : open_) shutdown(sock, SHUT_RD);  // wakes idle connections
}

void LoopbackServer::Abort() {
  const std::lock_guard lock(mutex_);
  for (const int sock : open_) shutdown(sock, SHUT_RDWR);
}

bool LoopbackServer::PeerGone() { return current && current->PeerGone(); }

int LoopbackServer::Overrun() { return current ? current->overrun : 0; }

void LoopbackServer::CloseAfterReply() {
  if (current) current->close_after_reply = true;
}

bool LoopbackServer::stopping() {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

bool LoopbackServer::Enter(int sock) {
  const std::lock_guard lock(mutex_);
  if (!stopping_) open_.insert(sock);
  return !stopping_;
}

// Closed under the lock, so that Stop never touches a number the system has given to another.
void LoopbackServer::Leave(int sock) {
  const std::lock_guard lock(mutex_);
  open_.erase(sock);
  close(sock);
}

void LoopbackServer::ServeConnection(int sock) {
  SetOptions(sock);
  Connection connection(sock);
  current = &connection;
  bool closed = false;
  const auto begin_body = [this, &connection](httplib::Request& request) {
    TakeBodyAsItIs(request);
    connection.BeginBody(body_limit_);
  };
  while (!closed && !stopping() && connection.WaitForRequest()) {
    if (!process_request(connection, false, closed, begin_body)) break;
    closed = closed || connection.close_after_reply;
  }
  current = nullptr;
  if (connection.close_after_reply) connection.Drain();
}

bool LoopbackServer::process_and_close_socket(socket_t sock) {
  if (Enter(sock)) ServeConnection(sock);
  Leave(sock);
  return true;
}

}  // namespace cbench::embedded
