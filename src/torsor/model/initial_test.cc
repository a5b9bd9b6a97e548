#include "torsor/model/initial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "torsor/base/error.h"
#include "torsor/model/joint_motion.h"

namespace torsor {
namespace {

std::mt19937 g_random(31);

double normal() { return std::normal_distribution<>()(g_random); }
Vec3<double> random_vector() { return {normal(), normal(), normal()}; }
SE3<double> random_pose() {
  return {normalized(SO3<double>{normal(), normal(), normal(), normal()}), random_vector()};
}

/// A chain with every joint type once, in an order that changes, with frames and axes anywhere.
ModelDescription random_chain() {
  ModelDescription d;
  std::vector<std::string> types = joint_type_names();
  std::shuffle(types.begin(), types.end(), g_random);
  for (const std::string& type : types) {
    Body body;
    body.name = "b" + std::to_string(d.bodies.size());
    body.mass = 1;
    body.inertia = {1, 1, 1, 0, 0, 0};
    Joint joint;
    joint.name = type;
    joint.type = *joint_type_named(type);
    joint.parent = static_cast<int>(d.bodies.size()) - 1;
    joint.child = joint.parent + 1;
    joint.in_parent = random_pose();
    joint.in_child = random_pose();
    if (has_axis(joint.type)) joint.axis = random_vector();
    if (joint.type == JointType::helical) joint.pitch = 0.3;
    d.bodies.push_back(body);
    d.joints.push_back(joint);
  }
  return d;
}

void set_random_state(ModelDescription& d) {
  for (const Joint& joint : d.joints) {
    std::vector<double> q = neutral_coordinates(joint.type, 3), qd(rate_count(joint.type, 3));
    for (double& value : q) value += 0.5 * normal();
    for (double& value : qd) value = normal();
    if (q.size() != qd.size()) {
      const SO3<double> unit = normalized(SO3<double>{q[0], q[1], q[2], q[3]});
      q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
    }
    d.initial.joints[joint.name] = q;
    d.initial.rates[joint.name] = qd;
  }
}

double distance(const SE3<double>& a, const SE3<double>& b) {
  const SE3<double> difference = inverse(a) * b;
  return norm(log(difference.rotation)) + norm(difference.position);
}

/// Spatial twists, which add up along the chain: V_W(child) = V_W(parent) + Ad_{X_WK} V_JK.
std::vector<Twist<double>> spatial_twists(const Model& model, const std::vector<double>& q,
                                          const std::vector<double>& qd) {
  const auto X = body_poses(model, q);
  std::vector<Twist<double>> V(X.size());
  for (std::size_t b = 0; b < X.size(); ++b) {
    const Joint& joint = model.joints()[b];
    const std::span own = std::span(q).subspan(model.coordinate_offset(b));
    const std::span rate = std::span(qd).subspan(model.rate_offset(b));
    V[b] = Ad(X[b] * joint.in_child, joint_twist(joint, 3, own, rate));
    if (b > 0) V[b] += V[b - 1];
  }
  return V;
}

TEST(Initial, DefaultsAreZerosAndUnitQuaternions) {
  const Model model(random_chain());
  const auto q = initial_coordinates(model), qd = initial_rates(model);
  EXPECT_EQ(static_cast<int>(q.size()), model.coordinate_count());
  EXPECT_EQ(qd, std::vector<double>(model.rate_count(), 0.0));
  double sum = 0;
  for (const double value : q) sum += value;
  EXPECT_EQ(sum, 2);  // w of the spherical and of the free joint
}

// Coordinates and rates -> poses and velocities -> coordinates and rates, through every joint type.
TEST(Initial, BodiesAndJointsSayTheSame) {
  for (int round = 0; round < 25; ++round) {
    ModelDescription d = random_chain();
    set_random_state(d);
    const Model by_joints(d);
    const auto q = initial_coordinates(by_joints), qd = initial_rates(by_joints);
    const auto X = body_poses(by_joints, q);
    const auto V = spatial_twists(by_joints, q, qd);

    d.initial = {};
    for (std::size_t b = 0; b < X.size(); ++b) {
      const Vec3<double> velocity = V[b].linear + cross(V[b].angular, X[b].position);
      d.initial.bodies[d.bodies[b].name] = {X[b].position, X[b].rotation, velocity, V[b].angular};
    }
    const Model by_bodies(d);
    const auto q_back = initial_coordinates(by_bodies), qd_back = initial_rates(by_bodies);
    const auto X_back = body_poses(by_bodies, q_back);
    for (std::size_t b = 0; b < X.size(); ++b) EXPECT_LT(distance(X[b], X_back[b]), 1e-12);  // measured 6e-14
    for (std::size_t i = 0; i < qd.size(); ++i) EXPECT_NEAR(qd_back[i], qd[i], 1e-11);       // measured 6e-13
  }
}

// The pendulum's bob at (l sin, -l cos): the velocity of its frame fixes the rate, also when given alone.
TEST(Initial, VelocityOfAPendulum) {
  ModelDescription d;
  d.bodies.resize(1);
  d.bodies[0] = {"bob", 1, {}, {1, 1, 1, 0, 0, 0}, {}, {}};
  Joint pin;
  pin.name = "pin";
  pin.child = 0;
  pin.in_child.position = {0, 2, 0};
  d.joints = {pin};
  d.initial.joints["pin"] = {0.4};
  const double rate = -1.7;
  d.initial.bodies["bob"].velocity = (2 * rate) * Vec3<double>{std::cos(0.4), std::sin(0.4), 0};
  EXPECT_NEAR(initial_rates(Model(d))[0], rate, 1e-15 * 8);
  d.initial.bodies["bob"].velocity = {};
  d.initial.bodies["bob"].angular_velocity = Vec3<double>{0, 0, rate};
  EXPECT_NEAR(initial_rates(Model(d))[0], rate, 1e-15 * 8);
}

TEST(Initial, ParentsMotionIsTakenOff) {
  ModelDescription d;
  for (const char* name : {"arm", "hand"}) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = {1, 1, 1, 0, 0, 0};
    d.bodies.push_back(body);
  }
  Joint shoulder, wrist;
  shoulder.name = "shoulder", shoulder.child = 0;
  wrist.name = "wrist", wrist.parent = 0, wrist.child = 1, wrist.type = JointType::spherical;
  wrist.in_parent.position = {1, 0, 0};
  d.joints = {shoulder, wrist};
  d.initial.rates["shoulder"] = {2};
  d.initial.bodies["hand"].angular_velocity = Vec3<double>{0.5, 0, 2};
  d.initial.bodies["hand"].velocity = Vec3<double>{0, 2, 0};
  const auto qd = initial_rates(Model(d));
  EXPECT_NEAR(qd[1], 0.5, 1e-15);
  EXPECT_NEAR(qd[2], 0, 1e-15);
  EXPECT_NEAR(qd[3], 0, 1e-15);
}

TEST(Initial, WhatCannotBeReachedSaysByHowMuch) {
  ModelDescription d;
  d.bodies.resize(1);
  d.bodies[0] = {"bob", 1, {}, {1, 1, 1, 0, 0, 0}, {}, {}};
  Joint pin;
  pin.name = "pin";
  pin.child = 0;
  d.joints = {pin};
  const auto refused = [&](const InitialBody& state, const std::string& expected, const std::string& found) {
    d.initial.bodies["bob"] = state;
    try {
      const Model model(d);
      ADD_FAILURE() << "accepted: " << found;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, "initial.bodies.bob");
      EXPECT_EQ(error.expected, expected);
      EXPECT_EQ(error.found, found);
    }
  };
  const std::string pose = "a pose that the revolute joint 'pin' can reach";
  const std::string velocity = "a velocity that the revolute joint 'pin' can reach";
  refused({Vec3<double>{0, 0.03, 0.04}, {}, {}, {}}, pose, "one that is off by 0.05 m and 0 rad");
  refused({{}, SO3<double>{std::cos(0.1), std::sin(0.1), 0, 0}, {}, {}}, pose,
          "one that is off by 0 m and 0.2 rad");
  refused({{}, {}, Vec3<double>{0, 0, 3}, {}}, velocity, "one that is off by 3 m/s and 0 rad/s");
  refused({{}, {}, {}, Vec3<double>{0, 4, 1}}, velocity, "one that is off by 0 m/s and 4 rad/s");
}

}  // namespace
}  // namespace torsor
