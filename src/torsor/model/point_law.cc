#include "torsor/model/point_law.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/model/lobatto.h"

namespace torsor {
namespace {

double sum(const Vec3<double>& a) { return a.x + a.y + a.z; }
double sum(const Mat3<double>& a) { return a.xx + a.xy + a.xz + a.yx + a.yy + a.yz + a.zx + a.zy + a.zz; }

void complain(LawFault* fault, const char* what, const std::string& name, const Vec3<double>& p) {
  if (!fault || !fault->text.empty()) return;
  fault->text = fmt::format(
      "the {} of law '{}' is not a finite number at ({:g}, {:g}, {:g}): let it and its derivatives be finite "
      "where the "
      "motion goes, or take a smaller step",
      what, name, p.x, p.y, p.z);
}

}  // namespace

PointPotentialJet PointFunctionLaw::ask(const Vec3<double>& p) const {
  const PointPotentialJet U = potential_(p);
  if (!std::isfinite(U.value + sum(U.gradient) + sum(U.curvature))) complain(fault_, "potential", name_, p);
  return U;
}

PointForceJet PointFunctionLaw::ask(const Vec3<double>& p, const Vec3<double>& v, double t) const {
  const PointForceJet F = force_(p, v, t);
  if (!std::isfinite(sum(F.value) + sum(F.by_position) + sum(F.by_velocity)))
    complain(fault_, "force", name_, p);
  return F;
}

/// With d = b - a, G d = U_b - U_a. The mean of the gradient on the way has it where Lobatto's rule is exact to rounding,
/// as in FunctionLaw. Elsewhere what is missing acts along d (Gonzalez 1996, (4.1) with that mean):
///   G = mean + c d,   c = (U_b - U_a - mean . d) / d^2                                                             (1)
void PointFunctionLaw::set_gradient(const PointPair& p, PointEffort& f) const {
  const PointPotentialJet A = ask(p.a), B = ask(p.b);
  const Vec3<double> way = p.b - p.a;
  Vec3<double> mean = lobatto::kAtEnds * (A.gradient + B.gradient), middle{};
  Mat3<double> by_end = lobatto::kAtEnds * B.curvature;
  double steepest = larger(norm(A.gradient), norm(B.gradient));
  for (const auto& [share, weight] : lobatto::kInside) {
    const PointPotentialJet U = ask(p.a + share * way);
    mean += weight * U.gradient;
    by_end = by_end + (weight * share) * U.curvature;
    keep_largest(steepest, norm(U.gradient));
    if (share == 0.5) middle = U.gradient;
  }
  const double change = dot(mean, way), missing = (B.value - A.value) - change;
  const double simpson = (dot(A.gradient, way) + 4 * dot(middle, way) + dot(B.gradient, way)) / 6;
  const double size = std::abs(A.value) + std::abs(B.value) + steepest * larger(norm(p.a), norm(p.b));
  f.effort = mean;
  f.slope = by_end;
  if (std::abs(change - simpson) <= lobatto::kAlike * size || std::abs(missing) <= lobatto::kAlike * size)
    return;
  const double square = dot(way, way), c = missing / square;
  const Vec3<double> by_c = (1 / square) * (B.gradient - mean - transpose_times(by_end, way) - (2 * c) * way);
  f.effort += c * way;
  f.slope = f.slope + outer(way, by_c) + c * Mat3<double>::identity();
}

PointEffort PointFunctionLaw::between(const PointPair& p) const {
  PointEffort f;
  if (potential_) {
    if (p.kappa == 1 || p.a == p.b) {  // as in FunctionLaw
      const PointPotentialJet U = ask(p.b);
      f.effort = U.gradient;
      f.slope = p.kappa * U.curvature;
    } else {
      set_gradient(p, f);
    }
  }
  if (!force_) return f;
  const PointForceJet F = ask((1 - p.kappa) * p.a + p.kappa * p.b, p.velocity, p.time);
  f.effort -= F.value;
  f.by_velocity = -1.0 * F.by_velocity;
  f.slope = f.slope - p.kappa * F.by_position - p.velocity_gain * F.by_velocity;
  const double power = dot(F.value, p.velocity);
  if (dissipates_) {
    f.taken = -power;
  } else {
    f.work = power;
  }
  return f;
}

}  // namespace torsor
