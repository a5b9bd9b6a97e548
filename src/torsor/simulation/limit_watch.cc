#include "torsor/simulation/limit_watch.h"

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// Of the range: an effort that a servo keeps at its limit gives a little (servo_shares.h).
constexpr double kAtLimit = 1e-5;

}  // namespace

LimitWatch::LimitWatch(const Manifest& manifest) {
  for (std::size_t i = 0; i < manifest.limits.size(); ++i) {
    if (!manifest.limits[i]) continue;
    const auto [low, high] = *manifest.limits[i];
    watched_.push_back({i, {manifest.actuators[i], low, high, high, low, 0}});
  }
}

void LimitWatch::feed(double time, const std::vector<double>& efforts) {
  for (Watched& watched : watched_) {
    EffortBeyond& effort = watched.effort;
    const double now = efforts[watched.actuator], give = kAtLimit * (effort.high - effort.low);
    effort.least = smaller(effort.least, now);
    effort.most = larger(effort.most, now);
    if (watched.beyond || (now >= effort.low - give && now <= effort.high + give)) continue;
    watched.beyond = true;
    effort.first_time = time;
  }
}

void LimitWatch::pass(StateTape& tape) {
  for (auto& [actuator, effort, beyond] : watched_) {
    tape(effort.least, effort.most, effort.first_time, beyond);
  }
}

std::vector<EffortBeyond> LimitWatch::report() const {
  std::vector<EffortBeyond> beyond;
  for (const Watched& watched : watched_) {
    if (watched.beyond) beyond.push_back(watched.effort);
  }
  return beyond;
}

}  // namespace torsor
