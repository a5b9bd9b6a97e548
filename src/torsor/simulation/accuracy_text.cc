#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "torsor/simulation/accuracy.h"

namespace torsor {

const char* name_of(MotionVerdict verdict) {
  switch (verdict) {
    case MotionVerdict::unknown:
      return "unknown";
    case MotionVerdict::controlled:
      return "controlled";
    case MotionVerdict::resolved:
      return "resolved";
    case MotionVerdict::coarse:
      return "coarse";
    case MotionVerdict::unresolved:
      return "not resolved";
  }
  return "";
}

double ChannelError::digits() const {
  if (!(scale > 0) || error == 0) return 16;
  return std::isfinite(error) ? std::clamp(-std::log10(error / scale), 0.0, 16.0) : 0;
}

std::string warning_of(const MotionIndicator& seen, bool exact_energy) {
  if (seen.verdict < MotionVerdict::coarse) return "";
  const std::string what =
      seen.constraint_rate > std::max(1.0, std::max(seen.turn, seen.phase))
          ? fmt::format("rates violate constraints by {:.2g} of the largest speed", seen.constraint_rate)
      : seen.turn > seen.phase
          ? fmt::format("a body turns {:.2g} rad in a step ({}, at {:.4g} s)", seen.turn, seen.turn_body,
                        seen.turn_time)
          : fmt::format("velocities swing by a phase of {:.2g} rad in a step (at {:.4g} s)", seen.phase,
                        seen.phase_time);
  const std::string verdict = seen.verdict == MotionVerdict::coarse ? "the motion is resolved coarsely"
                                                                    : "the motion is not resolved";
  return fmt::format("{}: {}{}. Try --step {:g}", what, verdict,
                     exact_energy ? "; the energy balance is exact all the same" : "",
                     seen.try_step.value_or(0));
}

namespace {

void row(std::ostream& out, const std::string& label, const std::string& value, const std::string& unit,
         const std::string& words) {
  out << fmt::format("  {:<30}{:>15} {:<9}{}\n", label, value, unit, words);
}

void print(std::ostream& out, const MotionIndicator& seen) {
  if (seen.verdict == MotionVerdict::controlled) {
    row(out, "steps", fmt::format("{:g}", seen.controlled_to), "",
        "(controlled by the method: its tolerance of a step's error)");
    return;
  }
  if (seen.verdict == MotionVerdict::unknown) {
    row(out, "steps", "-", "", "(unknown: too few, nothing moves, or made one by one)");
    return;
  }
  row(out, "phase in a step, largest", fmt::format("{:.3g}", seen.phase), "rad",
      fmt::format("({}, with a method of order {})", name_of(seen.verdict), seen.order));
  row(out, "turn in a step, largest", fmt::format("{:.3g}", seen.turn), "rad",
      fmt::format("({}, at {:.4g} s)", seen.turn_body, seen.turn_time));
  if (seen.constraint_rate > 0) {
    row(out, "rates against constraints", fmt::format("{:.2g}", seen.constraint_rate), "",
        "(of the largest speed)");
  }
}

void print(std::ostream& out, const StepChoice& choice) {
  row(out, "error asked for", fmt::format("{:g}", choice.asked), "",
      fmt::format("(steps of {:.3g} to {:.3g} s; {} tried in all, {:.3g} s)", choice.least_step,
                  choice.most_step, choice.steps_in_all, choice.wall_seconds));
  row(out, "error estimated", fmt::format("{:.2g}", choice.estimated), "", "(against twice the steps)");
  if (!choice.shortfall.empty()) out << "  " << choice.shortfall << '\n';
}

void print(std::ostream& out, const Verification& v) {
  out << fmt::format("motion verified against {}\n", v.against);
  if (!v.failure.empty()) {
    out << "  " << v.failure << '\n';
    return;
  }
  if (v.observed_order) {
    out << fmt::format("  observed order {:.2f}; the method's is {}\n", *v.observed_order, v.order);
  }
  const auto line = [&](const std::string& label, const ChannelError& worst, const std::string& unit) {
    row(out, label, worst.scale > 0 ? fmt::format("{:.1f} digits", worst.digits()) : std::string("constant"),
        "",
        fmt::format("error {:.1e}{}{} ({}, at {:.4g} s)", worst.error, unit.empty() ? "" : " ", unit,
                    worst.name, worst.time));
  };
  line("motion", v.motion, fmt::format("of {:.3g} m, rad", v.size));
  for (std::size_t i = 0; i < v.groups.size(); ++i) line(v.quantities[i], v.groups[i], v.groups[i].unit);
  for (const Verification::Trust& trust : v.trusted) {
    row(out, fmt::format("trusted to {:g}", trust.to),
        trust.until ? fmt::format("until {:.4g}", *trust.until) : std::string("to the end"),
        trust.until ? "s" : "", trust.until ? "(from there on the error is larger)" : "");
  }
}

}  // namespace

void print(std::ostream& out, const Accuracy& accuracy, bool exact_energy) {
  out << "motion\n";
  print(out, accuracy.indicator);
  if (accuracy.choice) print(out, *accuracy.choice);
  if (accuracy.verification) print(out, *accuracy.verification);
  if (!accuracy.choice && !accuracy.verification) {
    row(out, "error", "not measured", "", "(--verify measures it)");
  }
  const std::string warning = warning_of(accuracy.indicator, exact_energy);
  if (!warning.empty()) out << "  warning: " << warning << '\n';
}

}  // namespace torsor
