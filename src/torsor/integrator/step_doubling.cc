#include "torsor/integrator/step_doubling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr double kSafety = 0.9, kShrink = 0.2, kGrow = 5;
constexpr long kMostAttempts = 100000;  // in one step of the output

}  // namespace

StepDoubling::StepDoubling(TreeSystem& system, TreeState initial, const GaussLegendre::Settings& settings,
                           double tolerance)
    : TreeIntegrator(system, std::move(initial)),
      halves_(system, state_, settings),
      whole_(system, state_, settings),
      start_(state_),
      start_lost_(halves_.lost()),
      tolerance_(tolerance),
      order_(2 * settings.stages),
      clock_(state_.time),
      sides_(system),
      switch_time_(state_.time) {
  sides_.settle(state_.q);
}

std::string StepDoubling::note() const {
  return fmt::format("steps divided by their error (adaptive: {:.3g}): energy drifts with it", tolerance_);
}

double StepDoubling::error_norm() const {
  const TreeState &fine = halves_.state(), &coarse = whole_.state();
  const double richardson = std::pow(2.0, order_) - 1;
  double worst = 0;
  const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b, double least) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double size = 1 + larger({std::abs(a[i]), std::abs(b[i]), least});
      const double ratio = std::abs(a[i] - b[i]) / (richardson * tolerance_ * size);
      keep_largest(worst, ratio);
    }
  };
  compare(fine.q, coarse.q, 0);
  compare(fine.v, coarse.v, 0);
  compare(fine.z, coarse.z, max_abs(fine.z));
  return worst;
}

/// The error in units of the tolerance; infinite where a step fails. Goes on from where the halves stand.
double StepDoubling::try_step(double begin, double end) {
  try {
    whole_.stand_at(halves_.state(), halves_.lost());
    whole_.take(begin, end, end - begin);
    const double middle = 0.5 * (begin + end);
    halves_.take(begin, middle, middle - begin);
    halves_.take(middle, end, end - middle);
  } catch (const StepFailure&) {
    return std::numeric_limits<double>::infinity();
  } catch (...) {  // of a law of the caller's
    halves_.stand_at(start_, start_lost_);
    halves_.forget();
    throw;
  }
  return error_norm();
}

/// A remainder below a tenth of the step is taken along; two shorter steps rather than a stump.
double StepDoubling::propose_end(double target) const {
  const double now = halves_.state().time;
  const std::vector<double>& kinks = manifold_.breakpoints();
  const auto next = std::upper_bound(kinks.begin(), kinks.end(), now);
  double limit = next != kinks.end() && *next < target ? *next : target;
  if (switch_time_ > now && switch_time_ < limit) limit = switch_time_;
  const double left = limit - now;
  return left <= 1.1 * inner_ ? limit : left < 2 * inner_ ? now + 0.5 * left : now + inner_;
}

/// Whether a step within the tolerance has to be made again, since forces changed sides inside it.
bool StepDoubling::is_switched(double begin, double end) {
  if (!sides_.mark_crossed(halves_.state().q)) return false;
  const double share = sides_.first_share(start_.q), length = end - begin, near = SwitchSides::kNear * inner_;
  const bool at_begin = share * length <= near, at_end = (1 - share) * length <= near;
  if (at_begin || at_end) {
    sides_.change();
    switch_time_ = begin;
    halves_.forget();
  } else {
    switch_time_ = begin + share * length;
  }
  return !at_end;
}

void StepDoubling::step(double h) {
  const SwitchSides::Hold hold(sides_);
  const double target = clock_.after(h);
  if (inner_ == 0) inner_ = h;
  for (long attempt = 0; halves_.state().time < target; ++attempt) {
    const double begin = halves_.state().time, end = propose_end(target), length = end - begin;
    if (!(length > 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(begin), 1e-3))) {
      fail(begin, length, "the tolerance asks for steps below rounding: loosen it, or take a fixed step");
    }
    if (attempt == kMostAttempts) fail(begin, length, "too many inner steps: loosen the tolerance");
    start_ = halves_.state();
    start_lost_ = halves_.lost();
    const double error = try_step(begin, end);
    evaluations_ = halves_.evaluations() + whole_.evaluations();
    const double factor = kSafety * std::pow(std::max(error, 1e-10), -1.0 / (order_ + 1));
    const double next = length * std::clamp(std::isfinite(error) ? factor : kShrink, kShrink, kGrow);
    const bool ends_on_switch = end == switch_time_;
    if (error <= 1 && !sides_.empty() && is_switched(begin, end)) {
      halves_.stand_at(start_, start_lost_);
      halves_.forget();
      continue;
    }
    inner_ = ends_on_switch && error <= 1 ? std::max(inner_, next) : next;
    if (error <= 1) {
      ++accepted_;
      last_error_ = error;
    } else {
      ++rejected_;
      halves_.stand_at(start_, start_lost_);
      halves_.forget();
    }
  }
  inner_ = std::min(inner_, h);
  clock_.advance(h);
  copy_state(clock_.time());
  solver_ = {halves_.solver().iterations, last_error_ * tolerance_};
}

void StepDoubling::copy_state(double time) {
  const TreeState& state = halves_.state();
  std::copy(state.q.begin(), state.q.end(), state_.q.begin());
  std::copy(state.v.begin(), state.v.end(), state_.v.begin());
  std::copy(state.z.begin(), state.z.end(), state_.z.begin());
  state_.time = time;
}

void StepDoubling::fail(double begin, double h, const std::string& advice) {
  copy_state(begin);
  clock_ = Clock(begin);
  throw StepFailure(begin, h, last_error_ * tolerance_, 0, advice);
}

}  // namespace torsor
