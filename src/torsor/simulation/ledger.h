#pragma once
// What a run conserved, and how well: the proof that comes with every result.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "torsor/simulation/accuracy.h"
#include "torsor/simulation/extrema.h"
#include "torsor/simulation/ledger_verdicts.h"
#include "torsor/simulation/limit_watch.h"
#include "torsor/simulation/observation.h"
#include "torsor/simulation/slack_watch.h"
#include "torsor/simulation/stop_watch.h"

namespace torsor {

/// A run that had stopped went on.
struct Resumption {
  double time = 0;   ///< from which [s]
  std::string date;  ///< when: 2026-11-17T08:30:00Z
};

/// The numbers of `run --json` (interface.md section 2); computed at every step, recorded or not.
struct Ledger {
  struct Entry {
    std::string name;
    double energy = 0;  ///< [J]
  };

  /// A sampled controller: what it did beyond its continuous law, and what the damper of that law would take.
  struct Sampling {
    std::string name;
    double period = 0;              ///< [s]
    double created = 0, taken = 0;  ///< [J]
  };

  std::string model, formulation, integrator;
  double step = 0, time = 0;  ///< [s]
  long steps = 0;
  double wall_seconds = 0, realtime_factor = 0;  ///< factor = wall / simulated

  double energy_initial = 0, energy_final = 0;         ///< [J]
  double energy_max_error = 0, energy_mean_error = 0;  ///< of |E(t) - E(0)|
  double energy_scale = 0;          ///< largest of |kinetic|, |potential swing| along the run
  double work = 0, dissipated = 0;  ///< totals at the end
  double energy_max_residual = 0;   ///< of |E(t) - E(0) - work + dissipated|
  std::vector<Entry> work_by_source, dissipated_by_damper;
  std::vector<Sampling> sampling;

  std::optional<double> position_max, velocity_max;           ///< constraints; empty where there are none
  std::optional<double> linear_max_error, angular_max_error;  ///< empty where the model conserves none
  std::optional<double> unit_length_max_error;
  double size = 0;  ///< of the mechanism at the start, by which positions are judged [m]
  double linear_scale = 0,
         angular_scale = 0;  ///< bounds of momenta: sqrt(2 m T), sqrt(2 J T) at the largest T
  bool rests = false;        ///< nothing moves but for rounding: there is no scale to judge by

  std::vector<Resumption> resumed;  ///< each time that the run went on from a checkpoint

  std::string note;                    ///< on the way the integrator steps; usually empty
  std::string assembly;                ///< what had to move before the start; empty without loops
  std::vector<double> singular_times;  ///< when the mechanism passed singular positions [s]
  double energy_returned = 0;          ///< what rounding did there and was taken out of the rates, in all [J]

  std::vector<SlackTendon>
      slack_tendons;  ///< that were shorter than their rest length, none that stayed taut
  std::vector<EffortBeyond> efforts_beyond;  ///< their limits, at recorded states

  std::vector<TouchedStop> touched_stops;
  std::vector<Extremum> extrema;  ///< at recorded states; none where they were not asked for

  Accuracy accuracy;  ///< of the motion

  double iterations_mean = 0;
  int iterations_max = 0;
  long evaluations = 0;
};

/// Goes with the run: what was booked goes into a checkpoint.
class LedgerKeeper {
 public:
  /// The manifest must outlive it.
  LedgerKeeper(const Manifest& manifest, const Observation& initial);
  /// Books one state; returns the energy residual E(t) - E(0) - work + dissipated.
  double book(const Observation& observation);
  Ledger close(double step, long steps, double wall_seconds, long evaluations) const;
  void pass(StateTape& tape);

 private:
  /// Of a state.
  struct Balance {
    double time = 0, kinetic = 0, gravity = 0, elastic = 0;
    std::vector<double> work, dissipated;
    std::vector<SamplingFlows> sampling;

    explicit Balance(const Observation& observation);
    void keep(const Observation& observation);
    double total() const { return kinetic + gravity + elastic; }
    void pass(StateTape& tape) { tape(time, kinetic, gravity, elastic, work, dissipated, sampling); }
  };

  const Manifest& manifest_;
  Balance initial_, last_;
  Wrench<double> initial_momentum_;
  Ledger sums_;
  SlackWatch slack_;
  StopWatch stops_;
  LimitWatch limits_;
  double balance_ = 0, balance_lost_ = 0;  ///< less energy - work + dissipated at the start, in two doubles
  double error_sum_ = 0, iteration_sum_ = 0;
  double mass_ = 0, inertia_ = 0;  ///< of all bodies; about the world origin, at the start
  double kinetic_max_ = 0, potential_min_ = 0, potential_max_ = 0;
  long booked_ = 0;
};

/// A table for people, with units.
std::ostream& operator<<(std::ostream&, const Ledger&);

}  // namespace torsor
