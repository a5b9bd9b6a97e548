#pragma once
// Anderson's acceleration of a fixed-point iteration, without an allocation after construction: Newton's
// method for systems too large for a tangent, whose approximate inverse is cheap.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/numerics/newton.h"

namespace torsor {

/// Solves F(x) = 0 by x <- x - d, d = P F(x) with P about the inverse of the tangent. From the last `depth`
/// steps it takes what d did along them,
///   d* = d - sum gamma_j (d_j+1 - d_j) least,   x <- x - sum gamma_j (x_j+1 - x_j) - d*                  (1)
/// which is GMRES with preconditioner P where F is linear, and stays O(n).
class Anderson {
 public:
  explicit Anderson(int n, int depth = 8)
      : n_(n),
        depth_(depth),
        dx_(n * depth),
        dd_(n * depth),
        basis_(n * depth),
        r_(depth * depth),
        gamma_(depth),
        d_(n),
        last_d_(n),
        last_x_(n),
        best_x_(n) {}

  /// From the guess in x; `correction(x, d)` fills d. `scale` is the size of what x is a part of; tolerances
  /// are relative to it.
  template <class Correction>
  NewtonReport solve(std::span<double> x, double scale, const NewtonSettings& settings,
                     Correction&& correction);

 private:
  std::span<double> column(std::vector<double>& columns, int j) {
    return std::span(columns).subspan(static_cast<std::size_t>(j) * n_, n_);
  }
  void mix(int columns);
  int remember(std::span<const double> x, int columns);

  int n_, depth_;
  std::vector<double> dx_, dd_, basis_, r_, gamma_;  ///< columns: changes of x and of d, the latter's basis
  std::vector<double> d_, last_d_, last_x_, best_x_;
};

/// The gamma of (1) by Gram and Schmidt over the columns, the newest first; those that add nothing but
/// rounding are left out. Leaves d* in d_.
inline void Anderson::mix(int columns) {
  const auto dot = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  constexpr double kDependent = 1e-8;
  std::fill(gamma_.begin(), gamma_.end(), 0.0);
  for (int j = 0; j < columns; ++j) {
    const std::span<double> q = column(basis_, j);
    const std::span<const double> change = column(dd_, j);
    std::copy(change.begin(), change.end(), q.begin());
    for (int k = 0; k < j; ++k) {
      const std::span<const double> other = column(basis_, k);
      const double part = dot(other, q);
      r_[j * depth_ + k] = part;
      for (int i = 0; i < n_; ++i) q[i] -= part * other[i];
    }
    const double whole = std::sqrt(dot(change, change)), rest = std::sqrt(dot(q, q));
    const bool counts = rest > kDependent * whole;
    r_[j * depth_ + j] = counts ? rest : 0;
    for (double& entry : q) entry = counts ? entry / rest : 0;
    gamma_[j] = dot(q, d_);
    for (int i = 0; i < n_; ++i) d_[i] -= gamma_[j] * q[i];
  }
  for (int j = columns - 1; j >= 0; --j) {
    const double diagonal = r_[j * depth_ + j];
    for (int k = j + 1; k < columns; ++k) gamma_[j] -= r_[k * depth_ + j] * gamma_[k];
    gamma_[j] = diagonal > 0 ? gamma_[j] / diagonal : 0;
  }
}

/// Puts the change since the last step in front of the others.
inline int Anderson::remember(std::span<const double> x, int columns) {
  const int kept = std::min(columns, depth_ - 1);
  std::copy_backward(dx_.begin(), dx_.begin() + kept * n_, dx_.begin() + (kept + 1) * n_);
  std::copy_backward(dd_.begin(), dd_.begin() + kept * n_, dd_.begin() + (kept + 1) * n_);
  for (int i = 0; i < n_; ++i) {
    dx_[i] = x[i] - last_x_[i];
    dd_[i] = d_[i] - last_d_[i];
  }
  return kept + 1;
}

template <class Correction>
NewtonReport Anderson::solve(std::span<double> x, double scale, const NewtonSettings& settings,
                             Correction&& correction) {
  constexpr int kPatience = 3;  // corrections of (1) do not shrink in every iteration
  constexpr double kLost = 100;
  constexpr double kFast = 0.1, kFastest = 0.01;  // what the next correction is trusted to shrink by
  NewtonReport report;
  double previous = 0, best = 0, lost = 0;
  int columns = 0, best_at = 0;
  while (report.iterations < settings.max_iterations) {
    ++report.iterations;
    correction(std::span<const double>(x), std::span<double>(d_));
    report.correction = max_abs(d_);
    if (report.iterations == 1) lost = kLost * larger(report.correction, settings.rounding_floor * scale);
    if (!(report.correction <= lost)) return report;  // nor where it is not a number
    if (report.iterations == 1 || report.correction < 0.5 * best) {
      best = report.correction;
      best_at = report.iterations;
      std::copy(x.begin(), x.end(), best_x_.begin());
    }
    if (report.iterations - best_at >= kPatience && best <= settings.rounding_floor * scale) {
      std::copy(best_x_.begin(), best_x_.end(), x.begin());
      report.correction = best;
      report.converged = true;
      return report;
    }
    if (report.iterations > 1) columns = remember(x, columns);
    std::copy(d_.begin(), d_.end(), last_d_.begin());
    std::copy(x.begin(), x.end(), last_x_.begin());
    mix(columns);
    for (int j = 0; j < columns; ++j) {
      const std::span<const double> change = column(dx_, j);
      for (int i = 0; i < n_; ++i) x[i] -= gamma_[j] * change[i];
    }
    for (int i = 0; i < n_; ++i) x[i] -= d_[i];
    const double contraction = report.iterations > 1 ? report.correction / previous : 1;
    const double left = (contraction < kFast ? larger(contraction, kFastest) : 1.0) * report.correction;
    report.converged = left <= settings.tolerance * scale;
    if (report.converged) return report;
    previous = report.correction;
  }
  return report;
}

}  // namespace torsor
