#include "base/http_client.h"

#include <curl/curl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cctype>
#include <condition_variable>
#include <optional>

#include "base/http_loop.h"
#include "base/http_transfer.h"

namespace cbench {
namespace {

void InitCurlOnce() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)done;
}

void Ring(int eventfd) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(eventfd, &one, sizeof one);
}

void Silence(int eventfd) {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = read(eventfd, &count, sizeof count);
}

struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string UrlPart(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

bool IsLoopback(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  // libcurl has normalised IPv4 numbers ("127.1", "0x7f000001") to four decimal parts.
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

// What Perform waits for. Shared by the calling thread and the client thread.
struct Waiter {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<HttpOutcome> outcome;  // guarded by mutex
};

}  // namespace

Result<> CheckLoopbackUrl(const std::string& url) {
  const std::unique_ptr<CURLU, UrlDeleter> parsed(curl_url());
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return InputError("'{}' is not a URL; write it like http://127.0.0.1:8080/v1", url);
  }
  if (UrlPart(parsed.get(), CURLUPART_SCHEME) != "http") {
    return InputError("'{}': only plain http:// is spoken to engines", url);
  }
  if (!IsLoopback(UrlPart(parsed.get(), CURLUPART_HOST))) {
    return InputError("'{}' is not on this machine; engines must be at 127.0.0.1 or localhost",
                      url);
  }
  return {};
}

HttpClient::HttpClient() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  InitCurlOnce();
  loop_ = std::make_unique<HttpLoop>(wake_);
  thread_ = std::thread([this] { Run(); });
}

HttpClient::~HttpClient() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  Ring(wake_);
  thread_.join();
  close(wake_);
}

Result<std::uint64_t> HttpClient::Start(HttpRequest request, HttpHandlers handlers) {
  CBENCH_TRY(CheckLoopbackUrl(request.url));
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = ++last_id_;
  }
  Post(std::make_unique<HttpTransfer>(id, std::move(request), std::move(handlers)));
  return id;
}

void HttpClient::Abort(std::uint64_t id) { Post(id); }

void HttpClient::Post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  Ring(wake_);
}

Result<HttpOutcome> HttpClient::Perform(HttpRequest request,
                                        std::function<bool(const HttpChunk&)> on_data,
                                        const Cancel& cancel) {
  Waiter waiter;
  HttpHandlers handlers;
  handlers.on_data = std::move(on_data);
  handlers.on_end = [&waiter](const HttpOutcome& outcome) {
    const std::lock_guard lock(waiter.mutex);
    waiter.outcome = outcome;
    waiter.changed.notify_one();  // under the lock: the waiter may be gone right after
  };
  CBENCH_ASSIGN(const std::uint64_t id, Start(std::move(request), std::move(handlers)));
  const auto token = cancel.Subscribe([this, id] { Abort(id); });
  {
    std::unique_lock lock(waiter.mutex);
    waiter.changed.wait(lock, [&waiter] { return waiter.outcome.has_value(); });
  }
  cancel.Unsubscribe(token);
  return std::move(*waiter.outcome);
}

void HttpClient::Run() {
  while (!TakeCommands()) {
    loop_->Turn();
    Silence(wake_);
  }
  loop_->AbortAll();
}

// Carries out what other threads asked for; true if the client is to stop.
bool HttpClient::TakeCommands() {
  std::vector<Command> commands;
  bool stop = false;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    stop = stop_;
  }
  for (Command& command : commands) {
    if (auto* transfer = std::get_if<std::unique_ptr<HttpTransfer>>(&command)) {
      loop_->Add(std::move(*transfer));
    } else {
      loop_->Abort(std::get<std::uint64_t>(command), HttpEnd::kCancelled, "cancelled");
    }
  }
  return stop;
}

HttpClient& SharedHttpClient() {
  static auto& client = *new HttpClient;  // never destroyed: others may use it while exiting
  return client;
}

}  // namespace cbench
