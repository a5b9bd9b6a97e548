#include "torsor/numerics/gauss_tableau.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "torsor/numerics/gauss_rule.h"
#include "torsor/numerics/legendre.h"

namespace torsor {
namespace {

using Real = long double;  // so that sums add no rounding of their own
using ComplexReal = std::complex<Real>;

/// X_k,k-1 of (2).
Real below_diagonal(int k) { return 1 / (2 * std::sqrt(Real(4 * k * k - 1))); }

/// det(lambda - X) with its derivative, by minors.
struct Characteristic {
  ComplexReal value = 1, slope = 0;
};
Characteristic characteristic(int s, ComplexReal lambda) {
  Characteristic before, now{lambda - Real(0.5), 1};
  for (int k = 1; k < s; ++k) {
    const Real square = below_diagonal(k) * below_diagonal(k);
    const Characteristic next{lambda * now.value + square * before.value,
                              now.value + lambda * now.slope + square * before.slope};
    before = now;
    now = next;
  }
  return now;
}

/// Of X, which are simple: all at once (Aberth), upper half plane and real axis only.
std::vector<ComplexReal> eigenvalues(int s) {
  constexpr int kIterations = 60;
  std::vector<ComplexReal> all(s);
  for (int k = 0; k < s; ++k)
    all[k] = Real(0.25) * std::polar(Real(1), Real(0.7) + 2 * std::numbers::pi_v<Real> * k / s);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    for (int k = 0; k < s; ++k) {
      ComplexReal repelled = 0;
      for (int j = 0; j < s; ++j) {
        if (j != k) repelled += Real(1) / (all[k] - all[j]);
      }
      const Characteristic p = characteristic(s, all[k]);
      const ComplexReal newton = p.value / p.slope;
      all[k] -= newton / (Real(1) - newton * repelled);
    }
  }
  constexpr Real kRounding = 1e-12L;
  std::erase_if(all, [](const ComplexReal& lambda) { return lambda.imag() < -kRounding; });
  for (ComplexReal& lambda : all) {
    if (lambda.imag() < kRounding) lambda.imag(0);
  }
  std::sort(all.begin(), all.end(),
            [](const ComplexReal& a, const ComplexReal& b) { return a.imag() > b.imag(); });
  return all;
}

/// A^-1 x, A row by row, by Gauss's elimination with pivots.
template <class T>
std::vector<T> solve(std::vector<T> A, std::vector<T> x) {
  const int n = static_cast<int>(x.size());
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) best = std::abs(A[i * n + k]) > std::abs(A[best * n + k]) ? i : best;
    if (best != k) std::swap_ranges(&A[k * n], &A[k * n] + n, &A[best * n]);
    std::swap(x[k], x[best]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < n; ++k) x[k] /= A[k * n + k];
  return x;
}

/// A r = lambda r, of unit length, by inverse iteration.
std::vector<ComplexReal> eigenvector(std::span<const Real> transposed, ComplexReal lambda) {
  constexpr Real kAside = 1e-17L;  // of the eigenvalue: enough to solve with
  const int s = static_cast<int>(std::lround(std::sqrt(static_cast<double>(transposed.size()))));
  std::vector<ComplexReal> shifted(s * s), r(s, 1);
  for (int i = 0; i < s; ++i) {
    for (int k = 0; k < s; ++k) shifted[i * s + k] = transposed[k * s + i];
    shifted[i * s + i] -= lambda * (1 + kAside);
  }
  for (int iteration = 0; iteration < 3; ++iteration) {
    r = solve(shifted, r);
    Real square = 0;
    for (const ComplexReal& entry : r) square += std::norm(entry);
    for (ComplexReal& entry : r) entry /= std::sqrt(square);
  }
  return r;
}

}  // namespace

GaussTableau::GaussTableau(int s) : lean(s * s), b(s), c(s), d(s) {
  std::vector<Real> W(s * s);
  const std::vector<GaussPoint> rule = gauss_rule(s);
  for (int i = 0; i < s; ++i) {
    c[i] = rule[i].s;
    b[i] = rule[std::min(i, s - 1 - i)].weight;  // the same to the last bit
    for (int k = 0; k < s; ++k) W[i * s + k] = std::sqrt(Real(2 * k + 1)) * legendre(k, Real(c[i])).value;
  }
  std::vector<Real> transposed(s * s);  // A^T
  constexpr double kGrid = 0x1p50;      // on it, sums with 1/2 are exact
  for (int i = 0; i < s; ++i) {
    lean[i * s + i] = 0.5;
    transposed[i * s + i] = 0.5L * b[i];
    for (int j = 0; j < i; ++j) {
      Real over_half = 0;  // of (W X W^T)_ij
      for (int k = 1; k < s; ++k) {
        over_half += below_diagonal(k) * (W[i * s + k] * W[j * s + k - 1] - W[i * s + k - 1] * W[j * s + k]);
      }
      const double rounded = std::round(static_cast<double>(over_half) * kGrid) / kGrid;
      lean[i * s + j] = 0.5 + rounded;  // (3)
      lean[j * s + i] = 0.5 - rounded;
      transposed[j * s + i] = (0.5L + over_half) * b[j];
      transposed[i * s + j] = (0.5L - over_half) * b[i];
    }
  }
  const std::vector<Real> end = solve(transposed, std::vector<Real>(b.begin(), b.end()));
  for (int i = 0; i < s; ++i) d[i] = static_cast<double>(end[i]);

  // Left eigenvectors are the rows of the inverse of the right ones, conjugates included.
  const std::vector<ComplexReal> near = eigenvalues(s);
  std::vector<ComplexReal> rows;  // right eigenvectors
  for (const ComplexReal& lambda : near) {
    const std::vector<ComplexReal> right = eigenvector(transposed, lambda);
    rows.insert(rows.end(), right.begin(), right.end());
    if (lambda.imag() == 0) continue;
    for (const ComplexReal& entry : right) rows.push_back(std::conj(entry));
  }
  const auto plain = [](const ComplexReal& z) {
    return Complex(static_cast<double>(z.real()), static_cast<double>(z.imag()));
  };
  int row = 0;
  for (const ComplexReal& guess : near) {
    std::vector<ComplexReal> unit(s);
    unit[row] = 1;
    const std::vector<ComplexReal> left = solve(rows, unit);
    const ComplexReal* right = &rows[row * s];
    ComplexReal lambda = 0;
    for (int i = 0; i < s; ++i) {
      for (int k = 0; k < s; ++k) lambda += left[i] * transposed[k * s + i] * right[k];
    }
    const bool paired = guess.imag() > 0;
    Mode mode{plain(paired ? lambda : lambda.real()), std::vector<Complex>(s), std::vector<Complex>(s)};
    for (int i = 0; i < s; ++i) {
      mode.right[i] = plain(Real(paired ? 2 : 1) * right[i]);
      mode.left[i] = plain(left[i]);
    }
    modes.push_back(mode);
    row += paired ? 2 : 1;
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
