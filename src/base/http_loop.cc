#include "base/http_loop.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace cbench {
namespace {

constexpr long kKeptConnections = 64;

void Watch(int epoll, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) != 0) {
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  }
}

}  // namespace

HttpLoop::HttpLoop(int wake)
    : wake_(wake), epoll_(epoll_create1(EPOLL_CLOEXEC)), multi_(curl_multi_init()) {
  Watch(epoll_, wake_, EPOLLIN);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &HttpLoop::OnSocket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &HttpLoop::OnTimer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kKeptConnections);
}

HttpLoop::~HttpLoop() {
  AbortAll();
  curl_multi_cleanup(multi_);
  close(epoll_);
}

void HttpLoop::Add(std::unique_ptr<HttpTransfer> transfer) {
  CURL* handle = transfer->Open();
  if (!handle || curl_multi_add_handle(multi_, handle) != CURLM_OK) {
    transfer->Finish(HttpEnd::kConnect, "out of memory for another HTTP request");
    return;
  }
  const std::uint64_t id = transfer->id();
  transfers_.emplace(id, std::move(transfer));
}

std::unique_ptr<HttpTransfer> HttpLoop::Take(std::uint64_t id) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return nullptr;
  auto transfer = std::move(found->second);
  transfers_.erase(found);
  curl_multi_remove_handle(multi_, transfer->handle());
  return transfer;
}

void HttpLoop::Abort(std::uint64_t id, HttpEnd end, const char* message) {
  if (const auto transfer = Take(id)) transfer->Finish(end, message);
}

void HttpLoop::AbortAll() {
  while (!transfers_.empty()) {
    Abort(transfers_.begin()->first, HttpEnd::kCancelled, "the HTTP client was stopped");
  }
}

void HttpLoop::Turn() {
  std::array<epoll_event, 32> events;
  const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), WaitMs());
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == wake_) continue;  // HttpClient::Run looks into its queue
    int mask = 0;
    if (event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) mask |= CURL_CSELECT_IN;
    if (event.events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
    if (event.events & EPOLLERR) mask |= CURL_CSELECT_ERR;
    Act(event.data.fd, mask);
  }
  if (curl_deadline_ != 0 && Now() >= curl_deadline_) {
    curl_deadline_ = 0;
    Act(CURL_SOCKET_TIMEOUT, 0);
  }
  FinishDone();
  EndOverdue();
}

void HttpLoop::Act(int fd, int mask) {
  int running = 0;
  curl_multi_socket_action(multi_, fd, mask, &running);
}

int HttpLoop::WaitMs() const {
  Nanos next = curl_deadline_ != 0 ? curl_deadline_ : std::numeric_limits<Nanos>::max();
  for (const auto& [id, transfer] : transfers_) next = std::min(next, transfer->Deadline());
  if (next == std::numeric_limits<Nanos>::max()) return -1;
  const Nanos ms = (next - Now() + kMillisecond - 1) / kMillisecond;  // rounded up: never early
  return static_cast<int>(std::clamp<Nanos>(ms, 0, 60'000));
}

void HttpLoop::FinishDone() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    void* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    const auto done = Take(static_cast<HttpTransfer*>(transfer)->id());
    if (done) done->Finish(code);
  }
}

void HttpLoop::EndOverdue() {
  const Nanos now = Now();
  std::vector<std::uint64_t> overdue;
  for (const auto& [id, transfer] : transfers_) {
    if (now >= transfer->Deadline()) overdue.push_back(id);
  }
  for (const std::uint64_t id : overdue) {
    const HttpEnd end = transfers_.at(id)->Overdue();
    Abort(id, end, end == HttpEnd::kStall ? "no byte arrived for too long" : "timed out");
  }
}

int HttpLoop::OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  const int epoll = static_cast<HttpLoop*>(self)->epoll_;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nullptr);
    return 0;
  }
  std::uint32_t events = 0;
  if (what & CURL_POLL_IN) events |= EPOLLIN;
  if (what & CURL_POLL_OUT) events |= EPOLLOUT;
  Watch(epoll, fd, events);
  return 0;
}

int HttpLoop::OnTimer(CURLM*, long ms, void* self) {
  static_cast<HttpLoop*>(self)->curl_deadline_ = ms < 0 ? 0 : Now() + ms * kMillisecond;
  return 0;
}

}  // namespace cbench
