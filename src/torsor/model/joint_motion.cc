#include "torsor/model/joint_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

SO3<double> about_x(double angle) { return {std::cos(angle / 2), std::sin(angle / 2), 0, 0}; }
SO3<double> about_y(double angle) { return {std::cos(angle / 2), 0, std::sin(angle / 2), 0}; }
SO3<double> about_z(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

/// The angle about z in (-pi, pi] of the rotation about z that is nearest to q.
double turn_about_z(const SO3<double>& q) {
  const double angle = 2 * std::atan2(q.z, q.w);
  return std::remainder(angle, 2 * std::numbers::pi);
}

}  // namespace

SE3<double> joint_pose(const Joint& joint, int dimension, std::span<const double> q) {
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {about_z(q[0]), {}};
    case JointType::prismatic:
      return {{}, {0, 0, q[0]}};
    case JointType::helical:
      return {about_z(q[0]), {0, 0, joint.pitch * q[0]}};
    case JointType::cylindrical:
      return {about_z(q[0]), {0, 0, q[1]}};
    case JointType::universal:
      return {about_x(q[0]) * about_y(q[1]), {}};
    case JointType::spherical:
      return {{q[0], q[1], q[2], q[3]}, {}};
    case JointType::planar:
      return {about_z(q[0]), {q[1], q[2], 0}};
    case JointType::free:
      break;
  }
  if (dimension == 2) return {about_z(q[0]), {q[1], q[2], 0}};
  return {{q[0], q[1], q[2], q[3]}, {q[4], q[5], q[6]}};
}

Twist<double> joint_twist(const Joint& joint, int dimension, std::span<const double> q,
                          std::span<const double> qd) {
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {{0, 0, qd[0]}, {}};
    case JointType::prismatic:
      return {{}, {0, 0, qd[0]}};
    case JointType::helical:
      return {{0, 0, qd[0]}, {0, 0, joint.pitch * qd[0]}};
    case JointType::cylindrical:
      return {{0, 0, qd[0]}, {0, 0, qd[1]}};
    // x of J seen from K is (cos q1, 0, sin q1).
    case JointType::universal:
      return {{qd[0] * std::cos(q[1]), qd[1], qd[0] * std::sin(q[1])}, {}};
    case JointType::spherical:
      return {{qd[0], qd[1], qd[2]}, {}};
    case JointType::planar:
      return {{0, 0, qd[0]}, act(about_z(-q[0]), Vec3<double>{qd[1], qd[2], 0})};
    case JointType::free:
      break;
  }
  if (dimension == 2) return {{0, 0, qd[0]}, {qd[1], qd[2], 0}};
  return {{qd[0], qd[1], qd[2]}, {qd[3], qd[4], qd[5]}};
}

std::vector<double> joint_coordinates(const Joint& joint, int dimension, const SE3<double>& X) {
  const SO3<double>& r = X.rotation;
  const Vec3<double>& p = X.position;
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {turn_about_z(r)};
    case JointType::prismatic:
      return {p.z};
    case JointType::helical: {
      const double angle = turn_about_z(r), full = 2 * std::numbers::pi;
      return {angle + full * std::round((p.z / joint.pitch - angle) / full)};
    }
    case JointType::cylindrical:
      return {turn_about_z(r), p.z};
    case JointType::universal: {
      const Mat3<double> R = matrix(r);  // Rx(a) Ry(b) has zy = sin a, yy = cos a, xz = sin b, xx = cos b
      return {std::atan2(R.zy, R.yy), std::atan2(R.xz, R.xx)};
    }
    case JointType::spherical:
      return {r.w, r.x, r.y, r.z};
    case JointType::planar:
      return {turn_about_z(r), p.x, p.y};
    case JointType::free:
      break;
  }
  if (dimension == 2) return {turn_about_z(r), p.x, p.y};
  return {r.w, r.x, r.y, r.z, p.x, p.y, p.z};
}

std::vector<double> neutral_coordinates(JointType type, int dimension) {
  std::vector<double> q(coordinate_count(type, dimension), 0.0);
  if (type == JointType::spherical || (type == JointType::free && dimension == 3)) q[0] = 1;
  return q;
}

}  // namespace torsor
