#include "torsor/study/study_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "torsor/base/norm.h"
#include "torsor/base/parallel.h"
#include "torsor/numerics/order_fit.h"
#include "torsor/simulation/record.h"

namespace torsor {
namespace {

constexpr int kMostParts = 100;
constexpr double kSameTime = 1e-9;  ///< relative

/// How many steps make a span, if a whole number of them does.
std::optional<int> whole_steps(double span, double step) {
  const double count = span / step, whole = std::round(count);
  if (whole < 1 || whole > 1e9 || std::abs(count - whole) > kSameTime * whole) return std::nullopt;
  return static_cast<int>(whole);
}

class Keeper : public RunListener {
 public:
  explicit Keeper(StudyRun& run) : run_(run) {}
  void on_record(const Observation& o, double residual) override {
    run_.times.push_back(o.time);
    run_.residuals.push_back(residual);
    run_.states.push_back(o.bodies);
  }

 private:
  StudyRun& run_;
};

}  // namespace

std::string label_of(const Model& model, const StepperChoice& choice) {
  const StepperChoice whole = named(model, choice);
  std::string options;
  for (const auto& [name, value] : choice.options) {
    const double* number = std::get_if<double>(&value);
    options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", name,
                           number ? fmt::format("{:g}", *number) : std::get<std::string>(value));
  }
  if (choice.tolerance > 0) {
    options += fmt::format("{}tolerance = {:g}", options.empty() ? "" : ", ", choice.tolerance);
  }
  return fmt::format("{} + {}{}", whole.formulation, whole.integrator,
                     options.empty() ? "" : "(" + options + ")");
}

StudyGrid common_grid(double duration, const std::vector<double>& steps) {
  for (int parts = kMostParts; parts > 1; --parts) {
    const bool fits = std::all_of(steps.begin(), steps.end(), [&](double step) {
      return whole_steps(duration / parts, step).has_value();
    });
    if (fits) return {duration, parts};
  }
  return {duration, 1};
}

double StudyRun::drift() const { return fit_line(times, residuals).slope; }

double StudyRun::extent() const {
  double farthest = 0;
  for (const auto& bodies : states) {
    for (const BodyObservation& body : bodies) farthest = larger(farthest, norm(body.com));
  }
  return farthest;
}

StudyRun run_on_grid(const StudySubject& subject, const StepperChoice& choice, double step,
                     const StudyGrid& grid) {
  const std::unique_ptr<Stepper> stepper =
      make_stepper(subject.model, subject.start, resolve_method(subject.model, choice));
  RunSettings settings{step, grid.duration, std::numeric_limits<int>::max(), {}};
  if (const auto every = whole_steps(grid.spacing(), step)) settings.record_every = *every;
  StudyRun run;
  Keeper keeper(run);
  const Record record = simulate(*stepper, settings, {&keeper}, false);
  run.ledger = record.ledger;
  if (record.failure) run.failure = record.failure->what();
  return run;
}

void run_jobs(long count, int threads, const StudyProgress& progress,
              const std::function<void(long, const StudyProgress&)>& job) {
  std::mutex mutex;
  const StudyProgress in_turn = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    if (progress) progress(line);
  };
  const int used = static_cast<int>(std::clamp<long>(threads, 1, std::max(1L, count)));
  for_each_parallel(count, used, [&](long i, int) { job(i, in_turn); });
}

StateError largest_error(const StudyRun& run, const StudyRun& reference) {
  StateError largest;
  bool met = false;
  std::size_t at = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const double rounding = kSameTime * std::max(1.0, std::abs(run.times[i]));
    while (at < reference.times.size() && reference.times[at] < run.times[i] - rounding) ++at;
    if (at == reference.times.size()) break;
    if (reference.times[at] > run.times[i] + rounding) continue;
    largest.raise(state_error(run.states[i], reference.states[at]));
    met = met || run.times[i] > run.times.front();
  }
  if (!met) largest.position = largest.velocity = std::numeric_limits<double>::quiet_NaN();
  return largest;
}

}  // namespace torsor
