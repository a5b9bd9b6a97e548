#include "torsor/model/own_law.h"

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/model/lobatto.h"

namespace torsor {
PotentialJet FunctionLaw::ask(double x) const {
  const PotentialJet U = potential_(x);
  if (!std::isfinite(U.value + U.slope + U.curvature) && fault_ && fault_->text.empty()) {
    fault_->text = fmt::format(
        "the potential of law '{}' is not a finite number at {:g} (U = {:g}, dU/dx = {:g}, d2U/dx2 = {:g}): "
        "let "
        "it be "
        "finite where the motion goes, or take a smaller step",
        name_, x, U.value, U.slope, U.curvature);
  }
  return U;
}

ForceJet FunctionLaw::ask(double x, double rate, double t) const {
  const ForceJet F = force_(x, rate, t);
  if (!std::isfinite(F.value + F.by_position + F.by_rate) && fault_ && fault_->text.empty()) {
    fault_->text = fmt::format(
        "the force of law '{}' is not a finite number at {:g} with the rate {:g} (F = {:g}, dF/dx = {:g}, "
        "dF/dx' = "
        "{:g}): let it be finite where the motion goes, or take a smaller step",
        name_, x, rate, F.value, F.by_position, F.by_rate);
  }
  return F;
}

/// G (b - a) = U_b - U_a. A quotient of differences is that, but carries the rounding of U over b - a. So G is the mean
/// of U' by Lobatto's rule wherever that is exact to rounding: where the quotient says so, or already Simpson's rule,
/// which asks at three of the same places. Elsewhere, across a kink or on a long way, it is the quotient.
ElasticAt FunctionLaw::discrete_gradient(const LawPair& x) const {
  const PotentialJet A = ask(x.a), B = ask(x.b);
  const double change = x.b - x.a;
  double mean = lobatto::kAtEnds * (A.slope + B.slope), by_end = lobatto::kAtEnds * B.curvature;
  double middle = 0, steepest = larger(std::abs(A.slope), std::abs(B.slope));
  for (const auto& [way, weight] : lobatto::kInside) {
    const PotentialJet U = ask(x.a + way * change);
    mean += weight * U.slope;
    by_end += weight * way * U.curvature;
    keep_largest(steepest, std::abs(U.slope));
    if (way == 0.5) middle = U.slope;
  }
  const double simpson = (A.slope + 4 * middle + B.slope) / 6, quotient = (B.value - A.value) / change;
  const double size = std::abs(A.value) + std::abs(B.value) + steepest * larger(std::abs(x.a), std::abs(x.b));
  const auto is_alike = [&](double other) {
    return std::abs((mean - other) * change) <= lobatto::kAlike * size;
  };
  if (is_alike(simpson) || is_alike(quotient)) return {mean, by_end};
  return {quotient, (B.slope - quotient) / change};
}

ElasticAt FunctionLaw::elastic_at(double x) const {
  if (!potential_) return {};
  const PotentialJet U = ask(x);
  return {U.slope, U.curvature};
}

LawEffort FunctionLaw::between(const LawPair& x) const {
  LawEffort f;
  if (potential_) {
    ElasticAt elastic;
    // Of a state both values are one, but for rounding: its slope is the whole curvature, not the share of an end.
    if (x.kappa == 1 || x.a == x.b) {
      elastic = elastic_at(x.b);
      elastic.slope *= x.kappa;
    } else {
      elastic = discrete_gradient(x);
    }
    f.elastic = f.effort = elastic.effort;
    f.elastic_slope = f.slope = elastic.slope;
  }
  if (!force_) return f;
  const ForceJet F = ask((1 - x.kappa) * x.a + x.kappa * x.b, x.rate, x.time);
  f.effort -= F.value;
  f.by_rate = -F.by_rate;
  f.slope -= x.kappa * F.by_position + F.by_rate * x.velocity_gain;
  if (dissipates_) {
    f.taken = -F.value * x.rate;
  } else {
    f.work = F.value * x.rate;
  }
  return f;
}

}  // namespace torsor
