#include "torsor/lie/inertia.h"

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

constexpr double kRelativeTolerance = 1e-9;
constexpr double kShiftTolerance = 1e-13;  // some hundred roundings

bool finite(const Sym3<double>& J) { return std::isfinite(J.xx + J.yy + J.zz + J.xy + J.xz + J.yz); }

/// Ascending.
Eigen::Vector3d principal_moments(const Sym3<double>& J) {
  Eigen::Matrix3d m;
  m << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  return principal_axes<3>(m).values;
}

/// `slack` is the absolute error the moments may carry.
std::string moments_fault(const Sym3<double>& at_com, double slack) {
  const Eigen::Vector3d moments = principal_moments(at_com);
  if (moments[0] < -slack)
    return fmt::format("principal moments {:.6g}, {:.6g}, {:.6g}: the smallest is negative", moments[0],
                       moments[1], moments[2]);
  if (moments[0] + moments[1] < moments[2] - slack)
    return fmt::format(
        "principal moments {:.6g}, {:.6g}, {:.6g}: the largest exceeds the sum of the other two ({:.6g})",
        moments[0], moments[1], moments[2], moments[0] + moments[1]);
  return {};
}

double largest_entry(const Sym3<double>& J) {
  return larger(
      {std::abs(J.xx), std::abs(J.yy), std::abs(J.zz), std::abs(J.xy), std::abs(J.xz), std::abs(J.yz)});
}

/// `shift` is the size of the tensor from which the shift to the centre of mass started.
std::string fault(double mass, const Sym3<double>& at_com, double shift) {
  if (!std::isfinite(mass)) return fmt::format("mass {} is not finite", mass);
  if (!finite(at_com)) return "the inertia tensor is not finite";
  const double size = largest_entry(at_com);
  if (mass < 0) return fmt::format("mass {:.6g} is negative", mass);
  if (mass == 0 && size > 0)
    return fmt::format("mass is 0 but the inertia tensor is not (largest entry {:.6g})", size);
  return moments_fault(at_com, kRelativeTolerance * size + kShiftTolerance * shift);
}

}  // namespace

std::string inertia_fault(double mass, const Sym3<double>& at_com) { return fault(mass, at_com, 0); }

std::string inertia_fault(const Inertia<double>& I) {
  const Vec3<double>& h = I.first_moment;
  if (!std::isfinite(h.x + h.y + h.z)) return "the first moment of mass is not finite";
  if (I.mass == 0 && dot(h, h) > 0) return "mass is 0 but the first moment of mass is not";
  return fault(I.mass, tensor_about_com(I), largest_entry(I.about_origin));
}

}  // namespace torsor
