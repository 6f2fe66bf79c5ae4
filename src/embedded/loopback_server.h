// cpp-httplib's server with our own handling of connections: TCP_NODELAY, idle connections that
// sleep in poll() instead of waking a hundred times a second beside an engine that wants the
// cores, a stop that wakes them, and a way for a handler to see that its client is gone.
//
// Threads: Run() blocks its caller and hands each connection to one thread of a pool. Stop() may
// be called from any thread. open_ and stopping_ are guarded by mutex_.
#pragma once

#include <httplib.h>

#include <atomic>
#include <mutex>
#include <set>

#include "base/result.h"

namespace cbench::embedded {

class LoopbackServer final : public httplib::Server {
 public:
  explicit LoopbackServer(int connections);  // served at once; more wait
  ~LoopbackServer() override;

  // Most bytes of a body. What a connection sends beyond it, or beyond the limit of the headers, is
  // not read, whatever the headers say; Overrun tells.
  void LimitBody(std::size_t bytes);

  Result<int> Bind(int port);  // 127.0.0.1; 0: any free port. Returns the port
  void Run();                  // until Stop
  void Stop();                 // no new connections or requests; answers in progress may finish
  void Abort();                // cuts the connections that are still open

  // About the connection whose request this thread is handling.
  static bool PeerGone();
  static int Overrun();  // the status for a body (413) or headers (431) over the limit; else 0
  static void CloseAfterReply();  // the request was not read to its end, so nothing can follow

 private:
  bool process_and_close_socket(socket_t sock) override;
  bool Enter(int sock);
  void Leave(int sock);
  void ServeConnection(int sock);
  bool stopping();

  std::atomic<std::size_t> body_limit_ = 8u << 20;
  int listener_ = -1;  // ours to close; httplib forgets it when told to stop
  std::mutex mutex_;
  std::set<int> open_;
  bool stopping_ = false;
};

}  // namespace cbench::embedded
