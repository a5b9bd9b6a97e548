#pragma once
// Newton's method for small dense systems, without an allocation after construction.

#include <cmath>
#include <span>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/numerics/dense_lu.h"

namespace torsor {

struct NewtonSettings {
  double tolerance = 1e-16;      ///< of a correction, relative to the scale of the unknowns
  double rounding_floor = 1e-9;  ///< below it, corrections that no longer shrink are rounding: converged
  double slow = 0.1;             ///< a contraction above it asks for a fresh tangent
  int max_iterations = 50;
};

struct NewtonReport {
  bool converged = false;
  int iterations = 0;
  double correction = 0;  ///< largest entry of the last correction
};

/// Keeps the factorised tangent from one solve to the next as long as corrections shrink fast (modified
/// Newton): a residual costs far less than a tangent.
class DenseNewton {
 public:
  explicit DenseNewton(int n) : lu_(n), dx_(n) {}

  /// Solves F(x) = 0 from the guess in x. `residual(x, F)` fills F; `linearize(x, F, J)` fills F and its
  /// derivative, column-major. `scale` is the size of what x is a part of.
  template <class Residual, class Linearize>
  NewtonReport solve(std::span<double> x, double scale, const NewtonSettings& settings, Residual&& residual,
                     Linearize&& linearize);

  /// Makes the next solve start with a fresh tangent.
  void forget() { factorised_ = false; }
  void pass(StateTape& tape) { tape(lu_, factorised_); }

 private:
  DenseLu lu_;
  std::vector<double> dx_;
  bool factorised_ = false;
};

template <class Residual, class Linearize>
NewtonReport DenseNewton::solve(std::span<double> x, double scale, const NewtonSettings& settings,
                                Residual&& residual, Linearize&& linearize) {
  NewtonReport report;
  double previous = 0;
  while (report.iterations < settings.max_iterations) {
    ++report.iterations;
    if (factorised_) {
      residual(std::span<const double>(x), std::span<double>(dx_));
    } else {
      linearize(std::span<const double>(x), std::span<double>(dx_), lu_.matrix());
      lu_.factorise();
      factorised_ = true;
    }
    lu_.solve(dx_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= dx_[i];
    report.correction = max_abs(dx_);
    if (!std::isfinite(report.correction)) break;

    const double size = larger(scale, max_abs(x));
    const double contraction = report.iterations > 1 ? report.correction / previous : 1;
    // What is left after this correction, if the next ones shrink as this one did.
    const double left =
        contraction < 1 ? report.correction * contraction / (1 - contraction) : report.correction;
    const bool stagnates =
        report.iterations > 1 && contraction > 0.5 && report.correction <= settings.rounding_floor * size;
    if (smaller(left, report.correction) <= settings.tolerance * size || stagnates) {
      report.converged = true;
      return report;
    }
    if (report.iterations > 1 && contraction > settings.slow) factorised_ = false;
    previous = report.correction;
  }
  factorised_ = false;
  return report;
}

}  // namespace torsor
