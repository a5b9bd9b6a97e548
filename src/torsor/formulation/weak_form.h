#pragma once
// A step on which the coordinates are a polynomial of time, tested by polynomials: what a Petrov-Galerkin
// method of higher order solves.

#include <span>

#include "torsor/numerics/galerkin_basis.h"

namespace torsor {

/// From (x_0, v_0) over h, with x(s) by (1) of galerkin_basis.h; in the coordinates of the form.
struct WeakStep {
  double time = 0, h = 0;
  std::span<const double> x_0, v_0;
  std::span<const double> angles;  ///< of x_0, from which angles are counted on
  std::span<const double> x_b;     ///< x(1)
  std::span<const double> z = {};  ///< at the start: flows, and states of elements behind them
};

/// With multipliers lambda = sum lambda_k L_k and for every test function L_j, j = 0..m,
///   M (sum_k A_jk p_k - h b_j v_0) + h^2 int (grad V - f) L_j ds + int G^T(x) h^2 lambda L_j ds = 0  (1)
///   int G(x) dx/ds L_j ds = 0, for j = 0 as g(x(1)) = 0, so that no rounding adds up                 (2)
/// in the unknowns p_0, .., p_m, then h^2 lambda_0, .., h^2 lambda_m. Here f are all forces without a
/// potential at x(s), dx/ds / h; the constraints inside bodies have multipliers, too. With m + 1 points
/// or more for the constraints reactions do no work by (2), since int G(x) dx/ds is exact, and the sum of (1)
/// times p_j is the balance of energy, up to the error of the rule for grad V.
class WeakForm {
 public:
  virtual ~WeakForm() = default;

  virtual int coordinate_count() const = 0;
  virtual int multiplier_count() const = 0;  ///< constraints; unknowns are (m + 1) times both
  /// From positions or rates of the system to those of the form, and back. The map is linear in rates, and
  /// affine in positions: a polynomial is one in both.
  virtual void embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
                     std::span<double> v_form) const = 0;
  virtual void project(std::span<const double> x_form, std::span<const double> v_form, std::span<double> x,
                       std::span<double> v) const = 0;
  virtual void residual(const WeakStep& step, std::span<const double> unknowns, std::span<double> r) = 0;
  virtual bool factorise(const WeakStep& step, std::span<const double> unknowns) = 0;
  bool factorise_and_solve(const WeakStep& step, std::span<const double> unknowns, std::span<double> r) {
    if (!factorise(step, unknowns)) return false;
    solve(r);
    return true;
  }
  virtual void solve(std::span<double> r) = 0;
  /// A near tangent at a fraction of the cost: inertia and constraints alone, whose gradients are taken at the
  /// middle of the step. All stages then have one matrix,
  ///   | M  G^T | | p_k  |   | sum_j A^-1_kj r_j |
  ///   | G   0  | | mu_k | = |   (2 k + 1) c_k   |,   h^2 lambda_j = (2 j + 1) sum_k A_jk mu_k            (3)
  /// with the residuals r of (1) and c of (2). Its error is of the order of the turns in a step, and of h^2
  /// times stiffness over inertia.
  virtual void factorise_mean(const WeakStep& step, std::span<const double> unknowns) = 0;
  virtual void solve_mean(std::span<double> r) = 0;
  /// Takes g(x(1)) out of a residual. Its rounding is that of coordinates, far above that of increments.
  virtual void drop_values(std::span<double> r) const = 0;
  virtual void add_flows(const WeakStep& step, std::span<const double> unknowns, std::span<double> z) = 0;
  // As of ConstrainedSystem: sizes of increments p, relative to the mechanism's.
  void drop_idle(std::span<double>) const {}
  virtual void correct(std::span<const double> change, std::span<double> unknowns) const = 0;
  virtual double size(std::span<const double> unknowns) const = 0;
  virtual double rounding(std::span<const double> x) const = 0;
};

}  // namespace torsor
