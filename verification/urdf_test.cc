// URDF in and out, against our own formulas.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/base/error.h"
#include "torsor/format/convert.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/package_path.h"
#include "torsor/format/yaml_tree.h"
#include "torsor/model/initial.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

std::string inertial(double mass, const std::string& origin = "",
                     const std::string& tensor = "ixx='0.1' iyy='0.2' izz='0.25' ixy='0' ixz='0' iyz='0'") {
  return "<inertial>" + origin + "<mass value='" + std::to_string(mass) + "'/><inertia " + tensor +
         "/></inertial>";
}
std::string link(const std::string& name, const std::string& content = "") {
  return "<link name='" + name + "'>" + content + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + more + "</joint>\n";
}
std::string robot(const std::string& content) { return "<robot name='test'>\n" + content + "</robot>\n"; }

ModelSource source(const std::string& content, const ImportOptions& options = {}) {
  return source_of_text(robot(content), "test.urdf", options);
}
Model model(const std::string& content, const ImportOptions& options = {}) {
  return parse_model(source(content, options));
}

int rows_of(const ModelSource& source, Conversion how, const std::string& what) {
  int count = 0;
  for (const ImportRow& row : source.report.rows) count += row.how == how && row.what == what;
  return count;
}

std::vector<double> mass_matrix_at(const Model& model, const std::vector<double>& q) {
  const Tree tree = make_tree(model);
  MassMatrixWorkspace<double> workspace(tree);
  std::vector<double> M(model.rate_count() * model.rate_count());
  mass_matrix<double>(tree, workspace, q, M);
  return M;
}
std::vector<double> efforts_at(const Model& model, const std::vector<double>& q,
                               const std::vector<double>& qd, const std::vector<double>& qdd) {
  const Tree tree = make_tree(model);
  InverseDynamicsWorkspace<double> workspace(tree);
  std::vector<double> effort(model.rate_count());
  inverse_dynamics<double>(tree, workspace, q, qd, qdd, {}, effort);
  return effort;
}

void expect_same_dynamics(const Model& a, const Model& b, double bound) {
  ASSERT_EQ(a.rate_count(), b.rate_count());
  std::mt19937 generator(3);
  const Tree tree = make_tree(a);
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> q = random_configuration(tree, generator);
    const std::vector<double> qd = random_vector(a.rate_count(), generator),
                              qdd = random_vector(a.rate_count(), generator);
    EXPECT_LT(relative_error(mass_matrix_at(a, q), mass_matrix_at(b, q)), bound);
    EXPECT_LT(relative_error(efforts_at(a, q, qd, qdd), efforts_at(b, q, qd, qdd)), bound);
  }
}

TEST(Urdf, AnInertiaInTurnedAxesIsTurnedIntoThoseOfTheLink) {
  // A quarter turn about z swaps x and y.
  const Model m =
      model(link("base") + link("arm", inertial(2, "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>")) +
            joint("j", "revolute", "base", "arm", "<axis xyz='0 1 0'/>"));
  ASSERT_EQ(m.bodies().size(), 1u);
  const Body& arm = m.bodies()[0];
  EXPECT_EQ(arm.mass, 2);
  EXPECT_EQ(arm.com, (Vec3<double>{1, 2, 3}));
  EXPECT_NEAR(arm.inertia.xx, 0.2, 1e-16);
  EXPECT_NEAR(arm.inertia.yy, 0.1, 1e-16);
  EXPECT_NEAR(arm.inertia.zz, 0.25, 1e-16);
  EXPECT_EQ(m.gravity(), (Vec3<double>{0, 0, -9.81}));
}

TEST(Urdf, LinksOnFixedJointsWeighAsBodiesOnFixedJointsDo) {
  const std::string tensor = "ixx='0.1' iyy='0.2' izz='0.25' ixy='0.01' ixz='-0.02' iyz='0.03'";
  const Model merged = model(
      link("base") + link("arm", inertial(2, "<origin xyz='0.1 0 0.3'/>", tensor)) + link("flange") +
      link("tool", inertial(0.5, "<origin xyz='0 0.2 0' rpy='1 2 3'/>", tensor)) +
      joint("j", "continuous", "base", "arm", "<origin xyz='0 0 1' rpy='0.3 0 0'/><axis xyz='1 2 2'/>") +
      joint("f", "fixed", "arm", "flange", "<origin xyz='0 0 0.5' rpy='0 0.7 0'/>") +
      joint("g", "fixed", "flange", "tool", "<origin xyz='0.1 0 0' rpy='0 0 -0.4'/>"));
  const Model apart = parse_model(
      "torsor: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  arm: {mass: 2, com: [0.1, 0, 0.3], inertia: [0.1, 0.2, 0.25, 0.01, -0.02, 0.03]}\n"
      "  tool: {mass: 0.5, inertia: [0.1, 0.2, 0.25, 0.01, -0.02, 0.03]}\n"  // axes of its inertia
      "  flange: {mass: 1e-300, inertia: [0, 0, 0]}\n"
      "joints:\n"
      "  j: {type: revolute, parent: world, child: arm, in_parent: {position: [0, 0, 1], rotation: {rpy: "
      "[0.3, 0, 0]}}, axis: [1, 2, 2]}\n"
      "  f: {type: fixed, parent: arm, child: flange, in_parent: {position: [0, 0, 0.5], rotation: {rpy: [0, "
      "0.7, 0]}}}\n"
      "  g: {type: fixed, parent: flange, child: tool, in_parent: {position: [0.1, 0, 0], rotation: {rpy: "
      "[0, 0, -0.4]}},\n"
      "      in_child: {position: [0, 0, 0], rotation: {rpy: [0, 0, 0]}}}\n",
      "apart.yaml");
  ASSERT_EQ(merged.bodies().size(), 1u);
  EXPECT_NEAR(merged.bodies()[0].mass, 2.5, 1e-15);
  ASSERT_EQ(merged.points().size(), 3u);  // base, flange, tool
  EXPECT_EQ(merged.points()[1].name, "flange");
  EXPECT_EQ(merged.points()[1].p_B, (Vec3<double>{0, 0, 0.5}));
  // The tool's own axes: its frame turned by 1, 2, 3 about its centre at (0, 0.2, 0).
  ModelDescription d = parse_description({"apart.yaml", apart.text(), {}});
  for (Joint& j : d.joints) {
    if (j.name != "g") continue;
    const auto about = [](Vec3<double> n, double a) { return exp_so3(a * n); };
    const SE3<double> inertia_frame{about({0, 0, 1}, 3) * about({0, 1, 0}, 2) * about({1, 0, 0}, 1),
                                    {0, 0.2, 0}};
    j.in_child = inverse(inertia_frame);
  }
  expect_same_dynamics(merged, Model(d), 1e-14);  // measured 4e-16
}

TEST(Urdf, ChildrenStandInTheOrderOfTheirJointsNames) {
  const Model m = model(link("base") + link("c", inertial(1)) + link("b", inertial(1)) +
                        link("a", inertial(1)) + joint("z", "revolute", "base", "a") +
                        joint("y", "revolute", "base", "b") + joint("x", "prismatic", "b", "c"));
  std::vector<std::string> names;
  for (const Joint& j : m.joints()) names.push_back(j.name);
  EXPECT_EQ(names, (std::vector<std::string>{"y", "x", "z"}));
  EXPECT_EQ(m.joints()[0].axis,
            (Vec3<double>{0, 0, 1}));  // turned there from x, the axis that URDF takes where none is said
}

TEST(Urdf, JointsThatCarryNoMassAreFixedAndThoseThatDoStay) {
  const std::string content = link("base") + link("hip") + link("leg", inertial(1)) + link("toe") +
                              joint("h", "revolute", "base", "hip", "<axis xyz='1 0 0'/>") +
                              joint("l", "revolute", "hip", "leg", "<axis xyz='0 1 0'/>") +
                              joint("t", "revolute", "leg", "toe", "<origin xyz='0 0 -1'/>");
  const ModelSource read = source(content);
  const Model m = parse_model(read);
  ASSERT_EQ(m.bodies().size(), 2u);
  EXPECT_EQ(m.bodies()[0].mass, 0);
  EXPECT_TRUE(m.bodies()[0].idealised);
  EXPECT_FALSE(m.bodies()[1].idealised);
  EXPECT_EQ(rows_of(read, Conversion::left_out, "joint that carries no mass"), 1);
  // About x through the hip: a universal joint in two parts. At zero M = diag(Ixx, Iyy).
  const std::vector<double> M = mass_matrix_at(m, {0, 0});
  EXPECT_NEAR(M[0], 0.1, 1e-15);
  EXPECT_NEAR(M[3], 0.2, 1e-15);
}

TEST(Urdf, AChainWithoutMassThatCanTurnOnItselfIsRefused) {
  // Two joints about one axis through a massless link: what the first turns, the second may turn back.
  EXPECT_THROW(model(link("base") + link("hip") + link("leg", inertial(1)) +
                     joint("h", "revolute", "base", "hip") + joint("l", "revolute", "hip", "leg")),
               ModelError);
}

TEST(Urdf, FloatingBase) {
  const std::string content =
      link("base", inertial(3)) + link("arm", inertial(1)) + joint("j", "revolute", "base", "arm");
  const Model fixed = model(content), floating = model(content, {.floating_base = true});
  EXPECT_EQ(fixed.rate_count(), 1);
  EXPECT_EQ(floating.rate_count(), 7);
  EXPECT_EQ(floating.joints()[0].name, "root_joint");
  EXPECT_EQ(floating.joints()[0].type, JointType::free);
  EXPECT_EQ(model(link("base", inertial(3))).rate_count(), 0);
}

TEST(Urdf, MimicLimitsDampingAndFriction) {
  const std::string content =
      link("base") + link("a", inertial(1)) + link("b", inertial(1)) +
      joint(
          "j", "revolute", "base", "a",
          "<limit lower='-1' upper='2' effort='3' velocity='4'/><dynamics damping='0.5' friction='0.25'/>") +
      joint("k", "prismatic", "a", "b",
            "<mimic joint='j' multiplier='0.5' offset='0.1'/><limit lower='0' upper='0' effort='0' "
            "velocity='0'/>");
  const Model m = model(content, {.limits = true});
  ASSERT_EQ(m.couplings().size(), 1u);
  const Coupling& c = m.couplings()[0];
  EXPECT_EQ(c.name, "k");
  EXPECT_EQ(c.terms[0].factor, 1);
  EXPECT_EQ(c.terms[1].factor, -0.5);
  EXPECT_EQ(c.offset, 0.1);
  ASSERT_EQ(m.elements().stops.size(), 1u);
  EXPECT_EQ(m.elements().stops[0].ranges[0].upper, 2);
  // The work of the effort limit along the range arrives at a stop, and goes into 0.01 of the range.
  EXPECT_NEAR(m.elements().stops[0].ranges[0].stiffness, 2 * (3 * 3) / (0.03 * 0.03), 1e-9);
  ASSERT_EQ(m.elements().friction.size(), 1u);
  EXPECT_EQ(m.elements().friction[0].laws[0].viscous, 0.5);
  EXPECT_EQ(m.elements().friction[0].laws[0].coulomb, 0.25);
  EXPECT_TRUE(model(content).elements().stops.empty());
  EXPECT_EQ(rows_of(source(content), Conversion::left_out, "position limits"), 1);
}

TEST(Urdf, WhatIsLeftOutIsSaidAndAnErrorWhereStrict) {
  const std::string content =
      link("base", "<collision><geometry><sphere radius='1'/></geometry></collision>" + inertial(1));
  EXPECT_EQ(rows_of(source(content), Conversion::left_out, "collision geometry"), 1);
  EXPECT_EQ(source(content).report.rows.front().line, 2);
  EXPECT_THROW(source(content, {.strict = true}), ModelError);
  const std::string copies =
      link("base") + link("a", inertial(1)) + joint("j", "revolute", "base", "a", "<mimic joint='none'/>");
  EXPECT_THROW(source(copies), ModelError);
  EXPECT_EQ(rows_of(source(copies, {.allowed = {"mimic"}}), Conversion::left_out, "mimic"), 1);
  EXPECT_THROW(source(copies, {.allowed = {"mimicry"}}), ModelError);
}

TEST(Urdf, NamesThatKeyPathsCannotCarry) {
  const Model m =
      model(link("world") + link("arm.left/1", inertial(1)) + link("arm_left_1", inertial(1)) +
            joint("a.b", "revolute", "world", "arm.left/1") + joint("c", "revolute", "world", "arm_left_1"));
  EXPECT_EQ(m.bodies()[0].name, "arm_left_1");
  EXPECT_EQ(m.bodies()[1].name, "arm_left_1_");
  EXPECT_EQ(m.joints()[0].name, "a_b");
}

TEST(Urdf, MessagesOfTheModelNameTheLineOfTheRobot) {
  // What the model itself refuses: two joints about one axis, with nothing between them.
  try {
    model(link("base") + link("hip") + link("leg", inertial(1)) + joint("h", "revolute", "base", "hip") +
          joint("l", "revolute", "hip", "leg"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.file, "test.urdf");
    EXPECT_EQ(error.line, 3) << error.what();
  }
}

TEST(Urdf, VisualGeometryAndColours) {
  const Model m =
      model("<material name='red'><color rgba='1 0 0 0.5'/></material>" +
            link("base", "<visual><geometry><box size='1 2 3'/></geometry></visual>") +
            link("a", inertial(1) + "<visual><origin xyz='1 0 0'/><geometry><cylinder radius='0.1' "
                                    "length='2'/></geometry><material name='red'/></visual>"
                                    "<visual><geometry><mesh filename='nowhere.stl'/></geometry></visual>") +
            joint("j", "revolute", "base", "a"));
  ASSERT_EQ(m.world_shapes().size(), 1u);
  ASSERT_EQ(m.bodies()[0].shapes.size(), 1u);
  EXPECT_EQ(m.bodies()[0].shapes[0].color, (Color{1, 0, 0, 0.5}));
  EXPECT_EQ(m.bodies()[0].shapes[0].pose.position, (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(m.bodies()[0].mass, 1);
}

class UrdfFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "torsor-urdf-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(pattern.data()));
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

TEST_F(UrdfFiles, PackagesAreLookedForAboveInPathsAndInTheEnvironment) {
  const std::string from = write("ws/arm_description/urdf/arm.urdf", "");
  const std::string mesh = write("ws/arm_description/meshes/a.obj", kTetrahedron);
  const std::string other = write("other/tool/a.obj", kTetrahedron),
                    shared = write("ros/share/hand/b.obj", kTetrahedron);
  EXPECT_EQ(find_package_file("package://arm_description/meshes/a.obj", from, {}), mesh);
  EXPECT_EQ(find_package_file("package:///arm_description/meshes/a.obj", from, {}), mesh);
  EXPECT_EQ(find_package_file("../meshes/a.obj", from, {}), mesh);
  EXPECT_EQ(find_package_file("file://" + mesh, from, {}), mesh);
  EXPECT_FALSE(find_package_file("package://tool/a.obj", from, {}));
  EXPECT_EQ(find_package_file("package://tool/a.obj", from, {(folder_ / "other").string()}), other);
  EXPECT_EQ(find_package_file("package://tool/a.obj", from, {(folder_ / "other/tool").string()}), other);
  setenv("AMENT_PREFIX_PATH", (folder_ / "ros").c_str(), 1);
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (folder_ / "other").string()).c_str(), 1);
  EXPECT_EQ(find_package_file("package://hand/b.obj", from, {}), shared);
  EXPECT_EQ(find_package_file("model://tool/a.obj", from, {}), other);
  unsetenv("AMENT_PREFIX_PATH");
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_FALSE(find_package_file("http://tool/a.obj", from, {}));
}

TEST_F(UrdfFiles, AConvertedFileGivesTheSameNumbersAndNamesItsMeshesFromItsOwnFolder) {
  write("arm/meshes/a.obj", kTetrahedron);
  const std::string from = write(
      "arm/urdf/arm.urdf",
      robot(link("base") +
            link("a", inertial(1.25, "<origin xyz='0.1 0.2 0.3' rpy='0.1 0.2 0.3'/>") +
                          "<visual><geometry><mesh filename='package://arm/meshes/a.obj' scale='0.5 -1 "
                          "2'/></geometry></visual>") +
            link("b", inertial(0.3)) +
            joint("j", "revolute", "base", "a", "<origin xyz='0 0 1' rpy='1 2 3'/><axis xyz='0.6 0 0.8'/>") +
            joint("k", "fixed", "a", "b", "<origin xyz='0.3 0.1 0' rpy='0.1 0 0'/>")));
  const ModelSource read = read_source(from);
  const Model direct = parse_model(read);
  const std::string to = (folder_ / "elsewhere/deep/arm.yaml").string();
  write("elsewhere/deep/arm.yaml", converted_text(read, to));
  const Model converted = load_model(to);
  EXPECT_EQ(converted.bodies()[0].inertia, direct.bodies()[0].inertia);
  EXPECT_EQ(converted.bodies()[0].com, direct.bodies()[0].com);
  expect_same_dynamics(direct, converted, 1e-300);  // to the last bit
  const Mesh& mesh = std::get<Mesh>(converted.bodies()[0].shapes[0].solid);
  EXPECT_EQ(mesh.file, "../../arm/meshes/a.obj");
  // Mirrored, and still seen from outside.
  EXPECT_NEAR(unit_density_inertia(Shape{mesh, {}, {}, {}}).mass, 1.0 / 6, 1e-15);

  const std::string again = (folder_ / "out/arm.urdf").string();
  write("out/arm.urdf", converted_text(read_source(to), again));
  const Model back = load_model(again);
  expect_same_dynamics(direct, back, 1e-14);  // measured 6e-16
  EXPECT_EQ(std::get<Mesh>(back.bodies()[0].shapes[0].solid).vertices, mesh.vertices);
}

TEST(Urdf, RoundTripOfRandomTreesKeepsMassMatrixAndInverseDynamics) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    ModelDescription d = random_tree(12, seed);
    constexpr JointType kKinds[] = {JointType::revolute, JointType::prismatic, JointType::planar,
                                    JointType::free, JointType::fixed};
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      d.joints[j].type = kKinds[(j + seed) % 5];
      d.joints[j].pitch = 0;
      if (!has_axis(d.joints[j].type)) d.joints[j].axis = {0, 0, 1};
    }
    d.gravity = {0, 0, -9.81};
    d.points.push_back({"tip", 3, {0.1, 0.2, 0.3}});
    const Model original(d);
    const ModelSource written = source_of_text(urdf_text(original, "", ""), "random.urdf");
    const Model again = parse_model(written);
    ASSERT_EQ(again.rate_count(), original.rate_count());
    // Joints may stand in another order: states go by their names.
    std::mt19937 generator(seed);
    const Tree tree = make_tree(original);
    const std::vector<double> q = random_configuration(tree, generator);
    const std::vector<double> qd = random_vector(original.rate_count(), generator),
                              qdd = random_vector(original.rate_count(), generator);
    std::vector<double> q2(q.size()), qd2(qd.size()), qdd2(qd.size());
    std::vector<int> rate(qd.size());
    for (std::size_t j = 0; j < original.joints().size(); ++j) {
      const Joint& own = original.joints()[j];
      if (own.type == JointType::fixed) continue;
      const int other = again.joint_index(own.name), i = static_cast<int>(j);
      for (int k = 0; k < coordinate_count(own.type, 3); ++k)
        q2[again.coordinate_offset(other) + k] = q[original.coordinate_offset(i) + k];
      for (int k = 0; k < rate_count(own.type, 3); ++k) {
        rate[again.rate_offset(other) + k] = original.rate_offset(i) + k;
        qd2[again.rate_offset(other) + k] = qd[original.rate_offset(i) + k];
        qdd2[again.rate_offset(other) + k] = qdd[original.rate_offset(i) + k];
      }
    }
    const std::vector<double> efforts = efforts_at(original, q, qd, qdd),
                              efforts2 = efforts_at(again, q2, qd2, qdd2);
    const std::vector<double> M = mass_matrix_at(original, q), M2 = mass_matrix_at(again, q2);
    std::vector<double> expected(efforts.size()), expected_M(M.size());
    const std::size_t n = rate.size();
    for (std::size_t a = 0; a < n; ++a) {
      expected[a] = efforts[rate[a]];
      for (std::size_t b = 0; b < n; ++b) expected_M[a * n + b] = M[rate[a] * n + rate[b]];
    }
    EXPECT_LT(relative_error(efforts2, expected), 1e-12) << seed;  // measured 5e-15
    EXPECT_LT(relative_error(M2, expected_M), 1e-12) << seed;      // measured 3e-15
  }
}

TEST(Urdf, WhatUrdfLacksIsRefusedByName) {
  const auto refusal = [](const std::string& more, const std::string& joint = "type: revolute") {
    const std::string text =
        "torsor: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {" +
        joint +
        ", parent: world, child: a}}\npoints: {p: {body: world, at: [1, 0, 0]}, q: {body: a, at: [0, 1, "
        "0]}}\n" +
        more;
    try {
      urdf_text(parse_model(text, "a.yaml"), "", "");
    } catch (const ModelError& error) {
      return error.key;
    }
    return std::string();
  };
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("tendons: {t: {path: [p, q], stiffness: 1, rest_length: 1}}\n"), "tendons");
  EXPECT_EQ(refusal("joint_springs: {s: {joint: j, stiffness: 1}}\n"), "joint_springs");
  EXPECT_EQ(refusal("", "type: spherical"), "joints.j");
  EXPECT_EQ(refusal("", "type: revolute, range: {lower: 0}"), "joints.j.range");
  EXPECT_EQ(refusal("", "type: revolute, range: {lower: 0, upper: 1, damping: 2}"), "joints.j.range");
  EXPECT_EQ(refusal("", "type: revolute, range: [0, 1], friction: {coulomb: 1, viscous: 2}"), "");
  EXPECT_EQ(refusal("", "type: revolute, friction: {coulomb: 1, velocity: 2}"), "joints.j.friction.velocity");
}

}  // namespace
}  // namespace torsor
