#include "torsor/assembly/mobility.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/assembly/assembly.h"
#include "torsor/assembly/body_rank.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

using Names = std::vector<std::string>;

Mobility mobility_of(ModelDescription d) {
  d.initial.assemble = true;
  const Model model(std::move(d));
  return mobility(model, assemble(model).q);
}

TEST(Mobility, ATreeHasTheFreedomOfItsJoints) {
  const Mobility moves = mobility_of(reference::three_link_arm());
  EXPECT_EQ(moves.dof, 3);
  EXPECT_EQ(moves.redundant_constraints, 0);
}

TEST(Mobility, AFourBarHasOneDegreeAndNothingRedundant) {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {1}}};
  const Mobility moves = mobility_of(d);
  EXPECT_EQ(moves.dof, 1);
  EXPECT_EQ(moves.redundant_constraints, 0);
  EXPECT_FALSE(moves.is_singular());
  EXPECT_TRUE(moves.redundancies.empty());
}

/// One turn about the corner that it hangs on, and one fold. In joint coordinates rounding of 24 x 24 scissors looks
/// like one more independent row.
TEST(Mobility, ALatticeOfScissorsHasTwoDegreesHoweverLarge) {
  for (const int n : {4, 8, 24}) {
    const Mobility moves = mobility_of(reference::scissors(n));
    EXPECT_EQ(moves.dof, 2) << n;
    EXPECT_EQ(moves.redundant_constraints, 2 * (n - 1) * (n - 1)) << n;
    int named = 0;
    for (const Redundancy& redundancy : moves.redundancies) named += redundancy.repeated;
    EXPECT_EQ(named, moves.redundant_constraints) << n;
  }
}

TEST(Mobility, AParallelogramThatLiesFlatIsSingularAndStillHasOneDegree) {
  const Mobility moves = mobility_of(reference::four_bar(1, 2, 1, 2));
  EXPECT_EQ(moves.dof, 1);
  EXPECT_EQ(moves.redundant_constraints, 0);
  EXPECT_TRUE(moves.is_singular());
}

TEST(Mobility, ParallelFourBarsThatLieFlatHaveOneDegree) {
  const Mobility moves = mobility_of(reference::parallel_four_bars(3));
  EXPECT_EQ(moves.dof, 1);
  EXPECT_TRUE(moves.is_singular());
}

TEST(Mobility, ASpatialFourBarRepeatsThreeConstraints) {
  ModelDescription d = reference::spatial_four_bar();
  d.initial.joints = {{"drive", {1}}};
  const Mobility moves = mobility_of(d);
  EXPECT_EQ(moves.dof, 1);
  EXPECT_EQ(moves.redundant_constraints, 3);
  ASSERT_EQ(moves.redundancies.size(), 1u);
  EXPECT_EQ(moves.redundancies[0].joint, "rocker_pin");
  EXPECT_EQ(moves.redundancies[0].repeated, 3);
  EXPECT_EQ(moves.redundancies[0].constraints, 5);
  EXPECT_EQ(moves.redundancies[0].others, (Names{"drive", "crank_pin", "pivot"}));
}

TEST(Mobility, BricardRepeatsOneConstraint) {
  const Mobility moves = mobility_of(reference::bricard());
  EXPECT_EQ(moves.dof, 1);
  EXPECT_EQ(moves.redundant_constraints, 1);
  ASSERT_EQ(moves.redundancies.size(), 1u);
  EXPECT_EQ(moves.redundancies[0].others, (Names{"r1", "r2", "r3", "r4", "r5"}));
}

TEST(Mobility, AThirdCrankOfAParallelogramRepeatsOneConstraint) {
  // Three equal cranks under one bar: the third crank's pin follows from the first two.
  ModelDescription d = reference::four_bar(1, 2, 1, 2);
  Body third = d.bodies[0];
  third.name = "third";
  d.bodies.push_back(third);
  Joint pivot = d.joints[2], pin = d.joints[3];
  pivot.name = "third_pivot", pivot.child = 3, pivot.in_parent.position = {1, 0, 0};
  pin.name = "third_pin", pin.child = 3, pin.in_parent.position = {1, 0, 0};
  d.joints.insert(d.joints.end(), {pivot, pin});
  d.initial.joints = {{"drive", {1}}, {"crank_pin", {-1}}, {"pivot", {1}}, {"third_pivot", {1}}};
  const Mobility moves = mobility_of(d);
  EXPECT_EQ(moves.dof, 1);
  ASSERT_EQ(moves.redundancies.size(), 1u);
  EXPECT_EQ(moves.redundancies[0].joint, "third_pin");
  EXPECT_EQ(moves.redundancies[0].repeated, 1);
  EXPECT_EQ(moves.redundancies[0].constraints, 2);
  EXPECT_EQ(moves.redundancies[0].others,
            (Names{"drive", "crank_pin", "pivot", "rocker_pin", "third_pivot"}));
}

TEST(Mobility, ALoopThatTakesNoPartIsNotNamed) {
  // Two spatial four-bars side by side on the ground.
  ModelDescription d = reference::spatial_four_bar();
  ModelDescription second = reference::spatial_four_bar();
  for (Body& body : second.bodies) body.name += "_b";
  for (Joint& joint : second.joints) {
    joint.name += "_b";
    for (int* body : {&joint.parent, &joint.child}) *body += *body == kWorld ? 0 : 3;
  }
  d.bodies.insert(d.bodies.end(), second.bodies.begin(), second.bodies.end());
  d.joints.insert(d.joints.end(), second.joints.begin(), second.joints.end());
  d.initial.joints = {{"drive", {1}}, {"drive_b", {2}}};
  const Mobility moves = mobility_of(d);
  EXPECT_EQ(moves.dof, 2);
  EXPECT_EQ(moves.redundant_constraints, 6);
  ASSERT_EQ(moves.redundancies.size(), 2u);
  EXPECT_EQ(moves.redundancies[0].others, (Names{"drive", "crank_pin", "pivot"}));
  EXPECT_EQ(moves.redundancies[1].others, (Names{"drive_b", "crank_pin_b", "pivot_b"}));
}

/// Two ways: by the decomposition of the loop conditions in joint coordinates, and in the coordinates of bodies.
TEST(Mobility, RedundanciesAreTheSameInTheCoordinatesOfBodies) {
  ModelDescription spatial = reference::spatial_four_bar();
  spatial.initial.joints = {{"drive", {1}}};
  for (ModelDescription d : {spatial, reference::bricard(), reference::scissors(3), reference::scissors(4)}) {
    d.initial.assemble = true;
    const Model model(std::move(d));
    const std::vector<double> q = assemble(model).q;
    const Mobility moves = mobility(model, q);
    const auto rows = repeated_rows(model, q);
    ASSERT_TRUE(rows.has_value());
    ASSERT_EQ(rows->size(), moves.redundancies.size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const auto& [joint, count, others] = (*rows)[i];
      EXPECT_EQ(model.joints()[joint].name, moves.redundancies[i].joint);
      EXPECT_EQ(count, moves.redundancies[i].repeated);
      Names names;
      for (const int other : others) names.push_back(model.joints()[other].name);
      EXPECT_EQ(names, moves.redundancies[i].others) << moves.redundancies[i].joint;
    }
  }
}

/// Crosses of two rods pinned in their middles, one upon the other, the last one free: it opens and swings.
ModelDescription lift(int crosses) {
  ModelDescription d;
  d.dimension = 2;
  const double rising = 0.6,
               falling = std::numbers::pi - rising;  // of a rod from left to right, of the other
  const auto pin = [&](const std::string& name, int parent, double on_parent, int child, double on_child) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::revolute;
    joint.parent = parent;
    joint.child = child;
    joint.in_parent.position = {on_parent, 0, 0};
    joint.in_child.position = {on_child, 0, 0};
    d.joints.push_back(joint);
  };
  for (int k = 0; k < crosses; ++k) {
    const int left = 2 * k, right = left + 1, below = left - 2;
    const std::string n = std::to_string(k);
    for (const char* side : {"left", "right"}) {
      Body rod;
      rod.name = side + n;
      rod.mass = 1;
      rod.com = {0.5, 0, 0};
      rod.inertia = {0, 0.1, 0.1};
      d.bodies.push_back(rod);
    }
    if (k == 0) {
      pin("hook", kWorld, 0, left, 0);
      d.initial.joints["hook"] = {rising};
    } else {
      pin("corner" + n, below + 1, 1, left, 0);
      d.initial.joints["corner" + n] = {rising - falling};
    }
    pin("middle" + n, left, 0.5, right, 0.5);
    d.initial.joints["middle" + n] = {falling - rising};
    if (k > 0) pin("closing" + n, below, 1, right, 0);
  }
  return d;
}

TEST(Mobility, ALongLiftIsAsSlackAsABeamAndNoMore) {
  const Model model(lift(1000));
  EXPECT_EQ(dependent_row_count(model, initial_coordinates(model)), 0);
  EXPECT_EQ(mobility_of(lift(100)).dof, 2);
}

}  // namespace
}  // namespace torsor
