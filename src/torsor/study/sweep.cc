#include "torsor/study/sweep.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"

namespace torsor {

SweepRunner::SweepRunner(const SweepDescription& description, MakeModel make)
    : samples_(description),
      make_(std::move(make)),
      keeper_(description.measures),
      values_(description.variables.size()) {}

Model SweepRunner::model(long run) {
  samples_.values(run, values_);
  return make_(values_);
}

std::vector<double> SweepRunner::numbers_of(const Model& model) {
  Settings settings = resolve_settings(model);
  settings.run.extrema = false;
  settings.run.extremes_of.clear();
  settings.run.record = keeper_.patterns();
  if (!keeper_.needs_all_states()) settings.run.record_every = std::numeric_limits<int>::max();
  const std::unique_ptr<Stepper> stepper = make_stepper(model, make_start(model), settings.method);
  const Record record = simulate(*stepper, settings.run, {&keeper_}, false);
  if (record.failure) throw *record.failure;
  std::vector<double> numbers = keeper_.numbers();
  const Ledger& ledger = record.ledger;
  numbers.push_back(ledger.energy_scale > 0 ? ledger.energy_max_residual / ledger.energy_scale : 0);
  numbers.push_back(ledger.position_max.value_or(0));
  numbers.push_back(static_cast<double>(ledger.steps));
  return numbers;
}

SweepRow SweepRunner::run(long run) {
  SweepRow row{run, {}, {}};
  try {
    const Model model = this->model(run);
    row.numbers = numbers_of(model);
    for (const double number : row.numbers) {
      if (!std::isfinite(number)) throw Error("a measure is not a finite number");
    }
  } catch (const ModelError& error) {
    if (error.key.starts_with("measure.")) throw;
    row.failure = error.what();
  } catch (const Error& error) {
    row.failure = error.what();
  }
  if (!row.done()) row.numbers.clear();
  return row;
}

}  // namespace torsor
