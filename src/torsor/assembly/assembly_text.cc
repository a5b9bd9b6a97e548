#include <fmt/format.h>

#include <cmath>

#include "torsor/assembly/assembly.h"

namespace torsor {
namespace {

constexpr double kSilentGap = 1e-14;

/// Angles that are rounding only are left out: the plane has no others.
std::string amount(const Assembly::Gap& gap) {
  if (gap.angle < kSilentGap) return fmt::format("{:.2g} m", gap.length);
  return fmt::format("{:.2g} m and {:.2g} rad", gap.length, gap.angle);
}

}  // namespace

std::string summary(const Assembly& assembly) {
  if (assembly.gap_before.joint.empty()) return "";
  const auto change = [](const Assembly::Change& c, const char* what, const char* per_second) {
    return fmt::format("{} {} by {:.3g} {}{}; ", c.joint, what, std::abs(c.amount), c.angular ? "rad" : "m",
                       per_second);
  };
  std::string text;
  if (std::abs(assembly.moved.amount) > kSilentGap) text += change(assembly.moved, "moved", "");
  if (assembly.rate_changed.amount != 0) text += change(assembly.rate_changed, "changed its rate", "/s");
  if (text.empty()) {
    return fmt::format("as given; largest gap {} at {} {}", amount(assembly.gap_after), assembly.gap_after.at,
                       assembly.gap_after.joint);
  }
  return text + fmt::format("largest gap before {} at {} {}, after {}", amount(assembly.gap_before),
                            assembly.gap_before.at, assembly.gap_before.joint, amount(assembly.gap_after));
}

}  // namespace torsor
