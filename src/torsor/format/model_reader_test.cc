// Each section of a model file, read and compared with what was written.

#include "torsor/format/model_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

const std::string kPlanar =
    "torsor: 1\n"
    "dimension: 2\n"
    "bodies:\n"
    "  a: {mass: 1, com: [0.5, 0], inertia: 2}\n"
    "  b: {mass: 2, inertia: {euler: [1, 3]}}\n"
    "joints:\n"
    "  hinge: {type: revolute, parent: world, child: a, in_parent: {position: [1, 2], rotation: 90 deg}}\n"
    "  rail: {type: prismatic, parent: a, child: b}\n"
    "points:\n"
    "  post: {body: world, at: [0, 4 mm]}\n"
    "  eye: {body: b}\n";

const std::string kSpatial =
    "torsor: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  ball: {type: spherical, parent: world, child: a}\n"
    "  tube: {type: cylindrical, parent: a, child: b, axis: [0, 2, 0]}\n";

ModelDescription describe(const std::string& text) { return parse_description({"model.yaml", text, {}}); }

ModelError refusal(const std::string& text, std::vector<std::pair<std::string, std::string>> overrides = {}) {
  try {
    parse_model(ModelSource{"model.yaml", text, std::move(overrides)});
  } catch (const ModelError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return ModelError("", "", "");
}

void expect_rotation(const SO3<double>& found, const SO3<double>& expected) {
  // measured 1.1e-16
  EXPECT_NEAR(found.w, expected.w, 1e-15);
  EXPECT_NEAR(found.x, expected.x, 1e-15);
  EXPECT_NEAR(found.y, expected.y, 1e-15);
  EXPECT_NEAR(found.z, expected.z, 1e-15);
}

TEST(ModelReader, Head) {
  const ModelDescription d = describe("name: Arm\ngravity: [0, -9.81]\n" + kPlanar);
  EXPECT_EQ(d.name, "Arm");
  EXPECT_EQ(d.dimension, 2);
  EXPECT_EQ(d.gravity, (Vec3<double>{0, -9.81, 0}));
  EXPECT_EQ(describe(kPlanar).name, "model");
  EXPECT_EQ(describe(kSpatial).dimension, 3);
}

TEST(ModelReader, PlanarInertiaHasNoThickness) {
  const ModelDescription d = describe(kPlanar);
  EXPECT_EQ(d.bodies[0].com, (Vec3<double>{0.5, 0, 0}));
  EXPECT_EQ(d.bodies[0].inertia, (Sym3<double>{1, 1, 2, 0, 0, 0}));
  EXPECT_EQ(d.bodies[1].inertia, (Sym3<double>{3, 1, 4, 0, 0, 0}));
}

TEST(ModelReader, SpatialInertia) {
  EXPECT_EQ(describe(kSpatial).bodies[0].inertia, (Sym3<double>{1, 2, 2.5, 0.1, 0.2, 0.3}));
}

TEST(ModelReader, ShapesGiveMassAndInertia) {
  const ModelDescription d = describe(
      "torsor: 1\nbodies:\n"
      "  by_density: {density: 2, shape: {box: [1, 2, 3]}}\n"
      "  by_mass: {mass: 12, shape: {box: [1, 2, 3], pose: {position: [1, 0, 0]}}}\n"
      "  drawn: {mass: 5, com: [0, 0, 1], inertia: [1, 1, 1], shape: {sphere: {radius: 1}}}\n"
      "  two:\n    shapes:\n      - {sphere: {radius: 1}, mass: 1, pose: {position: [2, 0, 0]}}\n"
      "      - {sphere: {radius: 1}, mass: 1, pose: {position: [-2, 0, 0]}}\n"
      "  shared: {mass: 9, shapes: [{box: [1, 1, 1]}, {box: [2, 2, 2]}]}\n");
  // m (b^2 + c^2) / 12
  EXPECT_DOUBLE_EQ(d.bodies[0].mass, 12);
  EXPECT_DOUBLE_EQ(d.bodies[0].inertia.xx, 13);
  EXPECT_DOUBLE_EQ(d.bodies[1].inertia.xx, 13);
  EXPECT_DOUBLE_EQ(d.bodies[1].com.x, 1);
  EXPECT_EQ(d.bodies[2].mass, 5);
  EXPECT_EQ(d.bodies[2].shapes.size(), 1u);
  // 2 (2/5 m r^2 + m d^2)
  EXPECT_DOUBLE_EQ(d.bodies[3].inertia.yy, 2 * (0.4 + 4));
  EXPECT_DOUBLE_EQ(*d.bodies[4].shapes[1].density, 1);
}

TEST(ModelReader, PlanarShapesWeighInThePlane) {
  const ModelDescription d = describe(
      "torsor: 1\ndimension: 2\nbodies:\n  plate: {mass: 12, shape: {box: [1, 2]}}\n"
      "  thick: {mass: 12, shape: {box: [1, 2, 5]}}\n");
  for (const Body& body : d.bodies) {
    EXPECT_DOUBLE_EQ(body.inertia.zz, 5);
    EXPECT_DOUBLE_EQ(body.inertia.xx + body.inertia.yy, 5);
  }
}

TEST(ModelReader, Joints) {
  const ModelDescription d = describe(kPlanar);
  EXPECT_EQ(d.joints[0].parent, kWorld);
  EXPECT_EQ(d.joints[0].child, 0);
  EXPECT_EQ(d.joints[0].in_parent.position, (Vec3<double>{1, 2, 0}));
  expect_rotation(d.joints[0].in_parent.rotation, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
  EXPECT_EQ(d.joints[0].axis, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(d.joints[1].type, JointType::prismatic);
  EXPECT_EQ(d.joints[1].axis, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(describe(kSpatial).joints[1].axis, (Vec3<double>{0, 2, 0}));
}

TEST(ModelReader, JointsByReference) {
  const ModelDescription d = describe(
      "torsor: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], pose: {position: [1, 2, 3]}}\njoints:\n"
      "  j: {type: helical, pitch: 5 mm/rad, parent: world, child: a, reference: {point: [0, 1, 0], axis: "
      "[1, 0, 0]}}\n");
  EXPECT_EQ(d.bodies[0].pose->position, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(d.joints[0].reference->point, (Vec3<double>{0, 1, 0}));
  EXPECT_EQ(d.joints[0].reference->axis, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(d.joints[0].pitch, 0.005);
}

TEST(ModelReader, EveryFormOfARotationIsTheSame) {
  const double c = std::cos(kPi / 6), s = std::sin(kPi / 6);
  for (const char* form :
       {"{quaternion: [0.8660254037844387, 0, 0.5, 0]}", "{rpy: [0, 60 deg, 0]}",
        "{axis: [0, 3, 0], angle: 60 deg}",
        "{matrix: [[0.5, 0, 0.8660254037844386], [0, 1, 0], [-0.8660254037844386, 0, 0.5]]}"}) {
    SCOPED_TRACE(form);
    const auto d = describe(kSpatial + "initial: {bodies: {c: {rotation: " + form +
                            "}}, joints: {ball: " + form + "}}\n");
    expect_rotation(*d.initial.bodies.at("c").rotation, {c, 0, s, 0});
    EXPECT_NEAR(d.initial.joints.at("ball")[2], s, 1e-15);
  }
}

/// Fixed axes x, then y, then z, as in URDF: R = Rz(y) Ry(p) Rx(r).
TEST(ModelReader, RollPitchYawTurnAboutFixedAxes) {
  const auto d = describe(kSpatial + "initial: {bodies: {c: {rotation: {rpy: [90 deg, 0, 90 deg]}}}}\n");
  const Vec3<double> turned = act(*d.initial.bodies.at("c").rotation, Vec3<double>{0, 1, 0});
  EXPECT_NEAR(turned.z, 1, 1e-15);
  const Vec3<double> x = act(*d.initial.bodies.at("c").rotation, Vec3<double>{1, 0, 0});
  EXPECT_NEAR(x.y, 1, 1e-15);
}

TEST(ModelReader, PointsAndTendons) {
  const auto d = describe(kPlanar +
                          "tendons:\n  t: {path: [post, eye], stiffness: 2 kN/m, rest_length: 30 cm, "
                          "damping: 3, tension_only: true}\n  u: {path: [eye, post], damping: 1}\n");
  EXPECT_EQ(d.points[0].body, kWorld);
  EXPECT_EQ(d.points[0].p_B, (Vec3<double>{0, 0.004, 0}));
  EXPECT_EQ(d.tendons[0].path[1].name, "eye");
  EXPECT_EQ(d.tendons[0].path[1].body, 1);
  EXPECT_EQ(d.tendons[0].stiffness, 2000);
  EXPECT_EQ(d.tendons[0].rest_length.value(0), 0.3);
  EXPECT_EQ(d.tendons[0].damping, 3);
  EXPECT_TRUE(d.tendons[0].tension_only);
  EXPECT_FALSE(d.tendons[1].tension_only);
}

TEST(ModelReader, Muscles) {
  const auto d =
      describe(kPlanar +
               "tendons:\n  t: {path: [post, eye], muscle: {excitation: 0.2, max_force: 1 kN, "
               "fibre_length: 10 cm, slack_length: 20 cm, pennation: 30 deg, tendon_strain: 0.04}}\n"
               "  u: {path: [eye, post], muscle: {law: mujoco, excitation: {expression: t}, "
               "max_force: 10, length_range: [10 cm, 40 cm], initial: 0.5}}\n");
  const Muscle &hill = *d.tendons[0].muscle, &mujoco = *d.tendons[1].muscle;
  EXPECT_EQ(hill.max_force, 1000);
  EXPECT_EQ(hill.fibre_length, 0.1);
  EXPECT_NEAR(hill.pennation, 0.52359877559829887, 1e-15);
  EXPECT_TRUE(hill.has_series_tendon());
  EXPECT_EQ(hill.max_velocity, 10);
  EXPECT_FALSE(hill.initial);
  EXPECT_EQ(mujoco.law, Muscle::Law::mujoco);
  EXPECT_NEAR(mujoco.fibre_length, 1, 1e-15);
  EXPECT_NEAR(mujoco.slack_length, -0.65, 1e-15);
  EXPECT_EQ(mujoco.max_velocity, 1.5);
  EXPECT_EQ(mujoco.fibre_damping, 0);
  EXPECT_EQ(mujoco.initial, 0.5);
  EXPECT_EQ(mujoco.excitation.value(0.3), 0.3);
}

TEST(ModelReader, JointSpringsSpreadOverTheRates) {
  const auto d = describe(kSpatial +
                          "joint_springs:\n  one: {joint: tube, stiffness: 3, rest: [30 deg, 1 cm]}\n"
                          "  each: {joint: tube, stiffness: [1 N m/rad, 2 kN/m], damping: [1, 2]}\n"
                          "  ball: {joint: ball, stiffness: 4, rest: {rpy: [0, 0, 180 deg]}}\n"
                          "  euler: {joint: ball, damping: [1, 2, 3], law: euler321, rest: [0, 0, 1, 0]}\n");
  EXPECT_EQ(d.joint_springs[0].stiffness, (std::vector<double>{3, 3}));
  EXPECT_EQ(d.joint_springs[0].damping, (std::vector<double>{0, 0}));
  EXPECT_EQ(d.joint_springs[0].rest, (std::vector<double>{30 * kPi / 180, 0.01}));
  EXPECT_EQ(d.joint_springs[1].stiffness, (std::vector<double>{1, 2000}));
  EXPECT_EQ(d.joint_springs[2].law, SpringLaw::log);
  EXPECT_EQ(d.joint_springs[2].stiffness, (std::vector<double>{4, 4, 4}));
  expect_rotation(d.joint_springs[2].rest_rotation, {0, 0, 0, 1});
  EXPECT_EQ(d.joint_springs[3].law, SpringLaw::euler321);
  expect_rotation(d.joint_springs[3].rest_rotation, {0, 0, 1, 0});
}

TEST(ModelReader, LoadsAndActuators) {
  const auto d =
      describe(kPlanar +
               "loads:\n  f: {point: eye, force: [1, {hat: {peak: 2, rise: 1, end: 2}}], axes: body}\n"
               "  m: {body: a, moment: 3 N m}\n"
               "actuators:\n  drive: {joint: rail, effort: {expression: \"2*s+t\", s: 5 kN}}\n  idle: "
               "{joint: hinge}\n");
  EXPECT_TRUE(d.loads[0].in_body_axes);
  EXPECT_EQ(d.loads[0].at.body, 1);
  EXPECT_EQ(d.loads[0].components[0].value(7), 1);
  EXPECT_EQ(d.loads[0].components[1].value(0.5), 1);
  EXPECT_EQ(d.loads[1].kind, Load::Kind::moment);
  EXPECT_EQ(d.loads[1].at.body, 0);
  EXPECT_EQ(d.loads[1].components[2].value(0), 3);
  EXPECT_EQ(d.actuators[0].joint, 1);
  EXPECT_EQ(d.actuators[0].effort.value(3), 10003);
  EXPECT_EQ(d.actuators[1].effort.value(3), 0);
}

TEST(ModelReader, Programs) {
  const auto effort = [](const std::string& program) {
    return describe(kPlanar + "actuators: {m: {joint: hinge, effort: " + program + "}}\n")
        .actuators[0]
        .effort;
  };
  EXPECT_EQ(effort("5 kN m").value(1), 5000);
  EXPECT_EQ(effort("{table: [[0, 0], [500 ms, 2], [1, 2 kN m]]}").value(0.25), 1);
  EXPECT_EQ(effort("{table: [[0, 0], [500 ms, 2], [1, 2 kN m]]}").value(2), 2000);
  EXPECT_DOUBLE_EQ(effort("{rest_to_rest: {t1: 1, t2: 2, t3: 3, rate: 4}}").value(9), 8);
  EXPECT_DOUBLE_EQ(effort("{expression: \"sin(2*pi*t)\"}").value(0.25), 1);
}

TEST(ModelReader, ControllersAndServos) {
  const auto d = describe(
      kPlanar +
      "actuators:\n  drive: {joint: rail}\n  turn: {joint: hinge}\n"
      "controllers:\n"
      "  hold: {type: pd, joint: hinge, stiffness: 5, damping: 1, target: 90 deg}\n"
      "  soft: {type: impedance, point: eye, stiffness: [1, 2], damping: 3, target: {x: 1 cm, y: 0}, "
      "compensate: [gravity]}\n"
      "servos:\n  go: {point: eye, follows: {x: 1, y: 2}, actuators: [turn, drive]}\n"
      "  spin: {body: a, follows: {angle: 90 deg}, actuators: [turn]}\n");
  EXPECT_EQ(*d.controllers[0].joint, 0);
  EXPECT_DOUBLE_EQ(d.controllers[0].target[0].value(0), kPi / 2);
  EXPECT_EQ(d.controllers[1].damping, (std::vector<double>{3, 3}));
  EXPECT_EQ(d.controllers[1].target[0].value(0), 0.01);
  EXPECT_TRUE(d.controllers[1].compensate_gravity);
  EXPECT_FALSE(d.controllers[1].compensate_springs);
  EXPECT_EQ(d.servos[0].actuators, (std::vector<int>{1, 0}));
  EXPECT_EQ(d.servos[0].follows.at("y").value(0), 2);
  EXPECT_EQ(*d.servos[1].body, 0);
}

TEST(ModelReader, SampledAndOrientedControllers) {
  const auto d = describe(
      kSpatial +
      "points: {eye: {body: b, at: [1, 0, 0]}}\n"
      "controllers:\n"
      "  still: {type: pd, joint: tube, stiffness: [5, 6], damping: [1, 1], target: [0, 0], period: 2 ms}\n"
      "  pose: {type: impedance, point: eye, stiffness: 1, damping: 3, target: {x: 1, y: 0, z: 0}, rotation: "
      "{axis: [0, 0, 1], angle: 90 deg}, angular_stiffness: 2, angular_damping: 3, period: 0.01, measures: "
      "position}\n");
  EXPECT_DOUBLE_EQ(d.controllers[0].period, 0.002);
  EXPECT_FALSE(d.controllers[0].position_only || d.controllers[0].rotation);
  EXPECT_TRUE(d.controllers[1].position_only && d.controllers[1].is_sampled());
  EXPECT_NEAR(d.controllers[1].rotation->fixed().z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(d.controllers[1].angular_stiffness, 2);
  EXPECT_EQ(d.controllers[1].angular_damping, 3);
}

TEST(ModelReader, OrientationsThatMove) {
  const auto with_angles = [](const std::string& angles) {
    return kSpatial +
           "points: {eye: {body: b, at: [1, 0, 0]}}\n"
           "controllers:\n"
           "  pose: {type: impedance, point: eye, stiffness: 1, damping: 3, target: {x: 1, y: 0, z: 0}, "
           "angular_stiffness: 2, rotation: {rpy: " +
           angles + "}}\n";
  };
  const auto d = describe(with_angles("[90 deg, {expression: \"0.3*t\"}, {table: [[0, 0], [1, 90 deg]]}]"));
  const OrientationProgram& rotation = *d.controllers[0].rotation;
  EXPECT_FALSE(rotation.is_constant());
  const auto at = rotation.at(0.5);
  EXPECT_NEAR(at.R.zx, -std::sin(0.15), 1e-15);
  EXPECT_NEAR(at.R.xx, std::cos(kPi / 4) * std::cos(0.15), 1e-15);
  EXPECT_NEAR(at.omega.z, kPi / 2, 1e-15);
  EXPECT_EQ(d.controllers[0].programs().size(), 6u);
  EXPECT_TRUE(describe(with_angles("[90 deg, 0, 0]")).controllers[0].rotation->is_constant());
  EXPECT_EQ(refusal(with_angles("[{expression: \"t\"}, 0]")).key, "controllers.pose.rotation.rpy");
}

TEST(ModelReader, InitialStates) {
  const auto planar =
      describe(kPlanar +
               "initial: {joints: {hinge: 90 deg, rail: [5 mm]}, rates: {rail: 2}, "
               "bodies: {a: {position: [1, 2], angular_velocity: 60 deg/s}}, assemble: true}\n");
  EXPECT_EQ(planar.initial.joints.at("hinge"), (std::vector<double>{90 * kPi / 180}));
  EXPECT_EQ(planar.initial.joints.at("rail"), (std::vector<double>{0.005}));
  EXPECT_EQ(planar.initial.rates.at("rail"), (std::vector<double>{2}));
  EXPECT_DOUBLE_EQ(planar.initial.bodies.at("a").angular_velocity->z, kPi / 3);
  EXPECT_FALSE(planar.initial.bodies.at("a").velocity.has_value());
  EXPECT_TRUE(planar.initial.assemble);

  const auto spatial =
      describe(kSpatial +
               "initial: {joints: {ball: [1, 0, 0, 0], tube: [1 rev, 2], c: {position: [1, 2, 3]}}, "
               "rates: {ball: [1, 2, 3], c: [1, 2, 3, 4, 5, 6]}}\n");
  EXPECT_EQ(spatial.initial.joints.at("tube"), (std::vector<double>{2 * kPi, 2}));
  EXPECT_EQ(spatial.initial.joints.at("c"), (std::vector<double>{1, 0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(spatial.initial.rates.at("c").size(), 6u);
}

TEST(ModelReader, FreeJointInThePlane) {
  const auto d = describe(
      "torsor: 1\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\n"
      "initial: {joints: {a: {position: [1, 2], rotation: 0.5}, b: [0.5, 1, 2]}}\n");
  EXPECT_EQ(d.initial.joints.at("a"), (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(d.initial.joints.at("b"), d.initial.joints.at("a"));
}

TEST(ModelReader, Simulation) {
  const auto s =
      describe(kPlanar +
               "simulation: {formulation: rotationless, integrator: {name: petrov-galerkin, m: 2, "
               "potential: gauss}, step: 10 ms, duration: 1 min, tolerance: 1e-9, record_every: 4}\n")
          .simulation;
  EXPECT_EQ(s.formulation, "rotationless");
  EXPECT_EQ(s.integrator, "petrov-galerkin");
  EXPECT_EQ(std::get<double>(s.integrator_options.at("m")), 2);
  EXPECT_EQ(std::get<std::string>(s.integrator_options.at("potential")), "gauss");
  EXPECT_EQ(*s.step, 0.01);
  EXPECT_EQ(*s.duration, 60);
  EXPECT_EQ(*s.tolerance, 1e-9);
  EXPECT_EQ(s.record_every, 4);
  EXPECT_EQ(s.dynamics, Dynamics::recursive);
  EXPECT_EQ(describe(kPlanar + "simulation: {dynamics: moving-frame}\n").simulation.dynamics,
            Dynamics::moving_frame);
  const ModelError error = refusal(kPlanar + "simulation: {dynamics: moving-frames}\n");
  EXPECT_EQ(error.key, "simulation.dynamics");
  EXPECT_NE(error.found.find("did you mean 'moving-frame'"), std::string::npos);
}

TEST(ModelReader, AComplaintNamesAPlaceHoweverDeep) {
  const ModelError error = refusal(
      "torsor: 1\nbodies:\n  a: {shapes: [{box: [1, 1, 1], mass: 1, pose: {rotation: {matrix: [[1, 0, 0], "
      "[0, 1, "
      "oops], [0, 0, 1]]}}}]}\n");
  EXPECT_EQ(error.key, "bodies.a.shapes[0].pose.rotation.matrix[1][2]");
  EXPECT_EQ(error.line, 3);
}

TEST(ModelReader, SectionsComeInAnyOrder) {
  const std::string joints = "joints:\n  j: {type: revolute, parent: world, child: a}\n";
  const std::string bodies = "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n";
  EXPECT_EQ(describe(joints + bodies + "torsor: 1\n").joints[0].child, 0);
}

TEST(ModelReader, ValidationBelowGetsFileAndLine) {
  const ModelError error = refusal("torsor: 1\nbodies:\n  a:\n    mass: -1\n    inertia: [1, 1, 1]\n");
  EXPECT_EQ(error.file, "model.yaml");
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.key, "bodies.a.mass");
}

TEST(ModelReader, OverridesComeFromTheCommandLine) {
  const auto [path, value] = parse_override("bodies.a.mass=3 kg");
  EXPECT_EQ(path, "bodies.a.mass");
  EXPECT_EQ(value, "3 kg");
  EXPECT_THROW(parse_override("bodies.a.mass"), ModelError);

  const Model model = parse_model(ModelSource{"model.yaml",
                                              kPlanar,
                                              {{path, value},
                                               {"simulation.integrator", "{name: x, stages: 2}"},
                                               {"simulation.integrator.stages", "3"}}});
  EXPECT_EQ(model.bodies()[0].mass, 3);
  EXPECT_EQ(std::get<double>(model.simulation().integrator_options.at("stages")), 3);
  EXPECT_EQ(model.text(),
            kPlanar +
                "# --set bodies.a.mass=3 kg\n# --set simulation.integrator={name: x, stages: 2}\n"
                "# --set simulation.integrator.stages=3\n");
  EXPECT_EQ(parse_model(kPlanar, "model.yaml").text(), kPlanar);
}

TEST(ModelReader, FaultsOfOverridesNameTheOverride) {
  const ModelError unknown = refusal(kPlanar, {{"bodies.a.mas", "3"}});
  EXPECT_EQ(unknown.file, "--set bodies.a.mas");
  EXPECT_NE(unknown.found.find("did you mean 'mass'"), std::string::npos) << unknown.what();
  EXPECT_EQ(refusal(kPlanar, {{"bodie.a.mass", "5"}}).found, "'bodie' (did you mean 'bodies'?)");
  EXPECT_EQ(refusal(kPlanar, {{"joints.hinge.type", "hinge"}}).found, "'hinge' (write 'revolute')");
  EXPECT_EQ(refusal(kPlanar, {{"joints.hinge.parent", "ground"}}).found,
            "'ground' (the ground is called 'world')");
  EXPECT_EQ(refusal(kPlanar, {{"bodies.a.mass", "5 mm"}}).file, "--set bodies.a.mass");
  EXPECT_EQ(refusal(kPlanar, {{"bodies.a.mass", "-5"}}).file, "--set bodies.a.mass");
  EXPECT_EQ(refusal(kPlanar, {{"bodies.a.mass", "[1"}}).file, "--set bodies.a.mass");
  EXPECT_EQ(refusal(kPlanar, {{"bodies.c", "{mass: 1}"}}).file, "--set bodies.c");
}

const std::string kLimited =
    "torsor: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  hinge: {type: revolute, parent: world, child: a, range: [-90 deg, 90 deg], friction: 2 N m}\n"
    "  tube:\n"
    "    type: cylindrical\n"
    "    parent: a\n"
    "    child: b\n";

TEST(ModelReader, StopsAndFriction) {
  const ModelDescription d =
      describe(kLimited +
               "    range: {displacement: {upper: 20 mm, overshoot: 2 mm, energy: 4 J, damping: 3}}\n"
               "    friction: [0.5, {coulomb: 3, viscous: 2, velocity: 1 mm/s, stribeck: {static: 4, "
               "velocity: 1 cm/s}}]\n");
  ASSERT_EQ(d.stops.size(), 2u);
  EXPECT_EQ(d.stops[0].name, "hinge stop");
  EXPECT_EQ(d.stops[0].joint, 0);
  EXPECT_EQ(d.stops[0].ranges[0].lower, -kPi / 2);
  EXPECT_EQ(d.stops[0].ranges[0].upper, kPi / 2);
  EXPECT_DOUBLE_EQ(d.stops[0].ranges[0].stiffness, 2 / (0.01 * kPi * 0.01 * kPi));
  ASSERT_EQ(d.stops[1].ranges.size(), 2u);
  EXPECT_FALSE(d.stops[1].ranges[0].is_bounded());
  EXPECT_TRUE(std::isinf(d.stops[1].ranges[1].lower));
  EXPECT_EQ(d.stops[1].ranges[1].upper, 0.02);
  EXPECT_DOUBLE_EQ(d.stops[1].ranges[1].stiffness, 2e6);
  EXPECT_EQ(d.stops[1].ranges[1].damping, 3);
  ASSERT_EQ(d.friction.size(), 2u);
  EXPECT_EQ(d.friction[0].laws[0].coulomb, 2);
  EXPECT_EQ(d.friction[0].laws[0].breakaway, 2);
  EXPECT_EQ(d.friction[1].name, "tube friction");
  EXPECT_EQ(d.friction[1].laws[0].coulomb, 0.5);
  const FrictionLaw& law = d.friction[1].laws[1];
  EXPECT_EQ(
      (std::vector{law.coulomb, law.viscous, law.breakaway, law.stribeck_velocity, law.smooth_velocity}),
      (std::vector<double>{3, 2, 4, 0.01, 0.001}));
}

TEST(ModelReader, Armature) {
  const ModelDescription d = describe(
      "torsor: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
      "  ball: {type: spherical, parent: world, child: a, armature: 500 kg cm^2}\n"
      "  tube: {type: cylindrical, parent: a, child: b, armature: [0.2, 300 g]}\n");
  EXPECT_EQ(d.joints[0].armature, std::vector<double>({0.05, 0.05, 0.05}));
  EXPECT_EQ(d.joints[1].armature, std::vector<double>({0.2, 0.3}));
}

TEST(ModelReader, StopsAndFrictionOfTendons) {
  const std::string points = kLimited + "points: {p: {body: world}, q: {body: b, at: [1, 0, 0]}}\n";
  const ModelDescription d = describe(points +
                                      "tendons:\n"
                                      "  plain: {path: [p, q]}\n"
                                      "  strap: {path: [p, q], range: {upper: 2 m, overshoot: 1 cm, energy: "
                                      "2 J, damping: 4}, friction: 3 N}\n");
  ASSERT_EQ(d.stops.size(), 2u);
  EXPECT_EQ(d.stops[1].name, "strap stop");
  EXPECT_EQ(d.stops[1].tendon, 1);
  EXPECT_TRUE(std::isinf(d.stops[1].ranges[0].lower));
  EXPECT_EQ(d.stops[1].ranges[0].upper, 2);
  EXPECT_DOUBLE_EQ(d.stops[1].ranges[0].stiffness, 4e4);
  EXPECT_EQ(d.friction[1].name, "strap friction");
  EXPECT_EQ(d.friction[1].tendon, 1);
  EXPECT_EQ(d.friction[1].laws[0].coulomb, 3);
  const auto key_of = [&](const std::string& keys) {
    try {
      parse_model(points + "tendons: {strap: {path: [p, q], " + keys + "}}\n", "model.yaml");
    } catch (const ModelError& error) {
      return error.key + ": " + error.expected;
    }
    return std::string("none");
  };
  EXPECT_EQ(key_of("range: [2, 1]"), "tendons.strap.range: a lower bound below the upper one");
  EXPECT_EQ(key_of("range: {damping: 1}"), "tendons.strap.range.lower: a bound, `lower` or `upper` or both");
  EXPECT_EQ(key_of("friction: -1"), "tendons.strap.friction.coulomb: a number >= 0");
  EXPECT_EQ(key_of("friction: 1 N m"), "tendons.strap.friction: a force [N]");
}

TEST(ModelReader, TendonsOverJoints) {
  const ModelDescription d =
      describe(kLimited +
               "tendons:\n"
               "  cord: {joints: {hinge: 20 mm, tube: [3 cm/rad, -2]}, stiffness: 2 kN/m}\n"
               "  twist: {joints: {hinge: -1.5, tube: [0, 2]}, stiffness: 3 N m/rad, rest_length: "
               "-10 deg, range: [-1 rad, 90 deg]}\n"
               "  slide: {joints: {tube: [0, 2]}, tension: 4 N}\n"
               "actuators: {motor: {tendon: twist, effort: 5 N m, limits: [0, 9 N m]}}\n");
  ASSERT_EQ(d.tendons.size(), 3u);
  ASSERT_EQ(d.tendons[0].joints.size(), 3u);
  EXPECT_EQ(d.tendons[0].joints[0].factor, 0.02);
  EXPECT_EQ(d.tendons[0].joints[1].factor, 0.03);
  EXPECT_EQ(d.tendons[0].joints[2].coordinate, 1);
  EXPECT_EQ(d.tendons[0].joints[2].factor, -2);
  EXPECT_FALSE(d.tendons[0].is_angle);
  EXPECT_EQ(d.tendons[0].stiffness, 2000);
  EXPECT_TRUE(d.tendons[1].is_angle);
  ASSERT_EQ(d.tendons[1].joints.size(), 2u);  // a zero in a list is none
  EXPECT_NEAR(d.tendons[1].rest_length.value(0), -std::numbers::pi / 18, 1e-16);
  EXPECT_EQ(d.stops.back().tendon, 1);
  EXPECT_FALSE(d.tendons[2].is_angle);
  EXPECT_EQ(d.actuators[0].effort.value(0), 5);
}

TEST(ModelReader, ControllersThatExciteMuscles) {
  const std::string points =
      kLimited +
      "points: {p: {body: world}, q: {body: b, at: [1, 0, 0]}}\n"
      "tendons:\n"
      "  cord: {path: [p, q]}\n"
      "  flexor: {path: [p, q], muscle: {excitation: 0, max_force: 10, fibre_length: 1}}\n";
  const auto with = [&](const std::string& keys) {
    return points + "controllers: {reflex: {type: pd, joint: hinge, stiffness: 2, damping: 0, target: 0, " +
           keys + "}}\n";
  };
  const ModelDescription d = describe(with("period: 5 ms, excites: {flexor: -0.1}"));
  ASSERT_EQ(d.controllers[0].excites.size(), 1u);
  EXPECT_EQ(d.controllers[0].excites[0].tendon, 1);
  EXPECT_EQ(d.controllers[0].excites[0].factor, -0.1);
  const auto fault = [&](const std::string& keys) {
    try {
      parse_model(with(keys), "model.yaml");
    } catch (const ModelError& error) {
      return error.key + ": " + error.expected;
    }
    return std::string("none");
  };
  EXPECT_EQ(fault("period: 5 ms, excites: {cord: 1}"),
            "controllers.reflex.excites.cord: a tendon with a muscle");
  EXPECT_EQ(fault("excites: {flexor: 1}"),
            "controllers.reflex.excites: a `period` beside it, over which the excitation is held");
  EXPECT_EQ(fault("period: 5 ms, excites: {}"), "controllers.reflex.excites: a muscle or more");
  EXPECT_NE(fault("period: 5 ms, excites: {flex: 1}").find("tendon"), std::string::npos);
}

TEST(ModelReader, BushingsAndDrag) {
  const ModelDescription d = describe(kLimited +
                                      "points: {tip: {body: b, at: [1, 0, 0]}}\n"
                                      "bushings:\n"
                                      "  mount:\n"
                                      "    parent: world\n"
                                      "    child: b\n"
                                      "    in_child: {position: [0, 0, 1]}\n"
                                      "    stiffness: {translation: [1, 2, 3 kN/m], rotation: 4}\n"
                                      "    damping: {rotation: [0, 0, 5]}\n"
                                      "drag:\n"
                                      "  air: {body: a, linear: 1, quadratic: 2 N s^2/m^2}\n"
                                      "  sail: {point: tip, quadratic: 3 kg/m}\n");
  ASSERT_EQ(d.bushings.size(), 1u);
  EXPECT_EQ(d.bushings[0].parent, kWorld);
  EXPECT_EQ(d.bushings[0].child, 1);
  EXPECT_EQ(d.bushings[0].in_child.position, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(d.bushings[0].stiffness.translation, (Vec3<double>{1, 2, 3000}));
  EXPECT_EQ(d.bushings[0].stiffness.rotation, (Vec3<double>{4, 4, 4}));
  EXPECT_EQ(d.bushings[0].damping.rotation, (Vec3<double>{0, 0, 5}));
  EXPECT_EQ(d.drag[0].quadratic, 2);
  EXPECT_FALSE(d.drag[0].point);
  EXPECT_EQ(d.drag[1].body, 1);
  EXPECT_EQ(d.drag[1].point->p_B, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(d.drag[1].quadratic, 3);
}

}  // namespace
}  // namespace torsor
