#include "experiments/verdict.h"

#include <fmt/format.h>

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

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::explained:
      return "explained";
    case Verdict::none:
      return "no verdict";
    case Verdict::fell_short:
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
  Row row{check.what,   check.unit,   check.paper,        "-", check.only_shown ? "" : in_words(check.bound),
          check.reason, std::nan(""), Verdict::fell_short};
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
    row.verdict = Verdict::none;
    return row;
  }
  const bool within = row.value >= check.bound.least && row.value <= check.bound.most;  // false for NaN
  if (within) row.verdict = check.reason.empty() ? Verdict::reproduced : Verdict::explained;
  return row;
}

}  // namespace torsor
