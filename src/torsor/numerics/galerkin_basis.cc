#include "torsor/numerics/galerkin_basis.h"

#include <algorithm>

#include "torsor/numerics/dense_lu.h"
#include "torsor/numerics/legendre.h"

namespace torsor {
namespace {

double sign(int power) { return power % 2 ? -1.0 : 1.0; }

/// Of a square matrix, row-major.
std::vector<double> inverse(const std::vector<double>& A, int n) {
  DenseLu lu(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) lu.matrix()[j * n + i] = A[i * n + j];
  }
  lu.factorise();
  std::vector<double> inverse(A.size()), column(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) column[i] = i == j;
    lu.solve(column);
    for (int i = 0; i < n; ++i) inverse[i * n + j] = column[i];
  }
  return inverse;
}

/// int L_j dL_k/ds ds: between L_j and lower degrees nothing, else by parts.
double slope_moment(int j, int k) { return k > j ? 1 - sign(j + k) : 0; }

/// Of L_j, for L_k on the step that begins at s = start.
double coefficient(int j, int k, double start) {
  double moment = 0;
  for (const GaussPoint& p : gauss_rule(std::max(j, k) + 1)) {
    moment += p.weight * legendre(j, p.s).value * legendre(k, start + p.s).value;
  }
  return (2 * j + 1) * moment;
}

/// From both steps to the next, by way of the polynomial in terms of L_k on the last step.
std::vector<double> continuation_from_two(int stages) {
  const int n = 2 * stages;
  std::vector<double> projections(n * n), result;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < stages; ++j) {
      projections[j * n + k] = coefficient(j, k, 0);
      projections[(stages + j) * n + k] = coefficient(j, k, -1);
    }
  }
  const std::vector<double> polynomial = inverse(projections, n);
  for (int j = 0; j < stages; ++j) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += coefficient(j, k, 1) * polynomial[k * n + i];
      result.push_back(sum);
    }
  }
  return result;
}

}  // namespace

GalerkinBasis::GalerkinBasis(int m, int constraint_points, int force_points) : b_(m + 1) {
  for (int j = 0; j <= m; ++j) {
    b_[j] = sign(m) * slope_moment(j, m + 1);
    end_rate_.push_back(1 + sign(m + j));
    for (int k = 0; k <= m; ++k) {
      A_.push_back(slope_moment(j, k) + sign(m + k) * slope_moment(j, m + 1));
      continued_.push_back(coefficient(j, k, 1));
    }
  }
  continued_from_two_ = continuation_from_two(stages());
  inverse_A_ = inverse(A_, stages());
  constraint_rule_ = points(constraint_points);
  force_rule_ = points(force_points);
  middle_ = point(0.5, 1);
}

GalerkinBasis::Point GalerkinBasis::point(double s, double weight) const {
  Point point{s, weight, {}, {}};
  for (int k = 0; k < stages(); ++k) {
    point.value.push_back(legendre(k, s).value);
    point.integral.push_back(legendre_integral(k, s));
  }
  return point;
}

std::vector<GalerkinBasis::Point> GalerkinBasis::points(int count) const {
  std::vector<Point> points;
  for (const auto& [s, weight] : gauss_rule(count)) points.push_back(point(s, weight));
  return points;
}

}  // namespace torsor
