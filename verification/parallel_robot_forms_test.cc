// Inverse dynamics of a 3-RPR platform and of a Delta robot in closed form, derived here: inverse kinematics by the geometry of
// each leg, then virtual work of every body. With pose coordinates x of the tool, centres c_b, turns R_b and angles theta of the
// motors as functions of x,
//   tau . d theta/dx_k = sum_b m (c_b'' - g) . dc_b/dx_k + (J alpha + omega x J omega)_b . (turn of b along x_k)
// Trees, loops and multipliers have no part in it.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

#include "gallery.h"
#include "torsor/base/dual.h"
#include "torsor/evaluation/consistent_state.h"
#include "torsor/model/own_law.h"

namespace torsor {
namespace {

using Along3 = Dual<double, 3>;

template <class S>
struct PlacedBody {
  int body;
  Vec3<S> com;
  Mat3<S> R;
};
/// All of it over any scalar, at a pose of three coordinates.
template <class S>
struct Legs {
  std::array<S, 3> motor;              ///< angles
  std::vector<std::vector<S>> joints;  ///< coordinates of each joint whose name stands at the same place
  std::vector<PlacedBody<S>> bodies;
};

template <class S>
Mat3<S> turn_x(const S& a) {
  S s, c;
  sincos(a, s, c);
  return {S(1.0), S(0.0), S(0.0), S(0.0), c, -s, S(0.0), s, c};
}
template <class S>
Mat3<S> turn_y(const S& a) {
  S s, c;
  sincos(a, s, c);
  return {c, S(0.0), s, S(0.0), S(1.0), S(0.0), -s, S(0.0), c};
}
template <class S>
Mat3<S> turn_z(const S& a) {
  S s, c;
  sincos(a, s, c);
  return {c, -s, S(0.0), s, c, S(0.0), S(0.0), S(0.0), S(1.0)};
}

/// Sides of 1 m and 0.4 m; legs along x of their bodies, the tool at (x, y), turned by psi.
struct Rpr {
  static constexpr double kHip[3][2] = {
      {-0.5, -0.28867513459481287}, {0.5, -0.28867513459481287}, {0, 0.57735026918962573}};
  static constexpr double kWrist[3][2] = {
      {-0.2, -0.11547005383792515}, {0.2, -0.11547005383792515}, {0, 0.23094010767585030}};
  const Model& model;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (int i = 1; i <= 3; ++i)
      for (const char* of : {"hip", "slide", "wrist"}) all.push_back(of + std::to_string(i));
    return all;
  }
  template <class S>
  Legs<S> at(const std::array<S, 3>& pose) const {
    Legs<S> legs;
    const auto& [x, y, psi] = pose;
    S sine, cosine;
    sincos(psi, sine, cosine);
    for (int i = 0; i < 3; ++i) {
      const double u = kWrist[i][0], v = kWrist[i][1];
      const S along_x = x + (cosine * u - sine * v) - kHip[i][0],
              along_y = y + (sine * u + cosine * v) - kHip[i][1];
      const S length = sqrt(along_x * along_x + along_y * along_y), angle = atan2(along_y, along_x);
      const auto on_leg = [&](const S& distance) {
        const S share = distance / length;
        return Vec3<S>{kHip[i][0] + share * along_x, kHip[i][1] + share * along_y, S(0.0)};
      };
      const std::string number = std::to_string(i + 1);
      legs.motor[i] = angle;
      legs.joints.insert(legs.joints.end(), {{angle}, {length - 0.3}, {psi - angle}});
      legs.bodies.push_back({model.body_index("lower" + number), on_leg(S(0.125)), turn_z(angle)});
      legs.bodies.push_back({model.body_index("upper" + number), on_leg(length - 0.175), turn_z(angle)});
    }
    legs.bodies.push_back({model.body_index("tool"), {x, y, S(0.0)}, turn_z(psi)});
    return legs;
  }
};

/// Shoulders on a circle of 0.2 m, arms of 0.3 m, rods of 0.75 m, rod ends on a circle of 0.05 m; the tool at (x, y, z).
struct Delta {
  const Model& model;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (int i = 1; i <= 3; ++i)
      for (const char* of : {"shoulder", "elbow", "wrist"}) all.push_back(of + std::to_string(i));
    return all;
  }
  template <class S>
  Legs<S> at(const std::array<S, 3>& pose) const {
    const double arm = 0.3, rod = 0.75;
    Legs<S> legs;
    const Vec3<S> p{pose[0], pose[1], pose[2]};
    for (int i = 0; i < 3; ++i) {
      const Mat3<double> frame = turn_z(2 * std::numbers::pi / 3 * i);  // y goes outwards
      // The rod's lower end as the shoulder sees it; the elbow at (0, cos q, sin q) arm.
      Vec3<S> w = transpose_times(frame, p);
      w.y += 0.05 - 0.2;
      // |w - elbow| = rod:  w.y cos q + w.z sin q = (|w|^2 + arm^2 - rod^2) / (2 arm).
      const S right = (dot(w, w) + (arm * arm - rod * rod)) / (2 * arm);
      const S reach = sqrt(w.y * w.y + w.z * w.z), cosine = right / reach;
      const S q = atan2(w.z, w.y) + atan2(sqrt(1.0 - cosine * cosine), cosine);  // elbows outwards
      S s, c;
      sincos(q, s, c);
      const Vec3<S> elbow{S(0.0), arm * c, arm * s}, d = (1 / rod) * (w - elbow);
      // d = Rx(a) Ry(b) (0, 0, -1) = (-sin b, sin a cos b, -cos a cos b).
      const S a = atan2(d.y, -d.z), b = atan2(-d.x, sqrt(d.y * d.y + d.z * d.z));
      const Mat3<S> R_arm = frame * turn_x(q), R_rod = frame * (turn_x(a) * turn_y(b));
      const Vec3<S> shoulder = frame * Vec3<S>{S(0.0), S(0.2), S(0.0)};
      const std::string number = std::to_string(i + 1);
      const int of_arm = model.body_index("arm" + number), of_rod = model.body_index("rod" + number);
      legs.motor[i] = q;
      // The lower joint turns back: first about y of the rod, then about x of the platform.
      legs.joints.insert(legs.joints.end(), {{q}, {a - q, b}, {-b, a}});
      legs.bodies.push_back({of_arm, shoulder + R_arm * model.bodies()[of_arm].com, R_arm});
      legs.bodies.push_back({of_rod, shoulder + frame * elbow + R_rod * model.bodies()[of_rod].com, R_rod});
    }
    const int platform = model.body_index("platform");
    legs.bodies.push_back({platform, p + model.bodies()[platform].com, turn_z(S(0.0))});
    return legs;
  }
};

/// Of a matrix's antisymmetric part.
Vec3<double> axis_of(const Mat3<double>& A) {
  return 0.5 * Vec3<double>{A.zy - A.yz, A.xz - A.zx, A.yx - A.xy};
}
template <class S, class Part>
Mat3<double> part_of(const Mat3<S>& R, Part&& part) {
  return {part(R.xx), part(R.xy), part(R.xz), part(R.yx), part(R.yy),
          part(R.yz), part(R.zx), part(R.zy), part(R.zz)};
}
template <class S, class Part>
Vec3<double> part_of(const Vec3<S>& v, Part&& part) {
  return {part(v.x), part(v.y), part(v.z)};
}
double value(const AlongMotion& x) { return x.value.value; }
double first(const AlongMotion& x) { return x.value.tangent[0]; }
double second(const AlongMotion& x) { return x.tangent[0].tangent[0]; }

struct PoseMotion {
  std::array<double, 3> x, rate, acceleration;
};

template <class Robot>
Eigen::Vector3d by_virtual_work(const Robot& robot, const PoseMotion& motion) {
  std::array<AlongMotion, 3> x;
  std::array<Along3, 3> by;
  for (int k = 0; k < 3; ++k) {
    x[k] = {Dual<double, 1>(motion.x[k], {motion.rate[k]}),
            {Dual<double, 1>(motion.rate[k], {motion.acceleration[k]})}};
    by[k] = Along3::variable(motion.x[k], k);
  }
  const Legs<AlongMotion> moving = robot.at(x);
  const Legs<Along3> along = robot.at(by);
  Eigen::Vector3d work = Eigen::Vector3d::Zero();
  Eigen::Matrix3d angle_by_x;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) angle_by_x(i, k) = along.motor[i].tangent[k];
  for (std::size_t b = 0; b < moving.bodies.size(); ++b) {
    const Body& body = robot.model.bodies()[moving.bodies[b].body];
    const Mat3<double> R = part_of(moving.bodies[b].R, value);
    const Vec3<double> omega = axis_of(transpose(R) * part_of(moving.bodies[b].R, first));
    const Vec3<double> alpha = axis_of(transpose(R) * part_of(moving.bodies[b].R, second));
    const Vec3<double> moment = R * (body.inertia * alpha + cross(omega, body.inertia * omega));
    const Vec3<double> force = body.mass * (part_of(moving.bodies[b].com, second) - robot.model.gravity());
    for (int k = 0; k < 3; ++k) {
      const auto direction = [k](const Along3& entry) { return entry.tangent[k]; };
      const Vec3<double> turn = axis_of(part_of(along.bodies[b].R, direction) * transpose(R));
      work[k] += dot(force, part_of(along.bodies[b].com, direction)) + dot(moment, turn);
    }
  }
  return angle_by_x.transpose().lu().solve(work);
}

/// The same motion as `torsor eval` takes it.
template <class Robot>
std::vector<double> by_evaluation(const Robot& robot, const PoseMotion& motion) {
  std::array<AlongMotion, 3> x;
  for (int k = 0; k < 3; ++k)
    x[k] = {Dual<double, 1>(motion.x[k], {motion.rate[k]}),
            {Dual<double, 1>(motion.rate[k], {motion.acceleration[k]})}};
  const Legs<AlongMotion> legs = robot.at(x);
  const Model& model = robot.model;
  const std::vector<bool> none(model.joints().size());
  SaidState said{neutral_state(model), none, none, none, none, none};
  const std::vector<std::string> names = robot.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int j = model.joint_index(names[i]);
    said.q[j] = said.qd[j] = said.qdd[j] = true;
    for (std::size_t k = 0; k < legs.joints[i].size(); ++k) {
      said.values.q[model.coordinate_offset(j) + k] = value(legs.joints[i][k]);
      said.values.qd[model.rate_offset(j) + k] = first(legs.joints[i][k]);
      said.values.qdd[model.rate_offset(j) + k] = second(legs.joints[i][k]);
    }
  }
  return Evaluation(model, consistent_state(model, said)).actuator_efforts().efforts;
}

const PoseMotion kMotions[] = {{{0.03, -0.02, 0.1}, {0, 0, 0}, {0, 0, 0}},
                               {{-0.05, 0.04, -0.2}, {1.3, -0.7, 2.1}, {4.0, -6.0, 9.0}},
                               {{0.08, 0.05, 0.3}, {-2.0, 1.1, -0.4}, {0.5, 12.0, -7.0}}};

TEST(ParallelRobotForms, RprPlatformOnTheGround) {
  ModelDescription d = gallery("rpr_platform");
  d.servos.clear();
  d.gravity = {0.4, -9.81, 0};
  for (Joint& joint : d.joints) {
    if (joint.child == 0) joint.type = JointType::fixed;
  }
  d.initial.bodies.clear();
  const Model model(d);
  const Rpr robot{model};
  for (const PoseMotion& motion : kMotions) {
    const Eigen::Vector3d wanted = by_virtual_work(robot, motion);
    const std::vector<double> found = by_evaluation(robot, motion);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(found[i], wanted[i], 1e-10 * wanted.norm()) << i;  // measured 1e-14
  }
}

TEST(ParallelRobotForms, DeltaRobot) {
  ModelDescription d = gallery("delta_robot");
  d.servos.clear();
  const Model model(d);
  const Delta robot{model};
  for (PoseMotion motion : kMotions) {
    motion.x[2] = -0.6 + 0.2 * motion.x[2];
    const Eigen::Vector3d wanted = by_virtual_work(robot, motion);
    const std::vector<double> found = by_evaluation(robot, motion);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(found[i], wanted[i], 1e-10 * wanted.norm()) << i;  // measured 1e-14
  }
}

}  // namespace
}  // namespace torsor
