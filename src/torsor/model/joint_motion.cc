#include "torsor/model/joint_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;

Vec3<double> along(int axis, double length) {
  Vec3<double> v;
  v[axis] = length;
  return v;
}
SO3<double> about(int axis, double angle) {
  const Vec3<double> v = along(axis, std::sin(angle / 2));
  return {std::cos(angle / 2), v.x, v.y, v.z};
}
/// The angle about the axis in (-pi, pi] of the rotation about it that is nearest to r.
double turn_about(int axis, const SO3<double>& r) {
  return std::remainder(2 * std::atan2(vector_part(r)[axis], r.w), kFullTurn);
}

SE3<double> part_pose(const JointPart& part, double pitch, const double* q) {
  switch (part.primitive) {
    case Primitive::fixed:
      return {};
    case Primitive::revolute:
      return {about(part.axis, q[0]), {}};
    case Primitive::prismatic:
      return {{}, along(part.axis, q[0])};
    case Primitive::helical:
      return {about(part.axis, q[0]), along(part.axis, pitch * q[0])};
    case Primitive::spherical:
      return {{q[0], q[1], q[2], q[3]}, {}};
    case Primitive::planar:
      return {about(2, q[0]), {q[1], q[2], 0}};
    case Primitive::free:
      break;
  }
  return {{q[0], q[1], q[2], q[3]}, {q[4], q[5], q[6]}};
}

/// The twist in axes after the motion, of rate k alone.
Twist<double> part_screw(const JointPart& part, double pitch, int k) {
  const Components own = components(part.primitive);
  const bool turns = k < own.turns();
  int axis = part.axis;
  if (own.rates() > 1) axis = turns ? (own.angles > 0 ? 2 : k) : k - own.turns();
  if (!turns) return {{}, along(axis, 1)};
  return {along(axis, 1), along(axis, part.primitive == Primitive::helical ? pitch : 0)};
}

/// v in axes that are turned about one of its own.
Vec3<double> turned_back(int axis, double angle, const Vec3<double>& v) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  Vec3<double> seen = v;
  seen[b] = cosine * v[b] + sine * v[c];
  seen[c] = cosine * v[c] - sine * v[b];
  return seen;
}

}  // namespace

SE3<double> joint_pose(const Joint& joint, int dimension, std::span<const double> q) {
  SE3<double> X;
  for (const JointPart& part : joint_parts(joint.type, dimension)) {
    X = X * part_pose(part, joint.pitch, q.data() + part.coordinate);
  }
  return X;
}

Twist<double> joint_twist(const Joint& joint, int dimension, std::span<const double> q,
                          std::span<const double> qd) {
  Twist<double> V;
  for (const JointPart& part : joint_parts(joint.type, dimension)) {
    // Those before it, seen after it. Several axes are alone; so is a screw; slides come before turns, or
    // along their axis.
    if (part.primitive == Primitive::revolute) {
      V.angular = turned_back(part.axis, q[part.coordinate], V.angular);
      V.linear = turned_back(part.axis, q[part.coordinate], V.linear);
    }
    for (int k = 0; k < components(part.primitive).rates(); ++k) {
      V = V + qd[part.rate + k] * part_screw(part, joint.pitch, k);
    }
  }
  return V;
}

std::vector<double> joint_coordinates(const Joint& joint, int dimension, const SE3<double>& X) {
  const JointParts parts = joint_parts(joint.type, dimension);
  const SO3<double>& r = X.rotation;
  const Vec3<double>& p = X.position;
  switch (parts.begin()->primitive) {
    case Primitive::spherical:
      return {r.w, r.x, r.y, r.z};
    case Primitive::planar:
      return {turn_about(2, r), p.x, p.y};
    case Primitive::free:
      return {r.w, r.x, r.y, r.z, p.x, p.y, p.z};
    default:
      break;
  }
  std::vector<double> q(parts.all().coordinates());
  std::vector<int> axes;  // of turns
  for (const JointPart& part : parts) {
    if (part.primitive == Primitive::prismatic) q[part.coordinate] = p[part.axis];
    if (part.primitive == Primitive::revolute) axes.push_back(part.axis);
    if (part.primitive != Primitive::helical) continue;
    const double angle = turn_about(part.axis, r);
    q[0] = angle + kFullTurn * std::round((p[part.axis] / joint.pitch - angle) / kFullTurn);
  }
  if (axes.size() == 1) q[0] = turn_about(axes[0], r);
  if (axes.size() == 2) {  // Rx(q0) Ry(q1) has zy = sin q0, yy = cos q0, xz = sin q1, xx = cos q1
    const int x = axes[0], y = axes[1], z = 3 - x - y;
    const double hand = y == (x + 1) % 3 ? 1 : -1;
    const Mat3<double> R = matrix(r);
    const auto column = [&](int axis) { return R * along(axis, 1); };
    q = {std::atan2(hand * column(y)[z], column(y)[y]), std::atan2(hand * column(z)[x], column(x)[x])};
  }
  return q;
}

std::vector<Twist<double>> left_motions(const Joint& joint, int dimension) {
  const JointParts parts = joint_parts(joint.type, dimension);
  std::vector<Twist<double>> screws, found;
  for (const JointPart& part : parts) {
    for (int k = 0; k < components(part.primitive).rates(); ++k) {
      screws.push_back(part_screw(part, joint.pitch, k));
    }
  }
  const auto is_free = [&](const Twist<double>& V) {
    const auto same = [&](const Twist<double>& W) { return V.angular == W.angular && V.linear == W.linear; };
    const auto is_along = [&](const Twist<double>& screw) { return same(screw) || same(-screw); };
    return same(-V) || std::any_of(screws.begin(), screws.end(), is_along);
  };
  // A motion passes those before it to the left where their bracket is a motion of the joint again. One with
  // several axes, whose brackets all are, is alone.
  for (auto screw = screws.begin(); screw != screws.end(); ++screw) {
    const auto lets_pass = [&](const Twist<double>& before) { return is_free(bracket(before, *screw)); };
    if (std::all_of(screws.begin(), screw, lets_pass)) found.push_back(*screw);
  }
  return found;
}

std::vector<double> neutral_coordinates(JointType type, int dimension) {
  std::vector<double> q(coordinate_count(type, dimension), 0.0);
  if (components(type, dimension).quaternions > 0) q[0] = 1;
  return q;
}

}  // namespace torsor
