#include "share/policies/ledger.h"

#include <algorithm>

namespace cbench::share {
namespace {

void Move(Account& account, Nanos by, const PolicyParams& params) {
  account.credit = std::clamp(account.credit + by, -params.cap, params.cap);
}

double PresentWeight(std::span<const Account> accounts, const PolicyParams& params, Nanos now) {
  double sum = 0;
  for (const Account& account : accounts)
    if (IsPresent(account, params, now)) sum += account.weight;
  return sum;
}

}  // namespace

bool IsPresent(const Account& account, const PolicyParams& params, Nanos now) {
  return account.last_active != 0 && now - account.last_active <= params.memory;
}

void Rejoin(std::span<Account> accounts, int account, const PolicyParams& params, Nanos now) {
  Account& one = accounts[static_cast<std::size_t>(account)];
  if (IsPresent(one, params, now)) return;
  Nanos most = -params.cap;
  bool alone = true;
  for (const Account& other : accounts) {
    if (!IsPresent(other, params, now)) continue;
    most = std::max(most, other.credit);
    alone = false;
  }
  one.credit = alone ? 0 : std::min<Nanos>(0, most);
}

void Pay(std::span<Account> accounts, int account, Nanos measured, const PolicyParams& params,
         Nanos now) {
  const double weights = PresentWeight(accounts, params, now);
  if (weights <= 0) return;
  Nanos paid = 0;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (static_cast<int>(i) == account || !IsPresent(accounts[i], params, now)) continue;
    const double part = accounts[i].weight / weights;
    const auto earned = static_cast<Nanos>(static_cast<double>(measured) * part);
    Move(accounts[i], earned, params);
    paid += earned;
  }
  Move(accounts[static_cast<std::size_t>(account)], -paid, params);
}

bool MayBoost(const Account& account, const PolicyParams& params, Nanos now) {
  if (now - account.boost_window >= params.boost_window) return true;
  const auto most =
      static_cast<Nanos>(static_cast<double>(params.boost_window) * params.boost_share);
  return account.boosted < most;
}

void NoteBoost(Account& account, Nanos measured, const PolicyParams& params, Nanos now) {
  if (now - account.boost_window >= params.boost_window) {
    account.boost_window = now;
    account.boosted = 0;
  }
  account.boosted += measured;
}

}  // namespace cbench::share
