#include "torsor/model/muscle_curves.h"

#include <algorithm>
#include <cmath>

#include "torsor/numerics/gauss_rule.h"

namespace torsor {
namespace {

constexpr double kRise = 4 / 0.6, kLeast = 0.2, kStraight = 2;  // of the passive force
constexpr double kWidth = 0.45;                                 // of active force
constexpr double kSteep = 8.149, kShift = 0.374;

/// Below it these Gauss points are exact to rounding.
constexpr double kShort = 0.05;
const std::vector<GaussPoint> kMeanRule = gauss_rule(5);

double least_rise() {
  static const double kValue = std::exp(kRise * (kLeast - 1));
  return kValue;
}
double whole_rise() {
  static const double kValue = std::exp(4.0) - least_rise();
  return kValue;
}

}  // namespace

template <class Curve>
CurvePoint mean(const Curve& curve, double a, double b) {
  if (a == b) {
    const CurvePoint f = curve.at(b);
    return {f.value, 0.5 * f.slope};
  }
  const auto smooth = [&](double from, double to) {
    CurvePoint mean;
    if (std::abs(to - from) > kShort) {
      mean.value = (curve.integral(to) - curve.integral(from)) / (to - from);
      mean.slope = (curve.at(to).value - mean.value) / (to - from);
      return mean;
    }
    for (const auto& [way, weight] : kMeanRule) {
      const CurvePoint f = curve.at(from + way * (to - from));
      mean.value += weight * f.value;
      mean.slope += weight * way * f.slope;
    }
    return mean;
  };
  const auto [low, high] = std::minmax(a, b);
  const std::array<double, 2> kink = curve.kinks();
  if ((kink[0] <= low || kink[0] >= high) && (kink[1] <= low || kink[1] >= high)) return smooth(a, b);
  const double cuts[] = {low, std::clamp(kink[0], low, high), std::clamp(kink[1], low, high), high};
  CurvePoint mean;
  for (int i = 0; i < 3; ++i) {
    if (cuts[i + 1] > cuts[i]) {
      mean.value += (cuts[i + 1] - cuts[i]) / (high - low) * smooth(cuts[i], cuts[i + 1]).value;
    }
  }
  mean.slope = (curve.at(b).value - mean.value) / (b - a);
  return mean;
}

template CurvePoint mean(const PassiveCurve&, double, double);
template CurvePoint mean(const SeriesCurve&, double, double);

CurvePoint PassiveCurve::at(double x) const {
  if (law == Muscle::Law::hill) {
    if (x <= kLeast) return {};
    const double rise = std::exp(kRise * (std::min(x, kStraight) - 1)), slope = kRise * rise / whole_rise();
    return {(rise - least_rise()) / whole_rise() + slope * std::max(x - kStraight, 0.0), slope};
  }
  const double y = (x - 1) / half;
  if (y <= 0) return {};
  if (y <= 1) return {0.5 * force * y * y, force * y / half};
  return {force * (y - 0.5), force / half};
}
double PassiveCurve::integral(double x) const {
  if (law == Muscle::Law::hill) {
    if (x <= kLeast) return 0;
    const double bent = std::min(x, kStraight), beyond = x - bent;
    const double rise = std::exp(kRise * (bent - 1));
    const double below = ((rise - least_rise()) / kRise - least_rise() * (bent - kLeast)) / whole_rise();
    return below + beyond * (at(bent).value + 0.5 * beyond * at(bent).slope);
  }
  const double y = (x - 1) / half;
  if (y <= 0) return 0;
  if (y <= 1) return force * half * y * y * y / 6;
  return force * half * (0.5 * y * (y - 1) + 1.0 / 6);
}
std::array<double, 2> PassiveCurve::kinks() const {
  return law == Muscle::Law::hill ? std::array{kLeast, kStraight} : std::array{1.0, 1 + half};
}

CurvePoint SeriesCurve::at(double e) const {
  if (e <= 0) return {};
  const double y = e / strain;
  return {y * y, 2 * y / strain};
}
double SeriesCurve::integral(double e) const {
  if (e <= 0) return 0;
  const double y = e / strain;
  return strain * y * y * y / 3;
}

CurvePoint active_force_length(const Muscle& muscle, double x) {
  if (muscle.law == Muscle::Law::hill) {
    const double value = std::exp(-(x - 1) * (x - 1) / kWidth);
    return {value, -2 * (x - 1) / kWidth * value};
  }
  const double least = muscle.least_length, greatest = muscle.greatest_length;
  const double low = 0.5 * (least + 1), high = 0.5 * (1 + greatest);
  if (x < least || x > greatest) return {};
  const auto outer = [](double y, double by_x) { return CurvePoint{0.5 * y * y, y * by_x}; };
  const auto inner = [](double y, double by_x) { return CurvePoint{1 - 0.5 * y * y, -y * by_x}; };
  if (x <= low) return outer((x - least) / (low - least), 1 / (low - least));
  if (x <= 1) return inner((1 - x) / (1 - low), -1 / (1 - low));
  if (x <= high) return inner((x - 1) / (high - 1), 1 / (high - 1));
  return outer((greatest - x) / (greatest - high), -1 / (greatest - high));
}

CurvePoint force_velocity(const Muscle& muscle, double v) {
  if (v <= -1) return {};
  if (muscle.law == Muscle::Law::hill) {
    static const double kRest = std::asinh(kShift);
    static const double kFactor = 1 / (kRest - std::asinh(kShift - kSteep));
    const double y = kSteep * v + kShift;
    return {1 + kFactor * (std::asinh(y) - kRest), kFactor * kSteep / std::sqrt(1 + y * y)};
  }
  if (v <= 0) return {(v + 1) * (v + 1), 2 * (v + 1)};
  const double most = muscle.lengthening_force, y = most - 1;
  if (v <= y) return {most - (y - v) * (y - v) / y, 2 * (y - v) / y};
  return {most, 0};
}

}  // namespace torsor
