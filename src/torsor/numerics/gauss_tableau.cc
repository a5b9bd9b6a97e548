#include "torsor/numerics/gauss_tableau.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "torsor/numerics/gauss_rule.h"
#include "torsor/numerics/legendre.h"

namespace torsor {
namespace {

using Real = long double;  // so that sums add no rounding of their own
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

}  // namespace

GaussTableau::GaussTableau(int s) : lean(s * s), b(s), c(s), d(s) {
  Matrix W(s, s), X = Matrix::Zero(s, s);
  std::vector<Real> weights(s);
  const std::vector<GaussPoint> rule = gauss_rule(s);
  for (int i = 0; i < s; ++i) {
    c[i] = rule[i].s;
    b[i] = rule[std::min(i, s - 1 - i)].weight;  // the same to the last bit
    weights[i] = b[i];
    for (int k = 0; k < s; ++k) W(i, k) = std::sqrt(Real(2 * k + 1)) * legendre(k, Real(c[i])).value;
  }
  X(0, 0) = 0.5L;
  for (int k = 1; k < s; ++k) {
    X(k, k - 1) = 1 / (2 * std::sqrt(Real(4 * k * k - 1)));  // (2)
    X(k - 1, k) = -X(k, k - 1);
  }
  const Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, 1>> B(weights.data(), s);
  const Matrix A = W * X * W.transpose() * B.asDiagonal();
  constexpr double kGrid = 0x1p50;  // on it, sums with 1/2 are exact
  for (int i = 0; i < s; ++i) {
    lean[i * s + i] = 0.5;
    for (int j = 0; j < i; ++j) {
      const double over_half = std::round(static_cast<double>(A(i, j) / weights[j] - 0.5L) * kGrid) / kGrid;
      lean[i * s + j] = 0.5 + over_half;  // (3)
      lean[j * s + i] = 0.5 - over_half;
    }
  }
  const Eigen::Matrix<Real, Eigen::Dynamic, 1> end = A.transpose().fullPivLu().solve(B);
  for (int i = 0; i < s; ++i) d[i] = static_cast<double>(end(i));

  const Eigen::EigenSolver<Matrix> eigen(A);
  const auto right = eigen.eigenvectors().eval();
  const auto left = right.inverse().eval();
  for (int k = 0; k < s; ++k) {
    const std::complex<Real> lambda = eigen.eigenvalues()(k);
    constexpr Real kRounding = 1e-12L;
    if (lambda.imag() < -kRounding) continue;
    const bool real = lambda.imag() < kRounding;
    const auto plain = [&](const std::complex<Real>& z) {
      return Complex(static_cast<double>(z.real()), real ? 0 : static_cast<double>(z.imag()));
    };
    Mode mode{plain(lambda), std::vector<Complex>(s), std::vector<Complex>(s)};
    for (int i = 0; i < s; ++i) {
      mode.right[i] = (real ? 1.0 : 2.0) * plain(right(i, k));
      mode.left[i] = plain(left(k, i));
    }
    modes.push_back(mode);
  }
}

void set_extrapolation(const double* nodes, int node_count, const double* at, int at_count, double* weights) {
  for (int i = 0; i < at_count; ++i) {
    for (int j = 0; j < node_count; ++j) {
      double weight = 1;
      for (int k = 0; k < node_count; ++k) {
        if (k != j) weight *= (at[i] - nodes[k]) / (nodes[j] - nodes[k]);
      }
      weights[i * node_count + j] = weight;
    }
  }
}

}  // namespace torsor
