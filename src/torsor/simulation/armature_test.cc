// Rotors of joints: motions known by hand, and the same mechanism written with a rotor that is a body.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/linkages.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "testing/runs.h"
#include "torsor/base/error.h"

namespace torsor {
namespace {

using testing::run;

Body body(const std::string& name, double mass, const Vec3<double>& com, double inertia) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.com = com;
  b.inertia = {inertia / 2, inertia / 2, inertia, 0, 0, 0};
  return b;
}
ModelDescription hinged(const Body& link) {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {link};
  d.joints.resize(1);
  d.joints[0].name = "hinge";
  d.joints[0].child = 0;
  return d;
}

/// (J + a) phi'' = tau.
TEST(Armature, TakesItsShareOfAConstantEffort) {
  ModelDescription d = hinged(body("wheel", 2, {}, 0.3));
  d.joints[0].armature = {0.45};
  d.actuators = {{"motor", 0, 0, Program(1.5)}};
  for (const char* integrator : {"energy-momentum", "generalized-alpha", "implicit-midpoint", "dopri5",
                                 "rkmk4", "variational", "gauss-legendre"}) {
    SCOPED_TRACE(integrator);
    const Record record = run(d, integrator, 0.01, 1);
    // Directors turn by Cayley's map, of second order.
    const double bound = integrator == std::string("energy-momentum") ? 2e-5 : 1e-12;  // measured 9e-6, 4e-15
    EXPECT_NEAR(record.observations.back().joints[0].rate[0], 2, bound);
    EXPECT_NEAR(record.observations.back().kinetic, 0.5 * 0.75 * 4, bound);
  }
}

/// A pendulum that drives a wheel through a gear of ratio n moves as one with the armature n^2 J; the ways are
/// compared where both are exact to the tolerance.
TEST(Armature, IsARotorBehindAGear) {
  constexpr double ratio = -7, rotor = 0.004;
  ModelDescription by_gear = hinged(body("rod", 1, {0.5, 0, 0}, 0.1));
  by_gear.gravity = {0, -9.81, 0};
  ModelDescription by_armature = by_gear;
  by_armature.joints[0].armature = {ratio * ratio * rotor};
  by_gear.bodies.push_back(body("rotor", 0.3, {}, rotor));
  by_gear.joints.push_back(by_gear.joints[0]);
  by_gear.joints[1].name = "axle";
  by_gear.joints[1].child = 1;
  by_gear.couplings = {{"gear", {{0, 0, ratio}, {1, 0, -1}}, 0}};
  const Record a = run(by_gear, "dopri5", 0.1, 3, 1e-12), b = run(by_armature, "dopri5", 0.1, 3, 1e-12);
  for (std::size_t i = 0; i < a.observations.size(); ++i) {
    const Observation &x = a.observations[i], &y = b.observations[i];
    EXPECT_NEAR(x.joints[0].position[0], y.joints[0].position[0], 1e-10);
    EXPECT_NEAR(x.kinetic, y.kinetic, 1e-9);
  }
}

/// Every joint type, free and spherical ones with their own moments on each axis.
TEST(Armature, BalancesRandomTreesAtAnyStepAndAgreesWithJointCoordinates) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ModelDescription d = seed % 2 == 0 ? random_planar_tree(9, seed) : random_tree(10, seed);
    SCOPED_TRACE(d.name);
    d = with_armature(d, seed);
    for (const double step : {0.001, 0.01}) {
      const Record record = run(d, "energy-momentum", step, 200 * step, 0, 1);
      ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
      EXPECT_LE(record.ledger.energy_max_residual, 1e-12 * record.ledger.energy_scale);
    }
    const double duration = 0.08;
    const Model model(d);
    const Record exact = run(d, "dopri5", duration, duration, 1e-13);
    for (const char* integrator : {"energy-momentum", "generalized-alpha"}) {
      std::vector<double> steps, errors;
      for (const double step : {0.002, 0.001, 0.0005}) {
        const Record record = run(model, {"rotationless", integrator}, step, duration);
        steps.push_back(step);
        errors.push_back(testing::distance(record.observations.back(), exact.observations.back()));
      }
      EXPECT_NEAR(testing::fitted_order(steps, errors), 2, 0.1) << integrator;
    }
  }
}

/// On joints of the tree and on those that close the loop.
TEST(Armature, BalancesLoops) {
  for (ModelDescription d : {reference::four_bar(0.4, 1.1, 0.9, 1), reference::slider_crank(0.3, 1)}) {
    d.gravity = {0, -9.81, 0};
    d = with_armature(d, 3);
    d.joints.back().armature = {0.7};
    d.initial.rates[d.joints[0].name] = {3};
    d.initial.assemble = true;
    for (const double step : {0.001, 0.01, 0.05}) {
      for (const char* reduction : {"none", "null-space"}) {
        SCOPED_TRACE(reduction);
        StepperChoice choice{"rotationless", "energy-momentum"};
        choice.options["reduction"] = std::string(reduction);
        const Record record = run(Model(d), choice, step, 400 * step, 1);
        ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
        EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);
      }
    }
  }
}

/// Rotors between bodies keep the momenta of the whole; those on the ground turn against it.
TEST(Armature, KeepsMomentaOfWhatFloats) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    ModelDescription d = random_tree(8, seed, 0.0);
    d.gravity = {};
    d.joints[0].type = JointType::free;
    d.joints[0].axis = {0, 0, 1};
    d = with_armature(d, seed);
    EXPECT_FALSE(run(d, "energy-momentum", 0.01, 0.01).ledger.angular_max_error.has_value());
    d.joints[0].armature.clear();
    std::mt19937 random(seed);
    for (const Joint& joint : d.joints) {
      d.initial.rates[joint.name] = random_vector(rate_count(joint.type, 3), random);
    }
    for (const char* integrator : {"energy-momentum", "variational"}) {
      const Record record = run(d, integrator, 0.01, 2, 0, 1);
      EXPECT_LE(*record.ledger.linear_max_error, 1e-12) << integrator;
      EXPECT_LE(*record.ledger.angular_max_error, 1e-12) << integrator;
    }
  }
}

/// A rod whose own axis has no inertia: what turns about it is the rotor alone.
TEST(Armature, MovesWhatHasNoInertia) {
  ModelDescription d;
  d.bodies = {body("rod", 1, {0, 0, 0.5}, 0.1)};
  d.bodies[0].inertia = {0.1, 0.1, 0, 0, 0, 0};
  d.joints.resize(1);
  d.joints[0].name = "spin";
  d.joints[0].child = 0;
  d.actuators = {{"motor", 0, 0, Program(0.5)}};
  EXPECT_THROW(Model{d}, ModelError);
  d.joints[0].armature = {0.25};
  for (const char* integrator : {"energy-momentum", "dopri5"}) {
    EXPECT_NEAR(run(d, integrator, 0.1, 1).observations.back().joints[0].rate[0], 2, 1e-12) << integrator;
  }
}

TEST(Armature, IsRefusedByName) {
  ModelDescription d = hinged(body("rod", 1, {0.5, 0, 0}, 0.1));
  d.joints[0].armature = {0.1};
  EXPECT_THROW(make_stepper(Model(d), {"cartesian", "energy-momentum"}), ModelError);
  EXPECT_THROW(make_stepper(Model(d), {"rotationless", "petrov-galerkin"}), ModelError);
  for (const std::vector<double>& wrong : {std::vector<double>{-0.1}, {NAN}, {0.1, 0.2}}) {
    d.joints[0].armature = wrong;
    EXPECT_THROW(Model{d}, ModelError);
  }
  d.joints[0].type = JointType::free;
  d.joints[0].armature = {0.1, 0.2, 0.3};
  EXPECT_NO_THROW(make_stepper(Model(d), {"joint", "dopri5"}));
  EXPECT_THROW(make_stepper(Model(d), {"rotationless", "energy-momentum"}), ModelError);
}

}  // namespace
}  // namespace torsor
