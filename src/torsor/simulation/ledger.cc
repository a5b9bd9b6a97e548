#include "torsor/simulation/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include "torsor/base/compensated_sum.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/manifest.h"

namespace torsor {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Adds energy - work + dissipated, or takes it away, without rounding: a run may book far more than the energy that it
/// swings by.
void add_balance(const Observation& o, double sign, double& balance, double& balance_lost) {
  double sum = balance, lost = balance_lost;
  for (const double energy : {o.kinetic, o.gravity, o.elastic}) add_in_a_row(sign * energy, sum, lost);
  for (const double work : o.work) add_in_a_row(-sign * work, sum, lost);
  for (const double taken : o.dissipated) add_in_a_row(sign * taken, sum, lost);
  balance = sum;
  balance_lost = lost - sign * o.flow_rounding;
}

Wrench<double> momentum(const Observation& o) { return {o.angular_momentum, o.linear_momentum}; }

/// Books the largest change of the conserved components.
void book_momentum(const std::vector<Twist<double>>& symmetries, const Wrench<double>& change,
                   std::optional<double>& largest) {
  for (const Twist<double>& symmetry : symmetries) keep_largest(largest, std::abs(dot(symmetry, change)));
}

/// In a step bodies move by roundings of the mechanism's size alone, and energies are roundings of what they would have if
/// they crossed that size in it.
bool rests(const Ledger& ledger, double mass) {
  constexpr double kRests = 1e-12;
  const double fast = ledger.size / ledger.step;
  return ledger.linear_scale <= kRests * mass * fast &&
         larger(ledger.energy_scale, ledger.energy_max_residual) <= kRests * mass * fast * fast;
}

std::vector<Ledger::Entry> entries(const std::vector<std::string>& names, const std::vector<double>& energies,
                                   const std::vector<double>& before) {
  std::vector<Ledger::Entry> all;
  for (std::size_t i = 0; i < names.size(); ++i) all.push_back({names[i], energies[i] - before[i]});
  return all;
}

}  // namespace

LedgerKeeper::Balance::Balance(const Observation& o)
    : work(o.work.size()), dissipated(o.dissipated.size()), sampling(o.sampling.size()) {
  keep(o);
}

void LedgerKeeper::Balance::keep(const Observation& o) {
  time = o.time;
  kinetic = o.kinetic;
  gravity = o.gravity;
  elastic = o.elastic;
  std::copy(o.work.begin(), o.work.end(), work.begin());
  std::copy(o.dissipated.begin(), o.dissipated.end(), dissipated.begin());
  std::copy(o.sampling.begin(), o.sampling.end(), sampling.begin());
}

LedgerKeeper::LedgerKeeper(const Manifest& manifest, const Observation& initial)
    : manifest_(manifest),
      initial_(initial),
      last_(initial),
      initial_momentum_(momentum(initial)),
      slack_(manifest),
      stops_(manifest),
      limits_(manifest) {
  sums_.model = manifest.model;
  sums_.formulation = manifest.formulation;
  sums_.note = manifest.note;
  sums_.assembly = manifest.assembly;
  sums_.integrator = manifest.integrator;
  potential_min_ = potential_max_ = initial.gravity + initial.elastic;
  sums_.size = mechanism_size(manifest, initial);
  for (std::size_t b = 0; b < initial.bodies.size(); ++b) {
    const auto& [mass, inertia] = manifest.weights[b];
    mass_ += mass;
    inertia_ += mass * dot(initial.bodies[b].com, initial.bodies[b].com) + inertia;
  }
  add_balance(initial, -1, balance_, balance_lost_);
  book(initial);
}

double LedgerKeeper::book(const Observation& o) {
  const double error = std::abs(o.total() - initial_.total());
  double balance = balance_, lost = balance_lost_;
  add_balance(o, 1, balance, lost);
  const double residual = balance + lost;
  keep_largest(sums_.energy_max_error, error);
  keep_largest(sums_.energy_max_residual, std::abs(residual));
  error_sum_ += error;
  kinetic_max_ = larger(kinetic_max_, o.kinetic);
  potential_min_ = smaller(potential_min_, o.gravity + o.elastic);
  potential_max_ = larger(potential_max_, o.gravity + o.elastic);

  const Wrench<double> change = momentum(o) - initial_momentum_;
  book_momentum(manifest_.conserved_linear, change, sums_.linear_max_error);
  book_momentum(manifest_.conserved_angular, change, sums_.angular_max_error);
  if (manifest_.has_constraints) {
    keep_largest(sums_.position_max, o.position_error);
    keep_largest(sums_.velocity_max, o.velocity_error);
  }
  if (manifest_.has_quaternions) keep_largest(sums_.unit_length_max_error, o.unit_length_error);

  slack_.feed(o.time, o.tendons);
  stops_.feed(o);
  limits_.feed(o.time, o.efforts);
  if (booked_ > 0) {
    iteration_sum_ += o.solver.iterations;
    sums_.iterations_max = std::max(sums_.iterations_max, o.solver.iterations);
  }
  ++booked_;
  last_.keep(o);
  return residual;
}

void LedgerKeeper::pass(StateTape& tape) {
  tape(initial_, initial_momentum_.moment, initial_momentum_.force, last_, slack_, stops_, limits_,
       error_sum_, iteration_sum_, kinetic_max_, potential_min_);
  tape(potential_max_, booked_);
  tape(sums_.energy_max_error, sums_.energy_max_residual, sums_.linear_max_error, sums_.angular_max_error);
  tape(sums_.position_max, sums_.velocity_max, sums_.unit_length_max_error, sums_.iterations_max);
}

Ledger LedgerKeeper::close(double step, long steps, double wall_seconds, long evaluations) const {
  Ledger ledger = sums_;
  ledger.step = step;
  ledger.steps = steps;
  ledger.time = last_.time;
  ledger.wall_seconds = wall_seconds;
  const double simulated = last_.time - initial_.time;
  ledger.realtime_factor = simulated > 0 ? wall_seconds / simulated : 0;
  ledger.energy_initial = initial_.total();
  ledger.energy_final = last_.total();
  ledger.energy_mean_error = error_sum_ / static_cast<double>(booked_);
  ledger.energy_scale = larger(kinetic_max_, potential_max_ - potential_min_);
  ledger.linear_scale = std::sqrt(2 * mass_ * kinetic_max_);
  ledger.angular_scale = std::sqrt(2 * inertia_ * kinetic_max_);
  ledger.rests = rests(ledger, mass_);
  ledger.work = sum(last_.work) - sum(initial_.work);
  ledger.dissipated = sum(last_.dissipated) - sum(initial_.dissipated);
  ledger.work_by_source = entries(manifest_.sources, last_.work, initial_.work);
  ledger.dissipated_by_damper = entries(manifest_.dampers, last_.dissipated, initial_.dissipated);
  for (std::size_t i = 0; i < manifest_.sampled.size(); ++i) {
    const SamplingFlows &first = initial_.sampling[i], &last = last_.sampling[i];
    ledger.sampling.push_back({manifest_.sampled[i].name, manifest_.sampled[i].period,
                               last.created - first.created, last.taken - first.taken});
  }
  ledger.slack_tendons = slack_.report();
  ledger.touched_stops = stops_.report();
  ledger.efforts_beyond = limits_.report();
  ledger.iterations_mean = booked_ > 1 ? iteration_sum_ / static_cast<double>(booked_ - 1) : 0;
  ledger.evaluations = evaluations;
  return ledger;
}

}  // namespace torsor
