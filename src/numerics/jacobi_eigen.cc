#include "numerics/jacobi_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor {
namespace {

constexpr int kMaxSweeps = 30;  // ten are enough for any size met so far

struct Rotation {
  double cosine, sine;
  void operator()(double& x, double& y) const {
    const double rotated = cosine * x - sine * y;
    y = sine * x + cosine * y;
    x = rotated;
  }
};

/// The smaller of the two rotations that make a_pq vanish.
Rotation diagonalising(double a_pp, double a_pq, double a_qq) {
  const double tau = (a_qq - a_pp) / (2 * a_pq);
  const double t = std::copysign(1 / (std::abs(tau) + std::hypot(1, tau)), tau);
  const double cosine = 1 / std::sqrt(1 + t * t);
  return {cosine, t * cosine};
}

}  // namespace

void jacobi_eigen(int n, std::span<double> matrix, std::span<double> vectors) {
  std::fill(vectors.begin(), vectors.end(), 0.0);
  for (int i = 0; i < n; ++i) vectors[i * n + i] = 1;
  double norm = 0;
  for (double entry : matrix) norm = std::max(norm, std::abs(entry));
  const double negligible = 0.1 * std::numeric_limits<double>::epsilon() * norm;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        double *row_p = &matrix[p * n], *row_q = &matrix[q * n];
        if (std::abs(row_p[q]) <= negligible) continue;
        rotated = true;
        const Rotation rotate = diagonalising(row_p[p], row_p[q], row_q[q]);
        for (int j = 0; j < n; ++j) rotate(row_p[j], row_q[j]);
        for (int j = 0; j < n; ++j) rotate(matrix[j * n + p], matrix[j * n + q]);
        row_p[q] = row_q[p] = 0;
        for (int j = 0; j < n; ++j) rotate(vectors[p * n + j], vectors[q * n + j]);
      }
    }
  }
}

}  // namespace torsor
