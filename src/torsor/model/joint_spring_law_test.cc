#include "torsor/model/joint_spring_law.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/element_laws.h"

namespace torsor {
namespace {

JointSpringLaw rotational(SpringLaw kind, const Vec3<double>& k) {
  JointSpring spring;
  spring.law = kind;
  spring.stiffness = {k.x, k.y, k.z};
  spring.damping = {0.1, 0.2, 0.3};
  spring.rest_rotation = exp_so3(Vec3<double>{0.2, -0.4, 0.3});
  return make_joint_spring_law(spring, 1, 2);
}

/// Coordinates of a joint that starts at q[1], with a rotation that turns by the body-fixed velocity omega.
std::vector<Dual1> turning(const SO3<double>& R, const Vec3<double>& omega) {
  const Vec3<Dual1> step{Dual1(0.0, {omega.x}), Dual1(0.0, {omega.y}), Dual1(0.0, {omega.z})};
  const SO3<Dual1> moved = R * exp_so3(step);
  return {Dual1(0.0), moved.w, moved.x, moved.y, moved.z};
}

TEST(JointSpringLaw, LogMomentIsTheGradientOfItsPotential) {
  const JointSpringLaw law = rotational(SpringLaw::log, {3, 3, 3});
  std::mt19937 random(5);
  for (int sample = 0; sample < 200; ++sample) {
    // Up to 0.1 short of a half turn from rest.
    const Vec3<double> x = (std::numbers::pi - 0.1) / 2 * testing::random_vector(random);
    const Vec3<double> omega = testing::random_vector(random);
    const std::vector<Dual1> q = turning(law.rest_rotation * exp_so3(x), omega);
    std::vector<double> values, effort(5);
    for (const Dual1& entry : q) values.push_back(entry.value);
    add_spring_efforts<double>(law, values, effort);
    const double power = effort[2] * omega.x + effort[3] * omega.y + effort[4] * omega.z;
    EXPECT_NEAR(power, -potential<Dual1>(law, q).tangent[0], 1e-13);  // measured 3e-15
    EXPECT_NEAR(effort[2], -3 * x.x, 1e-13);
  }
}

TEST(JointSpringLaw, AngleEffortIsTheGradientOfItsPotential) {
  JointSpring spring;
  spring.stiffness = {2, 30};
  spring.damping = {0.5, 0};
  spring.rest = {0.1, -0.2};
  const JointSpringLaw law = make_joint_spring_law(spring, 0, 0);
  const std::vector<double> q{0.7, 0.4}, qd{-1.1, 0.3};
  std::vector<double> effort(2);
  add_spring_efforts<double>(law, q, effort);
  const std::vector<Dual1> moving{Dual1(q[0], {qd[0]}), Dual1(q[1], {qd[1]})};
  EXPECT_NEAR(effort[0] * qd[0] + effort[1] * qd[1], -potential<Dual1>(law, moving).tangent[0],
              1e-14);  // measured 9e-16
  EXPECT_DOUBLE_EQ(dissipation<double>(law, qd), 0.5 * 1.1 * 1.1);
}

TEST(JointSpringLaw, DamperTakesWhatItsEffortsDo) {
  const JointSpringLaw law = rotational(SpringLaw::log, {3, 3, 3});
  const std::vector<double> qd{9, 9, 0.4, -0.3, 0.7};
  std::vector<double> effort(5);
  add_damper_efforts<double>(law, qd, effort);
  double power = 0;
  for (int i = 0; i < 5; ++i) power += effort[i] * qd[i];
  EXPECT_DOUBLE_EQ(-power, dissipation<double>(law, qd));
  EXPECT_EQ(effort[0], 0);
}

/// R = Rz(psi) Ry(theta) Rx(phi) is taken apart again, and a turn about one axis alone gives -k angle about
/// it.
TEST(JointSpringLaw, Euler321MeasuresTheAnglesItIsNamedAfter) {
  std::mt19937 random(8);
  for (int sample = 0; sample < 100; ++sample) {
    const Vec3<double> angles = 1.5 * testing::random_vector(random);
    const SO3<double> R = exp_so3(Vec3<double>{0, 0, angles.z}) * exp_so3(Vec3<double>{0, angles.y, 0}) *
                          exp_so3(Vec3<double>{angles.x, 0, 0});
    EXPECT_LE(norm(euler321_angles(matrix(R)) - angles), 1e-14);  // measured 4e-15
  }
  const JointSpringLaw law = rotational(SpringLaw::euler321, {1, 2, 3});
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> x;
    x[axis] = 0.6;
    const SO3<double> R = law.rest_rotation * exp_so3(x);
    const std::vector<double> q{0, R.w, R.x, R.y, R.z};
    std::vector<double> effort(5);
    add_spring_efforts<double>(law, q, effort);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(effort[2 + i], i == axis ? -0.6 * (i + 1) : 0, 1e-15);
  }
}

/// The reason why the ledger books it as work: around a closed path of rotations it gives energy.
TEST(JointSpringLaw, Euler321HasNoPotential) {
  const JointSpringLaw law = rotational(SpringLaw::euler321, {1, 1, 1});
  double work = 0;
  constexpr int kSteps = 2000;
  for (int i = 0; i < kSteps; ++i) {
    const double s = 2 * std::numbers::pi * (i + 0.5) / kSteps, ds = 2 * std::numbers::pi / kSteps;
    const auto path = [](const Dual1& u) {
      return exp_so3(Vec3<Dual1>{sin(u), sin(2.0 * u) + 0.5 * (1.0 - cos(u)), 1.0 - cos(u)});
    };
    const SO3<Dual1> R = path(Dual1(s, {1.0}));
    const SO3<double> at{R.w.value, R.x.value, R.y.value, R.z.value};
    const SO3<double> rate{R.w.tangent[0], R.x.tangent[0], R.y.tangent[0], R.z.tangent[0]};
    const Vec3<double> omega = 2.0 * vector_part(inverse(at) * rate);
    const SO3<double> joint = law.rest_rotation * at;
    const std::vector<double> q{0, joint.w, joint.x, joint.y, joint.z};
    std::vector<double> effort(5);
    add_spring_efforts<double>(law, q, effort);
    work += ds * (effort[2] * omega.x + effort[3] * omega.y + effort[4] * omega.z);
  }
  EXPECT_GT(std::abs(work), 0.01);
}

}  // namespace
}  // namespace torsor
