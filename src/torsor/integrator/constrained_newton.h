#pragma once
// Newton's method for one step of a constrained system: exact tangent, kept as long as corrections shrink
// fast; a line search by the natural monotonicity test, which needs no units of the residual.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "torsor/base/pack_math.h"

namespace torsor {

struct ConstrainedNewtonSettings {
  double tolerance = 1e-16;  ///< of what is left, relative to the size of the increments
  double slow = 0.01;        ///< a contraction above it asks for a fresh tangent
  /// In roundings of the coordinates: below it a correction by a fresh tangent that does not shrink is rounding. One alone
  /// may have hit a bend by a folded position, and what it leaves is work: energy-momentum cannot afford more.
  double floor = 500;
  /// What rounding may amount to near a singular position, where nothing better can be reached: several corrections in a
  /// row must not shrink there. By a fold, where constraints are quadratic, the root of a few roundings would be right,
  /// some 4e8; but energy-momentum then takes steps for solved that are not: of 48 lattices of scissors that fold, one
  /// lost 3 % of its energy, two 1e-7. With the lower one these steps fail, or halves of them are found.
  double singular_floor = 2e7;
  int max_iterations = 30;

  bool operator==(const ConstrainedNewtonSettings&) const = default;
};

/// Of one step, or of a pack of steps in lock-step: every lane takes the way that it would take alone, and holds still
/// where it is done or where others need more trials with the tangents that they have. So its result does not depend
/// on them.
template <class S>
class ConstrainedNewtonOf {
 public:
  using Mask = MaskOf<S>;
  using Count = std::conditional_t<std::same_as<S, double>, int, S>;
  struct Report {
    Mask converged = !all_lanes<S>();
    Count iterations = 0, tangents = 0;
    Count evaluations = 0;  ///< of the residual
    S correction = 0.0;
  };

  explicit ConstrainedNewtonOf(int unknowns) : r_(unknowns), step_(r_), trial_(r_), next_(r_) {}

  /// Finds the unknowns of (2) of system.h, or of a weak form, from the guess in them. `evaluate(unknowns,
  /// r)` sets the point that belongs to them, fills the residual and returns the point. Other lanes than those asked
  /// for keep their guess.
  template <class System, class Evaluate>
  Report solve(System& system, std::span<S> unknowns, const ConstrainedNewtonSettings& settings,
               Evaluate&& evaluate, const Mask& asked = all_lanes<S>()) {
    const Mask none = !all_lanes<S>();
    Report report;
    system.drop_idle(unknowns);  // the first correction would do that, whatever its damping
    const auto* point = &evaluate(std::span<const S>(unknowns), std::span<S>(r_));
    count(asked, report.evaluations);
    Mask trying = refresh(system, *point, unknowns, settings, asked, report);
    if (!any(trying)) return report;
    const S rounding = system.rounding(point->x_b), singular_floor = settings.singular_floor * rounding;
    Mask fresh = all_lanes<S>(), waiting = none;  // for a tangent
    S stuck(0.0);  // iterations that did not shrink what may be rounding near a singular position
    S moved(0.0);  // since the tangent was taken
    S damping(1.0);
    for (;;) {
      if (!any(trying)) {
        if (!any(waiting)) return report;
        trying = refresh(system, *point, unknowns, settings, waiting, report) &
                 (report.iterations < settings.max_iterations);
        moved = select(waiting, S(0.0), moved);
        waiting = none;
        if (!any(trying)) return report;
      }
      std::copy(unknowns.begin(), unknowns.end(), trial_.begin());
      for (std::size_t i = 0; i < step_.size(); ++i) r_[i] = where(trying, damping * step_[i]);
      system.correct(r_, trial_);
      count(trying, report.iterations);
      point = &evaluate(std::span<const S>(trial_), std::span<S>(r_));
      count(trying, report.evaluations);
      next_ = r_;
      system.solve(next_);
      const S size = system.size(next_);
      const Mask accepted =
          trying & ((size <= (1 - 0.25 * damping) * report.correction) | (size <= singular_floor));
      const Mask rejected = trying & (!accepted);
      if (any(rejected)) {
        damping = select(rejected, 0.5 * damping, damping);
        const Mask given_up =
            rejected & (damping < kLeastDamping);  // nothing is nearer: done where it may be rounding
        report.converged = report.converged | (given_up & (report.correction <= singular_floor));
        trying = rejected & (!given_up);
        if (!any(accepted)) continue;
      } else {
        trying = none;
      }
      copy_where(accepted, trial_, unknowns);
      const S contraction = size / report.correction;
      moved = select(accepted, S(moved + damping * report.correction), moved);
      report.correction = select(accepted, size, report.correction);
      // A first correction may have been exact in most of its parts, and the next one small for that alone:
      // the tangent that is kept has changed by as much as the unknowns have moved.
      const S left = size * smaller(S(1.0), larger(contraction, moved));
      const Mask stays = (contraction > 0.5) & fresh & (size <= singular_floor);
      stuck = select(accepted, select(stays, S(stuck + 1.0), S(0.0)), stuck);
      // What is left has the sign of the guess's error, step after step: it must stay far below the rounding
      // of the increments, or energy drifts by it.
      const Mask whole = accepted & (damping == 1.0);
      const Mask done =
          !any(whole) ? none
                      : Mask(whole & ((left <= 1e-3 * settings.tolerance * system.size(unknowns)) |
                                      (size <= kLast * rounding) |
                                      ((contraction > 0.5) &
                                       (size <= select(fresh, S(settings.floor), S(kKeptFloor)) * rounding)) |
                                      (stuck == kPatience)));
      damping = select(accepted, S(1.0), damping);
      if (any(done)) {
        for (std::size_t i = 0; i < next_.size(); ++i) trial_[i] = where(done, next_[i]);
        system.correct(trial_, unknowns);
        report.converged = report.converged | done;
      }
      const Mask goes_on = accepted & (!done), wants = contraction > kSlow * settings.slow;
      fresh = (accepted & wants) | ((!accepted) & fresh);
      waiting = waiting | (goes_on & wants);
      const Mask keeps = goes_on & (!wants) & (report.iterations < settings.max_iterations);
      if (all(keeps)) {
        step_.swap(next_);
      } else {
        copy_where(keeps, next_, step_);
      }
      trying = trying | keeps;
    }
  }

 private:
  static constexpr double kLeastDamping = 1.0 / 64;
  /// Lanes that keep their tangents wait for those that do not: with fresh ones all are done after as many iterations.
  /// Chains of 10 bodies take 4.2 evaluations and 2.4 tangents a step by packs of 8, instead of 6.4 and 1.5.
  static constexpr double kSlow = std::same_as<S, double> ? 1 : 1e-3;
  // In roundings of the coordinates. A correction below the first is the last. Below the second, one that no longer
  // shrinks is rounding, too, with a kept tangent.
  static constexpr double kLast = 1, kKeptFloor = 500;
  static constexpr int kPatience = 3;

  /// What is in the lanes, and 0 in the others; a plain number is asked for in its only lane.
  static double where(bool, double value) { return value; }
  template <class M>
  static S where(const M& mask, const S& value) requires(!std::same_as<S, double>) {
    return select(mask, value, S(0.0));
  }
  static void count(const Mask& mask, Count& counted) {
    if constexpr (std::same_as<S, double>) {
      counted += mask;
    } else {
      counted = select(mask, counted + 1.0, counted);
    }
  }
  static void copy_where(const Mask& mask, std::span<const S> from, std::span<S> to) {
    if (!any(mask)) return;
    if (all(mask)) {
      std::copy(from.begin(), from.end(), to.begin());
      return;
    }
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = select(mask, from[i], to[i]);
  }

  /// What a first correction leaves: with an exact tangent its square, or its product with what the multipliers
  /// change by, which turn with the bodies.
  S first_left(const S& correction, std::span<const S> unknowns) const {
    LargestAbsOf<S> change, whole;
    for (const S& entry : step_) change.keep(entry);
    for (const S& entry : unknowns) whole.keep(entry);
    return correction * larger(correction, S(change.value() / larger(whole.value(), change.value())));
  }

  /// The lanes that have a finite step now, and have to try it. Those where it leaves nothing are done with it at once.
  template <class System, class Point>
  Mask refresh(System& system, const Point& point, std::span<S> unknowns,
               const ConstrainedNewtonSettings& settings, const Mask& lanes, Report& report) {
    count(lanes, report.tangents);
    step_ = r_;
    const Mask regular = lanes & system.factorise_and_solve(point, unknowns, step_);
    report.correction =
        select(Mask(lanes & (!regular)), S(std::numeric_limits<double>::infinity()), report.correction);
    if (!any(regular)) return regular;
    report.correction = select(regular, S(system.size(step_)), report.correction);
    const Mask finite = regular & (report.correction <= std::numeric_limits<double>::max());
    const Mask at_once = finite & (first_left(report.correction, unknowns) <=
                                   1e-4 * settings.tolerance * system.size(unknowns));
    if (any(at_once)) {
      for (std::size_t i = 0; i < step_.size(); ++i) trial_[i] = where(at_once, step_[i]);
      system.correct(trial_, unknowns);
      count(at_once, report.iterations);
      report.converged = report.converged | at_once;
    }
    return finite & (!at_once);
  }

  std::vector<S> r_, step_, trial_, next_;
};
using ConstrainedNewton = ConstrainedNewtonOf<double>;

}  // namespace torsor
