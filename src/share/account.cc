#include "share/account.h"

#include <algorithm>
#include <cstring>

namespace cbench::share {
namespace {

constexpr Nanos kPause = 50 * kMillisecond;  // ends a request of a client that names none

// Moving average with alpha = 0.2; the first value stands for itself.
void Average(Nanos& average, Nanos value) {
  average = average == 0 ? value : average + (value - average) / 5;
}

bool StartsRequest(const Account& account, const StepView& step) {
  if (account.last_active == 0) return true;
  if (step.request != 0 || account.request != 0) return step.request != account.request;
  return account.last_release != 0 && step.asked - account.last_release > kPause;
}

void EndLeg(Account& account) {
  if (account.leg_deadline == 0 || account.leg_spent == 0) return;
  Average(account.leg == 0 ? account.typical_first_leg : account.typical_leg, account.leg_spent);
}

void EndRequest(Account& account) {
  EndLeg(account);
  if (account.request_served > 0) Average(account.typical_request, account.request_served);
}

void StartRequest(Account& account, const StepView& step) {
  account.request = step.request;
  account.request_served = 0;
  account.leg = 0;
  account.leg_deadline = step.deadline;
  account.leg_spent = 0;
  account.leg_length = 0;
  account.next_request = 0;
  if (step.deadline > step.asked) Average(account.typical_budget, step.deadline - step.asked);
}

void StartLeg(Account& account, const StepView& step) {
  EndLeg(account);
  const bool both = account.leg_deadline != 0 && step.deadline != 0;
  account.leg_length = both ? std::max<Nanos>(step.deadline - account.leg_deadline, 0) : 0;
  account.leg_deadline = step.deadline;
  account.leg_spent = 0;
  ++account.leg;
}

void NoteGap(Account& account, const StepView& step) {
  if (account.last_release == 0) return;
  // Clamped, so that one hiccup is soon forgotten.
  const Nanos gap = std::clamp<Nanos>(step.asked - account.last_release, 0, kPause);
  Average(account.typical_gap, std::max<Nanos>(gap, 1));
  if (step.deadline == account.leg_deadline) account.leg_spent += gap;
}

bool IsCurrent(const Account& account, const StepView& step) {
  return step.request == account.request && step.deadline == account.leg_deadline;
}

}  // namespace

void SetName(Account& account, std::string_view name) {
  const std::size_t length = std::min(name.size(), sizeof account.name - 1);
  std::memcpy(account.name, name.data(), length);
  account.name[length] = '\0';
}

void NoteArrival(Account& account, const StepView& step) {
  if (StartsRequest(account, step)) {
    EndRequest(account);
    StartRequest(account, step);
  } else {
    NoteGap(account, step);
    if (step.deadline != account.leg_deadline) StartLeg(account, step);
  }
  if (step.next_request != 0) account.next_request = step.next_request;
  account.last_active = std::max<Nanos>(step.asked, 1);
  account.last_release = 0;
}

void NoteService(Account& account, const StepView& step, Nanos measured, Nanos now) {
  account.served += measured;
  account.last_cost = measured;
  ++account.steps;
  account.last_active = now;
  account.last_release = now;
  if (step.request != account.request) return;
  account.request_served += measured;
  if (IsCurrent(account, step)) account.leg_spent += measured;
}

Nanos RemainingToDeadline(const Account& account, const StepView& step) {
  if (step.deadline == 0 || !IsCurrent(account, step)) return step.cost;
  const Nanos typical = account.leg == 0 ? account.typical_first_leg : account.typical_leg;
  return std::max(step.cost, typical - account.leg_spent);
}

Nanos SizeOfRequest(const Account& account, const StepView& step) {
  const Nanos had = step.request == account.request ? account.request_served : 0;
  return std::max(had + step.cost, account.typical_request);
}

}  // namespace cbench::share
