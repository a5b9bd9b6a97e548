// Orders measured on trees in space, and solutions by independent means.

#include <gtest/gtest.h>

#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/integrator/implicit_midpoint.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

using testing::distance;
using testing::run;

/// A body without symmetry that tumbles about its centre of mass.
ModelDescription tumbling_body() {
  ModelDescription d = reference::heavy_top();
  d.name = "tumbling body";
  d.gravity = {};
  d.bodies[0].com = {};
  d.bodies[0].inertia = {0.05, 0.04, 0.02, 0.002, 0, 0.001};
  d.initial.rates["tip"] = {1, 4, -2};
  return d;
}

/// A free body whose frame is not at its centre of mass, so that turning and flying are one motion of SE(3).
ModelDescription eccentric_body() {
  ModelDescription d = reference::free_top();
  d.name = "eccentric free body";
  d.gravity = {0, 0, -9.81};
  d.bodies[0].com = {0.2, -0.1, 0.3};
  d.bodies[0].inertia = {0.05, 0.03, 0.04, 0.002, 0, 0.001};
  d.initial.rates["flight"] = {1, 3, -2, 0.5, -0.2, 0.1};
  return d;
}

/// Fitted over four step sizes against dopri5 at 1e-13: on SO(3), on SE(3) and on whole trees.
TEST(IntegratorOrder, OfFixedStepsInSpace) {
  struct Method {
    const char* integrator;
    double order, coarsest;
  };
  for (const ModelDescription& model : {tumbling_body(), eccentric_body(), reference::free_tree(),
                                        reference::spherical_chain(3), reference::all_joints()}) {
    const double duration = 0.8;
    const Record exact = run(model, "dopri5", duration, duration, 1e-13);
    for (const Method& m : {Method{"rkmk2", 2, 0.004},
                            {"rkmk3", 3, 0.004},
                            {"rkmk4", 4, 0.02},
                            {"implicit-midpoint", 2, 0.01}}) {
      std::vector<double> steps, errors;
      for (int k = 0; k < 4; ++k) {
        steps.push_back(m.coarsest / (1 << k));
        const Record coarse = run(model, m.integrator, steps.back(), duration);
        errors.push_back(distance(coarse.observations.back(), exact.observations.back()));
      }
      const double order = testing::fitted_order(steps, errors);
      // measured within 0.042
      EXPECT_NEAR(order, m.order, 0.1) << m.integrator << " on " << model.name << ", error " << errors.back();
    }
  }
}

/// dopri5 held to fixed inner steps by a loose tolerance.
TEST(IntegratorOrder, OfDopri5) {
  const ModelDescription description = reference::free_tree();
  const Model model(description);
  const double duration = 0.8;
  const Record exact = run(description, "dopri5", duration, duration, 1e-14);
  std::vector<double> steps, errors;
  for (int k = 0; k < 4; ++k) {
    steps.push_back(0.04 / (1 << k));
    StepperChoice choice{"joint", "dopri5", {{"max_step", steps.back()}, {"tolerance", 0.5}}};
    const auto stepper = make_stepper(model, choice);
    const Record coarse = simulate(*stepper, {.step = duration, .duration = duration});
    errors.push_back(distance(coarse.observations.back(), exact.observations.back()));
  }
  EXPECT_NEAR(testing::fitted_order(steps, errors), 5, 0.35) << errors.back();  // measured 5.03
}

/// An axisymmetric body: omega turns about the axis of symmetry at (J3 - J1)/J1 omega3, the axis about the
/// fixed angular momentum at |L|/J1. With R = exp(t L/J1) R0 exp(t n e3), n = omega3 (J1 - J3)/J1.
TEST(IntegratorExact, FreeAxisymmetricBody) {
  const ModelDescription d = reference::free_top();
  const double duration = 5, J1 = 0.05, J3 = 0.02;
  const std::vector<double>& q = d.initial.joints.at("flight");
  const std::vector<double>& v = d.initial.rates.at("flight");
  const SO3<double> R0{q[0], q[1], q[2], q[3]};
  const Vec3<double> omega{v[0], v[1], v[2]}, velocity{v[3], v[4], v[5]};
  const Vec3<double> L = act(R0, Vec3<double>{J1 * omega.x, J1 * omega.y, J3 * omega.z});
  const double n = omega.z * (J1 - J3) / J1;
  const SO3<double> R = exp_so3((duration / J1) * L) * R0 * exp_so3(Vec3<double>{0, 0, duration * n});
  const Vec3<double> com = Vec3<double>{q[4], q[5], q[6]} + duration * act(R0, velocity);

  const Record record = run(d, "dopri5", 0.01, duration, 1e-12);
  const BodyObservation& body = record.observations.back().bodies[0];
  EXPECT_LE(norm(log(inverse(R) * body.rotation)), 1e-11);  // measured 1.4e-13
  EXPECT_LE(norm(com - body.com), 1e-10);                   // measured 1.6e-11
}

/// Quaternions stay on the sphere, whatever spins, for 1e5 steps.
TEST(IntegratorExact, QuaternionsKeepTheirLength) {
  for (const char* integrator :
       {"rkmk2", "rkmk3", "rkmk4", "dopri5", "implicit-midpoint", "generalized-alpha"}) {
    const Record record = run(reference::free_top(), integrator, 0.01, 1000);
    EXPECT_EQ(record.ledger.steps, 100000);
    EXPECT_LE(record.ledger.unit_length_max_error.value(), 1e-15) << integrator;  // measured 2.2e-16
  }
}

/// The midpoint rule conserves quadratic invariants: of a free body without forces, the energy, to a random
/// walk of rounding.
TEST(IntegratorExact, MidpointKeepsTheEnergyOfAFreeBody) {
  const Ledger ledger = run(reference::free_top(), "implicit-midpoint", 0.01, 1000).ledger;
  EXPECT_LE(ledger.energy_max_error, 5e-12 * ledger.energy_scale);  // measured 5.5e-13 after 1e5 steps
}

/// Symmetric: the way back, with rates reversed, ends where the way forth began.
TEST(IntegratorExact, MidpointIsReversible) {
  const Model model(reference::spherical_chain(2));
  JointSystem system(model);
  const std::vector<double> q0 = initial_coordinates(model), v0 = initial_rates(model);
  ImplicitMidpoint forth(system, {0, q0, v0, {}});
  for (int i = 0; i < 200; ++i) forth.step(0.005);
  std::vector<double> reversed = forth.state().v;
  for (double& rate : reversed) rate = -rate;
  ImplicitMidpoint back(system, {0, forth.state().q, reversed, {}});
  for (int i = 0; i < 200; ++i) back.step(0.005);
  for (std::size_t i = 0; i < q0.size(); ++i)
    EXPECT_NEAR(back.state().q[i], q0[i], 1e-12);  // measured 1.4e-15
  for (std::size_t i = 0; i < v0.size(); ++i)
    EXPECT_NEAR(back.state().v[i], -v0[i], 1e-12);  // measured 5e-15
}

}  // namespace
}  // namespace torsor
