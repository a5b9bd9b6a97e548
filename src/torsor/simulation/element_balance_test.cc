// Elements one by one: exact balances with energy-momentum at any step, and the order of the state.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/runs.h"

namespace torsor {
namespace {

using testing::run;

/// Two free bodies in space, or in the plane, which turn and drift apart.
ModelDescription two_bodies(int dimension) {
  ModelDescription d;
  d.dimension = dimension;
  const bool flat = dimension == 2;
  for (const char* name : {"left", "right"}) {
    Body body;
    body.name = name;
    body.mass = 1.5;
    body.com = {0.1, -0.05, flat ? 0 : 0.07};
    body.inertia = flat ? Sym3<double>{0.2, 0.3, 0.5, 0, 0, 0} : Sym3<double>{0.2, 0.3, 0.4, 0.02, 0.01, 0};
    body.pose = SE3<double>{{}, {name[0] == 'l' ? 0.0 : 0.6, 0, 0}};
    d.bodies.push_back(body);
  }
  d.initial.bodies["right"].velocity = Vec3<double>{0.2, 0.5, flat ? 0 : -0.3};
  d.initial.bodies["right"].angular_velocity = Vec3<double>{flat ? 0 : 1.0, flat ? 0 : -0.6, 1.4};
  return d;
}
/// The same on hinges, one after the other, in the field of gravity.
ModelDescription two_links(int dimension) {
  ModelDescription d = two_bodies(dimension);
  d.gravity = {0, -9.81, 0};
  d.initial.bodies.clear();
  d.joints.resize(2);
  d.joints[0].name = "shoulder", d.joints[0].child = 0;
  d.joints[1].name = "elbow", d.joints[1].parent = 0, d.joints[1].child = 1;
  d.joints[1].in_parent.position = {0.6, 0, 0};
  if (dimension == 3) d.joints[1].axis = {0, 0.6, 0.8};
  d.initial.rates = {{"shoulder", {1}}, {"elbow", {-2}}};
  return d;
}

struct Case {
  std::string name;
  ModelDescription model;
  bool smooth = true;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

Bushing mount(int parent, int child, int dimension) {
  const bool flat = dimension == 2;
  Bushing bushing;
  bushing.name = "mount";
  bushing.parent = parent;
  bushing.child = child;
  bushing.in_parent.position = {0.5, 0.1, 0};
  bushing.in_child.position = {-0.1, 0.1, 0};
  bushing.stiffness = {{40, 25, flat ? 0.0 : 60}, {flat ? 0.0 : 3, flat ? 0.0 : 5, 4}};
  bushing.damping = {{0.4, 0.2, flat ? 0.0 : 0.1}, {flat ? 0.0 : 0.05, 0, 0.02}};
  return bushing;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int dimension : {2, 3}) {
    const std::string in = dimension == 2 ? "_2d" : "_3d";
    ModelDescription stop = two_links(dimension);
    stop.stops = {{"shoulder stop", 0, {{-0.8, 0.3, 200, 2}}}, {"elbow stop", 1, {{-0.5, 0.5, 100, 0}}}};
    all.push_back({"stop" + in, stop, false});
    ModelDescription friction = two_links(dimension);
    friction.friction = {{"shoulder friction", 0, {{0.5, 0.1, 0.8, 2, 1.5}}},
                         {"elbow friction", 1, {{0.2, 0, 0.2, 1, 1}}}};
    all.push_back({"friction" + in, friction});
    ModelDescription strap = two_links(dimension);
    strap.tendons = {
        {"strap", {{"", kWorld, {0.3, 0.8, 0}}, {"", 0, {0.5, 0.1, 0}}, {"", 1, {0.4, 0.1, 0}}}}};
    strap.stops = {{"strap stop", 0, {{1.2, 1.45, 300, 3}}, 0}};
    all.push_back({"strap_stop" + in, strap, false});
    ModelDescription sheath = strap;
    sheath.stops.clear();
    sheath.friction = {{"strap friction", 0, {{2, 0.3, 3, 2, 1.5}}, 0}};
    all.push_back({"strap_friction" + in, sheath});
    ModelDescription drag = two_links(dimension);
    drag.drag = {{"air", 0, 0.2, 0.1, 0.3, {}}, {"tip", 1, 0.1, 0, 0.4, Point{"", 1, {0.6, 0.1, 0}}}};
    all.push_back({"drag" + in, drag});
    ModelDescription bushing = two_bodies(dimension);
    bushing.bushings = {mount(0, 1, dimension)};
    all.push_back({"bushing" + in, bushing});
    ModelDescription armature = two_links(dimension);
    armature.joints[0].armature = {0.4};
    armature.joints[1].armature = {1.5};
    all.push_back({"armature" + in, armature});
    ModelDescription law = two_links(dimension);
    law.tendons = {{"cord", {{"", kWorld, {0.3, 0.8, 0}}, {"", 1, {0.4, 0.1, 0}}}}};
    OwnLaw well{"well", 0, 0}, brake{"brake", 1, 0}, pull{"pull", 0, 0, 0};
    well.potential = make_potential([](auto x) { return 6.0 * (1.0 - cos(2.0 * x)) + 0.5 * x * x * x * x; });
    brake.force = make_force([](auto x, auto rate, double) { return -0.3 * rate * (1.0 + x * x); });
    brake.dissipates = true;
    pull.potential = make_potential([](auto x) { return 2.0 * exp(1.5 * (x - 0.8)); });
    pull.force =
        make_force([](auto x, auto rate, double t) { return 0.5 * std::sin(5 * t) / x - 0.1 * rate; });
    law.laws = {well, brake, pull};
    all.push_back({"law" + in, law});
    ModelDescription together = two_links(dimension);
    together.joints[1].armature = {0.2};
    together.stops = {stop.stops[0], stop.stops[1], strap.stops[0]};
    together.friction = {friction.friction[0], friction.friction[1], sheath.friction[0]};
    together.drag = drag.drag;
    together.bushings = {mount(kWorld, 1, dimension)};
    together.tendons = {strap.tendons[0], law.tendons[0]};
    together.laws = law.laws;
    together.laws[2].tendon = 1;
    all.push_back({"together" + in, together, false});
  }
  return all;
}

std::vector<Case> smooth_cases() {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) { return !c.smooth; });
  return all;
}

class Elements : public ::testing::TestWithParam<Case> {};
class SmoothElements : public ::testing::TestWithParam<Case> {};

TEST_P(Elements, BalanceExactlyAtAnyStep) {
  for (const double step : {0.001, 0.01, 0.05}) {
    const Record record = run(GetParam().model, "energy-momentum", step, 400 * step, 0, 1);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);  // measured 6e-15
    for (std::size_t i = 1; i < record.observations.size(); ++i) {
      const Observation &a = record.observations[i - 1], &b = record.observations[i];
      for (std::size_t k = 0; k < a.dissipated.size(); ++k) EXPECT_GE(b.dissipated[k], a.dissipated[k]);
    }
    EXPECT_LE(record.ledger.linear_max_error.value_or(0), 1e-13);   // measured 4e-15
    EXPECT_LE(record.ledger.angular_max_error.value_or(0), 1e-13);  // measured 6e-15
  }
}

TEST_P(SmoothElements, KeepTheOrderOfTheState) {
  const double duration = 0.64;
  const Record exact = run(GetParam().model, "dopri5", duration, duration, 1e-13);
  for (const auto& [name, order, coarsest] :
       {std::tuple("energy-momentum", 2.0, 0.01), {"implicit-midpoint", 2.0, 0.01}, {"rkmk4", 4.0, 0.02}}) {
    SCOPED_TRACE(name);
    std::vector<double> steps, errors;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(coarsest / (1 << k));
      const Record record = run(GetParam().model, name, steps.back(), duration);
      ASSERT_FALSE(record.failure.has_value());
      errors.push_back(testing::distance(record.observations.back(), exact.observations.back()));
    }
    EXPECT_NEAR(testing::fitted_order(steps, errors), order, 0.1);  // measured 1.998 .. 2.000, 3.94 .. 4.01
  }
}

const auto kName = [](const auto& one) { return one.param.name; };
INSTANTIATE_TEST_SUITE_P(Each, Elements, ::testing::ValuesIn(cases()), kName);
INSTANTIATE_TEST_SUITE_P(Each, SmoothElements, ::testing::ValuesIn(smooth_cases()), kName);

/// m v' = m g - c2 v^2 from rest: v = v_t tanh(g t / v_t), v_t = sqrt(m g / c2).
TEST(Drag, ReachesTheTerminalSpeed) {
  constexpr double mass = 1.5, gravity = 9.81, c2 = 0.3, duration = 2;
  const double terminal = std::sqrt(mass * gravity / c2);
  for (const bool at_point : {false, true}) {
    ModelDescription d = two_bodies(3);
    d.bodies.resize(1);
    d.initial.bodies.clear();
    d.gravity = {0, 0, -gravity};
    d.drag = {{"air", 0, 0, 0, c2, {}}};
    if (at_point) d.drag[0].point = Point{"", 0, d.bodies[0].com};
    for (const auto& [name, step, bound] :
         {std::tuple("dopri5", 0.1, 2e-9), {"rkmk4", 0.01, 3e-9}, {"energy-momentum", 1e-3, 5e-7}}) {
      SCOPED_TRACE(name);
      const Record record = run(d, name, step, duration);
      EXPECT_NEAR(-record.observations.back().bodies[0].velocity.z,
                  terminal * std::tanh(gravity * duration / terminal), bound);  // measured a third of it
    }
  }
}

}  // namespace
}  // namespace torsor
