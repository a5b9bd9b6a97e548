// Stops and friction in joints, by motions that are known in closed form, and by the ledger.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "testing/runs.h"

namespace torsor {
namespace {

using testing::fitted_order;
using testing::run;

constexpr double kMass = 2, kSpeed = 3, kGap = 1.5;

/// A mass that slides with kSpeed along x.
ModelDescription slider() {
  ModelDescription d;
  d.name = "slider";
  d.dimension = 2;
  d.bodies = {{"mass", kMass, {}, {0.5, 0.5, 1, 0, 0, 0}, {}, {}}};
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.child = 0;
  guide.axis = {1, 0, 0};
  d.joints = {guide};
  d.initial.rates["guide"] = {kSpeed};
  return d;
}
ModelDescription stopped_slider(double stiffness, double damping) {
  ModelDescription d = slider();
  d.stops = {{"guide stop", 0, {{-kGap, kGap, stiffness, damping}}}};
  return d;
}

/// Without damping: half a period beyond the bound, and back with the same speed.
TEST(Stops, ThrowAMassBack) {
  constexpr double stiffness = 5000;
  const double omega = std::sqrt(stiffness / kMass), touch = kGap / kSpeed;
  const double contact = std::numbers::pi / omega, duration = touch + contact + 0.3;
  struct Method {
    const char* name;
    double tolerance, error;
  };
  for (const Method& method : {Method{"dopri5", 1e-12, 1e-11}, {"energy-momentum", 0, 1e-6}}) {
    SCOPED_TRACE(method.name);
    const Record record = run(stopped_slider(stiffness, 0), method.name, 1e-4, duration, method.tolerance);
    const JointObservation& end = record.observations.back().joints[0];
    const double flight = record.observations.back().time - touch - contact;
    EXPECT_NEAR(end.rate[0], -kSpeed, 2e-11);                            // measured 4e-12
    EXPECT_NEAR(end.position[0], kGap - kSpeed * flight, method.error);  // measured 1.3e-12, 4e-7
    ASSERT_EQ(record.ledger.touched_stops.size(), 1u);
    const TouchedStop& stop = record.ledger.touched_stops[0];
    EXPECT_EQ(stop.name, "guide");
    EXPECT_EQ(stop.bound, kGap);
    EXPECT_EQ(stop.times, 1);
    EXPECT_NEAR(stop.first_time, touch, 1e-12);         // measured 3e-14
    EXPECT_NEAR(stop.overshoot, kSpeed / omega, 1e-7);  // measured 1.9e-8, at a step
    EXPECT_FALSE(stop.turns);
    std::ostringstream text;
    text << record.ledger;
    EXPECT_NE(text.str().find("stops touched"), std::string::npos);
  }
}

/// With damping: e'' + 2 zeta omega e' + omega^2 e = 0 until k e + c e' = 0, where it lets go and keeps its
/// speed. The jump of the force at the touch is stepped onto: many steps more are not needed.
TEST(Stops, LetGoWhereTheirForceVanishes) {
  constexpr double k = 5000, c = 60;
  const double omega = std::sqrt(k / kMass), decay = c / (2 * kMass),
               swing = std::sqrt(omega * omega - decay * decay);
  const double leaves = (std::numbers::pi - std::atan2(c * swing, k - c * decay)) / swing;
  const double speed = kSpeed * std::exp(-decay * leaves) *
                       (std::cos(swing * leaves) - decay / swing * std::sin(swing * leaves));
  const Record fine = run(stopped_slider(k, c), "dopri5", 0.1, 1, 1e-11);
  EXPECT_NEAR(fine.observations.back().joints[0].rate[0], speed,
              1e-8);                         // measured 4e-10 to 2e-9, as a step lies over the let-go
  EXPECT_LE(fine.ledger.evaluations, 1500);  // measured 994
  EXPECT_LE(fine.ledger.energy_max_residual, 1e-10 * fine.ledger.energy_scale);  // measured 4e-12
  EXPECT_NEAR(fine.ledger.dissipated, 0.5 * kMass * (kSpeed * kSpeed - speed * speed),
              3e-8);  // measured 1e-9 to 4e-9
  const Record stepped = run(stopped_slider(k, c), "energy-momentum", 1e-4, 1);
  EXPECT_NEAR(stepped.observations.back().joints[0].rate[0], speed, 2e-5);  // measured 4e-6
}

/// Back and forth between two stops, most of the time away from both.
TEST(Stops, AreFoundByAdaptiveStepsEveryTime) {
  constexpr double k = 2e5;
  const double contact = std::numbers::pi * std::sqrt(kMass / k), period = 2 * (2 * kGap / kSpeed + contact);
  for (const StepperChoice& choice : {StepperChoice{"joint", "dopri5", {}, 1e-12},
                                      StepperChoice{"joint", "gauss-legendre", {{"adaptive", 1e-12}}, 0}}) {
    SCOPED_TRACE(choice.integrator);
    const Record record = run(Model(stopped_slider(k, 0)), choice, period, 10 * period);
    const JointObservation& end = record.observations.back().joints[0];
    EXPECT_NEAR(end.position[0], 0, 5e-9);   // measured 1.3e-9
    EXPECT_NEAR(end.rate[0], kSpeed, 1e-9);  // measured 1.3e-10
  }
}

/// Into a damped stop, whose force jumps when it is touched, and on until just before it lets go.
TEST(Stops, MethodsKeepTheirOrdersAcrossATouch) {
  constexpr double k = 500, c = 40, start = 0.037, duration = 0.56;
  const double touch = (kGap - start) / kSpeed, decay = c / (2 * kMass);
  const double swing = std::sqrt(k / kMass - decay * decay), t = duration - touch;
  const double overshoot = kSpeed / swing * std::exp(-decay * t) * std::sin(swing * t);
  const double rate =
      kSpeed * std::exp(-decay * t) * (std::cos(swing * t) - decay / swing * std::sin(swing * t));
  ModelDescription d = stopped_slider(k, c);
  d.initial.joints["guide"] = {start};
  struct Method {
    const char *formulation, *name;
    double order;
  };
  for (const Method& method : {Method{"joint", "rkmk4", 4},
                               {"joint", "implicit-midpoint", 2},
                               {"joint", "gauss-legendre", 4},
                               {"joint", "generalized-alpha", 2},
                               {"joint", "variational", 2}}) {
    SCOPED_TRACE(method.name);
    const auto order = [&](bool land) {
      d.simulation.land_on_kinks = land;
      std::vector<double> steps, errors;
      for (const double parts : {28.0, 56.0, 112.0, 224.0}) {
        steps.push_back(duration / parts);
        const auto end = run(Model(d), {method.formulation, method.name}, steps.back(), duration)
                             .observations.back()
                             .joints[0];
        errors.push_back(std::hypot(end.position[0] - kGap - overshoot, end.rate[0] - rate));
      }
      return fitted_order(steps, errors);
    };
    EXPECT_NEAR(order(true), method.order, 0.15);
    // Where the touch falls in a step is luck: some errors are small without landing on it.
    if (method.order > 2) {
      EXPECT_LT(order(false), 2);
    }
  }
}

/// v' = -(F/m) v / sqrt(v^2 + v0^2): t = (m/F) (g(v_0) - g(v)), g = sqrt(v^2 + v0^2) - v0 asinh(v0/v).
TEST(Friction, BrakesAsItsLawSays) {
  constexpr double force = 4, smooth = 0.5, duration = 1.2;
  const auto g = [&](double v) { return std::hypot(v, smooth) - smooth * std::asinh(smooth / v); };
  ModelDescription d = slider();
  d.friction = {{"guide friction", 0, {{force, 0, force, 1, smooth}}}};
  for (const auto& [name, step, bound] :
       {std::tuple("dopri5", 0.1, 3e-10), {"gauss-legendre", 0.01, 2e-10}, {"energy-momentum", 1e-3, 1e-7}}) {
    SCOPED_TRACE(name);
    const Record record = run(d, name, step, duration);
    const double v = record.observations.back().joints[0].rate[0];
    EXPECT_NEAR(kMass / force * (g(kSpeed) - g(v)), duration, bound);  // measured a third of it
    EXPECT_NEAR(record.ledger.dissipated, 0.5 * kMass * (kSpeed * kSpeed - v * v), 5e-9);  // measured 2e-9
    EXPECT_EQ(record.ledger.dissipated_by_damper[0].name, "guide friction");
  }
}

TEST(Friction, HasTheSlopeThatItsEffortHas) {
  const FrictionLaw law{3, 0.2, 5, 0.1, 0.02};
  for (const double v : {-0.7, -0.1, -0.02, 0.0, 1e-3, 0.05, 0.15, 2.0}) {
    const double h = 1e-6;
    EXPECT_NEAR(law.slope(v), (law.effort(v + h) - law.effort(v - h)) / (2 * h), 1e-6);  // measured 3e-7
    EXPECT_GE(law.effort(v) * v, 0);
  }
  EXPECT_LT(law.slope(0.1), 0);
}

/// A block on a belt of constant speed, held by a spring.
ModelDescription stick_slip() {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {{"belt", 1000, {}, {0.5, 0.5, 1, 0, 0, 0}, {}, {}},
              {"block", 1, {}, {0.5, 0.5, 1, 0, 0, 0}, {}, {}}};
  d.joints.resize(2);
  for (Joint& joint : d.joints) {
    joint.type = JointType::prismatic;
    joint.axis = {1, 0, 0};
  }
  d.joints[0].name = "drive", d.joints[0].child = 0;
  d.joints[1].name = "contact", d.joints[1].parent = 0, d.joints[1].child = 1;
  d.tendons = {{"spring", {{"wall", kWorld, {-1, 0, 0}}, {"hook", 1, {}}}, 100, 1, 0, false}};
  d.friction = {{"contact friction", 1, {{3, 0, 5, 0.05, 0.005}}}};
  d.initial.rates = {{"drive", {0.1}}, {"contact", {-0.1}}};
  return d;
}

/// What friction takes never shrinks, however coarse the step; finer ones converge to a fine reference with
/// order two.
TEST(Friction, SticksAndSlips) {
  const double duration = 1.5;
  const Record exact = run(stick_slip(), "dopri5", duration, duration, 1e-11);
  std::vector<double> steps, errors;
  for (const double step : {0.05, 0.004, 0.002, 0.001, 0.0005}) {
    const Record record = run(stick_slip(), "energy-momentum", step, duration, 0, 1);
    ASSERT_FALSE(record.failure.has_value());
    double last = 0;
    for (const Observation& o : record.observations) {
      EXPECT_GE(o.dissipated[0], last);
      last = o.dissipated[0];
    }
    EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);  // measured 1.3e-14
    if (step > 0.01) continue;
    steps.push_back(step);
    errors.push_back(testing::distance(record.observations.back(), exact.observations.back()));
  }
  EXPECT_LE(errors.back(), 1e-5);                    // measured 2.5e-6
  EXPECT_NEAR(fitted_order(steps, errors), 2, 0.1);  // measured 2.06
}

}  // namespace
}  // namespace torsor
