// Couplings of joint coordinates: ratios hold to rounding, their efforts do no work and are those of a
// calculation by hand, and all formulations and integrators agree.

#include <gtest/gtest.h>

#include <cmath>

#include "gallery.h"
#include "testing/runs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/error.h"

namespace torsor {
namespace {

using namespace testing;

/// Heavy wheels off their centres, one of which drives a rack on the other: no two terms are alike.
const char kRackAndGears[] = R"(
torsor: 1
gravity: [0.3, -9.81, 0.5]
bodies:
  a: {mass: 1, com: [0.1, 0, 0.02], inertia: [0.1, 0.12, 0.1]}
  b: {mass: 2, com: [0.05, 0.02, 0], inertia: [0.3, 0.2, 0.3]}
  c: {mass: 0.5, com: [0, 0.1, 0.1], inertia: [0.03, 0.03, 0.02]}
  d: {mass: 0.7, com: [0.1, 0, -0.1], inertia: [0.02, 0.03, 0.02]}
joints:
  turn: {type: revolute, parent: world, child: a}
  wheel: {type: revolute, parent: a, child: b, axis: [0, 1, 0.2], in_parent: {position: [0.4, 0, 0]}}
  rack: {type: prismatic, parent: b, child: c, axis: [1, 0.3, 0]}
  gimbal: {type: universal, parent: b, child: d, in_parent: {position: [0, 0.3, 0]}}
couplings:
  mesh: {joints: {turn: 1, wheel: 2.5, gimbal: [0.4, 0]}, offset: 10 deg}
  pinion: {joints: {wheel: 0.3, rack: -1}}
initial:
  joints: {wheel: 0.3, gimbal: [0.2, 0.4]}
  rates: {turn: 1, gimbal: [0.5, 0.2]}
simulation: {step: 0.01, duration: 1}
)";

ModelDescription rack_and_gears() { return parse_description({"rack_and_gears.yaml", kRackAndGears, {}}); }

TEST(Coupling, WhatTheFileLeavesOpenFollows) {
  const Start start = make_start(Model(rack_and_gears()));
  const std::vector<double>&q = start.assembly.q, &v = start.assembly.qd;
  EXPECT_EQ(q[1], 0.3);
  EXPECT_NEAR(q[0] + 2.5 * q[1] + 0.4 * q[3], 10 * M_PI / 180, 1e-15);
  EXPECT_NEAR(0.3 * q[1] - q[2], 0, 1e-15);
  EXPECT_NEAR(v[0], 1, 1e-15);
  EXPECT_NEAR(v[0] + 2.5 * v[1] + 0.4 * v[3], 0, 1e-15);
  EXPECT_NEAR(0.3 * v[1] - v[2], 0, 1e-15);
  EXPECT_EQ(start.mobility.dof, 3);
  EXPECT_EQ(start.mobility.redundant_constraints, 0);
}

struct Case {
  const char *formulation, *integrator;
  int order;
  bool exact;  ///< whether energy is kept
  IntegratorOptions options = {};
};

/// All converge to one motion with their orders, and keep the relations to rounding.
TEST(Coupling, EveryMethodAgrees) {
  const Model model(rack_and_gears());
  const auto run_by = [&](const Case& c, double step, double tolerance = 0) {
    StepperChoice choice;
    choice.formulation = c.formulation;
    choice.integrator = c.integrator;
    choice.options = c.options;
    choice.tolerance = tolerance;
    return run(model, choice, step, 1, 1000000);
  };
  const Record fine = run_by({"joint", "dopri5", 5, false}, 0.01, 1e-13);
  const Case cases[] = {{"rotationless", "energy-momentum", 2, true},
                        {"rotationless", "energy-momentum", 2, true, {{"reduction", "null-space"}}},
                        {"rotationless", "generalized-alpha", 2, false},
                        {"rotationless", "petrov-galerkin", 4, false, {{"m", 1.0}}},
                        {"joint", "rkmk4", 4, false},
                        {"joint", "gauss-legendre", 4, false, {{"stages", 2.0}}},
                        {"joint", "implicit-midpoint", 2, false},
                        {"joint", "generalized-alpha", 2, false},
                        {"joint", "variational", 2, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.formulation) + " " + c.integrator);
    std::vector<double> errors;
    const std::vector<double> steps{0.02, 0.01, 0.005};
    for (const double h : steps) {
      const Record record = run_by(c, h);
      ASSERT_FALSE(record.failure);
      EXPECT_LE(*record.ledger.position_max, 1e-13);
      EXPECT_LE(record.ledger.energy_max_residual, c.exact ? 1e-11 : 1.0);
      errors.push_back(distance(record.observations.back(), fine.observations.back()));
    }
    EXPECT_NEAR(fitted_order(steps, errors), c.order, 0.15);
  }
}

/// Every mesh carries what turns the wheels behind it: seen from the first wheel, with q_i = r_i q_0,
///   q_0'' = motor / sum J_i r_i^2,   factor lambda on wheel i = J_i q_i'' - what the next mesh hands on.
void expect_train(const Model& model, const ModelDescription& d, const Observation& o) {
  std::vector<double> ratio{1};
  double inertia = d.bodies[0].inertia.zz;
  for (const Coupling& mesh : model.couplings()) {
    ratio.push_back(-ratio.back() * mesh.terms[0].factor / mesh.terms[1].factor);
    inertia += d.bodies[ratio.size() - 1].inertia.zz * ratio.back() * ratio.back();
  }
  const double acceleration = d.actuators[0].effort.value(o.time) / inertia;
  double handed_on = 0;
  for (std::size_t i = ratio.size() - 1; i > 0; --i) {
    EXPECT_NEAR(o.joints[i].position[0], ratio[i] * o.joints[0].position[0], 1e-12);  // measured 3e-14
    EXPECT_NEAR(o.joints[i].rate[0], ratio[i] * o.joints[0].rate[0], 1e-12);
    const Coupling& mesh = model.couplings()[i - 1];
    const double needed = d.bodies[i].inertia.zz * ratio[i] * acceleration - handed_on;
    EXPECT_NEAR(mesh.terms[1].factor * o.couplings[i - 1], needed, 1e-12);
    handed_on = mesh.terms[0].factor * o.couplings[i - 1];
  }
}

TEST(Coupling, TrainOf20WheelsTurnsByItsRatiosWithEffortsByHand) {
  const ModelDescription d = gallery("gear_train");
  const Model model(d);
  ASSERT_EQ(model.couplings().size(), 19u);
  EXPECT_EQ(make_start(model).mobility.dof, 1);
  for (const auto& [formulation, integrator] :
       {std::pair{"joint", "implicit-midpoint"}, std::pair{"rotationless", "energy-momentum"}}) {
    SCOPED_TRACE(formulation);
    StepperChoice choice;
    choice.formulation = formulation;
    choice.integrator = integrator;
    const Record record = run(model, choice, 0.01, 2, 20);
    ASSERT_FALSE(record.failure);
    EXPECT_LE(record.ledger.energy_max_residual, 1e-11);
    EXPECT_LE(*record.ledger.position_max, 1e-12);
    for (const Observation& o : record.observations) expect_train(model, d, o);
  }
}

/// With the ring at rest the sun turns 1 + R/S times as fast as the carrier. The second and the third planet
/// say of sun and carrier what the first does.
TEST(Coupling, PlanetaryGearHasTheRatioOfItsTeeth) {
  const Model model(gallery("planetary_gear"));
  const Start start = make_start(model);
  EXPECT_EQ(start.mobility.dof, 1);
  EXPECT_EQ(start.mobility.redundant_constraints, 2);
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  for (const char* formulation : {"rotationless", "joint"}) {
    choice.formulation = formulation;
    choice.integrator = formulation == std::string("joint") ? "rkmk4" : "energy-momentum";
    const Record record = run(model, choice, 0.01, 3, 10);
    ASSERT_FALSE(record.failure);
    const int sun = model.joint_index("sun"), carrier = model.joint_index("carrier");
    for (const Observation& o : record.observations) {
      EXPECT_NEAR(o.joints[sun].position[0], (1 + 72.0 / 24) * o.joints[carrier].position[0], 1e-12);
    }
    EXPECT_GT(std::abs(record.observations.back().joints[sun].position[0]), 1);
  }
}

/// The housing turns at the mean of both shafts, and hands each half of its effort, however they turn.
TEST(Coupling, DifferentialHalvesItsEffort) {
  const ModelDescription d = gallery("differential");
  const Model model(d);
  EXPECT_EQ(make_start(model).mobility.dof, 2);
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  const Record record = run(model, choice, 0.01, 2, 10);
  ASSERT_FALSE(record.failure);
  EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);  // measured 7e-15
  const int housing = model.joint_index("housing"), left = model.joint_index("left"),
            right = model.joint_index("right");
  for (const Observation& o : record.observations) {
    EXPECT_NEAR(2 * o.joints[housing].position[0], o.joints[left].position[0] + o.joints[right].position[0],
                1e-12);
    const auto& terms = model.couplings()[0].terms;
    double on_left = 0, on_right = 0, on_housing = 0;
    for (const Coupling::Term& term : terms) {
      const double effort = term.factor * o.couplings[0];
      (term.joint == left ? on_left : term.joint == right ? on_right : on_housing) = effort;
    }
    EXPECT_EQ(on_left, on_right);
    EXPECT_EQ(on_housing, -2 * on_left);
  }
  EXPECT_GT(std::abs(record.observations.back().joints[left].position[0] -
                     record.observations.back().joints[right].position[0]),
            0.1);
}

/// The same relation twice: named, and the motion is that with one of them.
TEST(Coupling, RedundantOnesAreNamedAndChangeNothing) {
  ModelDescription once = rack_and_gears(), twice = once;
  twice.couplings.push_back(twice.couplings[0]);
  twice.couplings.back().name = "again";
  const Start start = make_start(Model(twice), Redundant::named);
  ASSERT_EQ(start.mobility.redundancies.size(), 1u);
  EXPECT_EQ(start.mobility.redundancies[0].joint, "again");
  EXPECT_EQ(start.mobility.redundancies[0].others, std::vector<std::string>{"mesh"});
  for (const char* integrator : {"energy-momentum", "rkmk4", "variational"}) {
    SCOPED_TRACE(integrator);
    const Record a = run(once, integrator, 0.01, 1), b = run(twice, integrator, 0.01, 1);
    EXPECT_LE(distance(a.observations.back(), b.observations.back()), 1e-11);
    EXPECT_NEAR(a.observations.back().couplings[0],
                b.observations.back().couplings[0] + b.observations.back().couplings[2], 1e-9);
  }
}

/// A four-bar whose crank drives a flywheel by a belt: loops and couplings share the border.
TEST(Coupling, WorksBesideLoops) {
  ModelDescription d = gallery("four_bar");
  Body wheel;
  wheel.name = "flywheel";
  wheel.mass = 1;
  wheel.inertia = {0, 0, 0.2, 0, 0, 0};
  d.bodies.push_back(wheel);
  Joint axle;
  axle.name = "axle";
  axle.type = JointType::revolute;
  axle.parent = kWorld;
  axle.child = static_cast<int>(d.bodies.size()) - 1;
  d.joints.push_back(axle);
  Coupling belt;
  belt.name = "belt";
  belt.terms = {{0, 0, 1}, {static_cast<int>(d.joints.size()) - 1, 0, -0.5}};
  d.couplings = {belt};
  const Model model(d);
  EXPECT_EQ(make_start(model).mobility.dof, 1);
  for (const char* integrator : {"energy-momentum", "generalized-alpha", "petrov-galerkin"}) {
    SCOPED_TRACE(integrator);
    StepperChoice choice;
    choice.formulation = "rotationless";
    choice.integrator = integrator;
    const Record record = run(model, choice, 0.005, 2);
    ASSERT_FALSE(record.failure);
    const bool exact = integrator != std::string("generalized-alpha");
    EXPECT_LE(record.ledger.energy_max_residual, exact ? 1e-11 : 0.1);
    EXPECT_LE(*record.ledger.position_max, 1e-12);
  }
}

TEST(Coupling, FaultsOfTheFileAreNamed) {
  const auto found = [](const std::string& old, const std::string& now) {
    std::string text = kRackAndGears;
    text.replace(text.find(old), old.size(), now);
    try {
      Model(parse_description({"broken.yaml", text, {}}));
    } catch (const ModelError& error) {
      return error.key + ": " + error.found;
    }
    return std::string();
  };
  EXPECT_EQ(found("rack: -1", "rack: 0"), "couplings.pinion.joints.rack: 0");
  EXPECT_EQ(found("gimbal: [0.4, 0]", "gimbal: 0.4"), "couplings.mesh.joints.gimbal: '0.4'");
  EXPECT_EQ(found("rack: {type: prismatic, parent: b, child: c, axis: [1, 0.3, 0]}",
                  "rack: {type: spherical, parent: b, child: c}"),
            "couplings.pinion.joints.rack: a spherical joint");
}

TEST(Coupling, FaultsAreNamed) {
  const auto fault = [](ModelDescription d) {
    try {
      make_start(Model(d));
    } catch (const ModelError& error) {
      return error.key + ": " + error.found;
    }
    return std::string();
  };
  ModelDescription d = rack_and_gears();
  d.couplings[1].terms.pop_back();
  EXPECT_EQ(fault(d), "couplings.pinion.joints: 1");
  d = rack_and_gears();
  d.couplings[1].terms[0].factor = 0;
  EXPECT_EQ(fault(d), "couplings.pinion.joints.wheel: 0");
  d = rack_and_gears();
  d.joints[1].type = JointType::spherical;
  d.joints[1].axis = {0, 0, 1};
  d.initial = {};
  EXPECT_EQ(fault(d), "couplings.mesh.joints.wheel: a spherical joint");
  d = rack_and_gears();
  d.initial.joints = {{"turn", {1}}, {"wheel", {1}}, {"gimbal", {0, 0}}};
  EXPECT_NE(fault(d).find("coupling 'mesh'"), std::string::npos);
  d.initial.assemble = true;
  EXPECT_EQ(fault(d), "");
}

/// A five-bar whose pin between the two dyads is geared to the drive, the joints in an order in which that pin
/// carries a bar, or in one in which it closes the loop: the same mechanism.
TEST(Coupling, MayHaveJointsThatCloseLoops) {
  const std::string bodies = R"(
torsor: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, com: [0.25, 0], inertia: 0.03}
  b: {mass: 1.2, com: [0.4, 0], inertia: 0.06}
  c: {mass: 0.8, com: [0.4, 0], inertia: 0.05}
  d: {mass: 1, com: [0.25, 0], inertia: 0.03}
joints:
)";
  const std::string
      drive = "  drive: {type: revolute, parent: world, child: a}\n",
      knee = "  knee: {type: revolute, parent: a, child: b, in_parent: {position: [0.5, 0]}}\n",
      pivot = "  pivot: {type: revolute, parent: world, child: d, in_parent: {position: [0.9, 0]}}\n",
      elbow = "  elbow: {type: revolute, parent: d, child: c, in_parent: {position: [0.5, 0]}}\n",
      pin =
          "  pin: {type: revolute, parent: b, child: c, in_parent: {position: [0.8, 0]}, "
          "in_child: {position: [0.8, 0]}}\n";
  const std::string rest = R"(
couplings:
  gear: {joints: {drive: 1, pin: 0.5}, offset: 20 deg}
initial:
  assemble: true
  joints: {drive: 120 deg, knee: -70 deg, pivot: 60 deg, elbow: 70 deg}
  rates: {drive: 1.5}
)";
  const ModelDescription closes =
      parse_description({"closes.yaml", bodies + drive + knee + pivot + elbow + pin + rest, {}});
  ModelDescription carries =
      parse_description({"carries.yaml", bodies + drive + knee + pin + pivot + elbow + rest, {}});
  const Start start = make_start(Model(closes));
  EXPECT_EQ(start.mobility.dof, 1);
  EXPECT_NEAR(start.assembly.q[0] + 0.5 * start.assembly.q[4], 20 * M_PI / 180, 1e-12);
  EXPECT_NEAR(start.assembly.qd[0] + 0.5 * start.assembly.qd[4], 0, 1e-12);
  for (const auto& [name, value] :
       {std::pair("drive", 0), {"knee", 1}, {"pivot", 2}, {"elbow", 3}, {"pin", 4}}) {
    carries.initial.joints[name] = {start.assembly.q[value]};
    carries.initial.rates[name] = {start.assembly.qd[value]};
  }
  const StepperChoice choice{"rotationless", "energy-momentum"};
  const Record a = run(Model(closes), choice, 0.005, 2, 1), b = run(Model(carries), choice, 0.005, 2, 1);
  for (const Record* record : {&a, &b}) {
    EXPECT_LE(record->ledger.energy_max_residual, 1e-12 * record->ledger.energy_scale);
    EXPECT_LE(*record->ledger.position_max, 1e-13);
  }
  ASSERT_EQ(a.observations.size(), b.observations.size());
  for (std::size_t i = 0; i < a.observations.size(); ++i) {
    EXPECT_LE(distance(a.observations[i], b.observations[i]), 1e-9);
    EXPECT_NEAR(a.observations[i].couplings[0], b.observations[i].couplings[0], 1e-7);
  }
}

}  // namespace
}  // namespace torsor
