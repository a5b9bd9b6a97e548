#pragma once
// What an integrator with constraints knows of a mechanism. Virtual calls happen a few times a step, never per
// body.

#include <memory>
#include <span>
#include <vector>

#include "torsor/base/pack_math.h"
#include "torsor/base/state_tape.h"
#include "torsor/numerics/gauss_rule.h"

namespace torsor {

class GalerkinBasis;
class WeakForm;

/// Where a constrained system is evaluated: on a pair of configurations a, b (for the energy-momentum scheme
/// the two ends of the step; for collocation methods twice the same). Gradients are taken on the left, at
/// a + kappa (b - a) with kappa = 1/2 for a step and 1 for a point, or as discrete gradients of the pair. Numbers are
/// plain ones or packs, whose lanes have all times and the length of the step in common.
template <class S>
struct ConstrainedPointOf {
  double time = 0;        ///< at which programs of forces are read
  double start_time = 0;  ///< of a
  double end_time = 0;    ///< of b: at which servo programs are read
  std::span<const S> x_a, x_b;
  std::span<const S> angles;    ///< of the last accepted state: angles are counted on from these
  std::span<const S> w;         ///< what the mass matrix is multiplied with; grows with x_b by 1
  std::span<const S> velocity;  ///< that dampers see
  double velocity_gain = 0;     ///< its derivative by x_b: 1 over the length of a step from a to b
  double kappa = 0.5;
  double force_gain = 0;  ///< sigma: of all forces against M w
  /// Where elastic forces of tendons are averaged on the straight line from a to b; empty: discrete
  /// gradients.
  std::span<const GaussPoint> elastic_rule = {};
  /// The flows and, behind them, the states of elements where the step began: those of a state if `step` is 0.
  /// Empty: as they are at a start.
  std::span<const S> z = {};
  double begin = 0, step = 0;  ///< when it began, and its length
  /// x_a, angles and times are those of the last residual, and nothing else was asked of the system since: what
  /// was measured at a still holds.
  bool same_start = false;
  /// Directors are of unit length at nodes of time only, as on a polynomial between them: angles and their
  /// gradients are taken of directions.
  bool stretched = false;
};
using ConstrainedPoint = ConstrainedPointOf<double>;

/// Coordinates that grow together where a part of the mechanism moves along an axis. No equation of a step depends on
/// where it is on that axis.
template <class S>
struct FreeAxisOf {
  std::vector<int> coordinates;
  S cell;  ///< a power of 2 of about the size of the part [m]

  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coordinates, s.cell);
  }
};
using FreeAxis = FreeAxisOf<double>;

struct EnergyParts {
  double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]
};

// Redundant coordinates x with a constant mass matrix and constraints:
//   M x'' = f(t, x, x') - G^T lambda + B(x) tau,   g(x) = 0,   c(x, t) = 0 (servos, with efforts tau) (1)
// Every step is written in increments of a chart, x_b = x_a + P eta, which satisfy the constraints inside the
// bodies by themselves, and all unknowns (eta, sigma lambda, sigma tau) stand in one vector:
//   P^T (M w - sigma f + G^T sigma lambda - B sigma tau) = 0,   g(x_b) = 0,   c(x_b, t) = 0 (2)
// whose tangent the system factorises along its own structure. A method takes of a system what it uses.

/// (2): what Newton's method solves in a step, and what the solution did.
template <class S>
class StepEquationsOf {
 public:
  virtual ~StepEquationsOf() = default;

  virtual int coordinate_count() const = 0;  ///< entries of x and v
  virtual int unknown_count() const = 0;
  /// x_b - x_a, with the relative rounding of the increments, and x_b.
  virtual void retract(std::span<const S> x_a, std::span<const S> unknowns, std::span<S> dx,
                       std::span<S> x_b) const = 0;
  /// The increments of h v, for a first guess.
  virtual void set_increments(std::span<const S> x, std::span<const S> v, double h,
                              std::span<S> unknowns) const = 0;
  /// (2) at x_b = retract(x_a, unknowns).
  virtual void residual(const ConstrainedPointOf<S>& point, std::span<const S> unknowns, std::span<S> r) = 0;
  /// The tangent of the last residual; false, lane by lane, where it is singular.
  virtual MaskOf<S> factorise(const ConstrainedPointOf<S>& point, std::span<const S> unknowns) = 0;
  virtual void solve(std::span<S> r) = 0;
  /// Both, with fewer ways through the matrix where that is large.
  virtual MaskOf<S> factorise_and_solve(const ConstrainedPointOf<S>& point, std::span<const S> unknowns,
                                        std::span<S> r) {
    const MaskOf<S> regular = factorise(point, unknowns);
    if (any(regular)) solve(r);
    return regular;
  }
  /// Takes out of a guess the multipliers that act on nothing at the start of the step, but do at its end.
  virtual void drop_idle(std::span<S> unknowns) const = 0;
  /// unknowns -= step, increments in their chart; of the multipliers those that act on nothing are dropped.
  virtual void correct(std::span<const S> step, std::span<S> unknowns) const = 0;
  /// Of the increments: lengths over the mechanism's, angles.
  virtual S size(std::span<const S> unknowns) const = 0;
  /// With which size() is the largest of |w_i x_i|, but for what efforts that servos share add to it.
  virtual std::vector<S> weights() const = 0;
  /// What a rounding of the coordinates amounts to, likewise: it grows with the distance from the origin.
  virtual S rounding(std::span<const S> x) const = 0;
  virtual S kinetic_energy(std::span<const S> v) = 0;
  /// Adds the work and the dissipation of a step of length h to the flows, and moves the states of elements on.
  virtual void add_flows(const ConstrainedPointOf<S>& point, std::span<const S> unknowns, double h,
                         std::span<S> z) = 0;
};
using StepEquations = StepEquationsOf<double>;

/// States from step to step.
class ConstrainedStates {
 public:
  virtual ~ConstrainedStates() = default;

  virtual int angle_count() const = 0;
  virtual int flow_count() const = 0;
  /// Of the flows' list z: the states of elements at what is asked of a state, until they are set again.
  virtual void hold_states(std::span<const double> z) = 0;
  virtual const std::vector<double>& breakpoints() const = 0;  ///< times at which a program has a kink
  /// Fixes the rank of redundant constraints for the coming step. Returns the square of the least singular
  /// value of the loop constraints, relative to the largest: 0 in a singular position; 1 without loops.
  virtual double begin_step(double time, std::span<const double> x, std::span<const double> v,
                            std::span<const double> angles) = 0;
  /// Counts the angles on to x, to 1e-4 rad: whoever reads one computes it from x, and takes from these only the number of
  /// turns. Takes rounding out of the constraints inside bodies: out of x, or out of what rounding took from it where that
  /// is kept.
  virtual void settle(std::span<double> x, std::span<double> x_lost, std::span<double> angles) const = 0;
  virtual std::vector<FreeAxis> free_axes() const { return {}; }
  /// Whether rates may be scaled to keep the energy: there are loops, no servo leads rates, and no momentum is kept.
  virtual bool may_scale_rates() const { return false; }
  /// Energy - work + dissipated of a state, whose element states hold_states() has set.
  virtual double balance(double /*time*/, std::span<const double> /*x*/, std::span<const double> /*v*/,
                         std::span<const double> /*angles*/, std::span<const double> /*z*/) {
    return 0;
  }
  /// What it remembers from step to step: choices of the solver.
  virtual void pass(StateTape&) {}
};

class ConstrainedAccelerations {
 public:
  virtual ~ConstrainedAccelerations() = default;
  /// Accelerations at a state, with lambda and tau in the unknowns: what the constraints demand of second
  /// derivatives. False where that is singular; there they are those of the conditions that are left, with
  /// the least multipliers, or zero if there are none either.
  virtual bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                          std::span<const double> angles, std::span<double> unknowns,
                          std::span<double> a) = 0;
};

class ServoLead {
 public:
  virtual ~ServoLead() = default;
  virtual int servo_count() const = 0;  ///< servo efforts among the unknowns
  /// Whether efforts follow from these unknowns by shares that change from step to step: unknowns of different steps
  /// are not to be compared then.
  virtual bool shares_efforts() const { return false; }
  /// After a step with servos: impulses of efforts and constraints that give outputs the rates of their
  /// programs and joints consistent ones, their work added to the flows. A step that holds g and c alone
  /// leaves errors in these rates that swing from step to step without damping; the energy keeps them small
  /// where nothing feeds them, but servos do. What rounding took from v is part of it, and is zero afterwards.
  virtual void lead_rates(double t, std::span<const double> x, std::span<const double> angles,
                          std::span<double> v, std::span<double> v_lost, std::span<double> z) = 0;
};

class WeakForms {
 public:
  virtual ~WeakForms() = default;
  /// The equations of a step in which x is a polynomial of time. The system must outlive it.
  virtual std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) = 0;
};

class ConstrainedSystem : public StepEquations,
                          public ConstrainedStates,
                          public ConstrainedAccelerations,
                          public ServoLead,
                          public WeakForms {};

}  // namespace torsor
