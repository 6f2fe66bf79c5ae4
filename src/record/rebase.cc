#include "record/rebase.h"

#include "record/fields.h"

namespace cbench::record {
namespace {

// The visitor over an event's fields that touches stamps only.
class Shift {
 public:
  explicit Shift(Nanos base) : base_(base) {}

  template <typename T>
  void Must(const char*, T&) {}
  template <typename T>
  void May(const char*, T&) {}
  void Stamp(const char*, Nanos& value) {
    if (value != 0) value = value == base_ ? 1 : value - base_;
  }
  void Stamps(const char* key, std::vector<Nanos>& values) {
    for (Nanos& value : values) Stamp(key, value);
  }

 private:
  const Nanos base_;
};

}  // namespace

Event Rebase(Event event, Nanos base) {
  event.t -= base;
  Shift shift(base);
  std::visit([&shift](auto& body) { Fields(shift, body); }, event.body);
  return event;
}

}  // namespace cbench::record
