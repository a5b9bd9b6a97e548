#include "torsor/simulation/constrained_stepper.h"

#include <gtest/gtest.h>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "testing/rotationless_probe.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

/// The model started from a random state.
ModelDescription at_random(ModelDescription d, unsigned seed) {
  testing::Probe probe(d);
  std::mt19937 random(seed);
  const testing::State state = probe.random_state(random);
  const Model& model = probe.model;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int index = static_cast<int>(j);
    const auto slice = [&](const std::vector<double>& all, int from, int to) {
      return std::vector<double>(all.begin() + from, all.begin() + to);
    };
    if (model.coordinate_offset(index) == model.coordinate_offset(index + 1)) continue;
    d.initial.joints[model.joints()[j].name] =
        slice(state.q, model.coordinate_offset(index), model.coordinate_offset(index + 1));
    d.initial.rates[model.joints()[j].name] =
        slice(state.qd, model.rate_offset(index), model.rate_offset(index + 1));
  }
  return d;
}

Observation start_of(const Model& model, const char* formulation, const char* integrator) {
  const auto stepper =
      make_stepper(model, {.formulation = formulation, .integrator = integrator, .options = {}});
  Observation observation = stepper->make_observation();
  stepper->observe(observation);
  return observation;
}

double largest(const std::vector<double>& list) {
  double size = 0;
  for (const double value : list) size = larger(size, std::abs(value));
  return size;
}

/// Positions and quaternions (up to sign) of a joint.
double difference(const std::vector<double>& a, const std::vector<double>& b, bool quaternion) {
  double sign = 1, worst = 0;
  if (quaternion && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0) sign = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = larger(worst, std::abs(a[i] - (quaternion && i < 4 ? sign : 1) * b[i]));
  }
  return worst;
}

void expect_same_view(const Model& model, const Observation& a, const Observation& b) {
  const double energy = a.kinetic + std::abs(a.gravity) + a.elastic;
  EXPECT_NEAR(a.kinetic, b.kinetic, 1e-13 * energy);  // measured 4e-15
  EXPECT_NEAR(a.gravity, b.gravity, 1e-13 * energy);
  EXPECT_NEAR(a.elastic, b.elastic, 1e-13 * energy);
  EXPECT_LE(norm(a.linear_momentum - b.linear_momentum), 1e-12);
  EXPECT_LE(norm(a.angular_momentum - b.angular_momentum), 1e-11);
  EXPECT_LE(b.position_error, 1e-13);  // measured 1.3e-14
  EXPECT_LE(b.velocity_error, 1e-12);  // measured 3.5e-14
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const BodyObservation &x = a.bodies[i], &y = b.bodies[i];
    EXPECT_LE(norm(x.com - y.com), 1e-13);                            // measured 1e-14
    EXPECT_LE(norm(log(inverse(x.rotation) * y.rotation)), 1e-13);    // measured 6e-15
    EXPECT_LE(norm(x.velocity - y.velocity), 1e-12);                  // measured 1.4e-13
    EXPECT_LE(norm(x.angular_velocity - y.angular_velocity), 1e-12);  // measured 6e-14
    EXPECT_NEAR(x.angle, y.angle, 1e-13);                             // measured 3e-15
  }
  double wrench = 1;
  for (const JointObservation& joint : a.joints) {
    wrench = larger({wrench, norm(joint.reaction.moment), norm(joint.reaction.force)});
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const JointObservation &x = a.joints[j], &y = b.joints[j];
    const JointType type = model.joints()[j].type;
    SCOPED_TRACE(std::string("joint ") + name_of(type));
    const bool turns = has_twist_rates(type);
    EXPECT_LE(difference(x.position, y.position, turns && model.dimension() == 3), 1e-13);  // measured 8e-15
    EXPECT_LE(difference(x.rate, y.rate, false), 1e-12);                                    // measured 5e-14
    EXPECT_LE(norm(x.reaction.moment - y.reaction.moment), 1e-11 * wrench);                 // measured 9e-15
    EXPECT_LE(norm(x.reaction.force - y.reaction.force), 1e-11 * wrench);  // measured 1.7e-14
  }
  for (std::size_t t = 0; t < a.tendons.size(); ++t) {
    EXPECT_NEAR(a.tendons[t].length, b.tendons[t].length,
                1e-13 * (1 + std::abs(a.tendons[t].length)));  // measured 1.5e-14
    EXPECT_NEAR(a.tendons[t].tension, b.tendons[t].tension,
                1e-12 * (1 + std::abs(a.tendons[t].tension)));  // measured 5e-14
  }
  EXPECT_LE(difference(a.efforts, b.efforts, false), 1e-15 * (1 + largest(a.efforts)));
}

/// Reactions follow from accelerations and constraints here, from the recursions of the tree there.
TEST(ConstrainedStepper, SeesTheSameAsATree) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    ModelDescription d = seed % 2 == 0 ? random_planar_tree(9, seed) : random_tree(10, seed);
    if (seed % 3 == 0) {
      d.joints[0].type = JointType::free;
      d.joints[0].axis = {0, 0, 1};
    }
    add_every_element(d, seed);
    const Model model(at_random(d, seed));
    SCOPED_TRACE(model.name());
    expect_same_view(model, start_of(model, "joint", "dopri5"),
                     start_of(model, "rotationless", "energy-momentum"));
  }
}

TEST(ConstrainedStepper, SeesTheSameAsAKnownTree) {
  for (const ModelDescription& d : {reference::all_elements(), reference::driven_arm()}) {
    const Model model(d);
    SCOPED_TRACE(model.name());
    expect_same_view(model, start_of(model, "joint", "dopri5"),
                     start_of(model, "rotationless", "energy-momentum"));
  }
}

Observation end_of(const Model& model, const char* formulation, const char* integrator, double tolerance,
                   double h, double duration) {
  StepperChoice choice{.formulation = formulation, .integrator = integrator, .options = {}};
  choice.tolerance = tolerance;
  const auto stepper = make_stepper(model, choice);
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int i = 0; i < steps; ++i) stepper->step(h);
  Observation observation = stepper->make_observation();
  stepper->observe(observation);
  return observation;
}

/// Against the same motion in joint coordinates, integrated to 1e-12.
TEST(ConstrainedStepper, ConvergesToTheMotionOfTheTreeWithOrderTwo) {
  ModelDescription random = random_planar_tree(6, 2);
  add_every_element(random, 2);
  for (const ModelDescription& d :
       {reference::three_link_arm_with_tendons(), reference::free_tree(), random}) {
    SCOPED_TRACE(d.name);
    const Model model(d);
    const Observation exact = end_of(model, "joint", "dopri5", 1e-12, 0.01, 0.5);
    std::vector<double> steps, errors;
    for (const double h : {0.005, 0.0025, 0.00125, 0.000625}) {
      steps.push_back(h);
      errors.push_back(testing::distance(end_of(model, "rotationless", "energy-momentum", 0, h, 0.5), exact));
    }
    EXPECT_NEAR(testing::fitted_order(steps, errors), 2, 0.05);  // measured 1.998 .. 2.000
  }
}

/// How far the velocities of two bodies at their joints differ.
double velocity_gap(const Model& model, const Observation& o) {
  double gap = 0;
  for (const Joint& joint : model.joints()) {
    const auto velocity = [&](int body, const Vec3<double>& p) {
      if (body == kWorld) return Vec3<double>{};
      const BodyObservation& b = o.bodies[body];
      return b.velocity + cross(b.angular_velocity, act(b.rotation, p - model.bodies()[body].com));
    };
    gap = larger(gap, norm(velocity(joint.child, joint.in_child.position) -
                           velocity(joint.parent, joint.in_parent.position)));
  }
  return gap;
}

/// A step leaves rates beside the constraints; what is shown lies on them and converges like the positions,
/// while the balance is that of the step's own rates.
TEST(ConstrainedStepper, ShowsRatesThatSatisfyTheConstraints) {
  const Model model(reference::three_link_arm());
  const auto joint_rates = [](const Record& record) {
    std::vector<double> rates;
    for (const Observation& o : record.observations) {
      for (const JointObservation& joint : o.joints) rates.push_back(joint.rate[0]);
    }
    return rates;
  };
  constexpr double kDuration = 3, kEvery = 0.5;
  const std::vector<double> exact = joint_rates(
      testing::run(model, {.formulation = "joint", .integrator = "dopri5", .options = {}, .tolerance = 1e-13},
                   kEvery, kDuration, 1));
  std::vector<double> steps, errors;
  for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
    const Record record =
        testing::run(model, {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}},
                     h, kDuration, static_cast<int>(std::lround(kEvery / h)));
    for (const Observation& o : record.observations) {
      EXPECT_LE(velocity_gap(model, o), 1e-13);  // measured 6e-16
    }
    EXPECT_GT(record.ledger.velocity_max.value(), 1e-2 * h * h);
    steps.push_back(h);
    errors.push_back(difference(joint_rates(record), exact, false));
  }
  EXPECT_NEAR(testing::fitted_order(steps, errors), 2, 0.05);  // measured 2.0002
}

/// Likewise where constraints are redundant.
TEST(ConstrainedStepper, ShowsRatesThatSatisfyRedundantLoops) {
  ModelDescription bricard = reference::bricard();
  bricard.gravity = {0, 0, -9.81};
  const Model model(bricard);
  const StepperChoice choice{.formulation = "rotationless", .integrator = "energy-momentum", .options = {}};
  const auto stepper = make_stepper(model, choice);
  Observation shown = stepper->make_observation(), balance = shown;
  for (int i = 0; i < 100; ++i) {
    stepper->step(0.01);
    stepper->observe_balance(balance);
    stepper->observe(shown);
    EXPECT_LE(velocity_gap(model, shown), 1e-13);  // measured 3e-15
    EXPECT_EQ(shown.kinetic, balance.kinetic);
    EXPECT_EQ(shown.velocity_error, balance.velocity_error);
    EXPECT_GT(shown.velocity_error, 1e-8);
    EXPECT_EQ(norm(shown.angular_momentum - balance.angular_momentum), 0);
  }
}

/// A parallelogram that hangs flat in a line has a degree of freedom more than elsewhere, and more forces that
/// hold it; those that are shown carry its weight, whatever stood in the observation before.
TEST(ConstrainedStepper, ShowsReactionsInASingularPosition) {
  ModelDescription d = reference::parallel_four_bars(1);
  d.gravity = {9.81, 0, 0};
  const auto stepper =
      make_stepper(Model(d), {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}});
  Observation observation = stepper->make_observation();
  for (JointObservation& joint : observation.joints) joint.reaction = {{1e3, 1e3, 1e3}, {1e3, 1e3, 1e3}};
  stepper->observe(observation);
  double weight = 0, held = 0;
  for (const Body& body : d.bodies) weight += body.mass * d.gravity.x;
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    if (d.joints[j].parent == kWorld) held -= observation.joints[j].reaction.force.x;
    EXPECT_LT(std::abs(observation.joints[j].reaction.force.y), 1e-12);  // measured 0
  }
  EXPECT_NEAR(held, weight, 1e-12);  // measured 0
}

TEST(ConstrainedStepper, RefusesAnObservationOfOtherSizes) {
  for (const char* formulation : {"joint", "rotationless"}) {
    StepperChoice choice{.formulation = formulation, .integrator = "generalized-alpha", .options = {}};
    const auto stepper = make_stepper(Model(reference::driven_arm()), choice);
    const auto expect_refused = [&](auto&& spoil) {
      Observation observation = stepper->make_observation();
      spoil(observation);
      EXPECT_THROW(stepper->observe(observation), SizeError);
      EXPECT_THROW(stepper->observe_balance(observation), SizeError);
    };
    expect_refused([](Observation& o) { o = {}; });
    expect_refused([](Observation& o) { o.bodies.pop_back(); });
    expect_refused([](Observation& o) { o.joints.pop_back(); });
    expect_refused([](Observation& o) { o.joints[1].position.clear(); });
    expect_refused([](Observation& o) { o.joints[1].rate.push_back(0); });
    expect_refused([](Observation& o) { o.tendons.clear(); });
    expect_refused([](Observation& o) { o.work.pop_back(); });
    expect_refused([](Observation& o) { o.dissipated.pop_back(); });
    expect_refused([](Observation& o) { o.efforts.pop_back(); });
  }
}

}  // namespace
}  // namespace torsor
