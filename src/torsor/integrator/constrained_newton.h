#pragma once
// Newton's method for one step of a constrained system: exact tangent, kept as long as corrections shrink
// fast; a line search by the natural monotonicity test, which needs no units of the residual.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "torsor/base/norm.h"

namespace torsor {

struct ConstrainedNewtonSettings {
  double tolerance = 1e-16;  ///< of what is left, relative to the size of the increments
  double slow = 0.01;        ///< a contraction above it asks for a fresh tangent
  int max_iterations = 30;
};

class ConstrainedNewton {
 public:
  struct Report {
    bool converged = false;
    int iterations = 0, tangents = 0;
    double correction = 0;
  };

  explicit ConstrainedNewton(int unknowns) : r_(unknowns), step_(r_), trial_(r_), next_(r_) {}

  /// Finds the unknowns of (2) of system.h, or of a weak form, from the guess in them. `evaluate(unknowns,
  /// r)` sets the point that belongs to them, fills the residual and returns the point.
  template <class System, class Evaluate>
  Report solve(System& system, std::span<double> unknowns, const ConstrainedNewtonSettings& settings,
               Evaluate&& evaluate) {
    Report report;
    // A guess may hold multipliers that act on nothing at the start of the step, but do at its end. The first
    // correction would drop them, whatever its damping.
    std::fill(step_.begin(), step_.end(), 0.0);
    system.correct(step_, unknowns);
    const auto* point = &evaluate(unknowns, r_);
    if (!refresh(system, *point, unknowns, report)) return report;
    const double rounding = system.rounding(point->x_b);
    bool fresh = true;
    int stuck = 0;     // iterations that did not shrink what may be rounding near a singular position
    double moved = 0;  // since the tangent was taken
    while (report.iterations < settings.max_iterations) {
      double damping = 1, size = 0;
      for (;; damping *= 0.5) {
        if (damping < kLeastDamping) {  // nothing is nearer: done where it may be rounding
          report.converged = report.correction <= kSingularFloor * rounding;
          return report;
        }
        std::copy(unknowns.begin(), unknowns.end(), trial_.begin());
        for (std::size_t i = 0; i < step_.size(); ++i) r_[i] = damping * step_[i];
        system.correct(r_, trial_);
        ++report.iterations;
        point = &evaluate(trial_, r_);
        next_ = r_;
        system.solve(next_);
        size = system.size(next_);
        if (size <= (1 - 0.25 * damping) * report.correction || size <= kSingularFloor * rounding) break;
      }
      std::copy(trial_.begin(), trial_.end(), unknowns.begin());
      const double contraction = size / report.correction;
      moved += damping * report.correction;
      report.correction = size;
      // A first correction may have been exact in most of its parts, and the next one small for that alone:
      // the tangent that is kept has changed by as much as the unknowns have moved.
      const double left = size * smaller(1.0, larger(contraction, moved));
      stuck = contraction > 0.5 && fresh && size <= kSingularFloor * rounding ? stuck + 1 : 0;
      // What is left has the sign of the guess's error, step after step: it must stay far below the rounding
      // of the increments, or energy drifts by it.
      if (damping == 1 &&
          (left <= 1e-3 * settings.tolerance * system.size(unknowns) || size <= kLast * rounding ||
           (contraction > 0.5 && size <= (fresh ? kFloor : kKeptFloor) * rounding) || stuck == kPatience)) {
        system.correct(next_, unknowns);
        report.converged = true;
        return report;
      }
      fresh = contraction > settings.slow;
      if (fresh) {
        if (!refresh(system, *point, unknowns, report)) return report;
        moved = 0;
      } else {
        step_.swap(next_);
      }
    }
    return report;
  }

 private:
  static constexpr double kLeastDamping = 1.0 / 64;
  // In roundings of the coordinates. A correction below the first is the last. Below the others, corrections
  // that no longer shrink are rounding, too; with a kept tangent they may be stuck at a kink or by a singular
  // position. The last is what rounding may amount to near a singular position, where nothing better is had.
  static constexpr double kLast = 1, kFloor = 1e5, kKeptFloor = 500, kSingularFloor = 2e7;
  static constexpr int kPatience = 3;

  template <class System, class Point>
  bool refresh(System& system, const Point& point, std::span<const double> unknowns, Report& report) {
    ++report.tangents;
    if (!system.factorise(point, unknowns)) {
      report.correction = std::numeric_limits<double>::infinity();
      return false;
    }
    step_ = r_;
    system.solve(step_);
    report.correction = system.size(step_);
    return std::isfinite(report.correction);
  }

  std::vector<double> r_, step_, trial_, next_;
};

}  // namespace torsor
