#include "torsor/model/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "torsor/base/error.h"
#include "torsor/model/body.h"

namespace torsor {
namespace {

Joint joint(const std::string& name, int parent, int child, JointType type = JointType::revolute) {
  Joint j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  return j;
}

TEST(Topology, ChainInAnyFileOrder) {
  const Topology t = make_topology({joint("c", 1, 2), joint("a", kWorld, 0), joint("b", 0, 1)}, 3, 3);
  EXPECT_EQ(t.carrier, (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(t.order, (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(t.is_tree());
  EXPECT_EQ(t.tree_dof, 3);
  EXPECT_EQ(t.loop_constraints, 0);
}

// A four-bar: the last joint closes the loop; 2 constraints in the plane, 5 in space.
TEST(Topology, LoopIsClosedByTheLastJoint) {
  const std::vector<Joint> four_bar{joint("a", kWorld, 0), joint("b", 0, 1), joint("c", kWorld, 2),
                                    joint("d", 1, 2)};
  const Topology plane = make_topology(four_bar, 3, 2), space = make_topology(four_bar, 3, 3);
  EXPECT_EQ(plane.loop_joints, (std::vector<int>{3}));
  EXPECT_EQ(plane.tree_dof, 3);
  EXPECT_EQ(plane.loop_constraints, 2);
  EXPECT_EQ(space.loop_constraints, 5);
  EXPECT_FALSE(space.is_tree());
}

TEST(Topology, TwoJointsBetweenTheSameBodiesAreALoop) {
  const Topology t = make_topology({joint("a", kWorld, 0), joint("b", kWorld, 0, JointType::fixed)}, 1, 3);
  EXPECT_EQ(t.loop_joints, (std::vector<int>{1}));
  EXPECT_EQ(t.loop_constraints, 6);
}

TEST(Topology, ParentsComeFirstInRandomTrees) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    const int n = 40;
    std::vector<int> label(n);
    for (int i = 0; i < n; ++i) label[i] = i;
    std::shuffle(label.begin(), label.end(), random);
    std::vector<Joint> joints;
    for (int i = 0; i < n; ++i) {
      const int above = std::uniform_int_distribution<>(-1, i - 1)(random);
      joints.push_back(joint("j" + std::to_string(i), above < 0 ? kWorld : label[above], label[i]));
    }
    std::shuffle(joints.begin(), joints.end(), random);
    const Topology t = make_topology(joints, n, 3);
    std::vector<int> place(n, -1);
    for (int i = 0; i < n; ++i) place[t.order[i]] = i;
    for (int b = 0; b < n; ++b) {
      ASSERT_GE(place[b], 0);
      EXPECT_EQ(joints[t.carrier[b]].child, b);
      const int parent = joints[t.carrier[b]].parent;
      EXPECT_LT(parent == kWorld ? -1 : place[parent], place[b]);
    }
  }
}

// A ring closed by a joint whose parent hangs on its child: wherever `tie` stands in the file, it closes the loop.
TEST(Topology, AJointBackToAnAncestorClosesTheLoopInAnyOrder) {
  const Joint tie = joint("tie", 2, 0);
  std::vector<Joint> joints{joint("pin", kWorld, 0), joint("j1", 0, 1), joint("j2", 1, 2)};
  for (int place = 0; place <= 3; ++place) {
    std::vector<Joint> ring = joints;
    ring.insert(ring.begin() + place, tie);
    const Topology t = make_topology(ring, 3, 3);
    EXPECT_EQ(t.order, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(t.loop_joints, (std::vector<int>{place}));
    EXPECT_EQ(t.tree_dof, 3);
    EXPECT_EQ(t.loop_constraints, 5);
  }
}

// Whatever joints lead back, a body that hangs on the ground in one order does so in each; where the first
// joints of all bodies make a tree, that is the tree.
TEST(Topology, AnyOrderOfJointsHangsOnTheGround) {
  std::mt19937 random(5);
  int of_first_joints = 0, others = 0;
  for (int round = 0; round < 500; ++round) {
    const int n = 8;
    std::vector<Joint> joints;
    for (int i = 0; i < n; ++i)
      joints.push_back(joint("j", std::uniform_int_distribution<>(-1, i - 1)(random), i));
    for (int extra = 0; extra < round % 4; ++extra) {
      const int parent = std::uniform_int_distribution<>(0, n - 1)(random);
      joints.push_back(
          joint("loop", parent, (parent + std::uniform_int_distribution<>(1, n - 1)(random)) % n));
    }
    std::shuffle(joints.begin(), joints.end(), random);
    const Topology t = make_topology(joints, n, 2);

    std::vector<bool> carried(n, false);
    for (const int body : t.order) {
      const Joint& carrier = joints[t.carrier[body]];
      EXPECT_TRUE(carrier.child == body && (carrier.parent == kWorld || carried[carrier.parent]));
      carried[body] = true;
    }
    EXPECT_EQ(t.order.size(), std::size_t(n));
    EXPECT_EQ(t.loop_joints.size(), joints.size() - n);

    std::vector<int> first(n, -1);
    for (int j = static_cast<int>(joints.size()) - 1; j >= 0; --j) first[joints[j].child] = j;
    bool hangs = true;
    for (int body = 0; body < n; ++body) {
      int b = body;
      for (int up = 0; up < n && b != kWorld; ++up) b = joints[first[b]].parent;
      hangs = hangs && b == kWorld;
    }
    EXPECT_TRUE(!hangs || t.carrier == first);
    ++(hangs ? of_first_joints : others);
  }
  EXPECT_GT(of_first_joints, 100);
  EXPECT_GT(others, 20);
}

TEST(Topology, CyclesOfParentsAreNamed) {
  const std::vector<Joint> joints{joint("base", kWorld, 0), joint("a", 3, 1), joint("b", 1, 2),
                                  joint("c", 2, 3), joint("tail", 3, 4)};
  try {
    make_topology(joints, 5, 3);
    FAIL() << "a cycle hung from the ground";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "joints.a.parent");
    EXPECT_EQ(error.expected, "a chain of parents that ends at the world");
    EXPECT_EQ(error.found, "a cycle of the joints a, c, b");
  }
  EXPECT_THROW(make_topology({joint("self", 0, 0)}, 1, 3), ModelError);
}

TEST(Topology, LongChainsAreNoProblem) {
  const int n = 100000;
  std::vector<Joint> joints;
  for (int i = 0; i < n; ++i) joints.push_back(joint("j", i - 1, i));
  EXPECT_EQ(make_topology(joints, n, 3).order.back(), n - 1);
}

}  // namespace
}  // namespace torsor
