#include "torsor/study/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {
namespace {

/// Options that set the order of a method, and which of their values are worth a row.
struct OrderOption {
  const char *integrator, *option;
  std::vector<double> values;
};
const std::vector<OrderOption>& order_options() {
  static const std::vector<OrderOption> all{{"petrov-galerkin", "m", {1, 2, 3}},
                                            {"gauss-legendre", "stages", {2, 3}}};
  return all;
}

/// States are compared over as many steps: errors are then those of the method, not of a chaotic motion.
constexpr double kHorizonSteps = 200;
constexpr double kLongestRun = 3;  ///< of wall time [s]; longer runs are cut, or left out
constexpr double kTolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

bool is_adaptive(const StepperChoice& choice) {
  const IntegratorEntry* entry = integrators().find(choice.integrator);
  return entry && entry->adaptive && !has_fixed_steps(choice.options);
}

struct Probe {
  const StudySubject& subject;
  const ComparisonSettings& settings;
  StudyGrid grid;
  const StudyReference& reference;
  const StudyProgress& progress;
};

/// Over step sizes; the step for the wanted accuracy is no larger than what was tried.
void measure_steps(const Probe& probe, const std::vector<double>& steps, ComparisonRow& row) {
  const ConvergenceCurve curve = convergence_curve(probe.subject, row.choice, steps, probe.grid,
                                                   probe.reference, probe.progress, kLongestRun);
  row.refusal = curve.refusal;
  if (!row.refusal.empty()) return;
  row.order = curve.order(StudyQuantity::state);
  constexpr auto kState = static_cast<std::size_t>(StudyQuantity::state);
  double largest_step = 0;
  for (const ConvergencePoint& point : curve.points) {
    const std::optional<double>& error = point.errors[kState];
    if (!error) continue;
    if (point.step == probe.settings.step) row.state = error;
    row.seconds_per_step = point.wall_seconds * point.step / probe.grid.duration;
    if (*error <= probe.settings.accuracy) largest_step = larger(largest_step, point.step);
  }
  if (largest_step > 0) {
    for (const ConvergencePoint& point : curve.points) {
      if (point.step != largest_step) continue;
      row.cost = point.wall_seconds / probe.grid.duration;
    }
    row.cost_by = fmt::format("step {:.2g} s", largest_step);
  } else if (row.order.order && row.seconds_per_step > 0) {
    const double step =
        std::pow(probe.settings.accuracy / row.order.coefficient, 1 / std::max(*row.order.order, 0.5));
    row.cost = row.seconds_per_step / step;
    row.cost_by = fmt::format("step {:.2g} s", step);
    row.cost_is_predicted = true;
  }
}

/// Over tolerances: the loosest that reaches the wanted accuracy.
void measure_tolerances(const Probe& probe, ComparisonRow& row) {
  for (const double tolerance : kTolerances) {
    StepperChoice choice = row.choice;
    choice.tolerance = tolerance;
    if (probe.progress) probe.progress(label_of(probe.subject.model, choice));
    StudyRun run;
    try {
      run = run_on_grid(probe.subject, choice, probe.settings.step, probe.grid);
    } catch (const ModelError& error) {
      row.refusal = error.what();
      return;
    }
    if (!run.ended()) continue;
    if (!(largest_error(run, probe.reference.run).position <= probe.settings.accuracy)) continue;
    row.cost = run.ledger.wall_seconds / probe.grid.duration;
    row.cost_by = fmt::format("tolerance {:g}", tolerance);
    return;
  }
}

EnergyVerdict judge_energy(const StudyRun& run) {
  const Ledger& ledger = run.ledger;
  const double size = larger(ledger.energy_scale, std::abs(ledger.energy_initial));
  const double walk = 20 * std::numeric_limits<double>::epsilon() *
                      std::sqrt(static_cast<double>(std::max(ledger.steps, 1L)));
  if (ledger.energy_max_residual <= std::max(walk, 1e-13) * size) return EnergyVerdict::rounding;
  const double drifted = std::abs(run.drift()) * ledger.time;
  return drifted <= 0.5 * ledger.energy_max_residual ? EnergyVerdict::bounded : EnergyVerdict::drifts;
}

/// The whole time at the model's step.
void measure_run(const Probe& probe, ComparisonRow& row) {
  if (probe.progress) probe.progress(fmt::format("{}, {:g} s", row.label, probe.settings.duration));
  const double step = probe.settings.step;
  double steps = probe.settings.duration / step;
  if (row.seconds_per_step > 0 && steps * row.seconds_per_step > kLongestRun) {
    steps = 100 * std::ceil(0.01 * kLongestRun / row.seconds_per_step);
  }
  const double duration = std::min(probe.settings.duration, steps * step);
  const StudyRun run = run_on_grid(probe.subject, row.choice, step, common_grid(duration, {step}));
  row.failure = run.failure;
  row.ledger = run.ledger;
  row.drift = run.drift();
  row.energy = judge_energy(run);
  if (run.ledger.steps > 0) {
    row.seconds_per_step = run.ledger.wall_seconds / static_cast<double>(run.ledger.steps);
  }
  if (row.state || !is_adaptive(row.choice)) return;
  const StudyRun brief = run_on_grid(probe.subject, row.choice, probe.settings.step, probe.grid);
  if (!brief.ended()) return;
  const double error = largest_error(brief, probe.reference.run).position;
  if (std::isfinite(error)) row.state = error;
}

/// Whether a method with the model's step makes the run that is the reference.
bool is_same(const Model& model, const StepperChoice& choice, double step, const StudyReference& reference) {
  if (choice.formulation != reference.choice.formulation || choice.integrator != reference.choice.integrator)
    return false;
  return resolve_method(model, choice).options == resolve_method(model, reference.choice).options &&
         (is_adaptive(choice) || step == reference.step);
}

ComparisonRow measured_row(const Probe& probe, const StepperChoice& choice,
                           const std::vector<double>& steps) {
  const Model& model = probe.subject.model;
  ComparisonRow row;
  row.choice = choice;
  row.label = label_of(model, choice);
  if (is_adaptive(choice)) {
    measure_tolerances(probe, row);
  } else {
    measure_steps(probe, steps, row);
  }
  if (row.refusal.empty()) measure_run(probe, row);
  row.is_reference = row.refusal.empty() && is_same(model, row.choice, probe.settings.step, probe.reference);
  if (row.is_reference) row.state.reset();
  return row;
}

void require_settings(const ComparisonSettings& settings) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!positive(settings.step)) {
    throw ModelError("simulation.step", "a step above 0 s", fmt::format("{:g}", settings.step));
  }
  if (!(positive(settings.duration) && settings.duration >= settings.step)) {
    throw ModelError("simulation.duration", "a duration of a step or more",
                     fmt::format("{:g}", settings.duration));
  }
  if (!positive(settings.accuracy)) {
    throw ModelError("--accuracy", "an error above 0", fmt::format("{:g}", settings.accuracy));
  }
}

}  // namespace

const char* name_of(EnergyVerdict verdict) {
  switch (verdict) {
    case EnergyVerdict::rounding:
      return "round-off";
    case EnergyVerdict::bounded:
      return "bounded";
    case EnergyVerdict::drifts:
      return "drifts";
  }
  return "";
}

std::vector<StepperChoice> method_choices() {
  std::vector<StepperChoice> all;
  for (const auto& [formulation, how] : formulations()) {
    for (const auto& [integrator, entry] : integrators()) {
      if (!how.fits(entry)) continue;
      StepperChoice choice;
      choice.formulation = formulation;
      choice.integrator = integrator;
      const auto& orders = order_options();
      const auto option = std::find_if(orders.begin(), orders.end(), [&, &name = integrator](const auto& o) {
        return name == o.integrator;
      });
      if (option == orders.end()) {
        all.push_back(choice);
        continue;
      }
      for (const double value : option->values) {
        choice.options = {{option->option, value}};
        all.push_back(choice);
      }
    }
  }
  return all;
}

Comparison compare_methods(const Model& model, const ComparisonSettings& settings,
                           const StudyProgress& progress) {
  require_settings(settings);
  const StudySubject subject(model);
  Comparison comparison;
  comparison.model = model.name();
  comparison.settings = settings;
  const double h = settings.step;
  // A multiple of all the steps that are tried.
  const double whole = 4 * h * std::floor(std::min(settings.duration, kHorizonSteps * h) / (4 * h));
  comparison.horizon = whole > 0 ? whole : settings.duration;
  std::vector<double> steps;
  for (const double factor : {4.0, 2.0, 1.0, 0.5, 0.25}) {
    if (factor * h <= comparison.horizon) steps.push_back(factor * h);
  }
  const StudyGrid grid = common_grid(comparison.horizon, steps);
  // Finer than the rows that show an error: at half the model's step.
  const StudyReference reference = make_reference(subject, grid, 0.5 * h, progress, settings.threads);
  comparison.reference = reference.what;
  comparison.trusted_to = reference.trusted_to;
  const std::vector<StepperChoice> choices = method_choices();
  comparison.rows.resize(choices.size());
  run_jobs(static_cast<long>(choices.size()), settings.threads, progress,
           [&](long i, const StudyProgress& tell) {
             comparison.rows[i] = measured_row({subject, settings, grid, reference, tell}, choices[i], steps);
           });
  recommend(model, comparison);
  return comparison;
}

}  // namespace torsor
