#include "numerics/gauss_tableau.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

using Real = long double;  // so that rounding to double is the only error
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// Normalised on (0, 1): P_k = sqrt(2k + 1) p_k(2c - 1); [s] is the polynomial whose zeros are the nodes.
std::vector<Real> legendre(int s, Real c) {
  const Real x = 2 * c - 1;
  std::vector<Real> p(s + 1, 1);
  if (s > 0) p[1] = x;
  for (int k = 1; k < s; ++k) p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
  for (int k = 0; k <= s; ++k) p[k] *= std::sqrt(Real(2 * k + 1));
  return p;
}

/// The i-th zero, from the largest on, by Newton's method from Tricomi's estimate.
Real zero(int s, int i) {
  Real c = (1 + std::cos(std::numbers::pi_v<Real> * (4 * i + 3) / (4 * s + 2))) / 2;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const std::vector<Real> p = legendre(s, c);
    const Real x = 2 * c - 1, last = p[s] / std::sqrt(Real(2 * s + 1)),
               before = p[s - 1] / std::sqrt(Real(2 * s - 1));
    const Real slope = 2 * s * (x * last - before) / (x * x - 1);
    c -= last / slope;
  }
  return c;
}

}  // namespace

GaussTableau::GaussTableau(int s) : lean(s * s), b(s), c(s), d(s) {
  Matrix W(s, s), X = Matrix::Zero(s, s);
  std::vector<Real> weights(s);
  for (int i = 0; i < s; ++i) {
    // Both halves from the one: the method is then symmetric to the last bit.
    const Real node = 2 * i + 1 == s ? Real(0.5) : i < s / 2 ? 1 - zero(s, i) : zero(s, s - 1 - i);
    const std::vector<Real> p = legendre(s, node);
    for (int k = 0; k < s; ++k) W(i, k) = p[k];
    weights[i] = 1 / W.row(i).squaredNorm();  // (1)
    c[i] = static_cast<double>(node);
    b[i] = static_cast<double>(weights[i]);
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
