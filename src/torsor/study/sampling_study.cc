#include "torsor/study/sampling_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr double kFlowRounding = 1e-9;  ///< of what flowed in a run
constexpr int kFewestSamples = 20;      ///< in a run that says something

/// The largest G of each quarter of a run.
struct Quarters {
  double duration;
  std::array<double, 4> largest{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double flowed = 0;

  void book(double elapsed, const Observation& o) {
    double G = 0, flow = 0;
    const auto add = [&](double created, double taken) {
      G += created - taken;
      flow += std::abs(created) + taken;
    };
    for (const SamplingFlows& sampling : o.sampling) add(sampling.created, sampling.taken);
    for (double taken : o.dissipated) add(0, taken);
    const int quarter = std::clamp(static_cast<int>(4 * elapsed / duration), 0, 3);
    largest[quarter] = larger(largest[quarter], G);
    flowed = larger(flowed, flow);
  }
  double growth() const {
    const double found = largest[3] - largest[2];
    return std::abs(found) <= kFlowRounding * flowed ? 0 : found;
  }
};

SamplingPoint run_at(const Model& model, const SamplingSettings& settings, double period,
                     const StudyProgress& progress) {
  if (progress) progress(fmt::format("period {:.6g} s", period));
  const Model sampled = model.with_period(period);
  const StudySubject subject(sampled);
  const auto stepper = make_stepper(sampled, subject.start, resolve_method(sampled));
  SamplingPoint point;
  point.period = period;
  const double steps_in_period = std::ceil(period / settings.step - 1e-9);
  point.step = period / steps_in_period;

  Observation now = stepper->make_observation();
  stepper->observe_balance(now);
  Quarters quarters{settings.duration};
  quarters.book(0, now);
  const long count = std::lround(settings.duration / point.step);
  const double start = now.time;
  try {
    for (long i = 0; i < count; ++i) {
      stepper->step(point.step);
      stepper->observe_balance(now);
      if (!std::isfinite(now.total())) {
        throw StepFailure(now.time, point.step, HUGE_VAL, 0, "the energy is beyond all bounds");
      }
      quarters.book(now.time - start, now);
    }
  } catch (const StepFailure& failure) {
    point.failure = failure.what();
  }
  for (std::size_t i = 0; i < now.sampling.size(); ++i) {
    point.controllers.push_back(
        {stepper->manifest().sampled[i].name, period, now.sampling[i].created, now.sampling[i].taken});
  }
  point.gain = *std::max_element(quarters.largest.begin(), quarters.largest.end());
  if (point.failure.empty()) point.growth = quarters.growth();
  return point;
}

void require_sampling_settings(const Model& model, const SamplingSettings& settings) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (model.controllers().empty()) throw ModelError("controllers", "a controller to sample", "none");
  if (!positive(settings.step)) throw ModelError("simulation.step", "a step above 0 s", "none");
  if (!positive(settings.duration)) throw ModelError("simulation.duration", "a duration above 0 s", "none");
  for (std::size_t i = 0; i < settings.periods.size(); ++i) {
    const double period = settings.periods[i];
    if (!positive(period) || (i > 0 && period <= settings.periods[i - 1])) {
      throw ModelError("--periods", "periods above 0 s, increasing", fmt::format("{:.6g} s", period));
    }
    if (kFewestSamples * period > settings.duration) {
      throw ModelError("simulation.duration",
                       fmt::format("at least {} periods of {:.6g} s", kFewestSamples, period),
                       fmt::format("{:.6g} s", settings.duration));
    }
  }
}

}  // namespace

std::vector<SamplingBound> sampling_bounds(const Model& model) {
  std::vector<SamplingBound> bounds;
  const bool any = std::any_of(model.controllers().begin(), model.controllers().end(),
                               [](const Controller& controller) { return controller.holds_loads(); });
  for (const Controller& controller : model.controllers()) {
    if (controller.type != Controller::Type::pd || controller.target.size() != 1) continue;
    if (any && !controller.holds_loads()) continue;
    const double K = controller.stiffness[0], B = controller.damping[0];
    if (K == 0 || (B > 0 && !controller.position_only)) continue;
    double b = 0;
    for (const JointSpring& spring : model.joint_springs()) {
      if (spring.joint == *controller.joint) b += spring.damping[0];
    }
    bounds.push_back({controller.name, K, B, b, std::max(0.0, 2 * (b - B) / K)});
  }
  return bounds;
}

SamplingStudy sampling_study(const Model& model, const SamplingSettings& settings,
                             const StudyProgress& progress) {
  require_sampling_settings(model, settings);
  SamplingStudy study{model.name(), label_of(model, {}),   settings.duration, {}, {},
                      {},           sampling_bounds(model)};
  const auto run = [&](double period) {
    study.points.push_back(run_at(model, settings, period, progress));
    return study.points.back().is_passive();
  };
  if (settings.periods.empty()) {
    for (double period = settings.step; kFewestSamples * period <= settings.duration; period *= 2) {
      if (!run(period)) break;
    }
  }
  for (const double period : settings.periods) run(period);

  for (const SamplingPoint& point : study.points) {
    if (!point.is_passive()) {
      study.smallest = point.period;
      break;
    }
    study.largest = point.period;
  }
  while (study.largest && study.smallest &&
         *study.smallest - *study.largest > settings.accuracy * *study.largest) {
    const double middle = 0.5 * (*study.largest + *study.smallest);
    (run(middle) ? study.largest : study.smallest) = middle;
  }
  return study;
}

}  // namespace torsor
