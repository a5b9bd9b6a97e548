#include "torsor/model/joint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "torsor/model/joint_motion.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

/// Every type that the dimension allows, with random coordinates and rates.
struct Case {
  Joint joint;
  int dimension;
  std::vector<double> q, qd;
};

std::vector<Case> random_cases(std::mt19937& random) {
  std::vector<Case> cases;
  std::normal_distribution<> normal;
  for (const int dimension : {2, 3}) {
    for (const std::string& name : joint_type_names(dimension)) {
      Case c{{}, dimension, {}, {}};
      c.joint.type = *joint_type_named(name);
      c.joint.pitch = 0.3;
      for (int i = 0; i < coordinate_count(c.joint.type, dimension); ++i) c.q.push_back(normal(random));
      for (int i = 0; i < rate_count(c.joint.type, dimension); ++i) c.qd.push_back(normal(random));
      if (c.q.size() != c.qd.size()) {
        const SO3<double> unit = normalized(SO3<double>{c.q[0], c.q[1], c.q[2], c.q[3]});
        c.q[0] = unit.w, c.q[1] = unit.x, c.q[2] = unit.y, c.q[3] = unit.z;
      }
      cases.push_back(c);
    }
  }
  return cases;
}

double distance(const SE3<double>& a, const SE3<double>& b) {
  const SE3<double> difference = inverse(a) * b;
  return norm(log(difference.rotation)) + norm(difference.position);
}

TEST(Joint, NamesAndCountsAgree) {
  EXPECT_EQ(joint_type_names().size(), std::size(kJointTypes));
  for (const std::string& name : joint_type_names()) EXPECT_EQ(name_of(*joint_type_named(name)), name);
  EXPECT_FALSE(joint_type_named("hinge"));
  EXPECT_EQ(coordinate_count(JointType::free, 3), 7);
  EXPECT_EQ(rate_count(JointType::free, 3), 6);
  EXPECT_EQ(coordinate_count(JointType::free, 2), 3);
  EXPECT_EQ(rate_count(JointType::free, 2), 3);
  EXPECT_EQ(coordinate_count(JointType::spherical, 3), 4);
  EXPECT_EQ(rate_count(JointType::spherical, 3), 3);
}

TEST(Joint, EveryCoordinateHasOnePart) {
  for (const int dimension : {2, 3}) {
    for (const std::string& name : joint_type_names(dimension)) {
      const JointType type = *joint_type_named(name);
      std::vector<int> coordinates(coordinate_count(type, dimension)), rates(rate_count(type, dimension));
      for (const JointPart& part : joint_parts(type, dimension)) {
        const Components own = components(part.primitive);
        for (int i = 0; i < own.coordinates(); ++i) ++coordinates.at(part.coordinate + i);
        for (int i = 0; i < own.rates(); ++i) ++rates.at(part.rate + i);
      }
      for (const int times : coordinates) EXPECT_EQ(times, 1) << name;
      for (const int times : rates) EXPECT_EQ(times, 1) << name;
      const auto outputs = joint_outputs(type);
      EXPECT_EQ(outputs.size(), has_plain_coordinates(type) ? rates.size() : 0) << name;
      for (const std::string& output : outputs) EXPECT_FALSE(output.empty()) << name;
    }
  }
}

TEST(Joint, AxisFrameTakesZToTheAxisByTheShortestWay) {
  std::mt19937 random(3);
  std::normal_distribution<> normal;
  std::vector<Vec3<double>> axes{{0, 0, 1},  {0, 0, -1},    {1, 0, 0},
                                 {0, -1, 0}, {1e-9, 0, -1}, {1e-170, 0, -1}};
  for (int i = 0; i < 200; ++i) axes.push_back({normal(random), normal(random), normal(random)});
  for (const Vec3<double>& raw : axes) {
    const Vec3<double> axis = (1 / norm(raw)) * raw;
    const SO3<double> frame = axis_frame(axis);
    EXPECT_LT(norm(act(frame, Vec3<double>{0, 0, 1}) - axis), 2e-15)
        << raw.x << raw.y << raw.z;  // measured 9e-16
    EXPECT_EQ(frame.z, 0);           // the shortest way does not spin about z
    EXPECT_NEAR(norm(log(frame)), std::acos(std::clamp(axis.z, -1.0, 1.0)), 2e-8);  // acos near its ends
  }
}

TEST(JointMotion, FramesCoincideAtZero) {
  std::mt19937 random(4);
  for (const Case& c : random_cases(random)) {
    const auto q = neutral_coordinates(c.joint.type, c.dimension);
    EXPECT_EQ(distance(joint_pose(c.joint, c.dimension, q), SE3<double>{}), 0) << name_of(c.joint.type);
  }
}

TEST(JointMotion, CoordinatesComeBackFromThePose) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    for (const Case& c : random_cases(random)) {
      const SE3<double> X = joint_pose(c.joint, c.dimension, c.q);
      const auto q = joint_coordinates(c.joint, c.dimension, X);
      EXPECT_LT(distance(joint_pose(c.joint, c.dimension, q), X), 5e-15)
          << name_of(c.joint.type);  // measured 5e-16
    }
  }
}

TEST(JointMotion, LeftMotionsTakePosesOfTheJointToOthers) {
  std::mt19937 random(8);
  std::normal_distribution<> normal;
  for (int round = 0; round < 20; ++round) {
    for (const Case& c : random_cases(random)) {
      SE3<double> X = joint_pose(c.joint, c.dimension, c.q);
      for (const Twist<double>& motion : left_motions(c.joint, c.dimension)) {
        X = exp_se3(normal(random) * motion) * X;
        const auto q = joint_coordinates(c.joint, c.dimension, X);
        EXPECT_LT(distance(joint_pose(c.joint, c.dimension, q), X), 1e-13) << name_of(c.joint.type);
      }
    }
  }
}

TEST(JointMotion, HelicalAngleFollowsTheAdvance) {
  Joint screw;
  screw.type = JointType::helical;
  screw.pitch = -0.01;
  for (const double angle : {0.0, 1.0, 7.0, -40.0, 100.5, kPi, 3 * kPi}) {
    const auto q = joint_coordinates(screw, 3, joint_pose(screw, 3, std::vector<double>{angle}));
    EXPECT_NEAR(q[0], angle, 1e-13);
  }
}

// The twist is the derivative of the pose: X(q + h qd) = X(q) exp(h V) to second order, central differences.
TEST(JointMotion, TwistIsTheDerivativeOfThePose) {
  std::mt19937 random(6);
  const double h = 1e-5;
  for (int round = 0; round < 20; ++round) {
    for (const Case& c : random_cases(random)) {
      if (c.q.size() != c.qd.size()) continue;  // quaternions: the rate is the twist by definition
      if (c.joint.type == JointType::free) continue;
      std::vector<double> after = c.q, before = c.q;
      for (std::size_t i = 0; i < c.q.size(); ++i) after[i] += h * c.qd[i], before[i] -= h * c.qd[i];
      const SE3<double> step =
          inverse(joint_pose(c.joint, c.dimension, before)) * joint_pose(c.joint, c.dimension, after);
      const Twist<double> mean = (1 / (2 * h)) * log(step);
      // The body twist in the middle of the step; the two halves differ to second order in h.
      const Twist<double> V = joint_twist(c.joint, c.dimension, c.q, c.qd);
      EXPECT_LT(norm(mean.angular - V.angular) + norm(mean.linear - V.linear), 1e-9) << name_of(c.joint.type);
    }
  }
}

}  // namespace
}  // namespace torsor
