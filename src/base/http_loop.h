// The client thread's event loop: libcurl's multi interface on epoll. Everything here belongs to
// that thread (see http_client.h).
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <map>
#include <memory>

#include "base/http_transfer.h"

namespace cbench {

class HttpLoop {
 public:
  explicit HttpLoop(int wake);  // eventfd that ends a wait
  ~HttpLoop();
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;

  void Add(std::unique_ptr<HttpTransfer> transfer);
  void Abort(std::uint64_t id, HttpEnd end, const char* message);
  void AbortAll();

  // Waits for the next event or deadline and deals with it.
  void Turn();

 private:
  int WaitMs() const;
  void Act(int fd, int mask);
  void FinishDone();
  void EndOverdue();
  std::unique_ptr<HttpTransfer> Take(std::uint64_t id);

  static int OnSocket(CURL* handle, curl_socket_t fd, int what, void* self, void* known);
  static int OnTimer(CURLM* multi, long ms, void* self);

  const int wake_;
  const int epoll_;
  CURLM* multi_;
  Nanos curl_deadline_ = 0;  // when libcurl wants to be called; 0: not
  std::map<std::uint64_t, std::unique_ptr<HttpTransfer>> transfers_;
};

}  // namespace cbench
