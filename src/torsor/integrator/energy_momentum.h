#pragma once
// The energy-momentum scheme of Gonzalez and Betsch (Uhlar-Betsch (5)): discrete gradients of potentials and
// constraints.

#include "torsor/integrator/extrapolation.h"
#include "torsor/integrator/near_positions.h"
#include "torsor/integrator/parted_integrator.h"

namespace torsor {

/// One step from (x_0, v_0), with discrete gradients marked by a bar:
///   x_1 - x_0 = h/2 (v_0 + v_1)
///   M (v_1 - v_0) = h (f - grad V - G^T lambda + B tau),   g(x_1) = 0,  c(x_1, t_1) = 0              (5)
/// With the increment dx = x_1 - x_0 as unknown and sigma = h^2/2:
///   M (dx - h v_0) = sigma (...),   v_1 = 2 dx / h - v_0                                             (1)
/// The sum of both over dx: the energy changes by the work of f and B tau, exactly, whatever h. Angular
/// momentum is kept since all gradients are those of functions that do not change under turns, at the
/// midpoint.
///
/// Rounding: x, v and the flows are sums of increments without what rounding would take from them, so that the
/// increments of all steps add up to what the energies see. What flies away is stepped from a place near it.
///
/// With Gauss points for the elastic forces of tendons instead of discrete gradients it is the
/// Petrov-Galerkin method of lowest order, Kotyczka-Götz-Herrmann (19), and its energy is as good as that
/// rule.
///
/// Of one mechanism or of a pack of them, which share the time and the step.
template <class S>
class EnergyMomentumScheme {
 public:
  using Mask = MaskOf<S>;
  using Newton = ConstrainedNewtonOf<S>;

  /// `elastic_points` 0: discrete gradients.
  EnergyMomentumScheme(StepEquationsOf<S>& equations, const ConstrainedNewtonSettings& settings,
                       int elastic_points, std::size_t flow_count, std::vector<FreeAxisOf<S>> free_axes);
  /// As if it were made: the numbers of the equations have changed, not how many there are.
  void restart(std::vector<FreeAxisOf<S>> free_axes);
  /// One step of the lanes that are asked for; of which it was found. The others keep their state. The clock
  /// stands at the start of the step, and `loops` are what ConstrainedStates::begin_step() says of it.
  Mask advance(double h, const Clock& clock, ConstrainedStateOf<S>& state, const S& loops,
               const Mask& asked = all_lanes<S>());

  const ConstrainedNewtonSettings& settings() const { return settings_; }
  int elastic_points() const { return static_cast<int>(elastic_rule_.size()); }
  /// The history of one lane.
  void forget(int i) {
    history.forget(i);
    for (S& unknown : unknowns) lane(unknown, i) = 0;
  }

  typename Newton::Report report;         ///< of the last step
  Mask refused = !all_lanes<S>();         ///< near a solution, but without keeping the energy
  double leniency = 1;                    ///< in judging that
  S most_loops = 0.0, most_energy = 0.0;  ///< so far: of what is said of the loops, of the kinetic energy
  std::vector<S> unknowns;
  ExtrapolationOf<S> history;  ///< of steps of the length last_h
  double last_h = 0;

 private:
  void predict(double h, const ConstrainedStateOf<S>& state);
  /// dx and the mean velocity of unknowns.
  void set_mean_velocity(double h, std::span<const S> unknowns);
  /// These, x_1 and w.
  void set_motion(double h, const ConstrainedStateOf<S>& state, std::span<const S> unknowns);
  /// Of the lanes asked for, those whose loops are near a singular position.
  Mask near_singular(const ConstrainedStateOf<S>& state, const S& loops, const Mask& asked);
  /// What is left of the equations changes the energy by 2 / h^2 times this.
  S work_left(double h, const ConstrainedStateOf<S>& state);
  /// Of the lanes, those whose unknowns do not keep the energy.
  Mask losing(double h, const ConstrainedStateOf<S>& state, const Mask& lanes);
  void advance_velocity(double h, ConstrainedStateOf<S>& state, const Mask& lanes);

  ConstrainedNewtonSettings settings_;
  std::vector<GaussPoint> elastic_rule_;
  StepEquationsOf<S>& equations_;
  Newton newton_;
  ConstrainedPointOf<S> point_;
  NearPositionsOf<S> start_;  ///< x of the state, where free parts are near
  std::vector<S> guess_, dx_, x_, w_, mean_velocity_, dz_, left_;
};

extern template class EnergyMomentumScheme<double>;
extern template class EnergyMomentumScheme<Pack<4>>;
extern template class EnergyMomentumScheme<Pack<8>>;

/// The scheme on one mechanism.
class EnergyMomentum final : public PartedIntegrator {
 public:
  EnergyMomentum(ConstrainedSystem& system, ConstrainedState initial,
                 const ConstrainedNewtonSettings& settings = {}, int elastic_points = 0);
  bool can_restart() const override { return true; }
  void restart(ConstrainedState initial) override;
  void pass(StateTape& tape) override {
    PartedIntegrator::pass(tape);
    tape(scheme_.unknowns, scheme_.history, scheme_.last_h, scheme_.most_loops, scheme_.most_energy);
  }

 private:
  template <class P>
  friend class PackEnergyMomentum;

  bool try_step(double h) override;
  void forget() override;
  /// Whether the energy can be returned, and is looked for: by a fold, and where the scheme keeps it but for rounding.
  bool returns_energy(double loops) const;
  double balance();
  void return_energy(double before);

  ConstrainedSystem& system_;
  EnergyMomentumScheme<double> scheme_;
  std::vector<double> dz_;
};

}  // namespace torsor
