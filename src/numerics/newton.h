#pragma once
// Newton's method for small dense systems, without an allocation after construction.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace torsor {

struct NewtonSettings {
  double tolerance = 1e-13;      ///< of a correction, relative to the scale of the unknowns
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
  explicit DenseNewton(int n) : lu_(n), J_(n, n), r_(n), dx_(n) {}

  /// Solves F(x) = 0 from the guess in x. `residual(x, F)` fills F; `linearize(x, F, J)` fills F and its
  /// derivative, column-major. `scale` is the size of what x is a part of.
  template <class Residual, class Linearize>
  NewtonReport solve(std::span<double> x, double scale, const NewtonSettings& settings, Residual&& residual,
                     Linearize&& linearize);

  /// Makes the next solve start with a fresh tangent.
  void forget() { factorised_ = false; }

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd r_, dx_;
  bool factorised_ = false;
};

template <class Residual, class Linearize>
NewtonReport DenseNewton::solve(std::span<double> x, double scale, const NewtonSettings& settings,
                                Residual&& residual, Linearize&& linearize) {
  const std::size_t n = x.size();
  const std::span<double> r(r_.data(), n);
  Eigen::Map<Eigen::VectorXd> unknown(x.data(), static_cast<Eigen::Index>(n));
  NewtonReport report;
  if (n == 0) {
    report.converged = true;
    return report;
  }
  double previous = std::numeric_limits<double>::infinity();
  while (report.iterations < settings.max_iterations) {
    ++report.iterations;
    if (factorised_) {
      residual(std::span<const double>(x), r);
    } else {
      linearize(std::span<const double>(x), r, std::span<double>(J_.data(), n * n));
      lu_.compute(J_);
      factorised_ = true;
    }
    dx_ = lu_.solve(r_);
    unknown -= dx_;
    report.correction = dx_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(report.correction) || !unknown.allFinite()) break;

    const double size = std::max(scale, unknown.lpNorm<Eigen::Infinity>());
    const double contraction = report.correction / previous;
    // What is left after this correction, if the next ones shrink as this one did.
    const double left =
        contraction < 1 ? report.correction * contraction / (1 - contraction) : report.correction;
    const bool stagnates = contraction > 0.5 && report.correction <= settings.rounding_floor * size;
    if (std::min(left, report.correction) <= settings.tolerance * size || stagnates) {
      report.converged = true;
      return report;
    }
    if (contraction > settings.slow) factorised_ = false;
    previous = report.correction;
  }
  factorised_ = false;
  return report;
}

}  // namespace torsor
