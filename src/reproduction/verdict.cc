#include "reproduction/verdict.h"

#include <fmt/format.h>

#include <cmath>

namespace torsor {
namespace {

std::string in_digits(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size == std::round(size) && size < 1e6) return fmt::format("{:.0f}", value);
  return size >= 0.01 && size < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.1e}", value);
}

std::string time_beside(double seconds, double published) {
  const double ratio = published / seconds;
  return ratio >= 1 ? fmt::format("{:.3g} s, {:.2g} times as fast", seconds, ratio)
                    : fmt::format("{:.3g} s, {:.2g} times as long", seconds, 1 / ratio);
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::explained:
      return "explained";
    case Verdict::timing:
      return "timing";
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
  Row row{check.what,   check.unit,   check.paper,        "-", check.timing ? "" : in_words(check.bound),
          check.reason, std::nan(""), Verdict::fell_short};
  try {
    row.value = check.measure(outcomes);
  } catch (const std::exception& fault) {
    row.note = fmt::format("not measured: {}", fault.what());
    return row;
  }
  row.ours = in_digits(row.value);
  if (!check.unit.empty()) row.ours += " " + check.unit;
  if (check.timing) {
    if (check.published_seconds > 0) row.ours = time_beside(row.value, check.published_seconds);
    row.verdict = Verdict::timing;
    return row;
  }
  const bool within = row.value >= check.bound.least && row.value <= check.bound.most;  // false for NaN
  if (within) row.verdict = check.reason.empty() ? Verdict::reproduced : Verdict::explained;
  return row;
}

}  // namespace torsor
