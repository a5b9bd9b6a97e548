#pragma once
// What integrators on a tree know of a mechanism, by what they use. Virtual calls happen a few times a step,
// never per body.

#include <memory>
#include <span>
#include <vector>

#include "torsor/base/complex.h"

namespace torsor {

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

/// How an evaluation finds the states s of elements, which obey s' = r(t, q, v, s) and stand in z behind the
/// flows; their rates stand behind the powers.
template <class S>
struct ElementStatesOf {
  std::span<const S> z = {};            ///< the states themselves, or those at the begin of a step
  double gain = 0;                      ///< above 0: s = z + gain (begin_rates + r)
  std::span<const S> begin_rates = {};  ///< empty: zeros
  /// Above 0: s follows from z over a step of this length, for stages anywhere in it; rates are those of the
  /// whole step.
  double step = 0;
  double begin = 0;  ///< when it begins
};
using ElementStates = ElementStatesOf<double>;

/// A Runge-Kutta step from q0 with the coefficients a_ij = lean_ij b_j (row by row) and b.
template <class S>
struct StageStepOf {
  double h = 0;
  std::span<const double> lean, b;
  std::span<const S> q0;
  bool unit_quaternions = true;  ///< stages are brought to unit length
};
using StageStep = StageStepOf<double>;

/// A configuration manifold (product of R, S1, SO(3), SE(2), SE(3)) with body-fixed rates, q' = q v, and the
/// flows z of the ledger: work done by each source, energy taken by each damper, integrated along with the
/// motion so that the balance can be checked to the accuracy of the integrator. Of one mechanism, or of several of one
/// build, a lane each.
template <class S>
class TreeChartOf {
 public:
  virtual ~TreeChartOf() = default;

  virtual int coordinate_count() const = 0;      ///< entries of q
  virtual int rate_count() const = 0;            ///< entries of v
  virtual int flow_count() const = 0;            ///< entries of z
  virtual int state_count() const { return 0; }  ///< of elements: the last entries of z
  /// q0 exp(increment), and the rate of the increment when q moves with v.
  virtual void retract(std::span<const S> q0, std::span<const S> increment, std::span<S> q1) const = 0;
  virtual void chart_rate(std::span<const S> xi, std::span<const S> v, std::span<S> xi_rate) const = 0;
};

/// Every method uses it.
class TreeManifold : public TreeChartOf<double> {
 public:
  /// Times at which a program has a kink: adaptive integrators step onto them.
  virtual const std::vector<double>& breakpoints() const = 0;
  /// Distances whose sign tells on which side of a kink, or of a jump, forces are (a stop: >= 0 where it
  /// touches). Adaptive integrators step onto their zeros.
  virtual int switch_count() const { return 0; }
  virtual void switches(std::span<const double> /*q*/, std::span<double> /*distances*/) const {}
};

/// v' = a(t, q, v), z' = p(t, q, v): all that explicit methods ask.
template <class S>
class TreeAccelerationsOf {
 public:
  virtual ~TreeAccelerationsOf() = default;

  /// For all evaluations to come, of stages and of discrete Lagrangians too; the spans are read in them. Without
  /// it elements are as at a start.
  virtual void hold_states(const ElementStatesOf<S>&) {}

  virtual void evaluate(double t, std::span<const S> q, std::span<const S> v, std::span<S> a,
                        std::span<S> p) = 0;
};

/// With tangents, for implicit methods with one stage.
class TreeDynamics : public TreeAccelerationsOf<double> {
 public:
  /// Derivative (column-major, rate_count x rate_count) of v -> a(t, q0 exp(s v), v): what an implicit rule
  /// solves with; also gives a.
  virtual void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                                std::span<double> a, std::span<double> da_dv) = 0;
  /// Keeps every force on one side of its switch, wherever q is, so that it is smooth; until it is released.
  virtual void hold_switches(std::span<const char> /*touches*/) {}
  virtual void release_switches() {}
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

/// The same for several states at once, one after the other in all lists: for methods of collocation.
class StageDynamics {
 public:
  virtual ~StageDynamics() = default;

  virtual void evaluate_stages(std::span<const double> t, std::span<const double> Q,
                               std::span<const double> V, std::span<double> A, std::span<double> P) = 0;
  /// The configurations Q of the stages whose rates are V, stage after stage, and the increments dq of the
  /// coordinates in the step, with q' = E(q) v for the coordinates as they are: tree/collocation.h.
  virtual void collocate(const StageStep& step, std::span<const double> V, std::span<double> Q,
                         std::span<double> dq) const = 0;
  /// For `count` factors; may be null.
  virtual std::unique_ptr<StiffInverse> make_stiff_inverse(int count) const = 0;
};

/// h L(q0 exp(h w/2), w) with the virtual work of all forces that have no potential at the same middle: for
/// variational methods.
class DiscreteLagrangian {
 public:
  virtual ~DiscreteLagrangian() = default;

  /// The momenta p = dL/dv = M(q) v, and the rates back from them.
  virtual void momenta(std::span<const double> q, std::span<const double> v, std::span<double> p) = 0;
  virtual void rates(std::span<const double> q, std::span<const double> p, std::span<double> v) = 0;
  /// The momenta at the ends q0 and q0 exp(h w), minus the derivative by the one and that by the other,
  /// body-fixed there; and the powers of the flows, unless `power` is empty. p0 is not a number where h w
  /// leaves the chart.
  virtual void discrete_momenta(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                std::span<double> p1, std::span<double> power) = 0;
  /// p0 and its derivative by w (column-major, rate_count x rate_count).
  virtual void discrete_tangent(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                std::span<double> dp0_dw) = 0;
};

/// A formulation of a tree: all of it. A method keeps the parts that it uses.
class TreeSystem : public TreeManifold,
                   public TreeDynamics,
                   public StageDynamics,
                   public DiscreteLagrangian {};

}  // namespace torsor
