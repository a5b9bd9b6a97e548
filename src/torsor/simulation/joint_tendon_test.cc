// Tendons over joints, whose length is a sum of coordinates, against closed forms and against what they replace.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/applicable.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

constexpr double kMass[] = {2, 0.5}, kFactor[] = {0.8, -1.5}, kStiffness = 40, kRest = -0.3;

Joint slide(const std::string& name, int parent, int child) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::prismatic;
  joint.parent = parent;
  joint.child = child;
  joint.axis = {1, 0, 0};
  return joint;
}

/// Two blocks on rails of their own, l = a x + b y.
ModelDescription blocks() {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {{"first", kMass[0], {}, {0, 0, 0.1, 0, 0, 0}, {}, {}},
              {"second", kMass[1], {}, {0, 0, 0.1, 0, 0, 0}, {}, {}}};
  d.joints = {slide("x", kWorld, 0), slide("y", kWorld, 1)};
  Tendon tendon;
  tendon.name = "belt";
  tendon.joints = {{0, 0, kFactor[0]}, {1, 0, kFactor[1]}};
  tendon.stiffness = kStiffness;
  tendon.rest_length = kRest;
  d.tendons = {tendon};
  d.initial.joints = {{"x", {0.4}}, {"y", {-0.2}}};
  return d;
}
double start_stretch() { return kFactor[0] * 0.4 - kFactor[1] * 0.2 - kRest; }

/// e'' = -k (a^2 / m + b^2 / n) e, and what is conserved moves on: b m x - a n y stays where it was.
TEST(JointTendon, TwoBlocksSwingAtTheFrequencyOfTheSum) {
  const double omega =
      std::sqrt(kStiffness * (kFactor[0] * kFactor[0] / kMass[0] + kFactor[1] * kFactor[1] / kMass[1]));
  constexpr double kDuration = 1.3;
  for (const auto& [name, step, bound] : {std::tuple("dopri5", kDuration, 1e-9),
                                          {"implicit-midpoint", 1e-3, 1e-3},
                                          {"gauss-legendre", 1e-2, 1e-4},
                                          {"energy-momentum", 1e-3, 1e-3},
                                          {"petrov-galerkin", 1e-3, 1e-3},
                                          {"generalized-alpha", 1e-3, 1e-3}}) {
    SCOPED_TRACE(name);
    const Record record =
        testing::run(blocks(), name, step, kDuration, name == std::string("dopri5") ? 1e-12 : 0);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    const Observation& o = record.observations.back();
    const double stretch = start_stretch() * std::cos(omega * kDuration);
    EXPECT_NEAR(o.tendons[0].length - kRest, stretch, bound);  // measured 2e-4 at h = 1e-3, 2e-12 by dopri5
    EXPECT_NEAR(o.tendons[0].tension, kStiffness * stretch, kStiffness * bound);
    const double still =
        kFactor[1] * kMass[0] * o.joints[0].position[0] - kFactor[0] * kMass[1] * o.joints[1].position[0];
    EXPECT_NEAR(still, kFactor[1] * kMass[0] * 0.4 + kFactor[0] * kMass[1] * 0.2, 1e-12);  // measured 7e-15
  }
}

/// Two links; in 3D on tilted axes.
ModelDescription links(int dimension) {
  ModelDescription d;
  d.dimension = dimension;
  d.gravity = {0, -9.81, 0};
  for (const int i : {0, 1}) {
    d.bodies.push_back(
        {"link" + std::to_string(i), 1.0 + i, {0.3, 0.1, 0}, {0.05, 0.03, 0.08, 0, 0, 0}, {}, {}});
    Joint joint;
    joint.name = i == 0 ? "shoulder" : "elbow";
    joint.type = JointType::revolute;
    joint.parent = i - 1;
    joint.child = i;
    if (i == 1) joint.in_parent.position = {0.6, 0, 0};
    if (dimension == 3) joint.axis = {0.2, 0.3 * i, 1};
    d.joints.push_back(joint);
  }
  d.initial.joints = {{"shoulder", {0.5}}, {"elbow", {-0.7}}};
  d.initial.rates = {{"shoulder", {1}}, {"elbow", {-2}}};
  return d;
}

/// Of one joint with the factor f it is a spring of f^2 k at the joint, with all that a joint has of its own.
TEST(JointTendon, OfOneJointIsWhatTheJointCouldHaveItself) {
  constexpr double f = -0.4, k = 30, c = 0.5;
  for (const int dimension : {2, 3}) {
    ModelDescription sum = links(dimension), own = sum;
    Tendon tendon;
    tendon.name = "cord";
    tendon.joints = {{1, 0, f}};
    tendon.stiffness = k;
    tendon.damping = c;
    tendon.rest_length = 0.1;
    sum.tendons = {tendon};
    sum.stops = {{"cord stop", 0, {{-1, 0.3, 200, 1}}, 0}};
    sum.friction = {{"cord friction", 0, {{0.4, 0.1, 0.4, 1, 0.5}}, 0}};
    sum.actuators = {{"motor", 0, 0, make_expression("3*sin(4*t)", {})}};
    sum.actuators[0].tendon = 0;
    JointSpring spring;
    spring.name = "spring";
    spring.joint = 1;
    spring.stiffness = {f * f * k};
    spring.damping = {f * f * c};
    spring.rest = {0.1 / f};
    own.joint_springs = {spring};
    own.stops = {{"elbow stop", 1, {{0.3 / f, -1 / f, f * f * 200, f * f}}}};
    own.friction = {
        {"elbow friction", 1, {{0.4 * std::abs(f), f * f * 0.1, 0.4 * std::abs(f), 1, 0.5 / std::abs(f)}}}};
    own.actuators = {{"motor", 1, 0, make_expression(fmt::format("{}*sin(4*t)", -3 * f), {})}};
    for (const char* method : {"energy-momentum", "rkmk4", "variational"}) {
      SCOPED_TRACE(method);
      const Record a = testing::run(sum, method, 0.005, 1, 0, 1),
                   b = testing::run(own, method, 0.005, 1, 0, 1);
      ASSERT_FALSE(a.failure.has_value()) << a.failure->what();
      EXPECT_LE(testing::distance(a.observations.back(), b.observations.back()), 1e-9);  // measured 2e-14
      for (std::size_t i = 0; i < a.observations.size(); i += 20) {
        for (std::size_t j = 0; j < 2; ++j) {
          const Wrench<double> x = a.observations[i].joints[j].reaction,
                               y = b.observations[i].joints[j].reaction;
          EXPECT_LE(norm(x.force - y.force) + norm(x.moment - y.moment), 1e-7) << i;  // measured 1e-13
        }
      }
    }
  }
}

/// A tendon over both joints, in every method: they agree where their steps are short.
TEST(JointTendon, EveryMethodSimulatesIt) {
  for (const int dimension : {2, 3}) {
    ModelDescription d = links(dimension);
    Tendon tendon;
    tendon.name = "cord";
    tendon.joints = {{0, 0, 0.5}, {1, 0, -0.8}};
    tendon.stiffness = 30;
    tendon.damping = 0.4;
    tendon.tension_only = false;
    tendon.muscle.emplace();
    tendon.muscle->excitation = make_expression("0.5 + 0.4*sin(5*t)", {});
    tendon.muscle->max_force = 8;
    tendon.muscle->fibre_length = 0.8;
    d.tendons = {tendon};
    const Model model(d);
    const Record reference = testing::run(d, "dopri5", 0.5, 0.5, 1e-12);
    int methods = 0;
    for (const Applicable& method : applicable_methods(model)) {
      if (!method.reason.empty()) continue;
      SCOPED_TRACE(method.formulation + " " + method.integrator);
      StepperChoice choice;
      choice.formulation = method.formulation;
      choice.integrator = method.integrator;
      const Record record = testing::run(model, choice, 5e-4, 0.5);
      ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
      EXPECT_LE(testing::distance(record.observations.back(), reference.observations.back()),
                1e-3);  // measured 3e-4 by methods of order 2
      ++methods;
    }
    EXPECT_GE(methods, 9);
  }
}

/// What leads a joint by the cord is the effort of a motor in it, divided by the factor; against its sign.
TEST(JointTendon, ServosPullOnIt) {
  ModelDescription direct = links(2);
  direct.initial.joints = {{"shoulder", {0.5}}, {"elbow", {0}}};
  direct.initial.rates = {{"elbow", {0.6}}};
  direct.actuators = {{"motor", 1, 0, {}}};
  Servo servo;
  servo.name = "lead";
  servo.joint = 1;
  servo.follows = {{"angle", make_expression("0.2*sin(3*t)", {})}};
  servo.actuators = {0};
  direct.servos = {servo};
  ModelDescription pulled = direct;
  Tendon tendon;
  tendon.name = "cord";
  tendon.joints = {{1, 0, 0.25}};
  pulled.tendons = {tendon};
  pulled.actuators[0].tendon = 0;
  const Record a = testing::run(direct, "energy-momentum", 0.01, 1, 0, 1),
               b = testing::run(pulled, "energy-momentum", 0.01, 1, 0, 1);
  ASSERT_FALSE(b.failure.has_value()) << b.failure->what();
  double apart = 0;
  for (std::size_t i = 0; i < a.observations.size(); ++i) {
    keep_largest(apart, std::abs(b.observations[i].efforts[0] + a.observations[i].efforts[0] / 0.25));
  }
  EXPECT_LE(apart, 1e-13);  // measured 0: the factor is a power of two
}

/// Of angles alone the sum is one, and so is the length of a muscle's fibres on it; its pull is a moment.
TEST(JointTendon, ChannelsHaveTheUnitsOfTheSum) {
  for (const bool is_angle : {true, false}) {
    ModelDescription d = links(2);
    Tendon tendon;
    tendon.name = "cord";
    tendon.joints = {{0, 0, 0.5}, {1, 0, -0.8}};
    tendon.is_angle = is_angle;
    tendon.muscle.emplace();
    tendon.muscle->max_force = 8;
    tendon.muscle->fibre_length = 0.8;
    d.tendons = {tendon};
    const auto stepper = make_stepper(Model(d), {"joint", "rkmk4", {}, 0});
    int seen = 0;
    for (const Channel& channel : stepper->manifest().channels) {
      const std::string name = name_of(channel);
      const bool length = name == "tendons.cord.length" || name == "muscles.cord.fibre_length";
      const bool pull =
          name == "tendons.cord.tension" || name == "muscles.cord.force" || name == "muscles.cord.passive";
      if (length) {
        EXPECT_EQ(channel.unit, is_angle ? "rad" : "m") << name;
      }
      if (pull) {
        EXPECT_EQ(channel.unit, is_angle ? "N m" : "N") << name;
      }
      seen += length + pull;
    }
    EXPECT_EQ(seen, 5);
  }
}

/// Momenta stay where it acts between bodies, and are not claimed where it acts from the ground.
TEST(JointTendon, KnowsWhatItConserves) {
  ModelDescription d = links(3);
  d.gravity = {};
  Joint base;
  base.name = "base";
  base.type = JointType::free;
  base.parent = kWorld;
  base.child = 0;
  d.joints[0] = base;
  d.initial.joints = {{"elbow", {-0.7}}};
  d.initial.rates = {{"elbow", {-2}}};
  Tendon tendon;
  tendon.name = "cord";
  tendon.joints = {{1, 0, 0.5}};
  tendon.stiffness = 5;
  d.tendons = {tendon};
  const Record record = testing::run(d, "energy-momentum", 0.01, 1);
  ASSERT_TRUE(record.ledger.angular_max_error.has_value());
  EXPECT_LE(*record.ledger.angular_max_error, 1e-13);  // measured 2e-15
  ModelDescription held = links(3);
  held.tendons = {tendon};
  held.tendons[0].joints = {{0, 0, 0.5}};
  EXPECT_FALSE(testing::run(held, "energy-momentum", 0.01, 0.1).ledger.angular_max_error.has_value());
}

}  // namespace
}  // namespace torsor
