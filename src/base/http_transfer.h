// One request and its libcurl handle; belongs to the client thread (see http_client.h).
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "base/http_client.h"

namespace cbench {

class HttpTransfer {
 public:
  HttpTransfer(std::uint64_t id, HttpRequest request, HttpHandlers handlers);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  std::uint64_t id() const { return id_; }

  // Makes the handle, ready for curl_multi_add_handle; null if memory is short.
  CURL* Open();
  CURL* handle() const { return handle_.get(); }

  // When this transfer ends unless something arrives: the earlier of time-out and stall.
  Nanos Deadline() const;
  HttpEnd Overdue() const;  // which of the two Deadline() was

  // Reports the end once: libcurl's verdict, or ours.
  void Finish(CURLcode code);
  void Finish(HttpEnd end, std::string message);

 private:
  void SetOptions();
  bool Receive(std::string_view bytes);
  bool StopWith(HttpEnd end, std::string message);

  static std::size_t OnWrite(char* bytes, std::size_t size, std::size_t count, void* self);
  static int OnSend(void* self, char* remote_ip, char* local_ip, int remote_port, int local_port);

  struct HandleDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  const std::uint64_t id_;
  const HttpRequest request_;
  const HttpHandlers handlers_;
  std::unique_ptr<curl_slist, ListDeleter> headers_;
  std::unique_ptr<CURL, HandleDeleter> handle_;
  Nanos t_start_;
  Nanos t_activity_;  // last byte received, or the start
  std::size_t received_ = 0;
  int sends_ = 0;  // how often the request was written
  HttpOutcome outcome_;
};

}  // namespace cbench
