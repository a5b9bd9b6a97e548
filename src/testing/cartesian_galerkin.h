#pragma once
// The Petrov-Galerkin scheme of Kotyczka-Götz-Herrmann (13)-(19) as it stands on paper, of any degree, with
// the dense matrices of the system (2): what a production scheme must agree with. Shares no step with it.

#include <Eigen/Core>
#include <vector>

#include "torsor/formulation/cartesian/matrices.h"
#include "torsor/model/model.h"
#include "torsor/numerics/gauss_rule.h"

namespace torsor::testing {

/// A planar tree of revolute joints with gravity and tendons (36)-(38) without dampers. A step of length h:
///   x' = sum_k p_k L_k(s), k = 0..m,  x = x_0 + int x',  v = x'/h + c L_{m+1},  v(0) = v_0               (1)
///   int (M v' + h (grad V - G^T lambda)) L_j ds = 0,   int G(x) x' L_j ds = 0,   j = 0..m                (2)
/// with primes by s on [0, 1], lambda of degree m. (1) is the second line of (2) of the paper, tested with
/// degree m: the part of v of that degree is x'/h.
class CartesianGalerkin {
 public:
  struct State {
    Eigen::VectorXd x, v;
  };
  /// `points` of the left side, exact from (3 m + 2) / 2 on; `potential_points` of grad V.
  CartesianGalerkin(const Model& model, int m, int points, int potential_points);

  State start(const Model& model) const;
  /// Throws StepFailure where Newton's method does not converge.
  State step(const State& from, double h) const;
  double energy(const State& state) const;
  double constraint_error(const State& state) const;  ///< largest |xi_i^2 - l_i^2| (41)
  double velocity_error(const State& state) const;    ///< largest |G v|
  /// The rates with G v = 0 that are nearest in the metric of the masses: what is recorded.
  Eigen::VectorXd projected_rates(const State& state) const;

 private:
  struct Via {
    Eigen::MatrixXd by_x;  ///< 2 x 2n
    Eigen::Vector2d at_zero;
  };
  struct Tendon {
    std::vector<Via> path;
    double stiffness, rest_length;
  };
  double potential(const Eigen::VectorXd& x) const;
  void add_potential(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, Eigen::MatrixXd& hessian) const;

  CartesianMatrices matrices_;
  Eigen::MatrixXd M_, T_;  ///< (34), J^-1
  Eigen::VectorXd weight_;
  std::vector<Tendon> tendons_;
  int m_;
  std::vector<GaussPoint> left_, right_;
};

}  // namespace torsor::testing
