#include "torsor/numerics/jacobi_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr int kMaxSweeps = 30;  // fourteen were enough at size 80

struct Rotation {
  double tangent, cosine, sine;
};

/// The smaller of the two rotations that make a_pq vanish.
Rotation diagonalising(double a_pp, double a_pq, double a_qq) {
  const double tau = (a_qq - a_pp) / (2 * a_pq);
  const double tangent = std::copysign(1 / (std::abs(tau) + std::sqrt(1 + tau * tau)), tau);
  const double cosine = 1 / std::sqrt(1 + tangent * tangent);
  return {tangent, cosine, tangent * cosine};
}

void rotate(const Rotation& by, int n, double* __restrict p, double* __restrict q) {
  for (int j = 0; j < n; ++j) {
    const double rotated = by.cosine * p[j] - by.sine * q[j];
    q[j] = by.sine * p[j] + by.cosine * q[j];
    p[j] = rotated;
  }
}

}  // namespace

void jacobi_eigen(int n, std::span<double> matrix, std::span<double> vectors) {
  std::fill(vectors.begin(), vectors.end(), 0.0);
  for (int i = 0; i < n; ++i) vectors[i * n + i] = 1;
  const double negligible = std::numeric_limits<double>::epsilon() * max_abs(matrix);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMaxSweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        double *row_p = &matrix[p * n], *row_q = &matrix[q * n];
        const double a_pp = row_p[p], a_pq = row_p[q], a_qq = row_q[q];
        if (std::abs(a_pq) <= negligible) continue;
        rotated = true;
        const Rotation by = diagonalising(a_pp, a_pq, a_qq);
        rotate(by, n, row_p, row_q);
        for (int j = 0; j < n; ++j) {  // columns by symmetry
          matrix[j * n + p] = row_p[j];
          matrix[j * n + q] = row_q[j];
        }
        row_p[p] = a_pp - by.tangent * a_pq;
        row_q[q] = a_qq + by.tangent * a_pq;
        row_p[q] = row_q[p] = 0;
        rotate(by, n, &vectors[p * n], &vectors[q * n]);
      }
    }
  }
}

}  // namespace torsor
