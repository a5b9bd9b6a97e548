#include "torsor/model/alike.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace torsor {
namespace {

template <class List, class Same>
bool agree(const List& a, const List& b, Same&& same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same_bits(const Vec3<double>& a, const Vec3<double>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
bool same_bits(const Sym3<double>& a, const Sym3<double>& b) {
  return same_bits(a.xx, b.xx) && same_bits(a.yy, b.yy) && same_bits(a.zz, b.zz) && same_bits(a.xy, b.xy) &&
         same_bits(a.xz, b.xz) && same_bits(a.yz, b.yz);
}
bool same_bits(const SE3<double>& a, const SE3<double>& b) {
  const SO3<double>&p = a.rotation, &q = b.rotation;
  return same_bits(a.position, b.position) && same_bits(p.w, q.w) && same_bits(p.x, q.x) &&
         same_bits(p.y, q.y) && same_bits(p.z, q.z);
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return agree(a, b, [](double p, double q) { return same_bits(p, q); });
}

bool alike(const Body& a, const Body& b) { return a.name == b.name && a.idealised == b.idealised; }
bool alike(const Joint& a, const Joint& b) {
  return a.name == b.name && a.type == b.type && a.parent == b.parent && a.child == b.child &&
         same_bits(a.armature, b.armature);
}
bool alike(const Point& a, const Point& b) { return a.name == b.name && a.body == b.body; }
bool alike(const CoordinateTerm& a, const CoordinateTerm& b) {
  return a.joint == b.joint && a.coordinate == b.coordinate;
}
bool alike(const Wrap& a, const Wrap& b) {
  return a.segment == b.segment && a.at.body == b.at.body && a.law.kind == b.law.kind;
}
bool alike(const Tendon& a, const Tendon& b) {
  return agree(a.path, b.path, [](const Point& p, const Point& q) { return p.body == q.body; }) &&
         agree(a.joints, b.joints, [](const auto& p, const auto& q) { return alike(p, q); }) &&
         agree(a.wraps, b.wraps, [](const auto& p, const auto& q) { return alike(p, q); }) && !a.muscle &&
         !b.muscle && a.is_angle == b.is_angle;
}
bool alike(const JointSpring& a, const JointSpring& b) { return a.joint == b.joint && a.law == b.law; }
bool alike(const JointStop& a, const JointStop& b) {
  return a.joint == b.joint && a.tendon == b.tendon &&
         agree(a.ranges, b.ranges, [](const auto& p, const auto& q) {
           return std::isfinite(p.lower) == std::isfinite(q.lower) &&
                  std::isfinite(p.upper) == std::isfinite(q.upper);
         });
}
bool alike(const JointFriction& a, const JointFriction& b) {
  return a.joint == b.joint && a.tendon == b.tendon && a.laws.size() == b.laws.size();
}
bool alike(const Bushing& a, const Bushing& b) { return a.parent == b.parent && a.child == b.child; }
bool alike(const Load& a, const Load& b) {
  return a.kind == b.kind && a.at.body == b.at.body && a.in_body_axes == b.in_body_axes;
}
bool alike(const Drag& a, const Drag& b) {
  return a.body == b.body && a.point.has_value() == b.point.has_value();
}
bool alike(const Actuator& a, const Actuator& b) {
  return a.joint == b.joint && a.coordinate == b.coordinate && a.tendon == b.tendon &&
         a.limits.has_value() == b.limits.has_value();
}
bool alike(const Coupling& a, const Coupling& b) {
  return agree(a.terms, b.terms, [](const auto& p, const auto& q) { return alike(p, q); });
}
// What has much that may differ, and functions, which nobody can compare.
bool alike(const Controller&, const Controller&) { return false; }
bool alike(const Servo&, const Servo&) { return false; }
bool alike(const OwnLaw&, const OwnLaw&) { return false; }
bool alike(const PointLaw&, const PointLaw&) { return false; }

/// A kind that is not said above does not compile.
bool all_alike(const ElementLists& a, const ElementLists& b) {
  bool all = true;
  for_each_kind(a, [&]<class List>(const char*, const List& list) {
    for_each_kind(b, [&]<class Other>(const char*, const Other& other) {
      if constexpr (std::is_same_v<List, Other>) {
        all = all && agree(list, other,
                           [](const auto& p, const auto& q) { return p.name == q.name && alike(p, q); });
      }
    });
  });
  return all;
}

}  // namespace

bool are_built_alike(const Model& a, const Model& b) {
  const auto same = [](const auto& p, const auto& q) { return alike(p, q); };
  return a.name() == b.name() && a.dimension() == b.dimension() && agree(a.bodies(), b.bodies(), same) &&
         agree(a.joints(), b.joints(), same) && agree(a.points(), b.points(), same) &&
         all_alike(a.elements(), b.elements()) && a.simulation() == b.simulation();
}

bool move_alike(const Model& a, const Model& b) {
  return same_bits(a.gravity(), b.gravity()) &&
         agree(a.bodies(), b.bodies(),
               [](const Body& p, const Body& q) {
                 return same_bits(p.mass, q.mass) && same_bits(p.com, q.com) &&
                        same_bits(p.inertia, q.inertia);
               }) &&
         agree(a.joints(), b.joints(), [](const Joint& p, const Joint& q) {
           return same_bits(p.in_parent, q.in_parent) && same_bits(p.in_child, q.in_child) &&
                  same_bits(p.pitch, q.pitch);
         });
}

}  // namespace torsor
