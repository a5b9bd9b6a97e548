#pragma once
// What an integrator knows of a mechanism. Virtual calls happen a few times a step, never per body.

#include <memory>
#include <span>
#include <vector>

#include "torsor/base/complex.h"
#include "torsor/numerics/gauss_rule.h"

namespace torsor {

class GalerkinBasis;
class WeakForm;

/// How the rates of a discrete Lagrangian follow from the increments of a step: exp takes xi/h, chord on
/// circles sin(xi)/h, the rate of Götz (4.31).
enum class StepMap { exp, chord };

/// A step from q0 with the increment h w, as a discrete Lagrangian sees it.
struct DiscreteStep {
  double time = 0;  ///< at which programs are read
  double h = 0;
  std::span<const double> q0;
  StepMap map = StepMap::exp;
};

/// A Runge-Kutta step from q0 with the coefficients a_ij = lean_ij b_j (row by row) and b.
struct StageStep {
  double h = 0;
  std::span<const double> lean, b;
  std::span<const double> q0;
  bool unit_quaternions = true;  ///< stages are brought to unit length
};

/// What an implicit method solves with: the part of the tangent of M(q) a = f(t, q, v) that grows stiff and
/// goes along the tree, with stiffnesses K and dampings C; the rest is left out.
class StiffInverse {
 public:
  virtual ~StiffInverse() = default;
  /// Whether joints have springs or dampers of their own; K has what their tensions do in any case.
  virtual bool has_joint_forces() const = 0;
  /// At a state with its accelerations, for as many factors sigma as it was made for.
  virtual void factorise(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                         std::span<const Complex> sigma) = 0;
  /// x becomes (M + sigma_k C + sigma_k^2 K)^-1 M x.
  virtual void solve(int k, std::span<Complex> x) = 0;
};

/// Second-order dynamics on a configuration manifold (product of R, S1, SO(3), SE(2), SE(3)):
///   q' = q v (body-fixed rates), v' = a(t, q, v), z' = p(t, q, v).
/// z are the flows of the ledger: work done by each source, energy taken by each damper, integrated along
/// with the motion so that the balance can be checked to the accuracy of the integrator.
class TreeSystem {
 public:
  virtual ~TreeSystem() = default;

  virtual int coordinate_count() const = 0;  ///< entries of q
  virtual int rate_count() const = 0;        ///< entries of v
  virtual int flow_count() const = 0;        ///< entries of z

  virtual void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                        std::span<double> p) = 0;
  /// The same for several states, one after the other in all lists.
  virtual void evaluate_stages(std::span<const double> t, std::span<const double> Q,
                               std::span<const double> V, std::span<double> A, std::span<double> P) = 0;
  /// Derivative (column-major, rate_count x rate_count) of v -> a(t, q0 exp(s v), v): what an implicit rule
  /// solves with; also gives a.
  virtual void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                                std::span<double> a, std::span<double> da_dv) = 0;

  virtual void retract(std::span<const double> q0, std::span<const double> increment,
                       std::span<double> q1) const = 0;
  virtual void chart_rate(std::span<const double> xi, std::span<const double> v,
                          std::span<double> xi_rate) const = 0;
  /// The configurations Q of the stages whose rates are V, stage after stage, and the increments dq of the
  /// coordinates in the step, with q' = E(q) v for the coordinates as they are: tree/collocation.h.
  virtual void collocate(const StageStep& step, std::span<const double> V, std::span<double> Q,
                         std::span<double> dq) const = 0;
  /// For `count` factors; may be null.
  virtual std::unique_ptr<StiffInverse> make_stiff_inverse(int count) const = 0;

  /// The momenta p = dL/dv = M(q) v, and the rates back from them.
  virtual void momenta(std::span<const double> q, std::span<const double> v, std::span<double> p) = 0;
  virtual void rates(std::span<const double> q, std::span<const double> p, std::span<double> v) = 0;
  /// The discrete Lagrangian h L(q0 exp(h w/2), w) with the virtual work of all forces that have no potential
  /// at the same middle: the momenta at the ends q0 and q0 exp(h w), minus the derivative by the one and that
  /// by the other, body-fixed there; and the powers of the flows, unless `power` is empty. p0 is not a number
  /// where h w leaves the chart.
  virtual void discrete_momenta(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                std::span<double> p1, std::span<double> power) = 0;
  /// p0 and its derivative by w (column-major, rate_count x rate_count).
  virtual void discrete_tangent(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                std::span<double> dp0_dw) = 0;

  /// Times at which a program has a kink: adaptive integrators step onto them.
  virtual const std::vector<double>& breakpoints() const = 0;
};

/// Where a constrained system is evaluated: on a pair of configurations a, b (for the energy-momentum scheme
/// the two ends of the step; for collocation methods twice the same). Gradients are taken on the left, at
/// a + kappa (b - a) with kappa = 1/2 for a step and 1 for a point, or as discrete gradients of the pair.
struct ConstrainedPoint {
  double time = 0;      ///< at which programs of forces are read
  double end_time = 0;  ///< at which servo programs are read
  std::span<const double> x_a, x_b;
  std::span<const double> angles;    ///< of the last accepted state: angles are counted on from these
  std::span<const double> w;         ///< what the mass matrix is multiplied with; grows with x_b by 1
  std::span<const double> velocity;  ///< that dampers see
  double velocity_gain = 0;          ///< its derivative by x_b
  double kappa = 0.5;
  double force_gain = 0;  ///< sigma: of all forces against M w
  /// Where elastic forces of tendons are averaged on the straight line from a to b; empty: discrete
  /// gradients.
  std::span<const GaussPoint> elastic_rule = {};
  /// Directors are of unit length at nodes of time only, as on a polynomial between them: angles and their
  /// gradients are taken of directions.
  bool stretched = false;
};

struct EnergyParts {
  double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]
};

/// Redundant coordinates x with a constant mass matrix and constraints:
///   M x'' = f(t, x, x') - G^T lambda + B(x) tau,   g(x) = 0,   c(x, t) = 0 (servos, with efforts tau) (1)
/// Every step is written in increments of a chart, x_b = x_a + P eta, which satisfy the constraints inside
/// the bodies by themselves, and all unknowns (eta, sigma lambda, sigma tau) stand in one vector:
///   P^T (M w - sigma f + G^T sigma lambda - B sigma tau) = 0,   g(x_b) = 0,   c(x_b, t) = 0 (2)
/// whose tangent the system factorises along its own structure.
class ConstrainedSystem {
 public:
  virtual ~ConstrainedSystem() = default;

  virtual int coordinate_count() const = 0;  ///< entries of x and v
  virtual int unknown_count() const = 0;
  virtual int angle_count() const = 0;
  virtual int flow_count() const = 0;
  virtual int servo_count() const = 0;                         ///< servo efforts among the unknowns
  virtual const std::vector<double>& breakpoints() const = 0;  ///< times at which a program has a kink

  /// x_b - x_a, with the relative rounding of the increments, and x_b.
  virtual void retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
                       std::span<double> x_b) const = 0;
  /// The increments of h v, for a first guess.
  virtual void set_increments(std::span<const double> x, std::span<const double> v, double h,
                              std::span<double> unknowns) const = 0;
  /// Fixes the rank of redundant constraints for the coming step. Returns the square of the least singular
  /// value of the loop constraints, relative to the largest: 0 in a singular position; 1 without loops.
  virtual double begin_step(double time, std::span<const double> x, std::span<const double> v,
                            std::span<const double> angles) = 0;
  /// (2) at x_b = retract(x_a, unknowns).
  virtual void residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                        std::span<double> r) = 0;
  /// The tangent of the last residual; false where it is singular.
  virtual bool factorise(const ConstrainedPoint& point, std::span<const double> unknowns) = 0;
  virtual void solve(std::span<double> r) = 0;
  /// unknowns -= step, increments in their chart. Returns the size of the step in the increments: lengths
  /// over the mechanism's, angles.
  virtual double correct(std::span<const double> step, std::span<double> unknowns) const = 0;
  virtual double size(std::span<const double> unknowns) const = 0;  ///< of the increments, likewise
  /// What a rounding of the coordinates amounts to, likewise: it grows with the distance from the origin.
  virtual double rounding(std::span<const double> x) const = 0;

  /// Accelerations at a state, with lambda and tau in the unknowns: what the constraints demand of second
  /// derivatives. False where that is singular; there they are those of the conditions that are left, with
  /// the least multipliers, or zero if there are none either.
  virtual bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                          std::span<const double> angles, std::span<double> unknowns,
                          std::span<double> a) = 0;
  /// Adds the work and the dissipation of a step of length h to the flows.
  virtual void add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                         std::span<double> z) = 0;
  /// After a step with servos: impulses of efforts and constraints that give outputs the rates of their
  /// programs and joints consistent ones, their work added to the flows. A step that holds g and c alone
  /// leaves errors in these rates that swing from step to step without damping; the energy keeps them small
  /// where nothing feeds them, but servos do.
  virtual void lead_rates(double t, std::span<const double> x, std::span<const double> angles,
                          std::span<double> v, std::span<double> z) = 0;
  /// Counts the angles on to x, and takes rounding out of the constraints inside bodies.
  virtual void settle(std::span<double> x, std::span<double> angles) const = 0;
  /// The equations of a step in which x is a polynomial of time. The system must outlive it.
  virtual std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) = 0;
};

}  // namespace torsor
