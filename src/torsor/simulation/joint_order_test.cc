// The order of joints in the file chooses the spanning tree, and nothing else: the motion is the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "testing/runs.h"

namespace torsor {
namespace {

/// Bodies anywhere, joined at random points where they stand: a tree, and joints between any two of its bodies,
/// from ancestors, cousins and descendants alike.
ModelDescription random_mechanism(int dimension, int bodies, int loops, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&] { return std::uniform_real_distribution<>(-1, 1)(random); };
  const auto place = [&] { return Vec3<double>{number(), number(), dimension == 3 ? number() : 0}; };
  ModelDescription d;
  d.dimension = dimension;
  d.gravity = {1, -9.81, 0};
  const auto join = [&](const std::string& name, int parent, int child) {
    Joint joint;
    joint.name = name;
    joint.type = dimension == 3 ? JointType::spherical : JointType::revolute;
    joint.parent = parent;
    joint.child = child;
    joint.reference = {place(), {0, 0, 1}};
    d.joints.push_back(joint);
  };
  for (int b = 0; b < bodies; ++b) {
    Body body{"b" + std::to_string(b),
              1 + number() / 2,
              {},
              {0.2, 0.2, dimension == 3 ? 0.3 : 0.4, 0, 0, 0},
              {},
              {}};
    body.pose = SE3<double>{{}, place()};
    d.bodies.push_back(body);
    join("j" + std::to_string(b), std::uniform_int_distribution<>(-1, b - 1)(random), b);
  }
  for (int loop = 0; loop < loops; ++loop) {
    const int parent = std::uniform_int_distribution<>(0, bodies - 1)(random);
    const int child = (parent + std::uniform_int_distribution<>(1, bodies - 1)(random)) % bodies;
    join("loop" + std::to_string(loop), parent, child);
  }
  return d;
}

TEST(JointOrder, ChangesNoMotion) {
  std::mt19937 random(3);
  double worst = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    ModelDescription d = random_mechanism(2 + seed % 2, 6, 1 + seed % 2, seed);
    const StepperChoice choice{
        .formulation = "rotationless", .integrator = "energy-momentum", .options = {}, .tolerance = 0};
    const Record said = testing::run(Model(d), choice, 0.005, 0.1);
    ASSERT_FALSE(said.failure) << seed;
    for (int order = 0; order < 4; ++order) {
      std::shuffle(d.joints.begin(), d.joints.end(), random);
      const Record other = testing::run(Model(d), choice, 0.005, 0.1);
      ASSERT_FALSE(other.failure) << seed;
      worst = std::max(worst, testing::distance(said.observations.back(), other.observations.back()));
    }
  }
  EXPECT_LT(worst, 1e-12);  // measured 1.5e-14
}

}  // namespace
}  // namespace torsor
