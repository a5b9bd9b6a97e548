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

namespace {

/// A run of a curve: its point, what rounding leaves of its errors, or why the method cannot simulate the model.
struct CurveRun {
  ConvergencePoint point;
  std::vector<double> floors;  ///< empty: it did not get to the end
  std::string refusal;
};

CurveRun run_point(const StudySubject& subject, const StepperChoice& choice, double step,
                   const StudyGrid& grid, const StudyReference& reference, const StudyProgress& progress) {
  const Model& model = subject.model;
  if (progress) progress(fmt::format("{}, step {:g} s", label_of(model, choice), step));
  CurveRun made{{step, std::vector<std::optional<double>>(study_quantities().size()), 0, ""}, {}, ""};
  try {
    const StudyRun run = run_on_grid(subject, with_fixed_steps(model, choice, step), step, grid);
    made.point.wall_seconds = run.ledger.wall_seconds;
    made.point.failure = run.failure;
    if (!run.ended()) return made;
    made.point.errors = errors_of(run, reference);
    made.floors = floors_of(model, run, reference);
  } catch (const ModelError& error) {
    made.refusal = error.what();
  }
  return made;
}

/// Of runs from coarse to fine; the first that is refused speaks for all.
ConvergenceCurve curve_of(const Model& model, const StepperChoice& choice, std::vector<CurveRun> runs) {
  ConvergenceCurve curve{choice, label_of(model, choice), "", {}, {}};
  const std::size_t count = study_quantities().size();
  std::vector<double> done;
  std::vector<std::vector<double>> errors(count), floors(count);
  for (CurveRun& run : runs) {
    curve.refusal = run.refusal;
    if (!curve.refusal.empty()) return curve;
    if (!run.floors.empty()) {
      done.push_back(run.point.step);
      for (std::size_t q = 0; q < count; ++q) {
        errors[q].push_back(run.point.errors[q].value_or(NAN));
        floors[q].push_back(run.floors[q]);
      }
    }
    curve.points.push_back(std::move(run.point));
  }
  for (std::size_t q = 0; q < count; ++q) curve.orders.push_back(fit_order(done, errors[q], floors[q]));
  return curve;
}

}  // namespace

ConvergenceCurve convergence_curve(const StudySubject& subject, const StepperChoice& choice,
                                   const std::vector<double>& steps, const StudyGrid& grid,
                                   const StudyReference& reference, const StudyProgress& progress,
                                   double longest_run) {
  std::vector<CurveRun> runs;
  for (const double step : steps) {
    if (!runs.empty()) {
      const ConvergencePoint& last = runs.back().point;
      if (last.wall_seconds * last.step / step > longest_run) break;
    }
    runs.push_back(run_point(subject, choice, step, grid, reference, progress));
    if (!runs.back().refusal.empty()) break;
  }
  return curve_of(subject.model, choice, std::move(runs));
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
  const StudyReference reference =
      settings.reference ? *settings.reference
                         : make_reference(subject, study.grid, steps.back() / 2, progress, settings.threads);
  require_common_time(reference, study.grid);
  study.reference = reference.what;
  study.trusted_to = reference.trusted_to;
  const std::size_t methods = settings.methods.size();
  std::vector<std::vector<CurveRun>> runs(methods, std::vector<CurveRun>(steps.size()));
  // The finest step of every method first: the long runs are not the last to be begun.
  run_jobs(static_cast<long>(methods * steps.size()), settings.threads, progress,
           [&](long i, const StudyProgress& tell) {
             const std::size_t method = static_cast<std::size_t>(i) % methods;
             const std::size_t step = steps.size() - 1 - static_cast<std::size_t>(i) / methods;
             runs[method][step] =
                 run_point(subject, settings.methods[method], steps[step], study.grid, reference, tell);
           });
  for (std::size_t m = 0; m < methods; ++m) {
    study.curves.push_back(curve_of(model, settings.methods[m], std::move(runs[m])));
  }
  return study;
}

}  // namespace torsor
