#include "experiments/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

std::string in_digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size == std::round(size) && size < 1e6) return fmt::format("{:.0f}", value);
  return size >= 0.01 && size < 1000 ? fmt::format("{:#.3g}", value) : fmt::format("{:.1e}", value);
}

std::string time_beside(double seconds, double published) {
  const bool faster = seconds <= published;
  const double ratio = faster ? published / seconds : seconds / published;
  const double scale = std::pow(10.0, std::max(0.0, std::floor(std::log10(ratio)) - 1));
  return fmt::format("{:.2g} s, {:g} times as {}", seconds,
                     ratio < 10 ? std::round(10 * ratio) / 10 : scale * std::round(ratio / scale),
                     faster ? "fast" : "long");
}

constexpr double kNear = 3.1622776601683795;  ///< half a decade: "in the region of 1e-14"

/// By how much ours is off the published number; empty where it is near.
std::string off_by(double ours, double published) {
  const double ratio = ours / published;
  if (ratio >= 1 / kNear && ratio <= kNear) return "";
  if (ours == 0) return fmt::format("ours is 0 where {} is published", in_digits(published));
  const double factor = ratio > 1 ? ratio : 1 / ratio;
  return fmt::format("ours is {} than the published number by a factor of {}",
                     ratio > 1 ? "larger" : "smaller",
                     factor < 10 ? fmt::format("{:.2g}", factor) : fmt::format("{:.0f}", factor));
}

Match match_of(Given given) {
  switch (given) {
    case Given::number:
      return Match::number;
    case Given::curve:
      return Match::curve;
    case Given::behaviour:
      return Match::behaviour;
    case Given::nothing:
      break;
  }
  return Match::itself;
}

}  // namespace

const char* name_of(Match match) {
  switch (match) {
    case Match::number:
      return "matches the published number";
    case Match::curve:
      return "matches the published curve";
    case Match::behaviour:
      return "same behaviour";
    case Match::itself:
      return "consistent with itself";
    case Match::explained:
      return "explained";
    case Match::none:
      return "no verdict";
    case Match::fell_short:
      break;
  }
  return "fell short";
}

std::string in_words(const Bound& bound) {
  const bool above = std::isfinite(bound.least), below = std::isfinite(bound.most);
  if (above && below && bound.least == bound.most) return in_digits(bound.least);
  if (above && below) return fmt::format("{} to {}", in_digits(bound.least), in_digits(bound.most));
  if (above) return "at least " + in_digits(bound.least);
  return below ? "at most " + in_digits(bound.most) : "";
}

Row judge(const Check& check, Outcomes outcomes) {
  Row row{check.what,   check.unit,   check.paper.text, "-", check.only_shown ? "" : in_words(check.bound),
          check.reason, std::nan(""), Match::fell_short};
  try {
    row.value = check.measure(outcomes);
    if (check.evidence) row.note += ": " + check.evidence(outcomes);
  } catch (const std::exception& fault) {
    row.note = fmt::format("not measured: {}", fault.what());
    return row;
  }
  row.ours = in_digits(row.value);
  if (!check.unit.empty()) row.ours += " " + check.unit;
  if (check.only_shown) {
    if (check.published_seconds > 0) row.ours = time_beside(row.value, check.published_seconds);
    row.verdict = Match::none;
    return row;
  }
  const bool within = row.value >= check.bound.least && row.value <= check.bound.most;  // false for NaN
  if (!within) return row;
  if (!check.reason.empty()) {
    row.verdict = Match::explained;
    return row;
  }
  row.verdict = match_of(check.paper.given);
  if (check.paper.given == Given::number) {
    row.note = off_by(row.value, check.paper.value);
    if (!row.note.empty()) row.verdict = Match::behaviour;
  }
  return row;
}

}  // namespace torsor
