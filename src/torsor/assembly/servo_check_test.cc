#include "torsor/assembly/servo_check.h"

#include <gtest/gtest.h>

#include <functional>

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

using D = ModelDescription;

Body body(const std::string& name, double mass, double J, double com = 0) {
  return {name, mass, {com, 0, 0}, {0.5 * J, 0.5 * J, J, 0, 0, 0}, {}, {}};
}

Joint joint(const std::string& name, JointType type, int parent, int child, double at = 0) {
  Joint made;
  made.name = name;
  made.type = type;
  made.parent = parent;
  made.child = child;
  made.in_parent.position = {at, 0, 0};
  return made;
}

/// A trolley that carries a load on a winch; the load is a point if `inertia` is 0.
D crane(double inertia) {
  D d;
  d.name = "crane";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {body("trolley", 10, 0.4), body("drum", 1, 0), body("load", 100, inertia)};
  d.joints = {joint("rail", JointType::prismatic, kWorld, 0), joint("swing", JointType::revolute, 0, 1),
              joint("rope", JointType::prismatic, 1, 2)};
  d.joints[0].axis = {1, 0, 0};
  d.joints[2].axis = {0, -1, 0};
  d.points = {{"hook", 2, {}}};
  d.actuators = {{"drive", 0, 0, {}}, {"winch", 2, 0, {}}};
  Servo servo;
  servo.name = "carry";
  servo.point = d.points[0];
  servo.follows = {{"x", Program(0.0)}, {"y", Program(-4.0)}};
  servo.actuators = {0, 1};
  d.servos = {servo};
  d.initial.joints = {{"rope", {4}}};
  return d;
}

/// One motor at the shoulder; the mark on the second link answers to it unless it lies at the link's centre
/// of percussion, 0.4 m from the elbow.
D elastic_arm(double mark) {
  D d;
  d.name = "arm";
  d.dimension = 2;
  d.bodies = {body("upper", 2, 0.04, 0.25), body("fore", 1, 0.03, 0.3)};
  d.joints = {joint("shoulder", JointType::revolute, kWorld, 0),
              joint("elbow", JointType::revolute, 0, 1, 0.5)};
  d.points = {{"mark", 1, {mark, 0, 0}}};
  d.joint_springs = {{"bearing", 1, SpringLaw::angle, {5}, {}, {}, {}}};
  d.actuators = {{"motor", 0, 0, {}}};
  Servo servo;
  servo.name = "lift";
  servo.point = d.points[0];
  servo.follows = {{"y", Program(0.0)}};
  servo.actuators = {0};
  d.servos = {servo};
  return d;
}

ServoCheck check_of(const D& description) {
  const Start start = make_start(Model(description));
  if (start.servo_fault) throw ModelError(*start.servo_fault);
  return start.servos.value_or(ServoCheck{});
}

struct Refused {
  std::string what;
  std::function<D()> make;
  std::string key, expected, found;  ///< parts of the last two
};

TEST(ServoCheck, RefusesWhatCannotBeRealised) {
  const std::vector<Refused> cases = {
      {"a point load swings freely: relative degree 4", [] { return crane(0); }, "servos.carry.actuators",
       "(rank 2, relative degree 2)", "rank 1 at the start: 'x' does not answer"},
      {"the centre of percussion", [] { return elastic_arm(0.4); }, "servos.lift.actuators",
       "accelerations of all 1 output", "rank 0 at the start: 'y'"},
      {"a link behind a spring, a motor on its rotor",
       [] {
         D d = elastic_arm(0.3);
         d.joints[1].in_parent.position = {};
         d.servos[0].point.reset();
         d.servos[0].body = 1;
         d.servos[0].follows = {{"angle", Program(0.0)}};
         return d;
       },
       "servos.lift.actuators", "relative degree 2", "rank 0 at the start: 'angle' does not answer"},
      {"an output that joints hold",
       [] {
         D d = elastic_arm(0.3);
         d.servos[0].follows = {{"x", Program(0.8)}};
         return d;
       },
       "servos.lift.follows.x", "can move", "joints hold"},
      {"outputs of one link that turns",
       [] {
         D d = elastic_arm(0.3);
         d.servos[0].point.reset();
         d.servos[0].body = 0;
         d.points = {{"tip", 0, {0.5, 0, 0}}};
         Servo tip = d.servos[0];
         tip.name = "tip";
         tip.body.reset();
         tip.point = d.points[0];
         tip.actuators = {1};
         d.actuators.push_back({"other", 1, 0, {}});
         d.servos[0].follows = {{"angle", Program(0.0)}};
         d.servos.push_back(tip);
         return d;
       },
       "follows", "outputs that can move independently (rank 2)", "rank 1 at the start: 'angle', 'y'"},
      {"two motors in one joint",
       [] {
         D d = elastic_arm(0.3);
         d.actuators.push_back({"other", 0, 0, {}});
         d.servos[0].point.reset();
         d.servos[0].joint = 0;
         d.servos[0].follows = {{"angle", Program(0.0)}};
         Servo elbow = d.servos[0];
         elbow.name = "elbow";
         elbow.joint = 1;
         elbow.actuators = {1};
         d.servos.push_back(elbow);
         return d;
       },
       "actuators", "actuators that act independently (rank 2)", "'motor', 'other' follow from one another"},
      {"a start elsewhere",
       [] {
         D d = crane(2);
         d.servos[0].follows["y"] = Program(-3.99);
         return d;
       },
       "servos.carry.follows.y", "where the model does, at -4 m", "-3.99 m, off by 0.01 m"},
      {"a start with a rate",
       [] {
         D d = crane(2);
         d.servos[0].follows["x"] = make_expression("0.5*t", {});
         return d;
       },
       "servos.carry.follows.x", "model's rate, 0 m/s", "0.5 m/s, off by 0.5 m/s"},
      {"a rate that jumps",
       [] {
         D d = crane(2);
         d.servos[0].follows["x"] = make_table({{1, 0}, {2, 0.5}});
         return d;
       },
       "servos.carry.follows.x", "rate does not jump", "jumps by 0.5 m/s at t = 1 s"},
      {"a rate that jumps somewhere in an expression",
       [] {
         D d = crane(2);
         d.servos[0].follows["x"] = make_expression("max(t - pi, 0)", {});
         return d;
       },
       "servos.carry.follows.x", "rate does not jump", "jumps by 1 m/s at t = 3.14159 s"},
  };
  for (const Refused& c : cases) {
    SCOPED_TRACE(c.what);
    try {
      StepperChoice choice;
      choice.formulation = "rotationless";
      choice.integrator = "energy-momentum";
      make_stepper(Model(c.make()), choice);
      ADD_FAILURE() << "not refused";
    } catch (const ModelError& error) {
      const std::string text = error.what();
      for (const std::string& part : {c.key, c.expected, c.found}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
      }
    }
  }
}

TEST(ServoCheck, AnEffortOnItsOwnOutputHasFullAuthority) {
  D d = elastic_arm(0.3);
  d.servos[0].point.reset();
  d.servos[0].joint = 0;
  d.servos[0].follows = {{"angle", Program(0.0)}};
  EXPECT_NEAR(check_of(d).authority, 1, 1e-12);  // measured 2e-16
}

/// cosine = C M^-1 B / sqrt(C M^-1 C^T B^T M^-1 B) with the mass matrix of a straight double pendulum.
TEST(ServoCheck, AuthorityIsTheCosineInTheMetricOfTheMasses) {
  const double b = 0.3, l = 0.5, J2 = 0.03 + 0.09, c2 = 0.3,
               M11 = 0.04 + 2 * 0.0625 + l * l + J2 + 2 * l * c2, M12 = J2 + l * c2, M22 = J2,
               det = M11 * M22 - M12 * M12;
  const double C1 = l + b, C2 = b;  // y = l th1 + b (th1 + th2)
  const double CMB = (C1 * M22 - C2 * M12) / det, BMB = M22 / det,
               CMC = (C1 * C1 * M22 - 2 * C1 * C2 * M12 + C2 * C2 * M11) / det;
  EXPECT_NEAR(check_of(elastic_arm(b)).authority, std::abs(CMB) / std::sqrt(CMC * BMB),
              1e-12);  // measured 2e-16
}

TEST(ServoCheck, NearTheCentreOfPercussionAuthorityIsWeak) {
  const ServoCheck check = check_of(elastic_arm(0.3999));
  EXPECT_TRUE(check.is_weak);
  EXPECT_NE(summary(check).find("weak"), std::string::npos);
  EXPECT_FALSE(check_of(elastic_arm(0.3)).is_weak);
}

TEST(ServoCheck, NamesProgramsWhoseAccelerationJumps) {
  D d = crane(2);
  d.servos[0].follows["x"] = make_expression("max(t - 1, 0)^2", {});
  const ServoCheck check = check_of(d);
  EXPECT_EQ(check.rough, std::vector<std::string>{"carry.x"});
  // As smooth as it must be, though made of pieces.
  d.servos[0].follows["x"] =
      make_expression("s^3*(10 - 15*s + 6*s^2)", {{"s", make_table({{1, 0}, {2, 1}})}});
  EXPECT_TRUE(check_of(d).rough.empty());
}

}  // namespace
}  // namespace torsor
