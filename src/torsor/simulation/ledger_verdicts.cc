#include "torsor/simulation/ledger_verdicts.h"

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/ledger.h"

namespace torsor {
namespace {

constexpr double kVerdictRounding =
    1e-9;                                 ///< of the scale: what rounding leaves of long runs of stiff models
constexpr double kLevelRounding = 1e-14;  ///< of the energy itself, which may be far above its scale

/// Not a number where either is none; infinite where there is nothing to measure by.
double relative_error(double error, double scale) {
  return error == 0 ? 0 : scale > 0 || scale != scale ? error / scale : HUGE_VAL;
}

Verdict promised_exact(double figure, const std::string& found, bool rounds = false) {
  if (rounds || figure <= kVerdictRounding)
    return {VerdictState::exact, figure, "exact to rounding: " + found};
  return {VerdictState::broken, figure, "promised exact, but " + found};
}

/// An error as large as what it is measured by is no matter of promises.
Verdict not_promised(double figure, const std::string& found) {
  if (!(figure <= 1)) return {VerdictState::broken, figure, "broken: " + found};
  return {VerdictState::none, figure, found + " (no guarantee)"};
}

/// A swing with the phase w h in a step changes the energy that a method of order p finds by up to about (w h)^p.
double by_order(const MotionIndicator& seen) { return std::pow(larger(seen.phase, seen.turn), seen.order); }

Verdict at_rest() { return {VerdictState::none, {}, "nothing to check: nothing moves"}; }

Verdict energy_verdict(const Ledger& ledger, const IntegratorEntry* entry) {
  const bool rounds = ledger.energy_max_residual <= kLevelRounding * std::abs(ledger.energy_initial);
  const double figure = relative_error(ledger.energy_max_residual, ledger.energy_scale);
  std::string found = ledger.energy_scale > 0
                          ? fmt::format("balance within {:.1e} of the scale", figure)
                          : fmt::format("balance within {:.1e} J", ledger.energy_max_residual);
  if (ledger.energy_returned > 0) {
    found += fmt::format(", after {:.1e} J were returned by singular positions", ledger.energy_returned);
  }
  if (ledger.rests && !rounds && figure > kVerdictRounding) return at_rest();
  const MotionIndicator& seen = ledger.accuracy.indicator;
  if (!entry || entry->energy == EnergyClaim::drifts || seen.controlled_to > 0) {
    return not_promised(figure, found);
  }
  if (entry->energy == EnergyClaim::exact) return promised_exact(figure, found, rounds);
  const double last = ledger.energy_final - ledger.energy_initial - ledger.work + ledger.dissipated;
  const double allowed = smaller(larger(by_order(seen), kVerdictRounding), 1.0) * ledger.energy_scale;
  const bool decays = entry->energy == EnergyClaim::decays_if_regular && last <= allowed && figure <= 1;
  if (decays || ledger.energy_max_residual <= allowed) {
    return {VerdictState::order, figure, fmt::format("within the method's order, {}: {}", seen.order, found)};
  }
  return not_promised(figure, found);
}

Verdict constraint_verdict(const Ledger& ledger, const IntegratorEntry* entry) {
  if (ledger.position_max) {
    const double figure = relative_error(*ledger.position_max, ledger.size);
    std::string found = fmt::format("positions within {:.1e} of the size", figure);
    if (ledger.velocity_max) found += fmt::format(", rates within {:.1e} m/s", *ledger.velocity_max);
    return entry ? promised_exact(figure, found) : not_promised(figure, found);
  }
  if (ledger.unit_length_max_error) {
    const double figure = *ledger.unit_length_max_error;
    const std::string found = fmt::format("quaternions within {:.1e} of unit length", figure);
    return figure <= kVerdictRounding ? promised_exact(figure, found) : not_promised(figure, found);
  }
  return {VerdictState::none, {}, "nothing to check: joint coordinates keep the joints closed"};
}

Verdict momentum_verdict(const Ledger& ledger, const IntegratorEntry* entry) {
  if (!ledger.linear_max_error && !ledger.angular_max_error) {
    return {VerdictState::none, {}, "nothing to check: the model conserves none"};
  }
  std::optional<double> worst;
  if (ledger.linear_max_error)
    keep_largest(worst, relative_error(*ledger.linear_max_error, ledger.linear_scale));
  if (ledger.angular_max_error)
    keep_largest(worst, relative_error(*ledger.angular_max_error, ledger.angular_scale));
  if (ledger.rests && *worst > kVerdictRounding) return at_rest();
  const std::string found = fmt::format("within {:.1e} of their scale", *worst);
  return entry && entry->exact_momenta ? promised_exact(*worst, found) : not_promised(*worst, found);
}

Verdict verified_motion(const Verification& v) {
  const double error = v.motion.error;
  const std::string found = fmt::format("{:.1f} digits verified to the end, error {:.1e} ({})",
                                        v.motion.digits(), error, v.motion.name);
  return v.motion.digits() >= 1 ? Verdict{VerdictState::order, error, found}
                                : Verdict{VerdictState::broken, error, "broken: " + found};
}

Verdict motion_verdict(const Accuracy& accuracy) {
  const MotionIndicator& seen = accuracy.indicator;
  if (accuracy.verification && accuracy.verification->failure.empty()) {
    return verified_motion(*accuracy.verification);
  }
  if (accuracy.choice) {
    const StepChoice& choice = *accuracy.choice;
    const std::string found =
        fmt::format("estimated error {:.1e}, {:g} was asked for", choice.estimated, choice.asked);
    return {choice.shortfall.empty() ? VerdictState::order : VerdictState::broken, choice.estimated, found};
  }
  switch (seen.verdict) {
    case MotionVerdict::unknown:
      return {VerdictState::none, {}, "not judged: too few steps, nothing moves, or steps made one by one"};
    case MotionVerdict::controlled:
      return {VerdictState::order,
              {},
              fmt::format("steps controlled to {:g}; error not measured", seen.controlled_to)};
    case MotionVerdict::resolved:
      return {VerdictState::order, {}, "resolved by the steps; error not measured"};
    case MotionVerdict::coarse:
      return {VerdictState::none, {}, "resolved coarsely by the steps; error not measured"};
    case MotionVerdict::unresolved:
      return {VerdictState::broken, {}, "not resolved by the steps; error not measured"};
  }
  return {};
}

}  // namespace

const char* name_of(VerdictState state) {
  switch (state) {
    case VerdictState::exact:
      return "exact";
    case VerdictState::order:
      return "order";
    case VerdictState::none:
      return "none";
    case VerdictState::broken:
      return "broken";
  }
  return "";
}

Verdicts verdicts_of(const Ledger& ledger) {
  const IntegratorEntry* entry = integrators().find(ledger.integrator);
  return {energy_verdict(ledger, entry), constraint_verdict(ledger, entry), momentum_verdict(ledger, entry),
          motion_verdict(ledger.accuracy)};
}

}  // namespace torsor
