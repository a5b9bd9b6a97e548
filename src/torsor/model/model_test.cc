#include "torsor/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

Body ball(const std::string& name) {
  Body body;
  body.name = name;
  body.mass = 2;
  body.inertia = {1, 1, 1, 0, 0, 0};
  return body;
}

Joint joint(const std::string& name, JointType type, int parent, int child) {
  Joint j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  if (type == JointType::helical) j.pitch = 0.1;
  return j;
}

TEST(Model, OffsetsFollowTheFile) {
  ModelDescription d;
  d.bodies = {ball("a"), ball("b"), ball("c"), ball("d")};
  d.joints = {joint("tip", JointType::spherical, 1, 2), joint("base", JointType::cylindrical, kWorld, 0),
              joint("mid", JointType::universal, 0, 1)};
  const Model model(d);
  EXPECT_EQ(model.coordinate_offset(0), 0);
  EXPECT_EQ(model.coordinate_offset(1), 4);
  EXPECT_EQ(model.coordinate_offset(2), 6);
  EXPECT_EQ(model.coordinate_offset(3), 8);  // the free joint of d
  EXPECT_EQ(model.coordinate_count(), 15);
  EXPECT_EQ(model.rate_offset(3), 7);
  EXPECT_EQ(model.rate_count(), 13);
  EXPECT_EQ(model.topology().tree_dof, 13);
}

TEST(Model, BodiesWithoutAJointFloat) {
  ModelDescription d;
  d.bodies = {ball("a"), ball("b")};
  d.bodies[1].pose = SE3<double>{{0.6, 0.8, 0, 0}, {1, 2, 3}};
  d.joints = {joint("base", JointType::revolute, kWorld, 0)};
  const Model model(d);
  const Joint& floating = model.joints()[model.joint_index("b")];
  EXPECT_TRUE(floating.implicit);
  EXPECT_EQ(floating.type, JointType::free);
  EXPECT_EQ(floating.parent, kWorld);
  const SE3<double> at = body_poses(model, initial_coordinates(model))[1];
  EXPECT_LT(norm(at.position - Vec3<double>{1, 2, 3}), 1e-15);
  EXPECT_NEAR(at.rotation.x, 0.8, 1e-15);
}

TEST(Model, NamesAreFoundOrCorrected) {
  ModelDescription d;
  d.bodies = {ball("upper"), ball("lower")};
  d.joints = {joint("shoulder", JointType::revolute, kWorld, 0), joint("elbow", JointType::revolute, 0, 1)};
  const Model model(d);
  EXPECT_EQ(model.joint_index("elbow"), 1);
  EXPECT_EQ(model.body_index("upper"), 0);
  EXPECT_EQ(model.body_index("world"), kWorld);
  try {
    model.joint_index("shoudler");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.found, "'shoudler' (did you mean 'shoulder'?)");
  }
  EXPECT_THROW(model.body_index("hand"), ModelError);
}

// Both frames are turned so that the axis is z: the motion about the given axis stays the same.
TEST(Model, AxesBecomeZ) {
  ModelDescription d;
  d.bodies = {ball("a")};
  d.joints = {joint("base", JointType::revolute, kWorld, 0)};
  d.joints[0].axis = {0, 0, -5};
  d.joints[0].in_parent = {normalized(SO3<double>{1, 2, 3, 4}), {1, 0, 0}};
  for (const Vec3<double>& axis :
       {Vec3<double>{0, 0, -5}, Vec3<double>{3, 0, 0}, Vec3<double>{1e-200, 2e-200, -1e-200}}) {
    d.joints[0].axis = axis;
    d.initial.joints["base"] = {0.7};
    const Model model(d);
    EXPECT_EQ(model.joints()[0].axis, (Vec3<double>{0, 0, 1}));
    const Vec3<double> scaled = (1 / larger(std::abs(axis.x), std::abs(axis.z))) * axis;
    const SO3<double> turn = exp_so3((0.7 / norm(scaled)) * scaled);
    const SO3<double> expected = d.joints[0].in_parent.rotation * turn;
    const SE3<double> at = body_poses(model, initial_coordinates(model))[0];
    EXPECT_LT(norm(log(inverse(expected) * at.rotation)), 1e-15 * 4);
    EXPECT_LT(norm(at.position - Vec3<double>{1, 0, 0}), 1e-15);
  }
}

// Müller's modelling without joint frames: at zero coordinates every body stands at its pose, and a joint
// turns its child about the given line in the world.
TEST(Model, ReferencesAreResolvedInTheWorld) {
  std::mt19937 random(21);
  std::normal_distribution<> normal;
  const auto vector = [&] { return Vec3<double>{normal(random), normal(random), normal(random)}; };
  const auto pose = [&] {
    return SE3<double>{
        normalized(SO3<double>{normal(random), normal(random), normal(random), normal(random)}), vector()};
  };
  for (int round = 0; round < 20; ++round) {
    ModelDescription d;
    d.bodies = {ball("a"), ball("b")};
    d.bodies[0].pose = pose();
    d.bodies[1].pose = pose();
    d.joints = {joint("base", JointType::revolute, kWorld, 0), joint("tip", JointType::helical, 0, 1)};
    d.joints[0].reference = Joint::Reference{vector(), vector()};
    d.joints[1].reference = Joint::Reference{vector(), vector()};
    const Model model(d);
    const auto at_zero = body_poses(model, initial_coordinates(model));
    for (int b = 0; b < 2; ++b) {
      const SE3<double> off = inverse(*model.bodies()[b].pose) * at_zero[b];
      EXPECT_LT(norm(off.position) + norm(log(off.rotation)), 2e-14);  // measured 6e-15
    }
    // Only the tip turns: X = exp(q Y) X_ref with the screw Y through the point.
    const Vec3<double> axis = (1 / norm(d.joints[1].reference->axis)) * d.joints[1].reference->axis;
    const Vec3<double> point = d.joints[1].reference->point;
    const Twist<double> screw{axis, cross(point, axis) + 0.1 * axis};
    const SE3<double> expected = exp_se3(1.3 * screw) * *d.bodies[1].pose;
    const SE3<double> off = inverse(expected) * body_poses(model, {0, 1.3})[1];
    EXPECT_LT(norm(off.position) + norm(log(off.rotation)), 2e-14);  // measured 7e-15
  }
}

TEST(Model, PlanarInertiaIsSpreadEvenly) {
  ModelDescription d;
  d.dimension = 2;
  d.bodies = {ball("a")};
  d.bodies[0].inertia = {0, 0, 3, 0, 0, 0};
  const Model model(d);
  EXPECT_EQ(model.bodies()[0].inertia.xx, 1.5);
  EXPECT_EQ(model.bodies()[0].inertia.yy, 1.5);
  EXPECT_EQ(model.rate_count(), 3);
}

TEST(Model, SpringListsAreFilled) {
  ModelDescription d;
  d.bodies = {ball("a"), ball("b")};
  d.joints = {joint("ball", JointType::spherical, kWorld, 0), joint("pin", JointType::revolute, 0, 1)};
  d.joint_springs.resize(2);
  d.joint_springs[0].name = "soft";
  d.joint_springs[0].law = SpringLaw::log;
  d.joint_springs[0].stiffness = {4};
  d.joint_springs[1].name = "hard";
  d.joint_springs[1].joint = 1;
  d.joint_springs[1].stiffness = {5};
  const Model model(d);
  EXPECT_EQ(model.joint_springs()[0].stiffness, (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(model.joint_springs()[0].damping, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(model.joint_springs()[1].rest, (std::vector<double>{0}));
}

}  // namespace
}  // namespace torsor
