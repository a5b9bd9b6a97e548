// Servos: outputs follow their programs to rounding at any step, momentum and energy are booked exactly, and
// the efforts agree with independent computations: to rounding where the outputs prescribe all motion, at
// order 2 where they leave some free.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gallery.h"
#include "testing/runs.h"
#include "testing/tree_with_loops.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/lie/so3.h"
#include "torsor/simulation/record.h"
#include "torsor/tree/inverse_dynamics.h"

namespace torsor {
namespace {

using namespace testing;

Record servo_run(const ModelDescription& description, double step, double duration, int record_every = 1) {
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  const auto stepper = make_stepper(Model(description), choice);
  Record record = simulate(*stepper, {.step = step, .duration = duration, .record_every = record_every});
  EXPECT_FALSE(record.failure);
  return record;
}

const std::vector<double> kSteps{0.02, 0.01, 0.005, 0.0025};

Vec3<double> centre(const ModelDescription& d, const Observation& o) {
  Vec3<double> sum;
  double mass = 0;
  for (std::size_t b = 0; b < o.bodies.size(); ++b) {
    sum += d.bodies[b].mass * o.bodies[b].com;
    mass += d.bodies[b].mass;
  }
  return (1 / mass) * sum;
}

/// Where a point of a body is.
Vec3<double> position(const ModelDescription& d, const Observation& o, const Point& point) {
  const BodyObservation& body = o.bodies[point.body];
  return body.com + act(body.rotation, point.p_B - d.bodies[point.body].com);
}

/// Uhlar and Betsch, chapter 5, at their step and at a fourth of it.
TEST(RprServo, FollowsItsPathWithoutMomentum) {
  const ModelDescription d = gallery("rpr_platform");
  const auto& follows = d.servos[0].follows;
  for (const double h : {0.02, 0.005}) {
    const Record run = servo_run(d, h, 3);
    const Vec3<double> start = centre(d, run.observations.front());
    for (const Observation& o : run.observations) {
      const BodyObservation& tool = o.bodies.back();
      EXPECT_NEAR(tool.com.x, follows.at("x").value(o.time), 1e-12);  // measured 3e-17
      EXPECT_NEAR(tool.com.y, follows.at("y").value(o.time), 1e-12);  // measured 6e-17
      EXPECT_NEAR(tool.angle, 0, 1e-12);                              // measured 5e-31
      EXPECT_LE(norm(o.linear_momentum), 1e-11);                      // measured 2.4e-14
      EXPECT_LE(norm(o.angular_momentum), 1e-11);                     // measured 6e-15
      EXPECT_LE(norm(centre(d, o) - start), 1e-12);                   // measured 1.1e-15
      EXPECT_LE(o.position_error, 1e-12);                             // measured 1.3e-15
    }
    EXPECT_LE(run.ledger.energy_max_residual, 1e-12);  // measured 1e-14
  }
}

/// The second leg passes 3 pi/4, where the paper's constraint (28) is singular and has two branches.
TEST(RprServo, EffortsConvergeToTheReferenceAcrossThreeQuartersOfPi) {
  const ModelDescription d = gallery("rpr_platform");
  const Record fine = servo_run(d, 0.01, 3);
  double least = 10, most = 0, largest = 0;
  for (const Observation& o : fine.observations) {
    least = smaller(least, o.joints[1].position[0]);
    most = larger(most, o.joints[1].position[0]);
    for (const double effort : o.efforts) largest = larger(largest, std::abs(effort));
  }
  EXPECT_LT(least, 0.75 * std::numbers::pi);
  EXPECT_GT(most, 0.75 * std::numbers::pi);
  EXPECT_LE(largest, 15);  // measured 11.5; the wrong branch would give 85

  std::vector<double> errors(kSteps.size());
  TreeWithLoops reference{Model(d)};
  std::vector<Record> runs;
  for (const double h : kSteps) runs.push_back(servo_run(d, h, 3, static_cast<int>(std::lround(0.2 / h))));
  for (int part = 1; part <= 15; ++part) {
    reference.advance(0.2, 8);
    const Observation exact = reference.observe();
    for (std::size_t k = 0; k < kSteps.size(); ++k) {
      for (int i = 0; i < 3; ++i) {
        const double effort = runs[k].observations[part].efforts[i];
        errors[k] = larger(errors[k], std::abs(effort - exact.efforts[i]));
      }
    }
  }
  const double order = fitted_order(kSteps, errors);
  EXPECT_GE(order, 1.95);  // measured 2.01
  EXPECT_LE(order, 2.05);
  EXPECT_LE(errors.back(), 1e-4);  // measured 3e-6 [N m]
}

struct Underactuated {
  std::string model;
  double duration;
  std::vector<double> steps;  ///< the load of the crane sways at 44 rad/s
  int reference_steps;
};
void PrintTo(const Underactuated& c, std::ostream* out) { *out << c.model; }
class UnderactuatedServo : public ::testing::TestWithParam<Underactuated> {};

TEST_P(UnderactuatedServo, FollowsItsProgramToRounding) {
  const ModelDescription d = gallery(GetParam().model);
  const Servo& servo = d.servos[0];
  for (const double h : {0.02, 0.005}) {
    const Record run = servo_run(d, h, GetParam().duration);
    double scale = 0;
    for (const Observation& o : run.observations) {
      const Vec3<double> p = position(d, o, *servo.point);
      for (const auto& [name, program] : servo.follows) {
        EXPECT_NEAR(p[name[0] - 'x'], program.value(o.time), 1e-12);  // measured 1.8e-15
      }
      scale = larger(scale, o.kinetic + std::abs(o.gravity));
    }
    EXPECT_LE(run.ledger.energy_max_residual, 1e-11 * scale);  // measured 1e-15 of the scale
  }
}

/// The spanning tree in joint coordinates with the servo as an acceleration constraint.
TEST_P(UnderactuatedServo, StateAndEffortsConvergeToTheReference) {
  const auto& [name, duration, steps, reference_steps] = GetParam();
  const ModelDescription d = gallery(name);
  std::vector<double> states(steps.size()), efforts(steps.size());
  std::vector<Record> runs;
  for (const double h : steps) {
    runs.push_back(servo_run(d, h, duration, static_cast<int>(std::lround(duration / 10 / h))));
  }
  TreeWithLoops reference{Model(d)};
  for (int part = 1; part <= 10; ++part) {
    reference.advance(duration / 10, reference_steps);
    const Observation exact = reference.observe();
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Observation& o = runs[k].observations[part];
      states[k] = larger(states[k], distance(o, exact));
      for (std::size_t i = 0; i < o.efforts.size(); ++i) {
        efforts[k] = larger(efforts[k], std::abs(o.efforts[i] - exact.efforts[i]));
      }
    }
  }
  for (const auto& errors : {states, efforts}) {
    const double order = fitted_order(steps, errors);
    EXPECT_GE(order, 1.95);  // measured 2.00
    EXPECT_LE(order, 2.05);
  }
}

/// The efforts as tables on the model without its servo, in joint coordinates by dopri5.
TEST_P(UnderactuatedServo, EffortsMoveTheJointFormulationAlongThePrograms) {
  const ModelDescription d = gallery(GetParam().model);
  const Servo servo = d.servos[0];
  std::vector<double> errors;
  const std::vector<double>& steps = GetParam().steps;
  for (const double h : steps) {
    const Record led = servo_run(d, h, GetParam().duration);
    ModelDescription open = d;
    open.servos.clear();
    for (std::size_t i = 0; i < open.actuators.size(); ++i) {
      std::vector<std::pair<double, double>> rows;
      for (const Observation& o : led.observations) rows.emplace_back(o.time, o.efforts[i]);
      open.actuators[i].effort = make_table(rows);
    }
    const Record driven = run(open, "dopri5", 0.05, GetParam().duration, 1e-11, 1);
    double error = 0;
    for (const Observation& o : driven.observations) {
      const Vec3<double> p = position(d, o, *servo.point);
      for (const auto& [name, program] : servo.follows) {
        error = larger(error, std::abs(p[name[0] - 'x'] - program.value(o.time)));
      }
    }
    errors.push_back(error);
  }
  const double order = fitted_order(steps, errors);
  EXPECT_GE(order, 1.9);  // measured 2.01
  EXPECT_LE(order, 2.1);
}

INSTANTIATE_TEST_SUITE_P(Model, UnderactuatedServo,
                         ::testing::Values(Underactuated{"servo_crane", 6, {0.004, 0.002, 0.001, 0.0005}, 60},
                                           Underactuated{"elastic_arm_servo", 3, kSteps, 30}),
                         [](const auto& test) { return test.param.model; });

/// Errors of rates that a step leaves in joints and outputs would swing on and grow, here within 85000 steps.
TEST(ElasticArmServo, StaysOnItsOrbit) {
  ModelDescription d = gallery("elastic_arm_servo");
  d.servos[0].follows["y"] = make_expression("0.1*(1 - cos(3*t))", {});
  const Record run = servo_run(d, 0.05, 5000, 1000);
  for (const Observation& o : run.observations) {
    EXPECT_LE(std::abs(o.joints[1].position[0]), 0.1);  // measured 0.065
    EXPECT_LE(o.velocity_error, 1e-13);                 // measured 1.1e-16
  }
  EXPECT_LE(run.ledger.energy_max_residual,
            1e-11 * run.ledger.energy_scale);  // measured 3e-12: 300 J passed through
}

constexpr char kArm[] = R"yaml(
torsor: 1
gravity: [0, 0, -9.81]
bodies:
  mast: {mass: 3, com: [0.1, 0, 0.2], inertia: [0.3, 0.2, 0.1]}
  boom: {mass: 2, com: [0.4, 0, 0], inertia: [0.02, 0.2, 0.2]}
joints:
  base: {type: cylindrical, parent: world, child: mast}
  hinge: {type: universal, parent: mast, child: boom, in_parent: {position: [0, 0, 0.5]}}
actuators:
  spin: {joint: base, coordinate: 0}
  lift: {joint: base, coordinate: 1}
  tip: {joint: hinge, coordinate: 0}
  swing: {joint: hinge, coordinate: 1}
servos:
  post:
    joint: base
    follows:
      angle: {rest_to_rest: {t1: 0.5, t2: 1, t3: 1.5, rate: 20}}
      displacement: {expression: "0.1*(1 - cos(3*t))"}
    actuators: [spin, lift]
  fork:
    joint: hinge
    follows: {angle_x: {expression: "0.4*t^2"}, angle_y: {expression: "0.3 + 0.5*(1 - cos(2*t))"}}
    actuators: [tip, swing]
initial: {joints: {hinge: [0, 0.3]}}
)yaml";

/// Several turns, angles and displacements of joints with two coordinates.
TEST(JointServo, EffortsAreThoseOfInverseDynamics) {
  const ModelDescription d = parse_description({"arm.yaml", kArm, {}});
  ModelDescription open = d;
  open.servos.clear();
  const JointSystem system{Model(open)};
  InverseDynamicsWorkspace<double> workspace(system.tree());
  for (const double h : kSteps) {
    for (const Observation& o : servo_run(d, h, 1.6).observations) {
      std::vector<double> q(4), qd(4), qdd(4), exact(4);
      const Program* programs[4] = {&d.servos[0].follows.at("angle"), &d.servos[0].follows.at("displacement"),
                                    &d.servos[1].follows.at("angle_x"), &d.servos[1].follows.at("angle_y")};
      for (int i = 0; i < 4; ++i) {
        const Jet jet = programs[i]->evaluate(o.time);
        q[i] = jet.value, qd[i] = jet.rate, qdd[i] = jet.acceleration;
        EXPECT_NEAR(o.joints[i / 2].position[i % 2], q[i], 1e-12);  // measured 3.6e-15
      }
      inverse_dynamics<double>(system.tree(), workspace, q, qd, qdd, {}, exact);
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(o.efforts[i], exact[i], 1e-9);  // measured 4e-13
    }
  }
}

constexpr char kBall[] = R"yaml(
torsor: 1
bodies:
  top: {mass: 1, inertia: [0.1, 0.2, 0.25]}
joints:
  ball: {type: spherical, parent: world, child: top}
actuators:
  about_x: {joint: ball, coordinate: 0}
  about_y: {joint: ball, coordinate: 1}
  about_z: {joint: ball, coordinate: 2}
servos:
  point:
    body: top
    follows:
      roll: {expression: "1 - cos(2*t)"}
      pitch: {rest_to_rest: {t1: 0.5, t2: 1, t3: 1.5, rate: 6.283185307179586}}
      yaw: {expression: "t^3"}
    actuators: [about_x, about_y, about_z]
)yaml";

SO3<double> target(const Servo& servo, double t) {
  const auto angle = [&](const char* name) { return servo.follows.at(name).value(t); };
  return exp_so3(Vec3<double>{0, 0, angle("yaw")}) * exp_so3(Vec3<double>{0, angle("pitch"), 0}) *
         exp_so3(Vec3<double>{angle("roll"), 0, 0});
}

/// A whole turn of pitch, through both gimbal locks, against Euler's equation in body axes.
TEST(OrientationServo, MomentsAreThoseOfEulersEquation) {
  const ModelDescription d = parse_description({"top.yaml", kBall, {}});
  const Servo& servo = d.servos[0];
  const auto omega = [&](double t) {  // fourth order in e
    const double e = 1e-3;
    const auto turn = [&](double s) { return log(inverse(target(servo, t - s)) * target(servo, t + s)); };
    return (1 / (12 * e)) * (8.0 * turn(e) - turn(2 * e));
  };
  const auto moment = [&](double t) {
    const double e = 1e-3;
    const Vec3<double> w = omega(t), a = (1 / (12 * e)) * (8.0 * (omega(t + e) - omega(t - e)) -
                                                           omega(t + 2 * e) + omega(t - 2 * e));
    const Vec3<double> I{0.1, 0.2, 0.25}, L{I.x * w.x, I.y * w.y, I.z * w.z};
    return Vec3<double>{I.x * a.x, I.y * a.y, I.z * a.z} + cross(w, L);
  };
  for (const double h : kSteps) {
    for (const Observation& o : servo_run(d, h, 1.6).observations) {
      EXPECT_LE(norm(log(inverse(target(servo, o.time)) * o.bodies[0].rotation)),
                1e-12);  // measured 1e-15
      if (o.time < 0.02) continue;
      const Vec3<double> exact = moment(o.time);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(o.efforts[i], exact[i], 1e-6);  // measured 5e-8, of the differences
    }
  }
}

/// Six legs lead the platform; then the leg forces alone, as tables, lead the reference along.
TEST(OrientationServo, LegForcesOfAStewartPlatformMoveTheReferenceAlong) {
  ModelDescription d = gallery("stewart");
  const Model model(d);
  Servo servo;
  servo.name = "pose";
  servo.body = model.body_index("platform");
  const Observation start = TreeWithLoops(model).observe();
  const BodyObservation& platform = start.bodies[*servo.body];
  const Vec3<double> origin = platform.com - act(platform.rotation, model.bodies()[*servo.body].com);
  const auto path = [](double from, const std::string& text) {
    return make_expression("p + " + text, {{"p", Program(from)}});
  };
  servo.follows = {{"x", path(origin.x, "0.05*(1-cos(4*t))")},
                   {"y", path(origin.y, "0.1*t^2")},
                   {"z", path(origin.z, "0.05*(1-cos(5*t))")},
                   {"roll", path(0, "0.1*(1-cos(6*t))")},
                   {"pitch", path(0, "0.3*t^2")},
                   {"yaw", path(0, "0.1*(cos(3*t)-1)")}};
  for (int leg = 1; leg <= 6; ++leg) {
    servo.actuators.push_back(static_cast<int>(d.actuators.size()));
    d.actuators.push_back(
        {"leg" + std::to_string(leg), model.joint_index("slide" + std::to_string(leg)), 0, {}});
  }
  d.servos = {servo};
  std::vector<double> errors;
  const std::vector<double> steps{0.04, 0.02};
  for (const double h : steps) {
    const Record led = servo_run(d, h, 0.4);
    const BodyObservation& end = led.observations.back().bodies[*servo.body];
    EXPECT_LE(norm(log(inverse(target(servo, 0.4)) * end.rotation)), 1e-12);  // measured 8e-17
    EXPECT_LE(led.ledger.energy_max_residual, 1e-11);                         // measured 7e-14
    ModelDescription open = d;
    open.servos.clear();
    for (std::size_t i = 0; i < open.actuators.size(); ++i) {
      std::vector<std::pair<double, double>> rows;
      for (const Observation& o : led.observations) rows.emplace_back(o.time, o.efforts[i]);
      open.actuators[i].effort = make_table(rows);
    }
    TreeWithLoops driven{Model(open)};
    driven.advance(0.4, static_cast<int>(std::lround(0.4 / h)));
    const BodyObservation there = driven.observe().bodies[*servo.body];
    errors.push_back(norm(there.com - end.com) + norm(log(inverse(there.rotation) * end.rotation)));
  }
  EXPECT_LE(errors[0], 5e-3);                  // measured 9e-4
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);  // measured 4.05
}

}  // namespace
}  // namespace torsor
