#include "torsor/integrator/gauss_legendre.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "testing/gragg_bulirsch_stoer.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "testing/tree_probe.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/integrator/step_doubling.h"

namespace torsor {
namespace {

using testing::TreeProbe;
using Iteration = GaussLegendre::Iteration;
using Settings = GaussLegendre::Settings;

constexpr double kGravity = 9.81, kLength = 2, kMass = 50;

/// Sætran's pendulums (2018, Table 3.1): rods of 50 kg and 2 m on spherical joints, the whole chain tilted.
ModelDescription saetran_chain(int links, double tilt = 0.1, double side = 0.2) {
  ModelDescription d;
  d.name = "Sætran's chain";
  d.gravity = {0, 0, -kGravity};
  const double across = kMass / 12 * (kLength * kLength + side * side), along = kMass / 6 * side * side;
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = "rod" + std::to_string(i);
    body.mass = kMass;
    body.com = {0, 0, -kLength / 2};
    body.inertia = {across, across, along, 0, 0, 0};
    d.bodies.push_back(body);
    Joint joint;
    joint.name = "ball" + std::to_string(i);
    joint.type = JointType::spherical;
    joint.parent = i - 1;
    joint.child = i;
    joint.in_parent.position = {0, 0, i == 0 ? 0 : -kLength};
    d.joints.push_back(joint);
  }
  d.initial.joints["ball0"] = {std::cos(tilt / 2), std::sin(tilt / 2), 0, 0};
  return d;
}

ModelDescription damped(ModelDescription d, double damping) {
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    JointSpring spring;
    spring.name = "damper" + std::to_string(i);
    spring.joint = static_cast<int>(i);
    spring.law = SpringLaw::log;
    spring.stiffness = {0, 0, 0};
    spring.damping = {damping, damping, damping};
    d.joint_springs.push_back(spring);
  }
  return d;
}

/// A spiral in the horizontal plane, which falls and unrolls.
ModelDescription damped_coil(int links) {
  ModelDescription d = damped(saetran_chain(links), 70);
  const double half = std::sqrt(0.5);
  d.initial.joints["ball0"] = {half, 0, half, 0};
  for (int k = 1; k < links; ++k) {
    const double turn = 2 * std::numbers::pi / (8 + 0.25 * k);
    d.initial.joints["ball" + std::to_string(k)] = {std::cos(turn / 2), std::sin(turn / 2), 0, 0};
  }
  return d;
}

struct Motion : TreeProbe {
  Motion(const ModelDescription& description, const Settings& settings)
      : TreeProbe(description), integrator(system, start, settings) {}

  void advance(double h, int steps) {
    for (int i = 0; i < steps; ++i) {
      integrator.step(h);
      most_iterations = std::max(most_iterations, integrator.solver().iterations);
    }
  }
  const TreeState& state() const { return integrator.state(); }
  double energy() const { return TreeProbe::energy(state()); }
  double length_error() const { return unit_length_error(system.tree(), state().q); }

  GaussLegendre integrator;
  int most_iterations = 0;
};

double distance(const Motion& a, const Motion& b) {
  double worst = 0;
  for (double x : a.difference(a.state().q, b.state().q)) worst = larger(worst, std::abs(x));
  for (std::size_t i = 0; i < a.state().v.size(); ++i) {
    worst = larger(worst, std::abs(a.state().v[i] - b.state().v[i]));
  }
  return worst;
}

TEST(GaussLegendre, HasTheOrderOfTwiceItsStages) {
  struct Case {
    ModelDescription description;
    double duration;
    std::array<int, 2> steps[4];  ///< for 1 .. 4 stages: a coarse and a fine grid
  };
  const Case cases[] = {{reference::spherical_chain(2), 0.5, {{100, 200}, {50, 100}, {25, 50}, {20, 40}}},
                        {reference::heavy_top(), 0.5, {{200, 400}, {100, 200}, {50, 100}, {25, 50}}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.description.name);
    Motion exact(c.description, {.stages = 8});
    exact.advance(c.duration / 200, 200);
    for (int stages = 1; stages <= 4; ++stages) {
      double errors[2];
      for (int k = 0; k < 2; ++k) {
        Motion run(c.description, {.stages = stages});
        run.advance(c.duration / c.steps[stages - 1][k], c.steps[stages - 1][k]);
        errors[k] = distance(run, exact);
      }
      // measured 2.00, 4.00, 6.00, 7.96 and 2.00, 4.00, 6.00, 7.99
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2 * stages, 0.1) << errors[0] << " " << errors[1];
    }
  }
}

TEST(GaussLegendre, KeepsTheLengthOfQuaternions) {
  for (const int stages : {1, 2, 3, 6}) {
    Motion top(reference::heavy_top(), {.stages = stages});
    top.advance(0.002, 100000 / stages);
    EXPECT_LE(top.length_error(), 1e-14) << stages;  // measured 6.7e-16
  }
  // However badly the stages are solved.
  Motion loose(reference::spherical_chain(3),
               {.stages = 2, .iteration = Iteration::fixed_point, .tolerance = 1e-3});
  loose.advance(0.005, 20000);
  EXPECT_LE(loose.length_error(), 1e-14);  // measured 2.2e-16
}

/// theta'' = -m g l/2 sin(theta) / J with the box's J about the joint.
TEST(GaussLegendre, FollowsTheAngleOfAPendulum) {
  using State = std::array<long double, 2>;
  const long double J = kMass / 12.0L * (4 + 0.2L * 0.2L) + kMass;
  const State exact = testing::gragg_bulirsch_stoer<long double>(
      [&](long double, const State& y) {
        return State{y[1], -kMass * static_cast<long double>(kGravity) * std::sin(y[0]) / J};
      },
      State{0.1L, 0}, 0, 10, 100);
  Motion run(saetran_chain(1), {.stages = 3});
  run.advance(0.01, 1000);
  const std::vector<double>& q = run.state().q;
  EXPECT_NEAR(2 * std::atan2(q[1], q[0]), static_cast<double>(exact[0]), 5e-13);  // measured 1.0e-14
  EXPECT_NEAR(run.state().v[0], static_cast<double>(exact[1]), 5e-13);            // measured 1.0e-14
}

/// Lagrange's equations of the planar double pendulum in absolute angles.
TEST(GaussLegendre, FollowsTheAnglesOfADoublePendulum) {
  using Real = long double;
  using State = std::array<Real, 4>;
  const Real J = kMass / 12.0L * (4 + 0.2L * 0.2L), m = kMass, l = kLength, g = kGravity;
  const auto rates = [&](Real, const State& y) {
    const Real s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]);
    const Real a = J + m * l * l / 4 + m * l * l, b = m * l * l / 2 * c, d = J + m * l * l / 4;
    const Real e = -m * l * l / 2 * s * y[3] * y[3] - 1.5L * m * g * l * std::sin(y[0]);
    const Real f = m * l * l / 2 * s * y[2] * y[2] - 0.5L * m * g * l * std::sin(y[1]);
    const Real det = a * d - b * b;
    return State{y[2], y[3], (d * e - b * f) / det, (a * f - b * e) / det};
  };
  const State exact =
      testing::gragg_bulirsch_stoer<Real>(rates, State{0.1L, 0.1L, 0, 0}, Real(0), Real(10), 200);
  Motion run(saetran_chain(2), {.stages = 3});
  run.advance(0.01, 1000);
  const std::vector<double>& q = run.state().q;
  const double first = 2 * std::atan2(q[1], q[0]), second = first + 2 * std::atan2(q[5], q[4]);
  EXPECT_NEAR(first, static_cast<double>(exact[0]), 1e-12);   // measured 4.0e-14
  EXPECT_NEAR(second, static_cast<double>(exact[1]), 1e-12);  // measured 8.4e-14
}

/// Sætran, Table 3.2: 11334 evaluations and 3.0e-13.
TEST(GaussLegendre, KeepsTheEnergyOfFourBodiesWithFewEvaluations) {
  Motion two(saetran_chain(4), {.stages = 2, .iteration = Iteration::fixed_point, .tolerance = 1e-9});
  const double start = two.energy();
  two.advance(0.01, 1000);
  EXPECT_LE(std::abs(two.energy() - start), 3e-13 * std::abs(start));  // measured 5e-14
  EXPECT_LE(two.integrator.evaluations(), 9000);                       // measured 3988
  EXPECT_LE(two.length_error(), 1e-15);                                // measured 1.1e-16
  Motion three(saetran_chain(4), {.stages = 3});
  three.advance(0.01, 1000);
  EXPECT_LE(std::abs(three.energy() - start), 1e-15 * std::abs(start));  // measured 1.2e-16
  EXPECT_LE(three.integrator.evaluations(), 12000);                      // measured 10848
}

TEST(GaussLegendre, FixedPointAndNewtonAgree) {
  for (const ModelDescription& description :
       {reference::spherical_chain(4), reference::free_tree(), damped(saetran_chain(3, 1.0), 5)}) {
    SCOPED_TRACE(description.name);
    Motion fixed(description, {.stages = 3, .iteration = Iteration::fixed_point});
    Motion newton(description, {.stages = 3});
    fixed.advance(0.005, 200);
    newton.advance(0.005, 200);
    EXPECT_LE(distance(fixed, newton), 1e-11);  // measured 6.1e-17, 2.8e-17, 2.6e-12
  }
}

TEST(GaussLegendre, NewtonConvergesOnAStiffChainAndFixedPointDoesNot) {
  Motion coil(damped_coil(16), {.stages = 3});
  coil.advance(0.01, 300);
  EXPECT_LE(coil.most_iterations, 40);  // measured 19
  EXPECT_LE(coil.length_error(), 1e-15);
  Motion fixed(damped_coil(16), {.stages = 3, .iteration = Iteration::fixed_point});
  try {
    fixed.advance(0.01, 300);
    FAIL() << "converged";
  } catch (const StepFailure& failure) {
    EXPECT_NE(failure.advice.find("iteration: newton"), std::string::npos);
  }
}

/// Rates of 1e5 1/s at h = 0.01: the damped motion creeps, and what dampers take is what weight gives.
TEST(GaussLegendre, NewtonConvergesOnVeryStiffJoints) {
  for (const double damping : {1e3, 1e5}) {
    Motion run(damped(saetran_chain(5, 1.0), damping), {.stages = 2});
    const double start = run.energy();
    run.advance(0.01, 200);
    EXPECT_LE(run.most_iterations, 12) << damping;  // measured 5, 7
    double taken = 0;
    for (double z : run.state().z) taken += z;
    EXPECT_NEAR(taken, start - run.energy(), 1e-6 * taken) << damping;  // measured 7.5e-8 J, 3.1e-9 J
  }
}

/// The tension of a hanging chain makes its highest modes fast: 245 rad/s with 1024 links.
TEST(GaussLegendre, SweepsDoNotGrowWithTheLinks) {
  Motion run(saetran_chain(256), {.stages = 3});
  run.advance(0.01, 10);
  const long before = run.integrator.evaluations();
  run.advance(0.01, 20);
  EXPECT_LE(run.integrator.evaluations() - before,
            20 * 3 * 5);  // measured 189: 3.2 a step; without the inverse 12
}

TEST(GaussLegendre, RoundingDoesNotAddUp) {
  Motion run(saetran_chain(1), {.stages = 3});
  const double start = run.energy();
  run.advance(0.01, 100000);
  EXPECT_LE(std::abs(run.energy() - start), 1e-15 * std::abs(start));  // measured 2.3e-16
  EXPECT_NEAR(run.state().time, 1000, 1e-12);
}

TEST(StepDoubling, ErrorFollowsItsTolerance) {
  const ModelDescription description = reference::spherical_chain(2);
  TreeProbe probe(description);
  Motion exact(description, {.stages = 8});
  exact.advance(0.005, 200);
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    StepDoubling integrator(probe.system, probe.start, {.stages = 3}, tolerance);
    for (int i = 0; i < 10; ++i) integrator.step(0.1);
    EXPECT_EQ(integrator.state().time, exact.state().time);
    double worst = 0;
    for (double x : probe.difference(exact.state().q, integrator.state().q))
      worst = larger(worst, std::abs(x));
    EXPECT_LE(worst, 100 * tolerance) << integrator.accepted();  // measured 0.5, 2.2, 7.2 tolerances
    EXPECT_LE(unit_length_error(probe.system.tree(), integrator.state().q), 1e-15);
    EXPECT_FALSE(integrator.note().empty());
  }
}

/// The thesis's stages are not of unit length; the energy of one body is then quadratic, and kept by a single
/// stage, too. Brought to unit length they keep it to second order.
TEST(GaussLegendre, KeepsTheEnergyOfOneRodWithTheStagesOfTheThesis) {
  const auto error = [](const char* quaternions) {
    StepperChoice choice;
    choice.formulation = "joint";
    choice.integrator = "gauss-legendre";
    choice.options = {{"stages", 1.0}, {"quaternions", quaternions}};
    const Record record = testing::run(Model(saetran_chain(1)), choice, 0.01, 10);
    return record.ledger.energy_max_error / std::abs(record.ledger.energy_initial);
  };
  EXPECT_LT(error("plain"), 3e-15);  // measured 2.3e-16
  EXPECT_GT(error("unit"), 1e-10);   // measured 1.2e-9
}

}  // namespace
}  // namespace torsor
