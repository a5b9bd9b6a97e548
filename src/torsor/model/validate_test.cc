#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/model/model.h"

namespace torsor {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

/// A valid arm with one element of each kind: shoulder (revolute), elbow (spherical in 3D, revolute in 2D),
/// and a body that floats.
ModelDescription arm(int dimension) {
  ModelDescription d;
  d.dimension = dimension;
  for (const char* name : {"upper", "lower", "satellite"}) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = {0.5, 0.5, 1, 0, 0, 0};
    d.bodies.push_back(body);
  }
  d.joints.resize(2);
  d.joints[0].name = "shoulder", d.joints[0].child = 0;
  d.joints[1].name = "elbow", d.joints[1].parent = 0, d.joints[1].child = 1;
  if (dimension == 3) d.joints[1].type = JointType::spherical;
  d.points = {{"post", kWorld, {0, 1, 0}}, {"horn", 1, {1, 0, 0}}};
  d.tendons = {{"cable", {d.points[0], d.points[1]}, 1, 0.1, 0, false}};
  d.joint_springs.resize(1);
  d.joint_springs[0].name = "spring";
  d.joint_springs[0].stiffness = {1};
  d.loads = {{"push", Load::Kind::force, {"", 1, {}}, false, {1.0, 0.0, 0.0}}};
  d.actuators = {{"motor", 0, 0, 0.0}, {"drive", 1, 0, 1.0}};
  d.controllers = {{"hold", Controller::Type::pd, 0, {}, {1}, {}, {0.0}, false, false},
                   {"reach", Controller::Type::impedance, {}, d.points[1], {2}, {1}, {}, false, false}};
  d.controllers[1].target.resize(dimension);
  d.servos = {{"follow", d.points[1], {}, {}, {{"x", Program(0.0)}}, {0}}};
  return d;
}

struct Malformed {
  const char* what;
  std::function<void(ModelDescription&)> spoil;
  const char *key, *expected, *found;
};

void expect_refused(const std::vector<Malformed>& table, const ModelDescription& valid) {
  ASSERT_NO_THROW(Model{valid});
  for (const Malformed& row : table) {
    ModelDescription d = valid;
    row.spoil(d);
    try {
      const Model model(d);
      ADD_FAILURE() << "accepted: " << row.what;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, row.key) << row.what;
      EXPECT_NE(error.expected.find(row.expected), std::string::npos) << row.what << ": " << error.what();
      EXPECT_NE(error.found.find(row.found), std::string::npos) << row.what << ": " << error.what();
    }
  }
}

using D = ModelDescription;

TEST(Validate, Mechanism) {
  expect_refused(
      {
          {"dimension", [](D& d) { d.dimension = 4; }, "dimension", "2 or 3", "4"},
          {"gravity", [](D& d) { d.gravity.y = kNan; }, "gravity", "finite", "nan"},
          {"no bodies", [](D& d) { d = {}; }, "bodies", "at least one", "none"},
          {"same body twice", [](D& d) { d.bodies[1].name = "upper"; }, "bodies.upper", "once",
           "'upper' twice"},
          {"same joint twice", [](D& d) { d.joints[1].name = "shoulder"; }, "joints.shoulder", "once",
           "twice"},
          {"body called world", [](D& d) { d.bodies[0].name = "world"; }, "bodies.world", "ground", "world"},
          {"empty name", [](D& d) { d.bodies[0].name = ""; }, "bodies", "a name", "''"},
          {"dot in a name", [](D& d) { d.joints[0].name = "a.b"; }, "joints", "without .", "'a.b'"},
          {"slash in a name", [](D& d) { d.bodies[0].name = "a/b"; }, "bodies", "without . /", "'a/b'"},
          {"control character", [](D& d) { d.tendons[0].name = "a\nb"; }, "tendons", "control", "'a?b'"},
          {"bracket in a name", [](D& d) { d.points[0].name = "a[1]"; }, "points", "[ ]", "'a[1]'"},
          {"space at the end", [](D& d) { d.bodies[0].name = "a "; }, "bodies", "a name", "'a '"},
          {"long name", [](D& d) { d.bodies[0].name.assign(100000, 'x'); }, "bodies", "200", "..."},
          {"free body's joint", [](D& d) { d.joints[0].name = "satellite"; }, "joints.satellite",
           "free joint", "'satellite'"},
          {"no mass", [](D& d) { d.bodies[0].mass = 0; }, "bodies.upper.mass", "> 0", "0"},
          {"negative mass", [](D& d) { d.bodies[0].mass = -1; }, "bodies.upper.mass", "> 0", "-1"},
          {"infinite mass", [](D& d) { d.bodies[0].mass = kInf; }, "bodies.upper.mass", "> 0", "inf"},
          {"com", [](D& d) { d.bodies[0].com.z = kInf; }, "bodies.upper.com", "finite", "inf"},
          {"inertia nan", [](D& d) { d.bodies[0].inertia.xy = kNan; }, "bodies.upper.inertia", "finite",
           "nan"},
          {"triangle inequality", [](D& d) { d.bodies[0].inertia = {1, 1, 3, 0, 0, 0}; },
           "bodies.upper.inertia", "principal moments", "3"},
          {"negative moment", [](D& d) { d.bodies[0].inertia = {-1, 2, 2, 0, 0, 0}; }, "bodies.upper.inertia",
           "principal moments", "-1"},
          {"product too large", [](D& d) { d.bodies[0].inertia = {1, 1, 1, 2, 0, 0}; },
           "bodies.upper.inertia", "principal moments", "-1"},
          {"shape",
           [](D& d) {
             d.bodies[0].shapes = {{Sphere{-1}, {}, {}, {}}};
           },
           "bodies.upper.shape.sphere.radius", "> 0", "-1"},
          {"second shape",
           [](D& d) {
             d.bodies[0].shapes = {{Sphere{1}, {}, {}, {}}, {Box{{1, 1, 0}}, {}, {}, {}}};
           },
           "bodies.upper.shapes[1].box", "> 0", "0"},
          {"pose",
           [](D& d) {
             d.bodies[2].pose = SE3<double>{{0, 0, 0, 0}, {}};
           },
           "bodies.satellite.pose.rotation", "length 1", "length 0"},
          {"parent out of range", [](D& d) { d.joints[0].parent = 7; }, "joints.shoulder.parent", "a body",
           "7"},
          {"child world", [](D& d) { d.joints[0].child = kWorld; }, "joints.shoulder.child",
           "only be a parent", "world"},
          {"joined to itself", [](D& d) { d.joints[1].parent = 1; }, "joints.elbow.child", "other than",
           "same"},
          {"cycle", [](D& d) { d.joints[0].parent = 1; }, "joints.shoulder.parent", "ends at the world",
           "cycle"},
          {"zero axis", [](D& d) { d.joints[0].axis = {}; }, "joints.shoulder.axis", "length", "[0, 0, 0]"},
          {"nan axis", [](D& d) { d.joints[0].axis.x = kNan; }, "joints.shoulder.axis", "finite", "nan"},
          {"axis without meaning",
           [](D& d) {
             d.joints[1].axis = {1, 0, 0};
           },
           "joints.elbow.axis", "no axis at a spherical", "[1, 0, 0]"},
          {"no pitch", [](D& d) { d.joints[0].type = JointType::helical; }, "joints.shoulder.pitch",
           "other than 0", "0"},
          {"stray pitch", [](D& d) { d.joints[0].pitch = 1; }, "joints.shoulder.pitch", "no pitch", "1"},
          {"frame",
           [](D& d) {
             d.joints[0].in_child.rotation = {1, 1, 0, 0};
           },
           "joints.shoulder.in_child.rotation", "length 1", "1.41421"},
          {"frame position", [](D& d) { d.joints[0].in_parent.position.x = kInf; },
           "joints.shoulder.in_parent.position", "finite", "inf"},
          {"reference without pose",
           [](D& d) {
             d.joints[0].reference = Joint::Reference{{}, {1, 0, 0}};
           },
           "bodies.upper.pose", "joint 'shoulder' is given by its reference", "none"},
          {"reference axis", [](D& d) { d.joints[0].reference = Joint::Reference{}; },
           "joints.shoulder.reference.axis", "length", "[0, 0, 0]"},
          {"step", [](D& d) { d.simulation.step = 0; }, "simulation.step", "> 0", "0"},
          {"duration", [](D& d) { d.simulation.duration = kInf; }, "simulation.duration", ">= 0", "inf"},
          {"tolerance", [](D& d) { d.simulation.tolerance = -1e-9; }, "simulation.tolerance", "> 0",
           "-1e-09"},
          {"record_every", [](D& d) { d.simulation.record_every = 0; }, "simulation.record_every", ">= 1",
           "0"},
          {"option", [](D& d) { d.simulation.integrator_options["rho"] = kNan; }, "simulation.integrator.rho",
           "finite", "nan"},
      },
      arm(3));
}

TEST(Validate, Elements) {
  expect_refused(
      {
          {"same point twice", [](D& d) { d.points[1].name = "post"; }, "points.post", "once", "twice"},
          {"point on nothing", [](D& d) { d.points[0].body = 9; }, "points.post.body", "a body", "9"},
          {"point nowhere", [](D& d) { d.points[0].p_B.x = kNan; }, "points.post.at", "finite", "nan"},
          {"one point", [](D& d) { d.tendons[0].path.pop_back(); }, "tendons.cable.path", "two points", "1"},
          {"no points", [](D& d) { d.tendons[0].path.clear(); }, "tendons.cable.path", "two points", "0"},
          {"points that meet", [](D& d) { d.tendons[0].path[1] = d.tendons[0].path[0]; },
           "tendons.cable.path[1]", "apart", "same place"},
          {"via on nothing", [](D& d) { d.tendons[0].path[1].body = -2; }, "tendons.cable.path[1].body",
           "a body", "-2"},
          {"stiffness", [](D& d) { d.tendons[0].stiffness = -1; }, "tendons.cable.stiffness", ">= 0", "-1"},
          {"rest length", [](D& d) { d.tendons[0].rest_length = kNan; }, "tendons.cable.rest_length", ">= 0",
           "nan"},
          {"tendon damping", [](D& d) { d.tendons[0].damping = -0.1; }, "tendons.cable.damping", ">= 0",
           "-0.1"},
          {"spring on nothing", [](D& d) { d.joint_springs[0].joint = 5; }, "joint_springs.spring.joint",
           "a joint", "5"},
          {"angle on spherical", [](D& d) { d.joint_springs[0].joint = 1; }, "joint_springs.spring.law",
           "log or euler321", "angle on a spherical"},
          {"log on revolute", [](D& d) { d.joint_springs[0].law = SpringLaw::log; },
           "joint_springs.spring.law", "angle", "log on a revolute"},
          {"two stiffnesses",
           [](D& d) {
             d.joint_springs[0].stiffness = {1, 2};
           },
           "joint_springs.spring.stiffness", "1 number", "2"},
          {"unequal log",
           [](D& d) {
             d.joint_springs[0].joint = 1, d.joint_springs[0].law = SpringLaw::log;
             d.joint_springs[0].stiffness = {1, 2, 1};
           },
           "joint_springs.spring.stiffness", "three equal", "[1, 2, 1]"},
          {"negative spring", [](D& d) { d.joint_springs[0].stiffness = {-3}; },
           "joint_springs.spring.stiffness", ">= 0", "-3"},
          {"spring damping", [](D& d) { d.joint_springs[0].damping = {kInf}; },
           "joint_springs.spring.damping", ">= 0", "inf"},
          {"rest",
           [](D& d) {
             d.joint_springs[0].rest = {1, 2};
           },
           "joint_springs.spring.rest", "1 number", "2"},
          {"stop of a ball",
           [](D& d) {
             d.stops = {{"stop", 1, {{0, 1, 1, 0}}}};
           },
           "joints.elbow.range", "angles", "spherical joint 'elbow'"},
          {"stops",
           [](D& d) {
             d.stops = {{"stop", 0, {}}};
           },
           "joints.shoulder.range", "each of 1", "0"},
          {"turned range",
           [](D& d) {
             d.stops = {{"stop", 0, {{1, -1, 1, 0}}}};
           },
           "joints.shoulder.range", "below", "[1, -1]"},
          {"soft stop",
           [](D& d) {
             d.stops = {{"stop", 0, {{0, 1, 0, 0}}}};
           },
           "joints.shoulder.range.stiffness", "> 0", "0"},
          {"negative friction",
           [](D& d) {
             d.friction = {{"rub", 0, {{-1, 0, 0, 1, 1}}}};
           },
           "joints.shoulder.friction.coulomb", ">= 0", "-1"},
          {"rough friction",
           [](D& d) {
             d.friction = {{"rub", 0, {{1, 0, 1, 1, 0}}}};
           },
           "joints.shoulder.friction.velocity", "> 0", "0"},
          {"bushing on nothing",
           [](D& d) {
             d.bushings = {{"mount", 7, 0, {}, {}, {}, {}}};
           },
           "bushings.mount.parent", "a body", "7"},
          {"bushing of one",
           [](D& d) {
             d.bushings = {{"mount", 0, 0, {}, {}, {}, {}}};
           },
           "bushings.mount.child", "other", "same"},
          {"negative bushing",
           [](D& d) {
             d.bushings = {{"mount", 0, 1, {}, {}, {{1, -1, 1}, {}}, {}}};
           },
           "bushings.mount.stiffness.translation", ">= 0", "-1"},
          {"drag of the ground",
           [](D& d) {
             d.drag = {{"air", kWorld, 1, 0, 0, {}}};
           },
           "drag.air.body", "can move", "world"},
          {"drag elsewhere",
           [](D& d) {
             d.drag = {{"air", 0, 1, 0, 0, d.points[1]}};
           },
           "drag.air.point", "of the body", "another"},
          {"load on world", [](D& d) { d.loads[0].at.body = kWorld; }, "loads.push.body", "can move",
           "world"},
          {"endless load", [](D& d) { d.loads[0].components[1] = kNan; }, "loads.push.force", "finite",
           "nan"},
          {"actuator on a weld", [](D& d) { d.joints[0].type = JointType::fixed, d.joint_springs.clear(); },
           "actuators.motor.joint", "can move", "fixed joint 'shoulder'"},
          {"coordinate", [](D& d) { d.actuators[1].coordinate = 3; }, "actuators.drive.coordinate", "0 to 2",
           "3"},
          {"pd without joint", [](D& d) { d.controllers[0].joint.reset(); }, "controllers.hold.joint", "pd",
           "none"},
          {"pd on spherical", [](D& d) { d.controllers[0].joint = 1; }, "controllers.hold.joint", "angles",
           "spherical joint 'elbow'"},
          {"pd with point", [](D& d) { d.controllers[0].point = d.points[1]; }, "controllers.hold.point",
           "no point", "one"},
          {"targets", [](D& d) { d.controllers[1].target.pop_back(); }, "controllers.reach.target",
           "3 programs", "2"},
          {"gains",
           [](D& d) {
             d.controllers[1].stiffness = {1, 2};
           },
           "controllers.reach.stiffness", "3 numbers", "2"},
          {"impedance of the ground", [](D& d) { d.controllers[1].point = d.points[0]; },
           "controllers.reach.point", "can move", "world"},
          {"servo of nothing", [](D& d) { d.servos[0].point.reset(); }, "servos.follow", "either", "none"},
          {"servo of both", [](D& d) { d.servos[0].body = 0; }, "servos.follow", "either", "2 of them"},
          {"servo of the ground", [](D& d) { d.servos[0].point->body = kWorld; }, "servos.follow.point",
           "can move", "world"},
          {"no output", [](D& d) { d.servos[0].follows.clear(); }, "servos.follow.follows", "at least one",
           "none"},
          {"strange output",
           [](D& d) {
             d.servos[0].follows = {{"angle", Program(0.0)}};
           },
           "servos.follow.follows.angle", "one of x, y, z for a point in 3D", "'angle'"},
          {"roll alone",
           [](D& d) {
             d.servos[0].point.reset();
             d.servos[0].body = 0;
             d.servos[0].follows = {{"roll", Program(0.0)}};
           },
           "servos.follow.follows.roll", "roll, pitch and yaw together", "1 of them"},
          {"coordinate of a joint",
           [](D& d) {
             d.servos[0].point.reset();
             d.servos[0].joint = 0;
           },
           "servos.follow.follows.x", "one of angle for a revolute joint in 3D", "'x'"},
          {"servo of a ball joint",
           [](D& d) {
             d.servos[0].point.reset();
             d.servos[0].joint = 1;
           },
           "servos.follow.joint", "angles and displacements", "the spherical joint 'elbow'"},
          {"jump", [](D& d) { d.servos[0].follows["x"] = make_hat(1, 0, 1); }, "servos.follow.follows.x",
           "without jumps", "jumps"},
          {"infinite speed", [](D& d) { d.servos[0].follows["x"] = make_expression("sqrt(t)", {}); },
           "servos.follow.follows.x", "finite value, rate", "inf"},
          {"too few actuators", [](D& d) { d.servos[0].actuators.clear(); }, "servos.follow.actuators",
           "as many actuators as outputs, 1, or more", "0"},
          {"unknown actuator", [](D& d) { d.servos[0].actuators = {4}; }, "servos.follow.actuators[0]",
           "an actuator", "4"},
          {"actuator in use", [](D& d) { d.servos[0].actuators = {1}; }, "servos.follow.actuators[0]",
           "without an effort", "'drive'"},
          {"actuator twice",
           [](D& d) {
             d.servos.push_back(d.servos[0]);
             d.servos[1].name = "again";
           },
           "servos.again.actuators[0]", "no other output", "'motor'"},
      },
      arm(3));
}

TEST(Validate, Plane) {
  expect_refused(
      {
          {"gravity", [](D& d) { d.gravity.z = -9.81; }, "gravity", "z = 0", "-9.81"},
          {"com", [](D& d) { d.bodies[0].com.z = 1; }, "bodies.upper.com", "z = 0", "1"},
          {"inertia", [](D& d) { d.bodies[0].inertia = {1, 1, 1, 0, 0, 0}; }, "bodies.upper.inertia", "flat",
           "Izz = 1"},
          {"negative inertia", [](D& d) { d.bodies[0].inertia = {0, 0, -1, 0, 0, 0}; },
           "bodies.upper.inertia", "principal moments", "-"},
          {"pose",
           [](D& d) {
             d.bodies[2].pose = SE3<double>{{0.8, 0.6, 0, 0}, {}};
           },
           "bodies.satellite.pose.rotation", "about z", "0.6"},
          {"type", [](D& d) { d.joints[1].type = JointType::spherical; }, "joints.elbow.type",
           "dimension is 2", "spherical"},
          {"axis out of plane",
           [](D& d) {
             d.joints[0].axis = {1, 0, 0};
           },
           "joints.shoulder.axis", "axis z", "[1, 0, 0]"},
          {"slide out of plane", [](D& d) { d.joints[1].type = JointType::prismatic; }, "joints.elbow.axis",
           "in the plane", "[0, 0, 1]"},
          {"frame", [](D& d) { d.joints[1].in_parent.position.z = 1; }, "joints.elbow.in_parent.position",
           "z = 0", "1"},
          {"point", [](D& d) { d.points[0].p_B.z = 1; }, "points.post.at", "z = 0", "1"},
          {"force", [](D& d) { d.loads[0].components[2] = 1.0; }, "loads.push.force", "in the plane",
           "along z"},
          {"moment", [](D& d) { d.loads[0].kind = Load::Kind::moment; }, "loads.push.moment", "about z",
           "in the plane"},
          {"angle of a point",
           [](D& d) {
             d.servos[0].follows = {{"angle", Program(0.0)}};
           },
           "servos.follow.follows.angle", "one of x, y for a point in 2D", "'angle'"},
          {"spin",
           [](D& d) {
             d.initial.bodies["satellite"].angular_velocity = Vec3<double>{1, 0, 0};
           },
           "initial.bodies.satellite.angular_velocity", "about z", "[1, 0, 0]"},
      },
      arm(2));
}

TEST(Validate, Initial) {
  expect_refused(
      {
          {"unknown joint", [](D& d) { d.initial.joints["elbwo"] = {0}; }, "initial.joints.elbwo", "a joint",
           "did you mean 'elbow'?"},
          {"unknown rate", [](D& d) { d.initial.rates["sholder"] = {0}; }, "initial.rates.sholder", "a joint",
           "did you mean 'shoulder'?"},
          {"unknown body", [](D& d) { d.initial.bodies["uper"] = {}; }, "initial.bodies.uper", "a body",
           "did you mean 'upper'?"},
          {"too many",
           [](D& d) {
             d.initial.joints["shoulder"] = {1, 2};
           },
           "initial.joints.shoulder", "1 number for a revolute", "2"},
          {"too few",
           [](D& d) {
             d.initial.joints["elbow"] = {1, 0, 0};
           },
           "initial.joints.elbow", "4 numbers for a spherical", "3"},
          {"rates",
           [](D& d) {
             d.initial.rates["elbow"] = {1, 0, 0, 0};
           },
           "initial.rates.elbow", "3 rates for a spherical", "4"},
          {"nan", [](D& d) { d.initial.rates["shoulder"] = {kNan}; }, "initial.rates.shoulder", "finite",
           "nan"},
          {"quaternion",
           [](D& d) {
             d.initial.joints["elbow"] = {1, 1, 0, 0};
           },
           "initial.joints.elbow", "length 1", "1.41421"},
          {"zero quaternion",
           [](D& d) {
             d.initial.bodies["upper"].rotation = SO3<double>{0, 0, 0, 0};
           },
           "initial.bodies.upper.rotation", "length 1", "length 0"},
          {"position",
           [](D& d) {
             d.initial.bodies["satellite"].position = Vec3<double>{0, kInf, 0};
           },
           "initial.bodies.satellite.position", "finite", "inf"},
          {"both",
           [](D& d) {
             d.initial.joints["shoulder"] = {0};
             d.initial.bodies["upper"].position = Vec3<double>{};
           },
           "initial.bodies.upper", "no pose", "'shoulder'"},
          {"both rates",
           [](D& d) {
             d.initial.rates["shoulder"] = {0};
             d.initial.bodies["upper"].velocity = Vec3<double>{};
           },
           "initial.bodies.upper", "no velocity", "'shoulder'"},
      },
      arm(3));
}

void repeat_joint(D& d, int times) {
  for (int i = 1; i < times; ++i) {
    d.joints.push_back(d.joints[1]);
    d.joints.back().name = "elbow" + std::to_string(i);
  }
}

void lengthen_tendon(D& d, int points) {
  std::vector<Point>& path = d.tendons[0].path;
  while (static_cast<int>(path.size()) < points) {
    path.push_back(path[path.size() - 2]);
    path.back().p_B.x += 1;
  }
}

void repeat_tendon(D& d, int times) {
  const Tendon cable = d.tendons[0];
  for (int i = 1; i < times; ++i) d.tendons.emplace_back(cable).name += std::to_string(i);
}

/// Segment by segment; each time a centre and three axes are points, too.
void wrap_tendon(D& d, int segments) {
  Wrap wrap;
  wrap.at = {"", kWorld, {0, -50, 0}};
  wrap.law = {WrapLaw::Kind::sphere, 0.1, {}};
  for (wrap.segment = 0; wrap.segment < segments; ++wrap.segment) d.tendons[0].wraps.push_back(wrap);
}

TEST(Validate, Sizes) {
  expect_refused({{"a long tendon", [](D& d) { lengthen_tendon(d, 1001); }, "tendons.cable.path",
                   "at most 1000 points", "1001"},
                  {"long tendons in all",
                   [](D& d) {
                     lengthen_tendon(d, 1000);
                     repeat_tendon(d, 6);
                   },
                   "tendons", "at most 5e+06 pairs of points of a tendon", "6000000"},
                  {"much that acts on a long tendon",
                   [](D& d) {
                     lengthen_tendon(d, 1000);
                     Actuator motor;
                     motor.tendon = 0;
                     for (int i = 0; i < 5; ++i)
                       d.actuators.emplace_back(motor).name = "m" + std::to_string(i);
                   },
                   "tendons", "at most 5e+06 pairs of points of a tendon", "6000000"},
                  {"a muscle on a long tendon",
                   [](D& d) {
                     lengthen_tendon(d, 1000);
                     repeat_tendon(d, 5);
                     Muscle& muscle = d.tendons[0].muscle.emplace();
                     muscle.max_force = muscle.fibre_length = 1;
                   },
                   "tendons", "once more for each element", "6000000"},
                  {"bounds of a long tendon",
                   [](D& d) {
                     lengthen_tendon(d, 1000);
                     repeat_tendon(d, 4);
                     JointStop& stop = d.stops.emplace_back();
                     stop.name = "stop";
                     stop.tendon = 0;
                     stop.ranges = {{1, 2, 50, 0}};
                   },
                   "tendons", "once more for each element", "6000000"},
                  {"a tendon round much",
                   [](D& d) {
                     lengthen_tendon(d, 451);
                     wrap_tendon(d, 450);
                   },
                   "tendons", "at most 5e+06 pairs of points of a tendon", "5067001"},
                  {"coincident joints", [](D& d) { repeat_joint(d, 65); }, "joints.elbow64",
                   "at most 64 joints between the same two bodies", "more"},
                  {"the same the other way round",
                   [](D& d) {
                     repeat_joint(d, 65);
                     std::swap(d.joints[9].parent, d.joints[9].child);
                   },
                   "joints.elbow64", "at most 64 joints", "more"},
                  {"many couplings",
                   [](D& d) {
                     for (int i = 0; i < 501; ++i) d.couplings.emplace_back().name = "c" + std::to_string(i);
                   },
                   "couplings", "at most 500 couplings", "501"}},
                 arm(3));
  D largest = arm(3);
  lengthen_tendon(largest, 1000);
  repeat_tendon(largest, 5);
  repeat_joint(largest, 64);
  EXPECT_NO_THROW(Model{largest});
  D wrapped = arm(3);
  lengthen_tendon(wrapped, 448);
  wrap_tendon(wrapped, 447);  // 2236 points
  EXPECT_NO_THROW(Model{wrapped});
}

TEST(Validate, NearlyUnitQuaternionsAreNormalised) {
  ModelDescription d = arm(3);
  d.joints[0].in_parent.rotation = {0.7071068, 0.7071068, 0, 0};
  d.initial.joints["elbow"] = {0.9999999, 0, 0, 0};
  const Model model(d);
  const SO3<double> q = model.joints()[0].in_parent.rotation;
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
  EXPECT_EQ(model.initial().joints.at("elbow")[0], 1);
}

}  // namespace
}  // namespace torsor
