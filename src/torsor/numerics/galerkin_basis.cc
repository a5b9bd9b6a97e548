#include "torsor/numerics/galerkin_basis.h"

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

}  // namespace

GalerkinBasis::GalerkinBasis(int m, int constraint_points, int force_points) : b_(m + 1) {
  const std::vector<GaussPoint> exact = gauss_rule(m + 1);
  for (int j = 0; j <= m; ++j) {
    b_[j] = sign(m) * slope_moment(j, m + 1);
    end_rate_.push_back(1 + sign(m + j));
    for (int k = 0; k <= m; ++k) {
      A_.push_back(slope_moment(j, k) + sign(m + k) * slope_moment(j, m + 1));
      double moment = 0;
      for (const GaussPoint& p : exact) {
        moment += p.weight * legendre(j, p.s).value * legendre(k, 1 + p.s).value;
      }
      continued_.push_back((2 * j + 1) * moment);
    }
  }
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
