// An open-addressed table: a key has kProbes places it may be in; when all are taken, the one
// learnt longest ago gives way.
#include "share/cost_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cbench::share {
namespace {

constexpr int kProbes = 8;
constexpr double kAlpha = 0.2;  // mean and spread follow within about ten steps
constexpr double kQuantile = 0.95;
constexpr double kFirstMargin = 1.5;  // q95 of a shape seen once, in means

// Exact up to 8, then four buckets an octave, so that sizes in one bucket differ by under 25 %.
std::uint32_t Bucket(int size) {
  const auto n = static_cast<std::uint32_t>(std::max(size, 0));
  if (n <= 8) return n;
  const auto octave = static_cast<std::uint32_t>(std::bit_width(n));  // n in [2^(o-1), 2^o)
  return 4 * octave + ((n >> (octave - 3)) & 3u);
}

std::uint32_t Prefix(int account, StepKind kind) {
  return (static_cast<std::uint32_t>(account) + 1) << 16 | static_cast<std::uint32_t>(kind) << 8;
}

std::uint32_t Key(int account, StepKind kind, int size) {
  return Prefix(account, kind) | Bucket(size);
}

std::size_t At(std::uint32_t key, int probe) {
  const std::uint32_t hash = (key * 2654435769u) >> 24;  // Knuth's multiplicative hash, 8 bits
  return (hash + static_cast<std::uint32_t>(probe)) % CostModel::kEntries;
}

double Distance(int a, int b) {
  return std::abs(std::log2((std::max(a, 0) + 1.0) / (std::max(b, 0) + 1.0)));
}

Nanos Round(double ns) { return std::max<Nanos>(static_cast<Nanos>(ns), 1); }

}  // namespace

double CostError::Coverage() const {
  return steps > 0 ? static_cast<double>(under_q95) / static_cast<double>(steps) : 0;
}

const CostModel::Entry* CostModel::Find(std::uint32_t key) const {
  for (int probe = 0; probe < kProbes; ++probe) {
    const Entry& entry = entries_[At(key, probe)];
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

CostModel::Entry& CostModel::Place(std::uint32_t key) {
  Entry* oldest = &entries_[At(key, 0)];
  for (int probe = 0; probe < kProbes; ++probe) {
    Entry& entry = entries_[At(key, probe)];
    if (entry.used < oldest->used) oldest = &entry;  // a free place has used == 0
  }
  *oldest = {.key = key};
  return *oldest;
}

const CostModel::Entry* CostModel::Nearest(int account, StepKind kind, int size) const {
  const std::uint32_t prefix = Prefix(account, kind);
  const Entry* nearest = nullptr;
  for (const Entry& entry : entries_) {
    if ((entry.key & ~0xffu) != prefix) continue;
    if (nearest == nullptr || Distance(entry.size, size) < Distance(nearest->size, size))
      nearest = &entry;
  }
  return nearest;
}

Cost CostModel::Predict(int account, StepKind kind, int size) const {
  if (const Entry* entry = Find(Key(account, kind, size)))
    return {Round(entry->mean), Round(std::max(entry->q95, entry->mean)), true};
  const Entry* nearest = Nearest(account, kind, size);
  if (nearest == nullptr) return {kUnknownCost, kUnknownCost, false};
  const double ratio = std::max(size, 1) / static_cast<double>(std::max(nearest->size, 1));
  return {Round(nearest->mean * ratio), Round(nearest->q95 * std::max(ratio, 1.0)), false};
}

void CostModel::Learn(int account, StepKind kind, int size, Nanos measured) {
  const std::uint32_t key = Key(account, kind, size);
  const auto value = static_cast<double>(measured);
  const auto* known = Find(key);
  Entry& entry = known ? entries_[static_cast<std::size_t>(known - entries_.data())] : Place(key);
  entry.used = ++clock_;
  entry.size = size;
  if (known == nullptr) {
    entry.mean = value;
    entry.q95 = value * kFirstMargin;
    return;
  }
  CostError& error = errors_[static_cast<std::size_t>(account)];
  ++error.steps;
  error.under_q95 += value <= entry.q95;
  error.measured += value;
  error.off += std::abs(value - entry.mean);
  entry.spread += kAlpha * (std::abs(value - entry.mean) - entry.spread);
  entry.mean += kAlpha * (value - entry.mean);
  const double step = std::max(entry.spread, entry.mean / 100);
  entry.q95 += step * (value > entry.q95 ? kQuantile : kQuantile - 1);
}

void CostModel::Forget(int account) {
  for (Entry& entry : entries_)
    if (entry.key >> 16 == static_cast<std::uint32_t>(account) + 1) entry = {};
  errors_[static_cast<std::size_t>(account)] = {};
}

const CostError& CostModel::Error(int account) const {
  return errors_[static_cast<std::size_t>(account)];
}

}  // namespace cbench::share
