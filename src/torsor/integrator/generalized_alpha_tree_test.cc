#include "torsor/integrator/generalized_alpha_tree.h"

#include <gtest/gtest.h>

#include "testing/models.h"
#include "testing/runs.h"

namespace torsor {
namespace {

Record run(const ModelDescription& description, const char* formulation, double rho, double step,
           double duration, int record_every = 1000000) {
  return testing::run(
      Model(description),
      {.formulation = formulation, .integrator = "generalized-alpha", .options = {{"rho", rho}}}, step,
      duration, record_every);
}

/// A mass on a spring along a line; at a distance of 1 m from rest.
ModelDescription spring_mass(double stiffness) {
  ModelDescription d = reference::pendulum();
  d.name = "mass on a spring";
  d.gravity = {};
  d.joints[0].type = JointType::prismatic;
  d.joints[0].axis = {1, 0, 0};
  d.joint_springs.resize(1);
  d.joint_springs[0].name = "spring";
  d.joint_springs[0].joint = 0;
  d.joint_springs[0].stiffness = {stiffness};
  d.initial = {};
  d.initial.joints = {{d.joints[0].name, {1}}};
  return d;
}

/// Of positions, directions and velocities, and of the balance of what drives and damps.
TEST(TreeGeneralizedAlpha, OrderTwo) {
  struct Case {
    ModelDescription description;
    double step, duration;
  };
  for (const Case& c : {Case{reference::heavy_top(), 0.0002, 0.4},
                        {reference::spherical_chain(4), 0.002, 0.4},
                        {reference::free_tree(), 0.005, 0.8},
                        {reference::driven_arm(), 0.02, 4},
                        {reference::all_elements(), 0.002, 0.4}}) {
    const Observation exact =
        testing::run(c.description, "dopri5", c.duration, c.duration, 1e-13).observations.back();
    for (const double rho : {0.0, 0.5, 0.9, 1.0}) {
      SCOPED_TRACE(c.description.name + ", rho " + std::to_string(rho));
      std::vector<double> steps, errors, residuals;
      for (int k = 0; k < 3; ++k) {
        steps.push_back(c.step / (1 << k));
        const Record record = run(c.description, "joint", rho, steps.back(), c.duration);
        EXPECT_FALSE(record.failure.has_value());
        errors.push_back(testing::distance(record.observations.back(), exact));
        residuals.push_back(record.ledger.energy_max_residual);
      }
      EXPECT_NEAR(testing::fitted_order(steps, errors), 2, 0.1);  // measured 1.992 .. 2.002
      EXPECT_GE(testing::fitted_order(steps, residuals), 1.9);    // measured 1.997 .. 2.02
    }
  }
}

/// Chains that are too large to start with a tangent; with dampers of 70 N m s in their joints they cannot do
/// without.
TEST(TreeGeneralizedAlpha, OrderTwoOnLargeTreesStiffOrNot) {
  for (const double damping : {0.0, 70.0}) {
    SCOPED_TRACE(damping);
    ModelDescription d = reference::spherical_chain(16);
    for (int i = 0; i < 16 && damping > 0; ++i) {
      JointSpring spring;
      spring.name = "damper" + std::to_string(i);
      spring.joint = i;
      spring.stiffness = {0};
      spring.damping = {damping};
      spring.law = SpringLaw::log;
      d.joint_springs.push_back(spring);
    }
    const double duration = 0.1;
    const Observation exact = testing::run(d, "dopri5", duration, duration, 1e-13).observations.back();
    std::vector<double> steps, errors;
    for (int k = 0; k < 3; ++k) {
      steps.push_back(0.0005 / (1 << k));
      const Record record = run(d, "joint", 0.9, steps.back(), duration);
      EXPECT_FALSE(record.failure.has_value());
      EXPECT_LE(record.ledger.iterations_max, 15);  // measured 9
      errors.push_back(testing::distance(record.observations.back(), exact));
    }
    EXPECT_NEAR(testing::fitted_order(steps, errors), 2, 0.1);  // measured 2.00
    EXPECT_FALSE(run(d, "joint", 0.5, 0.01, duration).failure.has_value());
  }
}

/// Along a line the two are the same equations, one solved for rates, the other for positions; also where
/// the spring is not resolved, and rho is what a step leaves of it.
TEST(TreeGeneralizedAlpha, AlongALineItIsTheMethodForConstrainedSystems) {
  for (const double rho : {0.0, 0.5, 0.9, 1.0}) {
    for (const auto& [stiffness, step] : {std::pair{40.0, 0.05}, {1e8, 1.0}}) {
      const ModelDescription d = spring_mass(stiffness);
      const Record joint = run(d, "joint", rho, step, 20 * step, 1);
      const Record rotationless = run(d, "rotationless", rho, step, 20 * step, 1);
      ASSERT_EQ(joint.observations.size(), rotationless.observations.size());
      for (std::size_t i = 0; i < joint.observations.size(); ++i) {
        const double gap = testing::distance(joint.observations[i], rotationless.observations[i]);
        EXPECT_LE(gap, 1e-11 * std::sqrt(stiffness));  // measured 2e-15, 4e-12
      }
    }
  }
}

/// In general they differ by the order of the method.
TEST(TreeGeneralizedAlpha, ConvergesToTheMotionOfTheMethodForConstrainedSystems) {
  for (const ModelDescription& d : {reference::heavy_top(), reference::spherical_chain(2)}) {
    std::vector<double> steps, gaps;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(0.0005 / (1 << k));
      gaps.push_back(testing::distance(run(d, "joint", 0.9, steps.back(), 0.4).observations.back(),
                                       run(d, "rotationless", 0.9, steps.back(), 0.4).observations.back()));
    }
    EXPECT_NEAR(testing::fitted_order(steps, gaps), 2, 0.1) << d.name;  // measured 2.000
    EXPECT_LE(gaps.back(), 2e-4) << d.name;                             // measured 1e-4, 2e-7
  }
}

}  // namespace
}  // namespace torsor
