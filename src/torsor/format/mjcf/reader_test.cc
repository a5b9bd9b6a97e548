// MJCF on small files written here, against our own words for the same and against formulas.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "testing/malformed_mjcf.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/format/mjcf/geom.h"
#include "torsor/format/model_reader.h"
#include "torsor/lie/so3.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Model read(const std::string& mjcf, const ImportOptions& options = {}) {
  return parse_model(source_of_text(mjcf, "m.xml", options));
}
/// A world with something that moves beside `content`.
std::string world(const std::string& content, const std::string& rest = "") {
  return "<mujoco><compiler angle='radian'/>" + rest + "<worldbody>" + content + "</worldbody></mujoco>";
}
const char* const kRod = "<geom type='capsule' size='.05 .2'/>";

double difference(const Sym3<double>& a, const Sym3<double>& b) {
  return larger({std::abs(a.xx - b.xx), std::abs(a.yy - b.yy), std::abs(a.zz - b.zz), std::abs(a.xy - b.xy),
                 std::abs(a.xz - b.xz), std::abs(a.yz - b.yz)});
}
double distance(const SE3<double>& a, const SE3<double>& b) {
  return norm(a.position - b.position) + norm(log(inverse(a.rotation) * b.rotation));
}
SE3<double> start_of(const Model& model, const std::string& body) {
  return body_poses(model, initial_coordinates(model))[model.body_index(body)];
}

TEST(Mjcf, EveryWayToWriteAnOrientationIsTheSame) {
  const double c = std::cos(0.3), s = std::sin(0.3);
  const std::string ways[] = {
      "quat='" + std::to_string(2 * std::cos(0.15)) + " 0 0 " + std::to_string(2 * std::sin(0.15)) + "'",
      "axisangle='0 0 2 0.3'", "euler='0 0 0.3'",
      "xyaxes='" + std::to_string(c) + " " + std::to_string(s) + " 0 -1 0.5 0'"};
  for (const std::string& way : ways) {
    const Model model = read(world("<body name='b' pos='1 2 3' " + way + "><freejoint/>" + kRod + "</body>"));
    EXPECT_LE(distance(start_of(model, "b"), {exp_so3(Vec3<double>{0, 0, 0.3}), {1, 2, 3}}), 2e-6)
        << way;  // six digits
  }
  // zaxis: the shortest turn from z.
  const Model model =
      read(world("<body name='b' zaxis='0 -3 0'><freejoint/>" + std::string(kRod) + "</body>"));
  EXPECT_LE(distance(start_of(model, "b"), {exp_so3(Vec3<double>{std::numbers::pi / 2, 0, 0}), {}}),
            1e-15);  // measured 2e-16
}

TEST(Mjcf, EulerSequencesTurnAboutMovedOrFixedAxes) {
  const auto rotation = [&](const char* sequence) {
    const Model model = read("<mujoco><compiler eulerseq='" + std::string(sequence) +
                             "'/><worldbody><body name='b' euler='10 20 30'><freejoint/>" + kRod +
                             "</body></worldbody></mujoco>");
    return start_of(model, "b");
  };
  const auto about = [](int axis, double degrees) {
    Vec3<double> x;
    x[axis] = degrees * kDegree;
    return exp_so3(x);
  };
  const SE3<double> moved{about(0, 10) * about(1, 20) * about(2, 30), {}},
      fixed{about(2, 30) * about(1, 20) * about(0, 10), {}};
  EXPECT_LE(distance(rotation("xyz"), moved), 1e-15);  // measured 3e-16
  EXPECT_LE(distance(rotation("XYZ"), fixed), 1e-15);
  EXPECT_LE(distance(rotation("zxy"), {about(2, 10) * about(0, 20) * about(1, 30), {}}), 1e-15);
}

/// The inertia of a shape by our own formulas, and by geoms of the same density.
TEST(Mjcf, GeomsWeighWhatOurShapesWeigh) {
  const std::pair<const char*, Shape> all[] = {
      {"type='sphere' size='.2'", {Sphere{0.2}, {}, {}, {}}},
      {"type='box' size='.1 .2 .3'", {Box{{0.2, 0.4, 0.6}}, {}, {}, {}}},
      {"type='cylinder' size='.1 .3'", {Cylinder{0.1, 0.6}, {}, {}, {}}},
      {"type='capsule' size='.1 .3'", {Capsule{0.1, 0.6}, {}, {}, {}}},
      {"type='ellipsoid' size='.1 .2 .3'", {Ellipsoid{{0.1, 0.2, 0.3}}, {}, {}, {}}},
  };
  for (const auto& [geom, shape] : all) {
    const Model model =
        read(world("<body name='b'><freejoint/><geom density='700' pos='1 .5 0' euler='.3 .2 .1' " +
                   std::string(geom) + "/></body>"));
    Shape placed = shape;
    placed.density = 700;
    placed.pose = {exp_so3(Vec3<double>{0.3, 0, 0}) * exp_so3(Vec3<double>{0, 0.2, 0}) *
                       exp_so3(Vec3<double>{0, 0, 0.1}),
                   {1, 0.5, 0}};
    const Inertia<double> expected = shape_inertia({placed});
    const Body& body = model.bodies()[0];
    EXPECT_NEAR(body.mass, expected.mass, 1e-13 * expected.mass) << geom;  // measured 2e-16
    EXPECT_LE(norm(body.com - com(expected)), 1e-15) << geom;
    EXPECT_LE(difference(body.inertia, tensor_about_com(expected)), 1e-13 * expected.mass)
        << geom;  // measured 4e-16
  }
}

/// Shells are the derivative of solids by an even growth.
TEST(Mjcf, ShellsAreDerivativesOfSolids) {
  using Type = mjcf::Geom::Type;
  constexpr double h = 1e-5;
  const Vec3<double> size{0.3, 0.4, 0.5};
  for (const Type type : {Type::sphere, Type::capsule, Type::cylinder, Type::box}) {
    const bool half = type == Type::capsule;  // whose cylinder keeps its length
    const auto grown = [&](double by) {
      return mjcf::unit_inertia(type, {size.x + by, size.y + (half ? 0 : by), size.z + by}, false);
    };
    const Inertia<double> shell = mjcf::unit_inertia(type, size, true), more = grown(h), less = grown(-h);
    EXPECT_NEAR(shell.mass, (more.mass - less.mass) / (2 * h), 1e-8 * shell.mass);  // measured 4e-10
    const Sym3<double> slope{(more.about_origin.xx - less.about_origin.xx) / (2 * h),
                             (more.about_origin.yy - less.about_origin.yy) / (2 * h),
                             (more.about_origin.zz - less.about_origin.zz) / (2 * h),
                             0,
                             0,
                             0};
    EXPECT_LE(difference(shell.about_origin, slope), 1e-8 * shell.mass);  // measured 3e-9
  }
}

TEST(Mjcf, MeshesWeighWhatTheyEnclose) {
  const std::string vertices = "-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1";
  const std::string faces = "0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7";
  for (const char* how : {"exact", "legacy", "shell", "convex", "none"}) {
    const std::string given =
        how == std::string("none") ? "" : "' inertia='" + std::string(how) + "' face='" + faces;
    const std::string mesh =
        "<asset><mesh name='c' scale='.1 -.2 .3' vertex='" + vertices + given + "'/></asset>";
    const Model as_mesh =
        read(world("<body name='b'><freejoint/><geom type='mesh' mesh='c' pos='.1 0 0'/></body>", mesh));
    const std::string shell = std::string(how) == "shell" ? " shellinertia='true'" : "";
    const Model as_box = read(world(
        "<body name='b'><freejoint/><geom type='box' size='.1 .2 .3' pos='.1 0 0'" + shell + "/></body>"));
    const Body &a = as_mesh.bodies()[0], &b = as_box.bodies()[0];
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass) << how;                  // measured 3e-16
    EXPECT_LE(norm(a.com - b.com), 1e-15) << how;                        // measured 6e-17
    EXPECT_LE(difference(a.inertia, b.inertia), 1e-13 * b.mass) << how;  // measured 2e-16
  }
}

TEST(Mjcf, FromtoIsPosAndSize) {
  const Model a =
      read(world("<body><freejoint/><geom type='capsule' size='.05' fromto='0 0 0 .3 0 .4'/></body>"));
  const Model b = read(
      world("<body><freejoint/><geom type='capsule' size='.05 .25' pos='.15 0 .2' zaxis='3 0 4'/></body>"));
  EXPECT_LE(difference(a.bodies()[0].inertia, b.bodies()[0].inertia), 1e-16);
}

TEST(Mjcf, MassesAreBoundedBalancedAndScaled) {
  const std::string bodies =
      "<body name='a'><freejoint/><inertial mass='1' pos='0 0 0' diaginertia='.1 .1 .5'/></body>"
      "<body name='b'><freejoint/><inertial mass='3' pos='0 0 0' diaginertia='.1 .1 .1'/></body>";
  const Model balanced = read(world(bodies, "<compiler balanceinertia='true'/>"));
  EXPECT_NEAR(balanced.bodies()[0].inertia.xx, 0.7 / 3, 1e-15);
  const Model bounded = read(world(bodies, "<compiler boundmass='2' boundinertia='.3'/>"));
  EXPECT_EQ(bounded.bodies()[0].mass, 2);
  EXPECT_NEAR(bounded.bodies()[0].inertia.xx, 0.3, 1e-15);
  const Model scaled = read(world(bodies, "<compiler balanceinertia='true' settotalmass='8'/>"));
  EXPECT_NEAR(scaled.bodies()[1].mass, 6, 1e-15);
  EXPECT_NEAR(scaled.bodies()[1].inertia.xx, 0.2, 1e-15);
}

TEST(Mjcf, ClassesInheritAndInnerOnesCount) {
  const Model model =
      read(world("<body childclass='outer'><joint name='a'/><geom/><body><joint class='inner' "
                 "name='b'/><geom/><body><joint name='c' damping='7'/><geom/>"
                 "</body></body></body><body><joint name='d'/><geom size='.1'/></body>",
                 "<default><joint damping='1'/><geom size='.1'/><default class='outer'><joint damping='2' "
                 "stiffness='5'/>"
                 "<default class='inner'><joint damping='3'/></default></default></default>"));
  const auto spring = [&](const std::string& name) {
    for (const JointSpring& one : model.joint_springs())
      if (model.joints()[one.joint].name == name) return one;
    return JointSpring{};
  };
  EXPECT_EQ(spring("a").damping[0], 2);
  EXPECT_EQ(spring("b").damping[0], 3);
  EXPECT_EQ(spring("b").stiffness[0], 5);
  EXPECT_EQ(spring("c").damping[0], 7);
  EXPECT_EQ(spring("d").damping[0], 1);
  EXPECT_EQ(spring("d").stiffness[0], 0);
}

TEST(Mjcf, FramesAndReplicatesAreResolved) {
  const Model model =
      read(world("<frame pos='1 0 0' euler='0 0 1.5707963267948966'><body name='b' pos='1 0 "
                 "0'><freejoint/><geom size='.1'/></body></frame>"
                 "<replicate count='3' offset='0 0 1' euler='0 0 .1' sep='_'><body "
                 "name='r'><freejoint/><geom size='.1'/></body></replicate>"));
  EXPECT_LE(distance(start_of(model, "b"), {exp_so3(Vec3<double>{0, 0, std::numbers::pi / 2}), {1, 1, 0}}),
            1e-15);
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(distance(start_of(model, "r_" + std::to_string(i)),
                       {exp_so3(Vec3<double>{0, 0, 0.1 * i}), {0, 0, double(i)}}),
              1e-15);
}

/// In the reference configuration every body stands where the file has it, whatever `ref` is, with several joints on one.
TEST(Mjcf, BodiesStartWhereTheFileHasThem) {
  const Model model =
      read(world("<body name='a' pos='0 0 1' euler='.1 .2 .3'><joint name='x' type='slide' axis='1 2 0' "
                 "ref='.4'/><joint name='h' axis='0 1 1' pos='.1 .2 .3' ref='.7'/>"
                 "<joint name='k' axis='1 0 0' pos='-.1 0 0'/><geom size='.1'/><body name='w' pos='.5 0 "
                 "0'><geom size='.1'/><body name='c' pos='0 .5 0' quat='1 1 0 0'>"
                 "<joint type='ball' pos='.1 0 0'/><geom size='.1'/></body></body></body>"));
  ASSERT_EQ(model.bodies().size(), 4u);  // two links, `w` is merged
  const SO3<double> R =
      exp_so3(Vec3<double>{0.1, 0, 0}) * exp_so3(Vec3<double>{0, 0.2, 0}) * exp_so3(Vec3<double>{0, 0, 0.3});
  const SE3<double> a{R, {0, 0, 1}},
      c = a * SE3<double>{exp_so3(Vec3<double>{std::numbers::pi / 2, 0, 0}), {0.5, 0.5, 0}};
  EXPECT_LE(distance(start_of(model, "a"), a), 2e-15);  // measured 5e-16
  EXPECT_LE(distance(start_of(model, "c"), c), 2e-15);
  EXPECT_EQ(initial_coordinates(model)[0], 0.4);
  EXPECT_EQ(initial_coordinates(model)[1], 0.7);
  EXPECT_NEAR(model.bodies()[2].mass, 2 * 1000 * 4.0 / 3 * std::numbers::pi * 1e-3, 1e-12);
}

TEST(Mjcf, KeyframesAreStarts) {
  const std::string file =
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/><body><joint name='h' axis='0 1 "
      "0'/><geom size='.1'/></body></body>"
      "</worldbody><actuator><motor joint='h' gear='4'/></actuator><keyframe><key name='up' qpos='1 2 3 0 0 "
      "0 1 .5' qvel='1 0 0 0 0 2 3' ctrl='.25'/>"
      "</keyframe></mujoco>";
  ImportOptions options;
  options.keyframe = "up";
  const Model model = read(file, options);
  EXPECT_LE(distance(start_of(model, "b"), {exp_so3(Vec3<double>{0, 0, std::numbers::pi}), {1, 2, 3}}),
            1e-15);
  const std::vector<double> qd =
      initial_rates(model);  // turned by half a turn: x of the world is -x of the body
  EXPECT_EQ(qd[2], 2);
  EXPECT_NEAR(qd[3], -1, 1e-15);
  EXPECT_EQ(qd[6], 3);
  EXPECT_EQ(model.actuators()[0].effort.value(0), 1);
  options.keyframe = "down";
  EXPECT_THROW(read(file, options), ModelError);
}

TEST(Mjcf, ActuatorsAreProgramsAndSprings) {
  const std::string joints = "<body><joint name='h' axis='0 1 0'/>" + std::string(kRod) + "</body>";
  const auto with = [&](const std::string& actuator) {
    return read("<mujoco><worldbody>" + joints + "</worldbody><actuator>" + actuator +
                "</actuator></mujoco>");
  };
  const Model position = with("<position joint='h' kp='3' kv='.5' gear='2'/>");
  EXPECT_EQ(position.joint_springs()[0].stiffness[0], 12);
  EXPECT_EQ(position.joint_springs()[0].damping[0], 2);
  const Model velocity = with("<velocity joint='h' kv='.5' gear='2'/>");
  EXPECT_EQ(velocity.joint_springs()[0].stiffness[0], 0);
  EXPECT_EQ(velocity.joint_springs()[0].damping[0], 2);
  ModelSource source = source_of_text(
      "<mujoco><worldbody>" + joints +
          "</worldbody><actuator><general name='g' joint='h' gainprm='5' biastype='affine' biasprm='1 -2 -3' "
          "ctrlrange='-1 1' gear='.5' dyntype='filter' dynprm='.1'/></actuator></mujoco>",
      "m.xml");
  source.overrides = {{"actuators.g.effort.u", "2"}, {"actuators.g.effort.a", "0.25"}};
  const Model general = parse_model(source);
  const double t = 0.07, activation = 1 + (0.25 - 1) * std::exp(-t / 0.1);
  EXPECT_NEAR(general.actuators()[0].effort.value(t), 0.5 * (5 * activation + 1), 1e-15);  // u is cut to 1
  EXPECT_EQ(general.joint_springs()[0].stiffness[0], 0.5);
  EXPECT_EQ(general.joint_springs()[0].damping[0], 0.75);
}

/// A tendon over two joints, with what the format can put on it.
TEST(Mjcf, FixedTendonsAreSumsOfCoordinates) {
  const std::string bodies = "<body><joint name='h' ref='.2' springref='.3'/><joint name='s' type='slide'/>" +
                             std::string(kRod) + "</body>";
  const auto file = [&](const std::string& tendon, const std::string& actuator = "") {
    return read("<mujoco><compiler angle='radian'/><worldbody>" + bodies +
                "</worldbody><tendon><fixed name='t' " + tendon +
                "><joint joint='h' coef='2'/><joint joint='s' coef='-3'/><joint joint='h' coef='.5'/></fixed>"
                "</tendon><actuator>" +
                actuator + "</actuator></mujoco>");
  };
  const Model plain = file("stiffness='4' damping='.3' range='-1 2' frictionloss='.7'");
  ASSERT_EQ(plain.tendons().size(), 1u);
  const Tendon& t = plain.tendons()[0];
  ASSERT_EQ(t.joints.size(), 2u);
  EXPECT_EQ(t.joints[0].factor, 2.5);
  EXPECT_EQ(t.joints[1].factor, -3);
  EXPECT_EQ(t.stiffness, 4);
  EXPECT_EQ(t.damping, 0.3);
  EXPECT_EQ(t.rest_length.value(0), 2.5 * 0.3);  // its length where joints are at their springref
  EXPECT_TRUE(t.is_angle);
  ASSERT_EQ(plain.elements().stops.size(), 1u);
  EXPECT_EQ(plain.elements().stops[0].tendon, 0);
  EXPECT_EQ(plain.elements().stops[0].ranges[0].lower, -1);
  ASSERT_EQ(plain.elements().friction.size(), 1u);
  EXPECT_EQ(plain.elements().friction[0].laws[0].coulomb, 0.7);
  // Between the two lengths of a spring nothing pulls: a stop at each.
  const Model band = file("stiffness='4' damping='1' springlength='-.5 .8'");
  ASSERT_EQ(band.elements().stops.size(), 1u);
  EXPECT_EQ(band.elements().stops[0].ranges[0].upper, 0.8);
  EXPECT_EQ(band.elements().stops[0].ranges[0].stiffness, 4);
  EXPECT_EQ(band.tendons()[0].stiffness, 0);
  EXPECT_EQ(band.tendons()[0].damping, 1);
  // A servo: an effort that pushes where it is positive, and a spring of its own beside it.
  const Model servo = file("", "<position tendon='t' kp='50' kv='6' gear='2'/>");
  ASSERT_EQ(servo.tendons().size(), 2u);
  EXPECT_EQ(servo.tendons()[1].joints[0].factor, 2.5);
  EXPECT_EQ(servo.tendons()[1].stiffness, 50 * 4);
  EXPECT_EQ(servo.tendons()[1].damping, 6 * 4);
  EXPECT_EQ(servo.tendons()[1].rest_length.value(0), 0);
  ASSERT_EQ(servo.actuators().size(), 1u);
  EXPECT_EQ(servo.actuators()[0].tendon, 0);
  // Muscles: on the tendon, on a joint by its gear.
  const std::string muscle = " lengthrange='.1 .5' force='100'/>";
  EXPECT_TRUE(file("", "<muscle tendon='t'" + muscle).tendons()[0].muscle.has_value());
  const Model two = file("", "<muscle tendon='t'" + muscle + "<muscle joint='h' gear='.05'" + muscle);
  ASSERT_EQ(two.tendons().size(), 2u);
  ASSERT_TRUE(two.tendons()[1].muscle.has_value());
  EXPECT_EQ(two.tendons()[1].joints[0].factor, 0.05);
}

/// kv = 2 ratio sqrt(kp I) through the gear; a point mass m at r behind a hinge has I = m r^2, with its rotor.
TEST(Mjcf, DampingRatiosBecomeDampers) {
  const std::string ball =
      "<body><joint name='h' axis='0 1 0' armature='.25'/><inertial mass='3' pos='2 0 0' "
      "diaginertia='1e-9 1e-9 1e-9'/></body>";
  for (const char* way : {"<position joint='h' kp='7' dampratio='.5' gear='2'/>",
                          "<general joint='h' gainprm='7' biastype='affine' biasprm='0 -7 .5' gear='2'/>"}) {
    const Model model =
        read("<mujoco><worldbody>" + ball + "</worldbody><actuator>" + way + "</actuator></mujoco>");
    const JointSpring& spring = model.joint_springs()[0];
    const double inertia = (3 * 4 + 0.25 + 1e-9) / 4;
    EXPECT_NEAR(spring.damping[0], 4 * 2 * 0.5 * std::sqrt(7 * inertia), 1e-12);  // measured 0
    EXPECT_EQ(spring.stiffness[0], 4 * 7.0);
  }
  // Along a spatial tendon the inertia is not known: the spring stays, where that is allowed.
  const std::string cable =
      "<mujoco><worldbody><site name='s' pos='0 0 1'/><body><joint name='h' axis='0 1 0'/><geom size='.1' "
      "pos='1 0 0'/>"
      "<site name='e' pos='1 0 0'/></body></worldbody><tendon><spatial name='t'><site site='s'/><site "
      "site='e'/>"
      "</spatial></tendon><actuator><position tendon='t' kp='7' dampratio='.5'/></actuator></mujoco>";
  EXPECT_THROW(read(cable), ModelError);
  const Model left = read(cable, {.allowed = {"actuators"}});
  EXPECT_EQ(left.tendons()[1].stiffness, 7);
  EXPECT_EQ(left.tendons()[1].damping, 0);
}

TEST(Mjcf, EqualitiesAreLoopsAndCouplings) {
  const Model model = read(
      "<mujoco><worldbody><body name='a'><joint name='p' axis='0 1 0' ref='10'/><geom size='.1' pos='1 0 "
      "0'/></body><body name='b' pos='2 0 0'>"
      "<joint name='q' axis='0 1 0'/><geom size='.1' pos='-1 0 0'/></body></worldbody><equality><connect "
      "body1='a' body2='b' anchor='1 0 0'/>"
      "<weld body1='b'/><joint joint1='p' joint2='q' polycoef='.1 2 0 0 0'/></equality></mujoco>");
  ASSERT_EQ(model.topology().loop_joints.size(), 2u);
  const Joint& connect = model.joints()[2];
  EXPECT_EQ(connect.type, JointType::spherical);
  EXPECT_LE(norm(connect.in_child.position - Vec3<double>{1, 0, 0}), 1e-16);
  EXPECT_LE(norm(connect.in_parent.position - Vec3<double>{-1, 0, 0}), 1e-16);
  EXPECT_EQ(model.joints()[3].parent, kWorld);
  ASSERT_EQ(model.couplings().size(), 1u);
  EXPECT_EQ(model.couplings()[0].terms[1].factor, -2);
  EXPECT_NEAR(model.couplings()[0].offset, 10 * kDegree + 0.1, 1e-15);
}

TEST(Mjcf, FlagsSwitchOff) {
  const Model model = read(
      "<mujoco><option gravity='0 0 -1'><flag gravity='disable' constraint='disable' "
      "actuation='disable'/></option><worldbody><body><joint name='h' range='0 10' "
      "frictionloss='1'/><geom size='.1'/></body></worldbody><actuator><motor "
      "joint='h'/></actuator></mujoco>");
  EXPECT_EQ(model.gravity(), (Vec3<double>{}));
  EXPECT_TRUE(model.elements().stops.empty());
  EXPECT_TRUE(model.elements().friction.empty());
  EXPECT_TRUE(model.actuators().empty());
}

class MjcfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("torsor_mjcf_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "inner");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(MjcfFiles, IncludesStandInPlace) {
  write("inner/body.xml", "<mujocoinclude>\n<body><freejoint/><geom class='small'/></body></mujocoinclude>");
  write("defaults.xml",
        "<mujoco><default><default class='small'><geom size='.1'/></default></default></mujoco>");
  const std::string main = write("main.xml",
                                 "<mujoco><include file='defaults.xml'/><worldbody><include "
                                 "file='inner/body.xml'/></worldbody></mujoco>");
  EXPECT_EQ(load_model(main).bodies().size(), 1u);
}

TEST_F(MjcfFiles, IncludesNeitherGoInCirclesNorOutside) {
  const auto fault = [&](const std::string& main, const ImportOptions& options = {}) -> std::string {
    try {
      load_model(main, options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  write("b.xml", "<mujoco>\n<include file='a.xml'/></mujoco>");
  const std::string circle = fault((folder_ / "a.xml").string());
  EXPECT_NE(circle.find("do not include themselves"), std::string::npos) << circle;
  EXPECT_NE(circle.find("b.xml:2"), std::string::npos) << circle;
  write("body.xml", "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  const std::string out = write("inner/main.xml", "<mujoco>\n<include file='../body.xml'/></mujoco>");
  EXPECT_NE(fault(out).find("--files-outside"), std::string::npos) << fault(out);
  ImportOptions options;
  options.files_outside = true;
  EXPECT_EQ(fault(out, options), "");
  EXPECT_NE(fault(write("none.xml", "<mujoco>\n\n<include file='no.xml'/></mujoco>")).find("none.xml:3"),
            std::string::npos);
}

TEST(Mjcf, WhatIsWrongIsNamedWithItsLine) {
  for (const MalformedMjcf& fault : malformed_mjcf()) {
    try {
      read(fault.text);
      ADD_FAILURE() << fault.what << " was read";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(fault.part), std::string::npos)
          << fault.what << ": " << error.what();
      EXPECT_EQ(error.line, fault.line) << fault.what << ": " << error.what();
      EXPECT_EQ(error.file, "m.xml") << fault.what;
    }
  }
}

TEST(Mjcf, StrictRefusesWhatIsApproximated) {
  const std::string file = world("<body><joint range='0 1'/>" + std::string(kRod) + "</body>");
  ImportOptions options;
  options.strict = true;
  EXPECT_NO_THROW(read(file));
  EXPECT_THROW(read(file, options), ModelError);
}

}  // namespace
}  // namespace torsor
