#include "torsor/model/symmetry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace torsor {
namespace {

Body ball(const std::string& name) {
  Body body;
  body.name = name;
  body.mass = 2;
  body.inertia = {1, 1, 1, 0, 0, 0};
  return body;
}

/// A chain of the given joints from the ground, one body each.
ModelDescription chain(const std::vector<JointType>& types, int dimension = 3) {
  ModelDescription d;
  d.dimension = dimension;
  for (const JointType type : types) {
    Joint joint;
    joint.name = "j" + std::to_string(d.joints.size());
    joint.type = type;
    joint.parent = static_cast<int>(d.bodies.size()) - 1;
    joint.child = joint.parent + 1;
    if (type == JointType::helical) joint.pitch = 0.2;
    d.joints.push_back(joint);
    d.bodies.push_back(ball("b" + std::to_string(d.bodies.size())));
    if (dimension == 2) d.bodies.back().inertia = {0, 0, 1, 0, 0, 0};
  }
  return d;
}

ConservedMomenta momenta(const ModelDescription& d) { return conserved_momenta(Model(d)); }

void expect_counts(const ModelDescription& d, std::size_t linear, std::size_t angular, const char* what) {
  const ConservedMomenta m = momenta(d);
  EXPECT_EQ(m.linear.size(), linear) << what;
  EXPECT_EQ(m.angular.size(), angular) << what;
}

TEST(Symmetry, FreeChainConservesEverything) {
  ModelDescription d = chain({JointType::free, JointType::spherical, JointType::revolute});
  expect_counts(d, 3, 3, "free chain");
  d.gravity = {0, 0, -9.81};
  expect_counts(d, 2, 1, "free chain in gravity: two horizontal momenta, and the vertical angular one");
  d = chain({JointType::free, JointType::revolute}, 2);
  expect_counts(d, 2, 1, "free planar chain");
  d.gravity = {0, -1, 0};
  expect_counts(d, 1, 0, "free planar chain in gravity");
  EXPECT_NEAR(std::abs(momenta(d).linear[0].linear.x), 1, 1e-15);
}

// The vertical through the centre of the joint, wherever that is: v = p x omega.
TEST(Symmetry, SphericalPendulumTurnsAboutTheVerticalThroughItsCentre) {
  ModelDescription d = chain({JointType::spherical});
  d.joints[0].in_parent = {normalized(SO3<double>{1, 2, 3, 4}), {3, -4, 5}};
  expect_counts(d, 0, 3, "without gravity: all about the centre");
  for (const Twist<double>& xi : momenta(d).angular) {
    EXPECT_NEAR(norm(xi.angular), 1, 1e-14);
    EXPECT_LT(norm(xi.linear - cross(d.joints[0].in_parent.position, xi.angular)), 1e-13);
  }
  d.gravity = {0, 0, -9.81};
  const ConservedMomenta m = momenta(d);
  ASSERT_EQ(m.linear.size(), 0u);
  ASSERT_EQ(m.angular.size(), 1u);
  const double sign = m.angular[0].angular.z;
  EXPECT_NEAR(std::abs(sign), 1, 1e-15);
  EXPECT_LT(norm(m.angular[0].linear - sign * Vec3<double>{-4, -3, 0}), 1e-14);
}

TEST(Symmetry, ScrewsOfSingleJoints) {
  ModelDescription cart = chain({JointType::prismatic, JointType::revolute});
  cart.joints[0].axis = {1, 0, 0};
  cart.gravity = {0, 0, -9.81};
  const ConservedMomenta m = momenta(cart);
  ASSERT_EQ(m.linear.size(), 1u);
  EXPECT_NEAR(std::abs(m.linear[0].linear.x), 1, 1e-14);
  EXPECT_EQ(m.angular.size(), 0u);
  cart.gravity = {1e-3, 0, -9.81};
  expect_counts(cart, 0, 0, "a rail that is not level");

  ModelDescription screw = chain({JointType::helical});
  ASSERT_EQ(momenta(screw).angular.size(), 1u);
  EXPECT_NEAR(momenta(screw).angular[0].linear.z / momenta(screw).angular[0].angular.z, 0.2, 1e-14);
  screw.gravity = {0, 0, -1};
  expect_counts(screw, 0, 0, "a screw that sinks");
  ModelDescription cylinder = chain({JointType::cylindrical});
  expect_counts(cylinder, 1, 1, "cylindrical");
  cylinder.gravity = {0, 0, -1};
  expect_counts(cylinder, 0, 1, "cylindrical, upright");
  ModelDescription shaft = chain({JointType::universal});
  ASSERT_EQ(momenta(shaft).angular.size(), 1u);
  EXPECT_NEAR(std::abs(momenta(shaft).angular[0].angular.x), 1, 1e-14);
  ModelDescription puck = chain({JointType::planar});
  expect_counts(puck, 2, 1, "planar");
  expect_counts(chain({JointType::fixed, JointType::free}), 0, 0, "fixed");
}

TEST(Symmetry, PlanarArm) {
  ModelDescription arm = chain({JointType::revolute, JointType::revolute, JointType::revolute}, 2);
  expect_counts(arm, 0, 1, "arm without gravity");
  arm.gravity = {0, -1, 0};
  expect_counts(arm, 0, 0, "arm in gravity");
  arm.gravity = {};

  Tendon tendon;
  tendon.name = "t";
  tendon.stiffness = 1;
  tendon.path = {{"", 0, {0, 0.4, 0}}, {"", 2, {1, 0.4, 0}}};
  arm.tendons = {tendon};
  expect_counts(arm, 0, 1, "a tendon between links");
  arm.tendons[0].path[0].body = kWorld;
  expect_counts(arm, 0, 0, "a tendon from a post");
  arm.tendons[0].path[0].p_B = {};
  expect_counts(arm, 0, 1, "a tendon from the axis of the shoulder");
  arm.tendons[0].path[0].p_B = {0, 0.4, 0};
  arm.tendons[0].stiffness = 0;
  expect_counts(arm, 0, 1, "a tendon that never pulls");
}

TEST(Symmetry, WhatPushesAgainstTheGround) {
  const ModelDescription free = chain({JointType::free, JointType::revolute});
  const ModelDescription arm = chain({JointType::revolute, JointType::revolute});
  ModelDescription d = free;
  d.actuators = {{"motor", 1, 0, 3.0}};
  expect_counts(d, 3, 3, "a motor between bodies");
  d.servos = {{"servo", {}, 1, {}, {{"x", Program(0.0)}}, {0}}};
  d.actuators[0].effort = 0.0;
  expect_counts(d, 3, 3, "a servo between bodies");
  d.controllers = {{"hold", Controller::Type::pd, 1, {}, {1}, {1}, {0.0}, false, false}};
  expect_counts(d, 3, 3, "a controller between bodies");
  d.loads = {{"push", Load::Kind::force, {"", 0, {}}, false, {1.0, 0.0, 0.0}}};
  expect_counts(d, 0, 0, "a load");
  d.loads[0].components = {0.0, 0.0, 0.0};
  expect_counts(d, 3, 3, "a load of nothing");

  d = arm;
  expect_counts(d, 0, 1, "arm");
  d.joint_springs = {{"s", 1, SpringLaw::angle, {1}, {1}, {}, {}}};
  expect_counts(d, 0, 1, "a spring at the elbow");
  d.joint_springs[0].joint = 0;
  expect_counts(d, 0, 0, "a spring at the shoulder");
  d.joint_springs = {};
  d.actuators = {{"motor", 0, 0, 0.0}};
  expect_counts(d, 0, 1, "a motor that rests");
  d.actuators[0].effort = 1.0;
  expect_counts(d, 0, 0, "a motor at the shoulder");
}

TEST(Symmetry, LoopJointsCountToo) {
  ModelDescription d = chain({JointType::revolute, JointType::revolute});
  Joint second = d.joints[0];
  second.name = "second";
  second.child = 1;
  d.joints.push_back(second);
  expect_counts(d, 0, 1, "both pins on one axis");
  d.joints[2].in_parent.position = {1, 0, 0};
  expect_counts(d, 0, 0, "a four-bar");
}

}  // namespace
}  // namespace torsor
