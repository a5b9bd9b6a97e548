#include "torsor/study/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/manifest.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/step_plan.h"
#include "torsor/study/step_density.h"

namespace torsor {
namespace {

constexpr double kLeastError = 0.4, kAim = 0.63;  ///< of the error that was asked
constexpr double kDiverges = 0.1;                 ///< errors beyond which nothing follows from them
constexpr int kMostTrials = 14;
constexpr long kFewestSteps = 4;
constexpr long kParts = 256;      ///< of the bend profile
constexpr long kMostPoses = 500;  ///< that are kept of a run
constexpr double kWorthATry = 4;  ///< times the most steps: they show up to when the error is reached
constexpr double kStalls = 0.7;   ///< of the error: with half as many steps again it has to be less

void require_goal(const Method& method, const RunSettings& settings, const AccuracyGoal& goal) {
  if (!(settings.duration > 0 && settings.step > 0)) {
    throw ModelError("--accuracy", "a run with a duration and a step to begin with, above 0 s",
                     fmt::format("{:g} s and {:g} s", settings.duration, settings.step));
  }
  if (!(std::isfinite(goal.error) && goal.error > 0 && goal.error < kDiverges)) {
    throw ModelError("--accuracy", fmt::format("an error of the motion above 0 and below {:g}", kDiverges),
                     fmt::format("{:g}", goal.error));
  }
  if (method.integrator == "energy-momentum" || method.integrator == "petrov-galerkin") return;
  throw ModelError("--accuracy",
                   integrator_named(method.integrator).adaptive
                       ? "energy-momentum or petrov-galerkin, or --tolerance with this integrator"
                       : "energy-momentum or petrov-galerkin, whose balance any steps keep",
                   in_quotes(method.integrator));
}

/// |v'' h^2| of three states a step apart, weighed as kinetic energy weighs speeds.
class Bend {
 public:
  explicit Bend(const Manifest& manifest) : weights_(manifest.weights) {}
  double feed(double h, std::span<const BodySpeed> now) {
    double bend = 0;
    if (fed_ >= 2 && std::abs(h - step_) <= 1e-6 * h) {
      for (std::size_t b = 0; b < weights_.size(); ++b) {
        const Vec3<double> v = now[b].velocity - 2 * last_[b].velocity + before_[b].velocity,
                           w = now[b].angular_velocity - 2 * last_[b].angular_velocity +
                               before_[b].angular_velocity;
        bend += weights_[b].mass * dot(v, v) + weights_[b].inertia * dot(w, w);
      }
    }
    before_.swap(last_);
    last_.assign(now.begin(), now.end());
    step_ = h;
    ++fed_;
    return std::sqrt(bend) / (h * h);
  }

 private:
  std::vector<BodyWeight> weights_;
  std::vector<BodySpeed> last_, before_;
  double step_ = 0;
  long fed_ = 0;
};

/// A run as far as it is compared.
struct Pilot {
  std::vector<double> times;
  std::vector<std::vector<BodyPose>> poses;
  BendProfile bend;
  bool ended = false;
};

/// Steps, and what a run with each of them halved says of them.
struct Attempt {
  RunSettings run;
  long steps = 0;
  double error = std::numeric_limits<double>::infinity();  ///< of a run that did not end
  double until = 0;                                        ///< up to where it is as asked
  BendProfile bend;

  bool converges() const { return error <= kDiverges; }
};

long count_of(const RunSettings& run) { return StepPlan(run, 0).count(); }

class Choosing {
 public:
  Choosing(const StudySubject& subject, const Method& method, const RunSettings& settings,
           const AccuracyGoal& goal, const StudyProgress& progress, RunListener* watcher)
      : subject_(subject),
        method_(method),
        settings_(settings),
        goal_(goal),
        progress_(progress),
        watcher_(watcher),
        method_order_(order_of(method.integrator, method.options)),
        order_(method_order_) {
    settings_.spans.clear();
    for (const Controller& controller : subject.model.controllers()) {
      if (!controller.is_sampled()) continue;
      period_ = period_ > 0 ? std::min(period_, controller.period) : controller.period;
    }
  }

  /// The best that was found, and in `shortfall` why it is not good enough.
  Attempt search(std::string& shortfall);
  long steps_in_all() const { return steps_in_all_; }

 private:
  RunSettings plan(long steps) const;
  Pilot pilot(const RunSettings& run, long every);
  Attempt attempt(long steps);
  bool is_coarsest(const Attempt& attempt) const {
    return attempt.steps <= kFewestSteps || (period_ > 0 && attempt.run.step >= period_ * (1 - 1e-9));
  }
  /// By which the number of steps is to be multiplied.
  double factor_after(const Attempt& attempt);

  const StudySubject& subject_;
  const Method& method_;
  RunSettings settings_;
  AccuracyGoal goal_;
  const StudyProgress& progress_;
  RunListener* watcher_;
  int method_order_;
  double order_;       ///< that was seen
  double period_ = 0;  ///< that steps have to divide; 0: none
  double size_ = 0;
  std::vector<double> density_{1};
  bool spread_ = false;
  std::optional<Attempt> last_;  ///< that converges
  long steps_in_all_ = 0;
};

RunSettings Choosing::plan(long steps) const {
  RunSettings run = settings_;
  if (period_ > 0) {  // all samples at ends of steps
    run.step = period_ / std::max(1.0, std::round(static_cast<double>(steps) * period_ / run.duration));
    return run;
  }
  run.spans = spread_steps(density_, run.duration, steps);
  run.step = run.duration / static_cast<double>(count_of(run));
  return run;
}

RunSettings halved(RunSettings run) {
  run.step *= 0.5;
  for (StepSpan& span : run.spans) span.steps *= 2;
  return run;
}

/// Poses every so many steps and at the end.
Pilot Choosing::pilot(const RunSettings& run, long every) {
  const auto stepper = make_stepper(subject_.model, subject_.start, method_);
  Observation now = stepper->make_observation();
  stepper->observe(now);
  if (size_ == 0) size_ = mechanism_size(stepper->manifest(), now);
  StepPlan steps(run, now.time);
  Pilot pilot;
  pilot.bend.assign(std::clamp(steps.count() / 8, 1L, kParts), 0);
  const double start = now.time, part = run.duration / static_cast<double>(pilot.bend.size());
  Bend bend(stepper->manifest());
  bend.feed(1, stepper->speeds());
  if (progress_) progress_(fmt::format("choosing steps: {} of them", steps.count()));
  for (long i = 1; i <= steps.count(); ++i) {
    const double h = steps.next(stepper->time());
    try {
      stepper->step(h);
    } catch (const StepFailure&) {
      return pilot;
    }
    steps.count_step();
    if (watcher_) watcher_->on_step(stepper->time());
    ++steps_in_all_;
    stepper->observe_balance(now);
    const auto in = static_cast<std::size_t>(std::max(0.0, (now.time - start - h) / part));
    keep_largest(pilot.bend[std::min(in, pilot.bend.size() - 1)], bend.feed(h, stepper->speeds()));
    if (i % every != 0 && i != steps.count()) continue;
    stepper->observe_motion(now);
    pilot.times.push_back(now.time);
    pilot.poses.push_back(poses_of(now));
  }
  pilot.ended = true;
  return pilot;
}

Attempt Choosing::attempt(long steps) {
  Attempt tried;
  tried.run = plan(steps);
  tried.steps = count_of(tried.run);
  const long every = std::max(1L, tried.steps / kMostPoses);
  const Pilot coarse = pilot(tried.run, every), fine = pilot(halved(tried.run), 2 * every);
  tried.bend = fine.bend;
  double error = 0;
  const double gain = 1 / (1 - std::pow(2.0, -order_));  // (1) of verification.h
  for (std::size_t i = 0; i < std::min(coarse.poses.size(), fine.poses.size()); ++i) {
    keep_largest(error, gain * motion_error(coarse.poses[i], fine.poses[i], size_).error);
    if (error <= goal_.error) tried.until = coarse.times[i];
  }
  if (coarse.ended && fine.ended) tried.error = error;
  return tried;
}

double Choosing::factor_after(const Attempt& tried) {
  if (!tried.converges()) return 4;
  if (last_ && last_->steps != tried.steps && tried.error > 0) {
    const double seen = std::log(last_->error / tried.error) /
                        std::log(static_cast<double>(tried.steps) / static_cast<double>(last_->steps));
    order_ = std::clamp(seen, 0.6, 1.2 * method_order_);
  }
  if (!spread_ && period_ == 0) density_ = step_density(tried.bend, method_order_);
  spread_ = true;
  return std::clamp(std::pow(tried.error / (kAim * goal_.error), 1 / order_), 0.05, 32.0);
}

Attempt Choosing::search(std::string& shortfall) {
  const double most = std::max<double>(goal_.most_steps, kFewestSteps);
  const double given = std::clamp(settings_.duration / settings_.step, 1.0 * kFewestSteps, most);
  long steps = std::lround(given);
  std::optional<Attempt> best;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const Attempt tried = attempt(steps);
    const bool enough = tried.error <= goal_.error;
    if (enough && (tried.error >= kLeastError * goal_.error || is_coarsest(tried))) {
      shortfall.clear();
      return tried;
    }
    if (!best || tried.error <= best->error) best = tried;
    const bool stalls = last_ && tried.converges() && !enough && tried.steps >= 1.5 * last_->steps &&
                        tried.error > kStalls * last_->error;
    if (stalls) {
      shortfall = "the motion amplifies rounding errors beyond it";
      return *best;
    }
    const double next = std::ceil(factor_after(tried) * static_cast<double>(tried.steps));
    if (tried.converges()) last_ = tried;
    const bool too_many = next > most && (tried.converges() || static_cast<double>(tried.steps) > 0.5 * most);
    const bool worth_a_try = next < kWorthATry * most && static_cast<double>(tried.steps) < 0.5 * most;
    if (too_many && !worth_a_try) {
      shortfall = fmt::format("it would take about {:.1g} steps, more than {:.1g}", next, most);
      return *best;
    }
    steps = std::max(kFewestSteps, static_cast<long>(std::min(next, most)));
  }
  shortfall = "no steps were found for it";
  return *best;
}

/// The shortest and the longest.
std::pair<double, double> range_of_steps(const RunSettings& run) {
  if (run.spans.empty()) return {run.step, run.step};
  double least = std::numeric_limits<double>::infinity(), most = 0, from = 0;
  for (const StepSpan& span : run.spans) {
    const double h = (span.end - from) / static_cast<double>(span.steps);
    least = std::min(least, h);
    most = std::max(most, h);
    from = span.end;
  }
  return {least, most};
}

}  // namespace

ChosenSteps choose_steps(const StudySubject& subject, const Method& method, const RunSettings& settings,
                         const AccuracyGoal& goal, const StudyProgress& progress, RunListener* watcher) {
  require_goal(method, settings, goal);
  const auto begin = std::chrono::steady_clock::now();
  Choosing choosing(subject, method, settings, goal, progress, watcher);
  std::string shortfall;
  const Attempt found = choosing.search(shortfall);
  ChosenSteps chosen{found.run, {}};
  StepChoice& choice = chosen.choice;
  choice.asked = goal.error;
  choice.estimated = found.error;
  choice.steps = found.steps;
  choice.steps_in_all = choosing.steps_in_all();
  std::tie(choice.least_step, choice.most_step) = range_of_steps(found.run);
  if (!(found.error <= goal.error)) {
    choice.until = found.until;
    choice.shortfall = fmt::format(
        "an error of {:g} cannot be reached over {:g} s: {}; with the {} steps that were taken it holds up "
        "to t = {:.4g} s",
        goal.error, settings.duration, shortfall, found.steps, found.until);
  }
  // About as many records as the step that was given would have made.
  const double denser = static_cast<double>(found.steps) * settings.step / settings.duration;
  chosen.run.record_every =
      static_cast<int>(std::clamp(std::round(denser * settings.record_every), 1.0, 1e9));
  choice.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return chosen;
}

}  // namespace torsor
