#include "torsor/study/convergence_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"

namespace torsor {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();

/// Steps of an adaptive method are those of the study: its own control lets all of them pass.
StepperChoice with_fixed_steps(const Model& model, StepperChoice choice, double step) {
  const IntegratorEntry* entry = integrators().find(named(model, choice).integrator);
  if (!entry || !entry->adaptive) return choice;
  choice.options["max_step"] = step;
  choice.options["tolerance"] = 0.5;
  choice.tolerance = 0;
  return choice;
}

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<std::optional<double>> errors_of(const StudyRun& run, const StudyReference& reference) {
  const Ledger& ledger = run.ledger;
  const StateError state = largest_error(run, reference.run);
  std::optional<double> momentum = ledger.linear_max_error;
  if (ledger.angular_max_error) keep_largest(momentum, *ledger.angular_max_error);
  const bool conservative = ledger.work_by_source.empty() && ledger.dissipated_by_damper.empty();
  return {if_finite(state.position),
          if_finite(state.velocity),
          ledger.energy_max_residual,
          conservative ? std::optional(ledger.energy_mean_error) : std::nullopt,
          ledger.position_max,
          ledger.velocity_max,
          momentum};
}

/// What rounding leaves of each quantity. Sums over n steps round like a random walk.
std::vector<double> floors_of(const Model& model, const StudyRun& run, const StudyReference& reference) {
  const Ledger& ledger = run.ledger;
  const double walk = 5 * kRounding * std::sqrt(static_cast<double>(std::max(ledger.steps, 1L)));
  const double size = 1 + run.extent();
  const double energy = larger(ledger.energy_scale, std::abs(ledger.energy_initial));
  double mass = 0;
  for (const Body& body : model.bodies()) mass += body.mass;
  const double speed = mass > 0 ? std::sqrt(2 * energy / mass) : 0;
  return {3 * reference.trusted_to.position + walk * size,
          3 * reference.trusted_to.velocity + walk * (size + speed),
          walk * energy,
          walk * energy,
          100 * kRounding * size,
          100 * kRounding * (size + speed),
          walk * mass * speed * size};
}

void require_steps(const ConvergenceSettings& settings) {
  if (settings.steps.empty()) throw ModelError("--steps", "steps in seconds", "none");
  for (const double step : settings.steps) {
    if (!(std::isfinite(step) && step > 0 && step <= settings.duration)) {
      throw ModelError("--steps", fmt::format("steps above 0 s and up to {:g} s", settings.duration),
                       fmt::format("{:g}", step));
    }
  }
}

void require_common_time(const StudyReference& reference, const StudyGrid& grid) {
  const bool meets = std::any_of(reference.run.times.begin(), reference.run.times.end(), [&](double time) {
    const double part = time / grid.spacing();
    return time > 0 && std::abs(part - std::round(part)) < 1e-9 * part && part < grid.parts + 0.5;
  });
  if (meets) return;
  throw ModelError("--reference",
                   fmt::format("a state at a time that all steps meet, a multiple of {:g} s up to {:g} s",
                               grid.spacing(), grid.duration),
                   "none");
}

}  // namespace

const std::vector<StudyQuantity>& study_quantities() {
  using enum StudyQuantity;
  static const std::vector<StudyQuantity> all{state, velocity, energy, energy_mean, position, rate, momentum};
  return all;
}

const char* name_of(StudyQuantity quantity) {
  constexpr const char* kNames[] = {"state",    "velocity", "energy",  "energy_mean",
                                    "position", "rate",     "momentum"};
  return kNames[static_cast<std::size_t>(quantity)];
}

ConvergenceCurve convergence_curve(const StudySubject& subject, const StepperChoice& choice,
                                   const std::vector<double>& steps, const StudyGrid& grid,
                                   const StudyReference& reference, const StudyProgress& progress,
                                   double longest_run) {
  const Model& model = subject.model;
  ConvergenceCurve curve{choice, label_of(model, choice), "", {}, {}};
  const std::size_t count = study_quantities().size();
  std::vector<double> done;
  std::vector<std::vector<double>> errors(count), floors(count);
  for (const double step : steps) {
    const bool is_known = !curve.points.empty();
    if (is_known && curve.points.back().wall_seconds * curve.points.back().step / step > longest_run) break;
    if (progress) progress(fmt::format("{}, step {:g} s", curve.label, step));
    StudyRun run;
    try {
      run = run_on_grid(subject, with_fixed_steps(model, choice, step), step, grid);
    } catch (const ModelError& error) {
      curve.refusal = error.what();
      return curve;
    }
    ConvergencePoint point{step, std::vector<std::optional<double>>(count), run.ledger.wall_seconds,
                           run.failure};
    if (run.ended()) {
      point.errors = errors_of(run, reference);
      const std::vector<double> floor = floors_of(model, run, reference);
      done.push_back(step);
      for (std::size_t q = 0; q < count; ++q) {
        errors[q].push_back(point.errors[q].value_or(NAN));
        floors[q].push_back(floor[q]);
      }
    }
    curve.points.push_back(std::move(point));
  }
  for (std::size_t q = 0; q < count; ++q) curve.orders.push_back(fit_order(done, errors[q], floors[q]));
  return curve;
}

ConvergenceStudy convergence_study(const Model& model, const ConvergenceSettings& settings,
                                   const StudyProgress& progress) {
  require_steps(settings);
  const StudySubject subject(model);
  ConvergenceStudy study;
  study.model = model.name();
  study.grid = common_grid(settings.duration, settings.steps);
  std::vector<double> steps = settings.steps;
  std::sort(steps.rbegin(), steps.rend());
  const StudyReference reference = settings.reference
                                       ? *settings.reference
                                       : make_reference(subject, study.grid, steps.back() / 2, progress);
  require_common_time(reference, study.grid);
  study.reference = reference.what;
  study.trusted_to = reference.trusted_to;
  for (const StepperChoice& choice : settings.methods) {
    study.curves.push_back(convergence_curve(subject, choice, steps, study.grid, reference, progress));
  }
  return study;
}

}  // namespace torsor
