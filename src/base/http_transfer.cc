#include "base/http_transfer.h"

#include <algorithm>
#include <limits>

namespace cbench {
namespace {

HttpEnd EndOf(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpEnd::kComplete;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
      return HttpEnd::kConnect;
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_ABORTED_BY_CALLBACK:  // OnSend refused a second retry
      return HttpEnd::kLost;
    default:
      return HttpEnd::kProtocol;
  }
}

}  // namespace

HttpTransfer::HttpTransfer(std::uint64_t id, HttpRequest request, HttpHandlers handlers)
    : id_(id),
      request_(std::move(request)),
      handlers_(std::move(handlers)),
      t_start_(Now()),
      t_activity_(t_start_) {}

CURL* HttpTransfer::Open() {
  handle_.reset(curl_easy_init());
  if (handle_) SetOptions();
  return handle_.get();
}

void HttpTransfer::SetOptions() {
  CURL* curl = handle_.get();
  curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
  curl_easy_setopt(curl, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, &HttpTransfer::OnSend);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &HttpTransfer::OnWrite);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  for (const std::string& header : request_.headers) {
    headers_.reset(curl_slist_append(headers_.release(), header.c_str()));
  }
  // libcurl would ask for "100 Continue" before a body over 1 MiB, a round trip we don't want.
  headers_.reset(curl_slist_append(headers_.release(), "Expect:"));
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
  if (request_.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request_.body.c_str());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request_.body.size()));
  }
}

Nanos HttpTransfer::Deadline() const {
  const Nanos stall =
      request_.stall > 0 ? t_activity_ + request_.stall : request_.timeout + t_start_;
  return std::min(t_start_ + request_.timeout, stall);
}

HttpEnd HttpTransfer::Overdue() const {
  return Deadline() == t_start_ + request_.timeout ? HttpEnd::kTimeout : HttpEnd::kStall;
}

void HttpTransfer::Finish(CURLcode code) {
  if (outcome_.end == HttpEnd::kComplete && code != CURLE_OK) {
    outcome_.end = EndOf(code);
    outcome_.message = fmt::format("{}: {}", request_.url, curl_easy_strerror(code));
  }
  Finish(outcome_.end, std::move(outcome_.message));
}

void HttpTransfer::Finish(HttpEnd end, std::string message) {
  outcome_.end = end;
  outcome_.message = std::move(message);
  outcome_.t_end = Now();
  outcome_.retried = sends_ > 1;
  long status = 0;
  if (handle_) curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  outcome_.status = static_cast<int>(status);
  if (handlers_.on_end) handlers_.on_end(outcome_);
}

bool HttpTransfer::Receive(std::string_view bytes) {
  t_activity_ = Now();
  received_ += bytes.size();
  if (received_ > request_.max_response) {
    return StopWith(HttpEnd::kTooLarge,
                    fmt::format("{}: the response is over the limit of {} bytes", request_.url,
                                request_.max_response));
  }
  long status = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  if (!handlers_.on_data || handlers_.on_data({bytes, static_cast<int>(status), t_activity_})) {
    return true;
  }
  return StopWith(HttpEnd::kStopped, "");
}

bool HttpTransfer::StopWith(HttpEnd end, std::string message) {
  outcome_.end = end;
  outcome_.message = std::move(message);
  return false;
}

std::size_t HttpTransfer::OnWrite(char* bytes, std::size_t size, std::size_t count, void* self) {
  const std::size_t n = size * count;
  return static_cast<HttpTransfer*>(self)->Receive({bytes, n}) ? n : CURL_WRITEFUNC_ERROR;
}

// Called when the connection stands and the request is about to be written. A second call means
// that libcurl found a kept-alive connection closed and tries a new one; there is no third.
int HttpTransfer::OnSend(void* self, char*, char*, int, int) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (++transfer.sends_ == 1) transfer.outcome_.t_send = Now();
  return transfer.sends_ <= 2 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

}  // namespace cbench
