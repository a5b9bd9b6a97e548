#include "torsor/simulation/slack_watch.h"

#include <algorithm>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// Of the rest length: a tendon that rests unstretched is not slack by its rounding.
constexpr double kRounding = 1e-9;

}  // namespace

SlackWatch::SlackWatch(const Manifest& manifest) : watched_(manifest.tendons.size()) {
  tendons_.reserve(watched_.size());
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    SlackTendon tendon;
    tendon.name = manifest.tendons[i];
    tendon.pushes = !manifest.tension_only[i];
    watched_[i].rest_length = manifest.rest_lengths[i];
    if (watched_[i].rest_length) tendon.rest_length = tendon.least_length = watched_[i].rest_length->value(0);
    tendons_.push_back(tendon);
  }
}

void SlackWatch::feed(double time, const std::vector<TendonObservation>& tendons) {
  if (!fed_) start_ = time_ = time;
  const double h = time - time_;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (!watched_[i].rest_length) continue;
    SlackTendon& tendon = tendons_[i];
    double& stretch = watched_[i].stretch;
    const double rest = watched_[i].rest_length->value(time);
    const double last = stretch, now = tendons[i].length - rest;
    stretch = now < -kRounding * rest ? now : std::max(now, 0.0);
    const bool was_slack = !(last >= 0), is_slack = !(stretch >= 0);  // what is not a number counts as slack
    if (!was_slack && !is_slack) continue;
    // The part of the step below the rest length.
    const double low = -std::min(last, 0.0) - std::min(stretch, 0.0);
    const double high = std::max(last, 0.0) + std::max(stretch, 0.0);
    const double slack = h * low / (low + high);
    watched_[i].slack_time += slack;
    if (!is_slack) continue;
    tendon.least_length = smaller(tendon.least_length, tendons[i].length);
    if (fed_ && was_slack) continue;
    if (tendon.times == 0) tendon.first_time = time - slack;
    ++tendon.times;
  }
  time_ = time;
  fed_ = true;
}

void SlackWatch::pass(StateTape& tape) {
  tape(start_, time_, fed_);
  for (std::size_t i = 0; i < tendons_.size(); ++i) {
    tape(tendons_[i].first_time, tendons_[i].times, tendons_[i].least_length, watched_[i].stretch,
         watched_[i].slack_time);
  }
}

std::vector<SlackTendon> SlackWatch::report() const {
  std::vector<SlackTendon> slack;
  for (std::size_t i = 0; i < tendons_.size(); ++i) {
    if (tendons_[i].times == 0) continue;
    slack.push_back(tendons_[i]);
    slack.back().share = time_ > start_ ? watched_[i].slack_time / (time_ - start_) : 1;
  }
  return slack;
}

}  // namespace torsor
