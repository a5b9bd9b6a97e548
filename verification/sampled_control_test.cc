// Sampled control: held efforts act alike in every formulation and integrator, the ledger shows what sampling
// creates, and the largest period without gain of energy is that of the linear theory.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "gallery.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"
#include "torsor/study/sampling_study.h"

namespace torsor {
namespace {

using testing::distance, testing::fitted_order;

/// Of the point that the controller holds.
Vec3<double> place_of_point(const ModelDescription& d, const Observation& o) {
  const Controller& c = d.controllers[0];
  const BodyObservation& hand = o.bodies[c.point->body];
  return hand.com + act(hand.rotation, c.point->p_B - d.bodies[c.point->body].com);
}

Vec3<double> turn_from_target(const ModelDescription& d, const Observation& o) {
  const Controller& c = d.controllers[0];
  return log(inverse(c.rotation->fixed()) * o.bodies[c.point->body].rotation);
}

/// Energy of the virtual springs.
double stored(const ModelDescription& d, const Observation& o) {
  const Controller& c = d.controllers[0];
  const Vec3<double> x = place_of_point(d, o), turn = turn_from_target(d, o);
  double V = 0.5 * c.angular_stiffness * dot(turn, turn);
  for (int i = 0; i < 3; ++i) V += 0.5 * c.stiffness[0] * std::pow(x[i] - c.target[i].value(0), 2);
  return V;
}

constexpr double kMass = 2, kStiffness = 50, kPeriod = 0.02;

/// A mass on a slide, drawn to 0 by a sampled spring and damper.
ModelDescription mass(int dimension, double damping, bool position_only, double friction = 0) {
  ModelDescription d;
  d.name = "sampled mass";
  d.dimension = dimension;
  Body body;
  body.name = "mass";
  body.mass = kMass;
  body.inertia = {1, 1, 2, 0, 0, 0};
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.parent = kWorld;
  slide.child = 0;
  slide.axis = {1, 0, 0};
  d.bodies = {body};
  d.joints = {slide};
  Controller pd;
  pd.name = "hold";
  pd.joint = 0;
  pd.stiffness = {kStiffness};
  pd.damping = {damping};
  pd.target = {Program(0.0)};
  pd.period = kPeriod;
  pd.position_only = position_only;
  d.controllers = {pd};
  if (friction > 0) d.joint_springs = {{"friction", 0, SpringLaw::angle, {0}, {friction}, {}, {}}};
  d.initial.joints = {{"slide", {0.3}}};
  d.initial.rates = {{"slide", {-0.4}}};
  return d;
}

struct Method {
  const char *formulation, *integrator;
  bool books_exactly = true;
};
constexpr Method kMethods[] = {
    {"joint", "dopri5"},
    {"joint", "rkmk4"},
    {"joint", "gauss-legendre"},
    {"joint", "implicit-midpoint"},
    {"joint", "variational"},
    {"joint", "generalized-alpha", false},
    {"rotationless", "energy-momentum"},
    {"rotationless", "generalized-alpha"},
    {"rotationless", "petrov-galerkin"},
};

/// Between samples the acceleration is constant, which every method integrates exactly: the motion is that of
/// the recursion, and without damping so is what sampling creates, u (x_{k+1} - x_k) + K/2 (x_{k+1}^2 - x_k^2);
/// only generalized-alpha on trees books powers by the trapezoidal rule.
TEST(SampledControl, AMassMovesByTheRecursionInEveryMethod) {
  for (const int dimension : {2, 3}) {
    for (const bool position_only : {false, true}) {
      for (const double damping : {0.0, 6.0}) {
        const ModelDescription d = mass(dimension, damping, position_only);
        double x = 0.3, v = -0.4, before = x, created = 0;
        std::vector<double> path{x};
        for (int k = 0; k < 50; ++k) {
          const double u = -kStiffness * x - damping * (position_only ? (x - before) / kPeriod : v),
                       a = u / kMass;
          const double next = x + kPeriod * v + 0.5 * kPeriod * kPeriod * a;
          created += u * (next - x) + 0.5 * kStiffness * (next * next - x * x);
          before = x;
          x = next;
          v += kPeriod * a;
          path.push_back(x);
        }
        for (const Method& method : kMethods) {
          SCOPED_TRACE(
              fmt::format("{}D {} {} damping {}", dimension, method.formulation, method.integrator, damping));
          const Record record =
              run_as(d, method.formulation, method.integrator, kPeriod / 4, 50 * kPeriod, 4);
          double worst = 0;
          for (int k = 0; k <= 50; ++k) {
            worst = larger(worst, std::abs(record.observations[k].joints[0].position[0] - path[k]));
          }
          EXPECT_LE(worst, 1e-12);  // measured 5e-16
          ASSERT_EQ(record.ledger.sampling.size(), 1u);
          if (damping == 0 && method.books_exactly) {
            EXPECT_NEAR(record.ledger.sampling[0].created, created, 1e-11);  // measured 6e-13 of 0.8
          }
          EXPECT_LE(record.ledger.energy_max_residual, 1e-12);  // measured 1e-14
        }
      }
    }
  }
}

/// A pendulum in the formulation by centres of mass moves as in the others.
TEST(SampledControl, ActsInCartesianLinks) {
  ModelDescription d = reference::three_link_arm();
  for (int j = 0; j < 3; ++j) {
    Controller pd;
    pd.name = "hold" + std::to_string(j);
    pd.joint = j;
    pd.stiffness = {20};
    pd.damping = {2};
    pd.target = {Program(0.1)};
    pd.period = 0.01 * (j + 1);
    pd.position_only = j == 1;
    d.controllers.push_back(pd);
  }
  const Record reference = run_as(d, "joint", "rkmk4", 0.00025, 0.6, 10000);
  EXPECT_LE(reference.ledger.energy_max_residual, 1e-12);  // measured 6e-16
  std::vector<double> steps{0.00125, 0.000625, 0.0003125}, errors, others;
  for (const double h : steps) {
    const Record links = run_as(d, "cartesian", "energy-momentum", h, 0.6, 1000);
    EXPECT_LE(links.ledger.energy_max_residual, 1e-12);  // measured 1.8e-15
    errors.push_back(distance(links.observations.back(), reference.observations.back()));
    const Record directors = run_as(d, "rotationless", "generalized-alpha", h, 0.6, 1000);
    others.push_back(distance(directors.observations.back(), reference.observations.back()));
  }
  EXPECT_NEAR(fitted_order(steps, errors), 2, 0.1);  // measured 2.000
  EXPECT_NEAR(fitted_order(steps, others), 2, 0.1);  // measured 2.02
}

/// In the middle of a period, with positions measured alone: what follows is the same bit for bit.
TEST(SampledControl, StateAndCopyKnowWhatIsHeld) {
  for (const char* formulation : {"joint", "rotationless"}) {
    const Model model(gallery("sampled_impedance_3d"));
    const auto stepper = make_stepper(
        model, {.formulation = formulation,
                .integrator = std::string(formulation) == "joint" ? "rkmk4" : "energy-momentum"});
    for (int i = 0; i < 11; ++i) stepper->step(0.002);
    const StepperState state = stepper->state();
    const auto other = stepper->copy();
    for (int i = 0; i < 7; ++i) {
      stepper->step(0.002);
      other->step(0.002);
    }
    EXPECT_EQ(stepper->state().memory, other->state().memory);
    const StepperState end = stepper->state();
    stepper->set_state(state);
    for (int i = 0; i < 7; ++i) stepper->step(0.002);
    EXPECT_EQ(stepper->state().memory, end.memory);
    StepperState fresh = state;
    fresh.memory.clear();
    stepper->set_state(fresh);  // a sample there: the next is a period later
    stepper->step(0.002);
    stepper->step(0.002);
    EXPECT_THROW(stepper->step(0.005), ModelError);
  }
}

TEST(SampledControl, PeriodsAreWholeNumbersOfSteps) {
  const auto stepper = make_stepper(Model(mass(3, 1, true)));
  try {
    simulate(*stepper, {.step = 0.003, .duration = 1});
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "controllers.hold.period");
    EXPECT_NE(std::string(error.what()).find("0.018 s or 0.021 s"), std::string::npos) << error.what();
  }
  EXPECT_THROW(simulate(*stepper, {.step = 0.03, .duration = 1}), ModelError);
}

/// What sampling creates vanishes with the period, at order 1.
TEST(SampledControl, CreatesEnergyOfOrderOne) {
  std::vector<double> periods{0.002, 0.001, 0.0005, 0.00025}, created;
  for (const double period : periods) {
    ModelDescription d = gallery("sampled_impedance_3d");
    d.controllers[0].period = period;
    const Record record = run_as(d, "rotationless", "energy-momentum", 0.00025, 0.5, 2000);
    EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 1.3e-13
    created.push_back(std::abs(record.ledger.sampling[0].created));
  }
  EXPECT_NEAR(fitted_order(periods, created), 1, 0.1);  // measured 1.04
}

/// Weights, tendons and springs of every law are compensated by what was sampled, and the target moves.
TEST(SampledControl, WhatIsCompensatedIsHeldToo) {
  const std::string head = R"yaml(
torsor: 1
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, com: [0.2, 0, 0], inertia: [0.02, 0.03, 0.03]}
  b: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
joints:
  ball: {type: spherical, parent: world, child: a}
  hinge: {type: revolute, parent: a, child: b, in_parent: {position: [0.4, 0, 0]}, axis: [0, 1, 0]}
points:
  tip: {body: b, at: [0.4, 0, 0]}
  post: {body: world, at: [0, 0, 0.5]}
  mid: {body: a, at: [0.3, 0, 0.1]}
tendons:
  rope: {path: [post, mid, tip], stiffness: 40, rest_length: 0.6}
controllers:
  hold: {type: impedance, point: tip, stiffness: 50, damping: 5, compensate: [gravity, springs], period: 1,
         target: {x: 0.5, y: 0.2, z: {expression: "0.1*sin(t)"}}, measures: position,
         rotation: {rpy: [0, 10 deg, 20 deg]}, angular_stiffness: 2, angular_damping: 0.2}
joint_springs:
  bend: {joint: hinge, stiffness: 2, rest: 20 deg, damping: 0.05}
)yaml";
  for (const char* law : {"log", "euler321"}) {
    const std::string spring =
        fmt::format("  turn: {{joint: ball, law: {}, stiffness: 3, damping: 0.05}}\n", law);
    ModelDescription d = parse_description({"arm.yaml", head + spring, {}});
    std::vector<double> periods{0.004, 0.002, 0.001}, created, on_tree;
    for (const double period : periods) {
      d.controllers[0].period = period;
      const Record record = run_as(d, "rotationless", "energy-momentum", 0.0005, 1, 10000);
      EXPECT_LE(record.ledger.energy_max_residual, 1e-12);  // measured 3e-14
      created.push_back(record.ledger.sampling[0].created);
      on_tree.push_back(run_as(d, "joint", "rkmk4", 0.0005, 1, 10000).ledger.sampling[0].created);
    }
    EXPECT_NEAR(fitted_order(periods, created), 1, 0.1) << law;       // measured 1.06
    EXPECT_LE(std::abs(created[0] - on_tree[0]), 1e-3 * created[0]);  // measured 2e-4
  }
}

/// With the target fixed: work + change of the virtual springs' energy + what the virtual damper would take is
/// what sampling created, to rounding, weights apart.
TEST(SampledControl, LedgerShowsTheBalanceOfTheVirtualSpring) {
  const ModelDescription d = gallery("sampled_impedance_3d");
  const Record record = run_as(d, "rotationless", "energy-momentum", 0.002, 2, 10);
  const Observation& start = record.observations.front();
  double worst = 0;
  for (const Observation& o : record.observations) {
    const double balance =
        o.work[0] - (o.gravity - start.gravity) + stored(d, o) - stored(d, start) + o.sampling[0].taken;
    worst = larger(worst, std::abs(balance - o.sampling[0].created));
  }
  EXPECT_LE(worst, 1e-11);                              // measured 7e-14
  EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 7e-14
}

TEST(Impedance, AHandSettlesInAPose) {
  for (const bool sampled : {false, true}) {
    ModelDescription d = gallery("sampled_impedance_3d");
    if (!sampled) {
      d.controllers[0].period = 0;
      d.controllers[0].position_only = false;
    }
    for (const Method& method : {Method{"joint", "rkmk4"}, Method{"rotationless", "energy-momentum"}}) {
      const Record record = run_as(d, method.formulation, method.integrator, 0.002, 12, 6000);
      const Observation& end = record.observations.back();
      EXPECT_LE(norm(place_of_point(d, end) - Vec3<double>{0.45, 0.2, 0.45}), 1e-11)  // measured 1.8e-15
          << method.formulation << sampled;
      EXPECT_LE(norm(turn_from_target(d, end)), 1e-11)  // measured 1.2e-15
          << method.formulation << sampled;
      // Measured 3.4e-7 by energy-momentum, of rates off the constraints; 1.4e-27 by rkmk4.
      EXPECT_LE(end.kinetic, 1e-6) << method.formulation << sampled;
    }
  }
}

/// Continuous, with the orientation: kinetic energy, both virtual springs and what is dissipated add up.
TEST(Impedance, OrientationIsHeldPassively) {
  ModelDescription d = gallery("sampled_impedance_3d");
  Controller& c = d.controllers[0];
  c.period = 0;
  c.position_only = false;
  const Record record = run_as(d, "rotationless", "energy-momentum", 0.01, 3);
  EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 8e-14
  const Observation& start = record.observations.front();
  double worst = 0, last = HUGE_VAL;
  for (const Observation& o : record.observations) {
    double taken = 0;
    for (const double damper : o.dissipated) taken += damper;
    const double passive = stored(d, o) + o.kinetic;
    worst = larger(worst, std::abs(passive + taken - stored(d, start) - start.kinetic));
    EXPECT_LE(passive, last + 1e-12);
    last = passive;
  }
  EXPECT_LE(worst, 1e-11);  // measured 3e-14

  const Record reference = run_as(d, "joint", "dopri5", 0.01, 0.3, 100);
  std::vector<double> steps{0.004, 0.002, 0.001}, errors;
  for (const double h : steps) {
    const Record directors = run_as(d, "rotationless", "energy-momentum", h, 0.3, 1000);
    errors.push_back(distance(directors.observations.back(), reference.observations.back()));
  }
  EXPECT_NEAR(fitted_order(steps, errors), 2, 0.1);  // measured 1.9997
}

/// The spectral radius of the step (x, v, x before) -> of the mass with friction b under u = -K x - B (x - x
/// before) / T.
double spectral_radius(double T, double b, double B) {
  const double a = b / kMass, decay = std::exp(-a * T), shift = (1 - decay) / a;
  const double by_u = (T - shift) / b, v_by_u = shift / kMass;
  const double on_x = -kStiffness - B / T, on_before = B / T;
  Eigen::Matrix3d step;
  step << 1 + by_u * on_x, shift, by_u * on_before, v_by_u * on_x, decay, v_by_u * on_before, 1, 0, 0;
  return step.eigenvalues().cwiseAbs().maxCoeff();
}

TEST(SamplingStudy, LargestPeriodIsThatOfTheLinearSystem) {
  for (const double B : {0.0, 1.0}) {
    const double b = 3;
    double stable = 1e-3, unstable = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (stable + unstable);
      (spectral_radius(middle, b, B) < 1 ? stable : unstable) = middle;
    }
    ModelDescription d = mass(2, B, true, b);
    d.simulation.formulation = "joint";
    d.simulation.integrator = "rkmk4";
    const SamplingStudy study = sampling_study(Model(d), {.step = 0.01, .duration = 80});
    ASSERT_TRUE(study.largest && study.smallest);
    EXPECT_NEAR(*study.largest, stable, 0.01 * stable) << "B " << B;  // measured 1e-4 of it
    ASSERT_EQ(study.bounds.size(), 1u);
    EXPECT_NEAR(study.bounds[0].period, 2 * (b - B) / kStiffness, 1e-15);
    EXPECT_LE(study.bounds[0].period, *study.largest);  // it holds for every environment
  }
}

}  // namespace
}  // namespace torsor
