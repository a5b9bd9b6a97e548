// MJCF in and out: the same mechanism in our own words, and back.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/numbers.h"
#include "torsor/base/error.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/format/convert.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

/// Rates and coordinates off any special position.
JointState somewhere(const Model& model) {
  JointState state = neutral_state(model);
  for (std::size_t i = 0; i < state.qd.size(); ++i)
    state.qd[i] = std::sin(1.0 + static_cast<double>(i)),
    state.qdd[i] = std::cos(2.0 * static_cast<double>(i));
  int j = 0;
  for (const Joint& joint : model.joints()) {
    int at = model.coordinate_offset(j++);
    if (has_twist_rates(joint.type)) {
      const SO3<double> q = exp_so3(Vec3<double>{0.3, -0.5, 0.2});
      for (const double entry : {q.w, q.x, q.y, q.z}) state.q[at++] = entry;
    }
    for (; at < model.coordinate_offset(j); ++at) state.q[at] = 0.4 * std::sin(3.0 + at);
  }
  return state;
}

void expect_same(const Model& a, const Model& b, double bound) {
  ASSERT_EQ(a.rate_count(), b.rate_count());
  const JointState state = somewhere(b);
  const Evaluation one(a, state), other(b, state);
  EXPECT_LE(relative_error(one.mass_matrix(), other.mass_matrix()), bound);
  EXPECT_LE(relative_error(one.inverse_dynamics(), other.inverse_dynamics()), bound);
  EXPECT_LE(relative_error(one.forward_dynamics(), other.forward_dynamics()), 1e3 * bound);
}

TEST(Mjcf, SeveralJointsOfABodyAreOneJointOfOurs) {
  const Model chain = parse_model(source_of_text(
      "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'/><worldbody><body name='a' pos='1 0 0' "
      "euler='.1 .2 .3'><joint axis='1 0 0' pos='.1 0 .2' damping='.3' armature='.2'/>"
      "<joint axis='0 1 0' pos='.1 0 .2' stiffness='2' springref='.5' armature='.1'/><inertial mass='2' "
      "pos='.2 .1 -.3' fullinertia='.3 .4 .5 .01 .02 .03'/></body></worldbody></mujoco>",
      "a.xml"));
  const SO3<double> R =
      exp_so3(Vec3<double>{0.1, 0, 0}) * exp_so3(Vec3<double>{0, 0.2, 0}) * exp_so3(Vec3<double>{0, 0, 0.3});
  const Vec3<double> at = act(R, Vec3<double>{0.1, 0, 0.2}) + Vec3<double>{1, 0, 0};
  ModelDescription d;
  d.gravity = {0, 0, -9.81};
  d.bodies.push_back({"a", 2, {0.2, 0.1, -0.3}, {0.3, 0.4, 0.5, 0.01, 0.02, 0.03}, {}, {}});
  Joint joint;
  joint.name = "u", joint.type = JointType::universal, joint.child = 0;
  joint.in_parent = {R, at}, joint.in_child.position = {0.1, 0, 0.2};
  joint.armature = {0.2, 0.1};
  d.joints.push_back(joint);
  JointSpring spring;
  spring.name = "s", spring.stiffness = {0, 2}, spring.damping = {0.3, 0}, spring.rest = {0, 0.5};
  d.joint_springs.push_back(spring);
  expect_same(chain, Model(d), 1e-13);  // measured 4e-16
}

constexpr const char* kTree = R"(
torsor: 1
gravity: [0, 1, -9.81]
bodies:
  base: {mass: 3, com: [0.1, 0, 0.2], inertia: [0.3, 0.4, 0.5, 0.01, 0.02, 0.03], shape: {box: [0.2, 0.3, 0.4]}}
  upper: {mass: 1, com: [0, 0.1, 0.3], inertia: [0.1, 0.1, 0.05]}
  fixed: {mass: 0.2, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01]}
  lower: {mass: 0.7, com: [0, 0.1, 0.2], inertia: [0.08, 0.1, 0.05], shape: {capsule: {radius: 0.1, length: 0.3}}}
  link: {mass: 0, inertia: [0, 0, 0], idealised: true}
  slider: {mass: 0.5, com: [0.1, 0, 0], inertia: [0.02, 0.03, 0.02]}
  drum: {mass: 0.4, com: [0.1, 0, 0], inertia: [0.02, 0.03, 0.02]}
joints:
  root: {type: free, parent: world, child: base, in_child: {position: [0.1, 0.2, 0], rotation: {axis: [0, 0, 1], angle: 0.4}}}
  hip: {type: spherical, parent: base, child: upper, in_parent: {position: [0, 0, 0.5], rotation: {axis: [1, 0, 0], angle: 0.3}}, in_child: {position: [0, 0.1, 0], rotation: {axis: [0, 1, 1], angle: 0.6}}, armature: 0.01}
  weld: {type: fixed, parent: upper, child: fixed, in_parent: {position: [0.1, 0, 0]}}
  knee: {type: revolute, parent: fixed, child: lower, axis: [1, 1, 0], in_parent: {position: [0, 0, 0.6]}, in_child: {position: [0, 0.05, 0], rotation: {axis: [0, 0, 1], angle: 0.2}}, armature: 0.3}
  turn: {type: revolute, parent: base, child: link, axis: [0, 1, 0], in_parent: {position: [0.2, 0, 0]}}
  slide: {type: prismatic, parent: link, child: slider, axis: [1, 0, 1], in_parent: {position: [0, 0.2, 0], rotation: {axis: [1, 0, 0], angle: 0.5}}}
  shaft: {type: cylindrical, parent: slider, child: drum, axis: [0, 1, 0], in_parent: {position: [0, 0.2, 0]}}
points:
  p: {body: base, at: [0.1, 0.2, 0.3]}
  q: {body: lower, at: [0, 0.2, 0.1]}
  side: {body: upper, at: [0.4, 0, 0]}
joint_springs:
  knee: {joint: knee, stiffness: 3, rest: 0.3, damping: 0.2}
  more: {joint: knee, stiffness: 1, rest: -0.3, damping: 0.1}
  hip: {joint: hip, stiffness: 2, damping: 0.1}
tendons:
  cord: {path: [p, q], stiffness: 40, rest_length: 0.2, damping: 0.5, wrap: [{between: [p, q], body: upper, at: [0, 0.1, 0.2], cylinder: 0.05, axis: [1, 0, 0], side: side}]}
  belt: {joints: {knee: 0.5, slide: -2, shaft: [0.3, 1.5]}, stiffness: 7, rest_length: -1, damping: 0.4}
  pull: {joints: {turn: 0.8, slide: 1}, stiffness: 5, rest_length: -3, tension_only: true}
  slack: {joints: {turn: 0.8, slide: 1}, stiffness: 5, rest_length: 3, tension_only: true}
actuators:
  motor: {joint: slide, effort: 0}
  winch: {tendon: belt, effort: 0}
)";

TEST(Mjcf, OutAndInAgainKeepsMassMatrixAndDynamics) {
  const Model model = parse_model(kTree, "tree.yaml");
  const std::string text = mjcf_text(model, "", "");
  const Model again = parse_model(source_of_text(text, "tree.xml"));
  expect_same(again, model, 1e-13);  // measured 2e-15
}

TEST(Mjcf, LoopsComeBackAsLoops) {
  const Model model = parse_model(R"(
torsor: 1
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  p: {type: revolute, parent: world, child: a, axis: [0, 1, 0]}
  q: {type: revolute, parent: world, child: b, axis: [0, 1, 0], in_parent: {position: [2, 0, 0], rotation: {axis: [0, 0, 1], angle: 180 deg}}}
  r: {type: spherical, parent: a, child: b, in_parent: {position: [1, 0, 0]}, in_child: {position: [1, 0, 0]}}
couplings:
  gear: {joints: {p: 1, q: 2}, offset: 0}
)",
                                  "loop.yaml");
  const Model again = parse_model(source_of_text(mjcf_text(model, "", ""), "loop.xml"));
  ASSERT_EQ(again.topology().loop_joints.size(), 1u);
  const Joint &a = model.joints()[2], &b = again.joints()[2];
  EXPECT_EQ(b.type, JointType::spherical);
  EXPECT_LE(
      norm(a.in_parent.position - b.in_parent.position) + norm(a.in_child.position - b.in_child.position),
      1e-15);
  ASSERT_EQ(again.couplings().size(), 1u);
  EXPECT_EQ(again.couplings()[0].terms[1].factor, 2);
}

/// There a joint that closes a loop is an equality: a spring in it was left out without a word, a motor in it an internal fault.
TEST(Mjcf, WhatActsInAJointThatClosesALoopIsRefused) {
  const std::string loop = R"(
torsor: 1
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  c: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  p: {type: revolute, parent: world, child: a}
  q: {type: revolute, parent: a, child: b, in_parent: {position: [1, 0, 0]}}
  r: {type: revolute, parent: world, child: c, in_parent: {position: [1, 0, 0]}}
  s: {type: revolute, parent: b, child: c, in_parent: {position: [1, 0, 0]}, in_child: {position: [1, 0, 0]}}
initial: {joints: {p: 90 deg, q: -90 deg, r: 90 deg, s: 90 deg}}
)";
  EXPECT_NO_THROW(
      mjcf_text(parse_model(loop + "joint_springs: {coil: {joint: r, stiffness: 3}}\n", "l.yaml"), "", ""));
  for (const auto& [element, key] :
       {std::pair{"joint_springs: {coil: {joint: s, stiffness: 3}}\n", "joint_springs.coil"},
        std::pair{"actuators: {motor: {joint: s, effort: 1}}\n", "actuators.motor"},
        std::pair{"tendons: {belt: {joints: {p: 1, s: 2}, stiffness: 3}}\n", "tendons.belt"}}) {
    try {
      mjcf_text(parse_model(loop + element, "l.yaml"), "", "");
      FAIL() << key;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, key);
    }
  }
}

}  // namespace
}  // namespace torsor
