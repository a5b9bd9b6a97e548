#pragma once
// Polynomials of time for Petrov-Galerkin methods on one step, s in [0, 1]: trial functions of degree m + 1,
// test functions of degree m.

#include <vector>

#include "torsor/numerics/gauss_rule.h"

namespace torsor {

/// With shifted Legendre polynomials L_k, k = 0..m, and unknown p_k,
///   dx/ds = sum p_k L_k,   x(s) = x_0 + sum p_k int_0^s L_k,   so x(1) = x_0 + p_0                       (1)
/// The velocity, of degree m + 1, must agree with dx/ds / h against every test function, so
///   v(s) = dx/ds / h + c L_m+1(s),   v(0) = v_0                                                          (2)
///   h int dv/ds L_j ds = sum_k A_jk p_k - h b_j v_0                                                      (3)
///   v(1) = sum_k e_k p_k / h - (-1)^m v_0,   e_k = 1 + (-1)^(m + k)                                      (4)
/// At the zeros of L_m+1, the Gauss points of a rule of m + 1 points, v = dx/ds / h and x is its own
/// projection on the test functions.
class GalerkinBasis {
 public:
  /// All L_k and their integrals at a point of a rule.
  struct Point {
    double s, weight;
    std::vector<double> value, integral;
  };

  /// `constraint_points` for terms of the left side, `force_points` for forces.
  GalerkinBasis(int m, int constraint_points, int force_points);

  int degree() const { return stages() - 1; }                    ///< m
  int stages() const { return static_cast<int>(b_.size()); }     ///< m + 1
  double A(int j, int k) const { return A_[j * stages() + k]; }  ///< of (3)
  double inverse_A(int j, int k) const { return inverse_A_[j * stages() + k]; }
  double b(int j) const { return b_[j]; }                          ///< of (3)
  double end_rate(int k) const { return end_rate_[k]; }            ///< e_k of (4)
  double start_rate() const { return degree() % 2 ? 1.0 : -1.0; }  ///< of v_0 in (4)
  const std::vector<Point>& constraint_rule() const { return constraint_rule_; }
  const std::vector<Point>& force_rule() const { return force_rule_; }
  const Point& middle() const { return middle_; }  ///< s = 1/2
  /// Coefficients on the next step: sum_k E_jk p_k has dx/ds continued beyond s = 1.
  double continued(int j, int k) const { return continued_[j * stages() + k]; }
  /// The same from two steps, k counting those of the last one and then those of the one before: on both,
  /// dx/ds is the projection of one polynomial of degree 2 m + 1, and so it is on the next.
  double continued_from_two(int j, int k) const { return continued_from_two_[j * 2 * stages() + k]; }

 private:
  Point point(double s, double weight) const;
  std::vector<Point> points(int count) const;

  std::vector<double> A_, inverse_A_, b_, end_rate_, continued_, continued_from_two_;
  std::vector<Point> constraint_rule_, force_rule_;
  Point middle_;
};

}  // namespace torsor
