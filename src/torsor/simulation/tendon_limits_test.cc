// Stops and friction of tendons against closed forms, and in every method.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "testing/runs.h"
#include "torsor/simulation/applicable.h"

namespace torsor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMass = 2, kLength = 1.5, kStiffness = 800;

/// A slide along x, tied to a post at the origin by a strap.
ModelDescription slide() {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {{"block", kMass, {}, {0, 0, 0.1, 0, 0, 0}, {}, {}}};
  Joint joint;
  joint.name = "guide";
  joint.type = JointType::prismatic;
  joint.child = 0;
  joint.axis = {1, 0, 0};
  d.joints = {joint};
  d.tendons = {{"strap", {{"", kWorld, {}}, {"", 0, {}}}}};
  d.initial.joints = {{"guide", {1}}};
  d.initial.rates = {{"guide", {2}}};
  return d;
}

/// It flies to the stop, swings half a period of the spring there, and flies back as fast as it came.
TEST(TendonLimits, AStrapThrowsBackWhatFliesIntoIt) {
  ModelDescription d = slide();
  d.stops = {{"strap stop", 0, {{-kInfinity, kLength, kStiffness, 0}}, 0}};
  const double contact = std::numbers::pi * std::sqrt(kMass / kStiffness), duration = 0.25 + contact + 0.1;
  for (const auto& [name, step, bound] :
       {std::tuple("dopri5", duration, 1e-8), {"energy-momentum", 1e-4, 1e-3}}) {
    SCOPED_TRACE(name);
    const Record record = testing::run(d, name, step, duration);
    const JointObservation& guide = record.observations.back().joints[0];
    EXPECT_NEAR(guide.position[0], kLength - 0.2, bound);  // measured 1e-10, 5e-7
    EXPECT_NEAR(guide.rate[0], -2, bound);
  }
  const Record record = testing::run(d, "energy-momentum", 1e-3, 1, 0, 1);
  ASSERT_EQ(record.ledger.touched_stops.size(), 1u);
  const TouchedStop& stop = record.ledger.touched_stops[0];
  EXPECT_EQ(stop.name, "strap");
  EXPECT_EQ(stop.bound, kLength);
  EXPECT_FALSE(stop.turns);
  EXPECT_NEAR(stop.first_time, 0.25, 1e-4);
  EXPECT_NEAR(stop.overshoot, 2 * std::sqrt(kMass / kStiffness), 1e-3);
  double pulled = 0;  // the tension that is shown has the stop in it
  for (const Observation& o : record.observations) keep_largest(pulled, o.tendons[0].tension);
  EXPECT_NEAR(pulled, 2 * std::sqrt(kMass * kStiffness), 0.1);
}

/// m v' = -b v - F_c v / sqrt(v^2 + v_0^2): for v_0 far below v the decay of Coulomb and viscous friction.
TEST(TendonLimits, FrictionSlowsTheRateOfTheLength) {
  constexpr double kCoulomb = 1.2, kViscous = 0.8;
  ModelDescription d = slide();
  d.friction = {{"strap friction", 0, {{kCoulomb, kViscous, kCoulomb, 1, 1e-4}}, 0}};
  const double duration = 0.5, tau = kMass / kViscous, rest = kCoulomb / kViscous;
  const double v = (2 + rest) * std::exp(-duration / tau) - rest;
  for (const auto& [name, step] :
       {std::pair("dopri5", duration), {"energy-momentum", 1e-3}, {"rkmk4", 1e-2}}) {
    SCOPED_TRACE(name);
    const Record record = testing::run(d, name, step, duration);
    EXPECT_NEAR(record.observations.back().joints[0].rate[0], v, 1e-7);  // measured 2e-8
    EXPECT_NEAR(record.ledger.dissipated, 0.5 * kMass * (4 - v * v), 1e-6);
    EXPECT_NEAR(record.observations.back().tendons[0].tension, kCoulomb + kViscous * v, 1e-6);
  }
}

/// On a straight way the length is a displacement but for an offset: stops and friction in the joint do the same.
TEST(TendonLimits, AgreeWithThoseOfAJointInEveryMethod) {
  ModelDescription of_tendon = slide(), of_joint = slide();
  of_joint.stops = {{"stop", 0, {{0.8, kLength, kStiffness, 6}}}};
  of_joint.friction = {{"friction", 0, {{1.2, 0.8, 1.5, 0.5, 0.05}}}};
  of_tendon.stops = of_joint.stops;
  of_tendon.friction = of_joint.friction;
  of_tendon.stops[0].tendon = of_tendon.friction[0].tendon = 0;
  const Model a(of_tendon), b(of_joint);
  int compared = 0;
  for (const Applicable& method : applicable_methods(a)) {
    if (!method.reason.empty()) continue;
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    const StepperChoice choice{.formulation = method.formulation, .integrator = method.integrator};
    const Record x = testing::run(a, choice, 0.005, 1), y = testing::run(b, choice, 0.005, 1);
    ASSERT_FALSE(x.failure.has_value()) << x.failure->what();
    // dopri5 lands within rounding of the stop; petrov-galerkin averages elastic forces of lengths across the kink by a
    // rule, those of coordinates by discrete gradients.
    const std::string& name = method.integrator;
    const double bound = name == "petrov-galerkin" ? 1e-3 : name == "dopri5" ? 1e-9 : 1e-11;
    EXPECT_LE(testing::distance(x.observations.back(), y.observations.back()),
              bound);  // measured 1e-4, 4e-14
    EXPECT_NEAR(x.ledger.dissipated, y.ledger.dissipated, larger(bound, 1e-8));
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace torsor
