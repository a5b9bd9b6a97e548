#include "torsor/integrator/energy_momentum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/count_allocations.h"
#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/rotationless_probe.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::Probe, testing::State;

ConstrainedState state_of(const State& s) { return {0, s.x, s.v, s.angles, {}}; }
ConstrainedState start_of(Probe& probe) {
  const std::vector<double> q = initial_coordinates(probe.model);
  return state_of(probe.state_at(q, initial_rates(probe.model, q)));
}

/// Energy less work and plus what dampers took, and the size of its parts.
struct Balance {
  double sum = 0, size = 0;
};
Balance balance(Probe& probe, const ConstrainedState& state) {
  const EnergyParts parts = probe.observer->energies(state.time, state.x, state.v, state.angles);
  Balance b{parts.kinetic + parts.gravity + parts.elastic,
            parts.kinetic + std::abs(parts.gravity) + parts.elastic};
  const std::size_t sources = probe.observer->sources().size();
  const std::size_t flows = sources + probe.observer->dampers().size();
  for (std::size_t i = 0; i < flows; ++i) b.sum -= i < sources ? state.z[i] : -state.z[i];
  return b;
}

/// Largest error of the balance in a run, relative to the largest energy.
double balance_error(Probe& probe, const ConstrainedState& start, double h, int steps) {
  EnergyMomentum integrator(*probe.system, start);
  const double initial = balance(probe, integrator.state()).sum;
  double worst = 0, size = 0;
  for (int i = 0; i < steps; ++i) {
    integrator.step(h);
    const Balance now = balance(probe, integrator.state());
    worst = larger(worst, std::abs(now.sum - initial));
    size = larger(size, now.size);
  }
  EXPECT_LE(probe.observer->position_error(integrator.state().x, integrator.state().angles),
            3e-13);  // measured 1.1e-13, two roundings at 490 m, where the free tree has fallen
  return worst / size;
}

TEST(EnergyMomentum, BalancesATreeWithEveryElementAtAnyStep) {
  for (const double h : {0.001, 0.01, 0.05}) {
    Probe probe(reference::all_elements());
    EXPECT_LE(balance_error(probe, start_of(probe), h, 500), 1e-13) << h;  // measured 1.3e-15
  }
}

TEST(EnergyMomentum, BalancesRandomTreesWithEveryElement) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    ModelDescription d = seed % 2 == 0 ? random_planar_tree(9, seed) : random_tree(10, seed);
    SCOPED_TRACE(d.name);
    add_every_element(d, seed);
    if (seed % 3 != 0) d = with_armature(d, seed);
    Probe probe(d);
    std::mt19937 random(seed);
    EXPECT_LE(balance_error(probe, state_of(probe.random_state(random)), 0.005, 200),
              1e-12);  // measured 8e-16
  }
}

/// A step takes rounding out of the directors.
TEST(EnergyMomentum, DirectorsStayOrthonormal) {
  for (const ModelDescription& d : {reference::free_top(), reference::heavy_top()}) {
    Probe probe(d);
    EnergyMomentum integrator(*probe.system, start_of(probe));
    for (int i = 0; i < 100000; ++i) integrator.step(0.01);
    const std::vector<double>& x = integrator.state().x;
    for (int i = 1; i <= 3; ++i) {
      for (int j = 1; j <= 3; ++j) {
        const double product =
            x[3 * i] * x[3 * j] + x[3 * i + 1] * x[3 * j + 1] + x[3 * i + 2] * x[3 * j + 2];
        EXPECT_NEAR(product, i == j, 1e-15) << d.name;  // measured 1e-16
      }
    }
  }
}

/// A free top keeps energy and momentum to rounding, whatever the step: one in which it turns by 0.9 rad, and
/// one of 3.6 rad, which is made in parts, since beyond half a turn a step has solutions that mean nothing.
TEST(EnergyMomentum, FreeTopKeepsEnergyAndMomenta) {
  for (const auto& [h, steps] : {std::pair{0.15, 20000}, std::pair{0.6, 5000}}) {
    Probe probe(reference::free_top());
    EnergyMomentum integrator(*probe.system, start_of(probe));
    const auto spin = [&] {
      std::vector<BodyMotion> motion(1);
      probe.observer->body_motions(integrator.state().x, integrator.state().v, motion);
      return motion[0].spin;
    };
    const Vec3<double> L = spin();
    const double E = balance(probe, integrator.state()).sum;
    for (int i = 0; i < steps; ++i) integrator.step(h);
    EXPECT_LE(norm(spin() - L) / norm(L), 5e-12);                                // measured 2.9e-13
    EXPECT_LE(std::abs(balance(probe, integrator.state()).sum / E - 1), 5e-12);  // measured 3.2e-13
  }
}

/// A hinge that spins freely turns by 2 atan(h omega / 2) a step, and its angle counts all turns.
TEST(EnergyMomentum, AnglesCountTurns) {
  ModelDescription d = reference::pendulum();
  d.gravity = {};
  d.initial.joints["hinge"] = {0.3};
  d.initial.rates["hinge"] = {-20};
  Probe probe(d);
  EnergyMomentum integrator(*probe.system, start_of(probe));
  constexpr double h = 0.1;
  for (int i = 0; i < 1000; ++i) integrator.step(h);
  const ConstrainedState& state = integrator.state();
  double angle = 0, rate = 0, body_angle = 0;
  const JointMotion hinge{{&angle, 1}, {&rate, 1}};
  probe.observer->joint_motions(state.x, state.v, state.angles, {&hinge, 1});
  probe.observer->body_angles(state.x, state.angles, {&body_angle, 1});
  const double expected = 0.3 - 1000 * 2 * std::atan(0.5 * h * 20);
  EXPECT_NEAR(angle, expected, 1e-9);  // measured 1.4e-11, of 250 turns
  EXPECT_NEAR(body_angle, expected, 1e-9);
  EXPECT_NEAR(rate, -20, 1e-11);  // measured 5e-13
}

/// Bodies that lack Euler values: plates, rods, in the plane points; joints hold what has no inertia.
TEST(EnergyMomentum, FlatBodiesRodsAndPointsMoveOn) {
  ModelDescription space = reference::free_tree();
  space.bodies[0].inertia = {0.1, 0.2, 0.3, 0, 0, 0};  // a plate on a free joint
  space.bodies[1].inertia = {0.04, 0.04, 0.08, 0, 0, 0};
  space.bodies[2].inertia = {0, 0.02, 0.02, 0, 0, 0};  // a rod on a hinge
  ModelDescription plane = reference::three_link_arm_with_tendons();
  for (Body& body : plane.bodies) body.inertia = {};  // points beside their hinges
  for (const ModelDescription& d : {space, plane}) {
    SCOPED_TRACE(d.name);
    Probe probe(d);
    EXPECT_LE(balance_error(probe, start_of(probe), 0.01, 1000), 1e-12);  // measured 3e-15
  }
}

/// A parallelogram that stands at 60 degrees and turns with 1 rad/s.
ModelDescription upright(ModelDescription d) {
  constexpr double angle = std::numbers::pi / 3;
  d.initial.joints = {
      {"drive", {angle}}, {"crank_pin", {-angle}}, {"pivot", {angle}}, {"rocker_pin", {angle}}};
  d.initial.rates = {{"drive", {1}}, {"crank_pin", {-1}}, {"pivot", {1}}, {"rocker_pin", {1}}};
  return d;
}

/// Its crank is led by a motor; springs, dampers, tendons, loads and motors everywhere.
ModelDescription led_parallelogram() {
  ModelDescription d = upright(reference::four_bar(1, 1.5, 1, 1.5));
  d.gravity = {0, -9.81, 0};
  add_every_element(d, 2);
  d.actuators[0].effort = Program();
  d.servos.resize(1);
  d.servos[0].name = "lead";
  d.servos[0].body = 0;
  d.servos[0].follows["angle"] = make_expression("pi/3 + sin(t)", {});
  d.servos[0].actuators = {0};
  return d;
}

TEST(EnergyMomentum, BalancesALoopLedByAServo) {
  Probe probe(led_parallelogram());
  EXPECT_LE(balance_error(probe, start_of(probe), 0.01, 1000), 1e-12);  // measured 1.6e-15
}

/// The multipliers of redundant constraints must not gather what acts on nothing.
TEST(EnergyMomentum, BalancesRedundantConstraints) {
  ModelDescription bricard = reference::bricard();
  bricard.gravity = {0, -9.81, 0};
  const std::pair<ModelDescription, int> mechanisms[] = {
      {upright(reference::spatial_four_bar(1, 1.5, 1, 1.5)), 3}, {bricard, 1}};
  for (const auto& [d, redundant] : mechanisms) {
    SCOPED_TRACE(d.name);
    Probe probe(d, redundant);
    EXPECT_LE(balance_error(probe, start_of(probe), 0.01, 6000), 1e-12);  // measured 4e-14
  }
}

/// A weight on a rope falls, is caught and rises again and again: Newton stands at the kink.
TEST(EnergyMomentum, BalancesATendonThatTakesTensionOnly) {
  ModelDescription d = reference::pendulum();
  d.joints[0].type = JointType::free;
  Tendon rope{"rope", {{"", kWorld, {0.3, 1, 0}}, {"", 0, {0.2, 0.1, 0}}}, 3000, 1.2, 0, true};
  d.tendons = {rope};
  for (const double damping : {0.0, 20.0}) {
    d.tendons[0].damping = damping;
    for (const double h : {0.001, 0.01, 0.05}) {
      Probe probe(d);
      EXPECT_LE(balance_error(probe, start_of(probe), h, 3000), 1e-12);  // measured 2.5e-14
    }
  }
}

TEST(EnergyMomentum, StepsAllocateNothing) {
  std::vector<Probe> probes;
  probes.emplace_back(reference::all_elements());
  probes.emplace_back(upright(reference::spatial_four_bar(1, 1.5, 1, 1.5)), 3);
  probes.emplace_back(led_parallelogram());
  ModelDescription random = random_tree(10, 1);
  add_every_element(random, 1);
  probes.emplace_back(random);
  for (Probe& probe : probes) {
    EnergyMomentum integrator(*probe.system, start_of(probe));
    const long before = allocations;
    for (int i = 0; i < 20; ++i) integrator.step(0.001);
    EXPECT_EQ(allocations - before, 0) << probe.model.name();
  }
}

/// A point on a hinged bar of 1 m that is led beyond its reach: the state stays, and the next step may
/// differ.
TEST(EnergyMomentum, AStepThatCannotBeMadeLeavesTheState) {
  ModelDescription d = reference::pendulum();
  d.actuators = {{"motor", 0, 0, Program()}};
  d.servos.resize(1);
  d.servos[0].name = "lead";
  d.servos[0].point = Point{"", 0, {1, 0, 0}};
  d.servos[0].follows["y"] = make_expression("-0.5 + 10*t", {});
  d.servos[0].actuators = {0};
  d.initial.joints = {{d.joints[0].name, {-std::numbers::pi / 6}}};
  d.initial.rates = {{d.joints[0].name, {10 / std::cos(std::numbers::pi / 6)}}};
  Probe probe(d);
  EnergyMomentum integrator(*probe.system, start_of(probe));
  integrator.step(0.01);
  const ConstrainedState before = integrator.state();
  EXPECT_THROW(integrator.step(0.2), StepFailure);
  const ConstrainedState& after = integrator.state();
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.x, before.x);
  EXPECT_EQ(after.v, before.v);
  EXPECT_EQ(after.angles, before.angles);
  EXPECT_EQ(after.z, before.z);
  integrator.step(0.01);
  EXPECT_NEAR(integrator.state().time, 0.02, 1e-17);
}

/// With so few iterations the step cannot be made at once; its parts can.
TEST(EnergyMomentum, AStepIsMadeInPartsWhereItDoesNotConverge) {
  Probe probe(reference::three_link_arm_with_tendons()), same(reference::three_link_arm_with_tendons());
  EnergyMomentum halving(*probe.system, start_of(probe), {.max_iterations = 3});
  constexpr double h = 0.2;
  halving.step(h);
  int parts = 0;
  for (const int count : {2, 4, 8, 16, 32, 64}) {
    EnergyMomentum smaller(*same.system, start_of(same));
    for (int i = 0; i < count; ++i) smaller.step(h / count);
    double apart = 0;
    for (std::size_t i = 0; i < smaller.state().x.size(); ++i) {
      apart = larger(apart, std::abs(smaller.state().x[i] - halving.state().x[i]));
    }
    if (apart <= 1e-13) parts = count;
  }
  EXPECT_GE(parts, 2);
  EXPECT_EQ(halving.state().time, h);
}

}  // namespace
}  // namespace torsor
