#include "torsor/model/massless_motion.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"

namespace torsor {
namespace {

const Sym3<double> kRod{0.1, 0.1, 0, 0, 0, 0}, kPoint{0, 0, 0, 0, 0, 0}, kSolid{0.1, 0.1, 0.05, 0, 0, 0};

struct Link {
  JointType type;
  Sym3<double> inertia;
  Vec3<double> joint{0, 0, 0};     ///< in the body, whose centre of mass is at the origin
  Vec3<double> axis{0.6, 0, 0.8};  ///< of the joint
};

/// A chain, each link held at its own point and hung at (0, 0, -0.5) of the one before.
ModelDescription chain(const std::vector<Link>& links) {
  ModelDescription d;
  for (const Link& link : links) {
    const int body = static_cast<int>(d.bodies.size());
    d.bodies.push_back({"b" + std::to_string(body), 1, {}, link.inertia, {}, {}});
    Joint joint;
    joint.name = "j" + std::to_string(body);
    joint.type = link.type;
    joint.parent = body - 1;
    joint.child = body;
    joint.in_child.position = link.joint;
    if (body > 0) joint.in_parent.position = {0, 0, -0.5};
    if (has_axis(link.type)) joint.axis = link.axis;
    d.joints.push_back(joint);
  }
  return d;
}

void expect_refused(const ModelDescription& d, const std::string& body) {
  try {
    const Model model(d);
    ADD_FAILURE() << "taken";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "bodies." + body + ".inertia");
  }
}

TEST(MasslessMotion, IsRefusedWhereARodSpinsAboutItself) {
  using enum JointType;
  expect_refused(chain({{spherical, kRod, {0, 0, 0.5}}}), "b0");
  expect_refused(chain({{free, kRod}}), "b0");
  expect_refused(chain({{free, kPoint}}), "b0");
  expect_refused(chain({{spherical, kPoint, {0.3, 0, 0.4}}}), "b0");  // about the line to the joint
  expect_refused(chain({{revolute, kRod, {0, 0, 0.5}, {0, 0, 1}}}), "b0");
  expect_refused(chain({{spherical, kSolid}, {spherical, kRod, {0, 0, 0.5}}}), "b1");
  // The rod below turns with the one above, on the same line in no position but the straight one: it is the
  // last that spins alone.
  expect_refused(chain({{spherical, kRod, {0, 0, 0.5}}, {spherical, kRod, {0, 0, 0.5}}}), "b1");
}

/// The links of a chain that have no mass at all.
ModelDescription without_mass(ModelDescription d, const std::vector<int>& bodies) {
  for (const int body : bodies) {
    d.bodies[body].mass = 0;
    d.bodies[body].inertia = kPoint;
    d.bodies[body].idealised = true;
  }
  return d;
}

TEST(MasslessMotion, OfBodiesWithoutMassIsThatOfWhatTheyCarry) {
  using enum JointType;
  // Hinges about axes that cross turn the body they carry; about one axis the first turns what the second turns back.
  EXPECT_NO_THROW(Model(
      without_mass(chain({{revolute, kPoint, {}, {1, 0, 0}}, {revolute, kSolid, {}, {0, 1, 0}}}), {0})));
  EXPECT_NO_THROW(Model(without_mass(chain({{revolute, kPoint, {}, {1, 0, 0}},
                                            {revolute, kPoint, {}, {0, 1, 0}},
                                            {revolute, kSolid, {}, {0, 0, 1}}}),
                                     {0, 1})));
  EXPECT_NO_THROW(Model(
      without_mass(chain({{prismatic, kPoint, {}, {1, 0, 0}}, {prismatic, kSolid, {}, {0, 1, 0}}}), {0})));
  ModelDescription same =
      without_mass(chain({{revolute, kPoint, {}, {1, 0, 0}}, {revolute, kSolid, {}, {1, 0, 0}}}), {0});
  same.joints[1].in_parent.position = {};
  expect_refused(same, "b0");
  expect_refused(
      without_mass(chain({{prismatic, kPoint, {}, {1, 0, 0}}, {prismatic, kSolid, {}, {1, 0, 0}}}), {0}),
      "b0");
  expect_refused(without_mass(chain({{revolute, kSolid}, {prismatic, kPoint}}), {1}), "b1");
  // Nobody means a body without mass who does not say so.
  ModelDescription slip = chain({{revolute, kSolid}});
  slip.bodies[0].mass = 0;
  EXPECT_THROW(Model{slip}, ModelError);
}

TEST(MasslessMotion, IsNoneWhereTheJointHoldsIt) {
  using enum JointType;
  for (const ModelDescription& d :
       {chain({{spherical, kSolid, {0, 0, 0.5}}}), chain({{revolute, kRod, {0, 0, 0.5}}}),
        chain({{spherical, kRod, {0.2, 0, 0.5}}}),  // held beside its line
        chain({{universal, kRod, {0, 0, 0.5}, {1, 0, 0}}}), chain({{prismatic, kPoint}}),
        chain({{revolute, kPoint, {0.3, 0, 0}, {0, 0, 1}}}),
        // What it carries has mass beside the line.
        chain({{spherical, kRod, {0, 0, 0.5}}, {revolute, kSolid, {0, 0.5, 0}}})}) {
    EXPECT_NO_THROW(Model{d});
  }
}

TEST(MasslessMotion, IsLeftToSpringsThatHoldIt) {
  ModelDescription d = chain({{JointType::spherical, kRod, {0, 0, 0.5}}});
  JointSpring spring;
  spring.name = "s";
  spring.law = SpringLaw::log;
  spring.stiffness = {1};
  d.joint_springs.push_back(spring);
  EXPECT_NO_THROW(Model{d});
}

/// A coupler with balls at both ends spins about their line; a hinge at one of them stops it.
TEST(MasslessMotion, OfALoopIsStoppedByItsJoints) {
  ModelDescription d = chain({{JointType::revolute, kSolid}, {JointType::spherical, kRod, {0, 0, 0.5}}});
  Joint end;
  end.name = "end";
  end.type = JointType::spherical;
  end.child = 1;
  end.in_parent.position = {0, 0, -1.5};
  end.in_child.position = {0, 0, -0.5};
  d.joints.push_back(end);
  d.joints[1].in_parent.position = {0, 0, -0.5};
  expect_refused(d, "b1");
  d.joints.back().type = JointType::universal;
  EXPECT_NO_THROW(Model{d});
}

}  // namespace
}  // namespace torsor
