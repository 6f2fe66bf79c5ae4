// HTTP to engines on this machine: one client thread for the whole process, however many requests
// are in flight, so that arrival stamps come from one place and the harness stays small.
//
// Thread and locks: SharedHttpClient() owns one thread, which runs libcurl's multi interface on
// epoll. All libcurl handles belong to that thread. Other threads hand it commands (start, abort)
// through a queue guarded by one mutex and an eventfd. Handlers run on the client thread: they
// must be quick and must not call back into the client.
//
// Only plain http to a loopback address is spoken: no proxy, no redirect, no TLS. Connections are
// kept alive and used again. Where the server had closed such a connection before answering, the
// request is sent once more on a new one, and the outcome says so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/result.h"

namespace cbench {

struct HttpRequest {
  std::string url;                   // http://127.0.0.1:PORT/path
  std::string method = "GET";        // GET or POST
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  Nanos timeout = 120 * kSecond;           // from Start to the last byte
  Nanos stall = 0;                         // longest time without a byte received; 0: no limit
  std::size_t max_response = 64ull << 20;  // bytes after decompression
};

// A piece of the response's body, as it arrived (decompressed).
struct HttpChunk {
  std::string_view bytes;
  int status;
  Nanos t;  // taken in the receive callback
};

enum class HttpEnd {
  kComplete,   // the whole response arrived, whatever its status
  kStopped,    // a handler had enough
  kConnect,    // no connection
  kLost,       // connection closed or reset before the response was complete
  kTimeout,    // over HttpRequest::timeout
  kStall,      // over HttpRequest::stall
  kTooLarge,   // over HttpRequest::max_response
  kCancelled,  // Abort, or the caller's Cancel
  kProtocol,   // not HTTP, or undecodable
};

struct HttpOutcome {
  HttpEnd end = HttpEnd::kComplete;
  std::string message;  // what went wrong; empty when complete
  int status = 0;       // 0: no response line arrived
  Nanos t_send = 0;     // just before the first byte is written; 0: never connected
  Nanos t_end = 0;
  bool retried = false;  // sent again after the server closed a kept-alive connection
};

struct HttpHandlers {
  std::function<bool(const HttpChunk&)> on_data;   // false: enough; may be empty
  std::function<void(const HttpOutcome&)> on_end;  // exactly once
};

class HttpTransfer;
class HttpLoop;

class HttpClient {
 public:
  HttpClient();
  ~HttpClient();  // ends what is in flight as cancelled
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Begins a request. The error (kInput, naming the URL) is about the URL only; everything later
  // is reported by on_end. The id is for Abort.
  Result<std::uint64_t> Start(HttpRequest request, HttpHandlers handlers);

  // Ends a request as cancelled; unknown and finished ids are ignored. Callable from any thread.
  void Abort(std::uint64_t id);

  // Start, then blocks until on_end or `cancel`. on_data runs on the client thread, never after
  // Perform has returned.
  Result<HttpOutcome> Perform(HttpRequest request, std::function<bool(const HttpChunk&)> on_data,
                              const Cancel& cancel);

 private:
  using Command = std::variant<std::unique_ptr<HttpTransfer>, std::uint64_t>;  // start, abort

  void Post(Command command);
  void Run();
  bool TakeCommands();

  int wake_;  // eventfd
  std::mutex mutex_;
  std::vector<Command> commands_;   // guarded by mutex_
  bool stop_ = false;               // guarded by mutex_
  std::uint64_t last_id_ = 0;       // guarded by mutex_
  std::unique_ptr<HttpLoop> loop_;  // the client thread's
  std::thread thread_;
};

// The process's client; lives until the process ends.
HttpClient& SharedHttpClient();

// Whether we would speak to this URL: http, and a loopback host.
Result<> CheckLoopbackUrl(const std::string& url);

}  // namespace cbench
