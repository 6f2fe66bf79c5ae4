// Whether the client of a request being answered has hung up. cpp-httplib tells only handlers
// that stream their answer, after its status is sent; ours must be able to fail until the end.
#pragma once

#include <httplib.h>

namespace cbench::embedded {

// Looks up the request's socket by its peer's port (the server is on the loopback, where that is
// unique). Valid until the handler returns.
class Peer {
 public:
  explicit Peer(const httplib::Request& request);
  bool HasHungUp() const;

 private:
  int socket_ = -1;  // -1: not found, taken as still there
};

}  // namespace cbench::embedded
