// The credit policy's book-keeping. One credit is one ns of device time. While the device is busy,
// every app present earns by weight and the one served pays, so that nothing is created or lost
// except at the cap. Sources: Xen's credit scheduler for earning by weight and the cap, VTC (Sheng
// et al. 2024) for the rule that absence earns no claim.
#pragma once

#include <span>

#include "share/policy.h"

namespace cbench::share {

// An app is present while it asked for or had the device within params.memory.
bool IsPresent(const Account& account, const PolicyParams& params, Nanos now);

// Who was away longer starts again with nothing, or with the debt that everybody else has.
void Rejoin(std::span<Account> accounts, int account, const PolicyParams& params, Nanos now);

// The account had the device for `measured`.
void Pay(std::span<Account> accounts, int account, Nanos measured, const PolicyParams& params,
         Nanos now);

// Time won by slack alone is rationed: a boost_share of each window.
bool MayBoost(const Account& account, const PolicyParams& params, Nanos now);
void NoteBoost(Account& account, Nanos measured, const PolicyParams& params, Nanos now);

}  // namespace cbench::share
