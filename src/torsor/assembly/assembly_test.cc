#include "torsor/assembly/assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

using reference::four_bar;

constexpr double kPi = std::numbers::pi;

std::span<const double> of(const Model& model, const std::vector<double>& q, const std::string& joint) {
  return std::span(q).subspan(model.coordinate_offset(model.joint_index(joint)));
}

/// How far the loop joints' own frames are apart, in m and rad alike, at coordinates q of all joints.
double gap(const Model& model, const std::vector<double>& q) {
  const std::vector<SE3<double>> X_WB = body_poses(model, q);
  const auto pose = [&](int body) { return body == kWorld ? SE3<double>{} : X_WB[body]; };
  double worst = 0;
  for (const int j : model.topology().loop_joints) {
    const Joint& joint = model.joints()[j];
    const SE3<double> reached =
        pose(joint.parent) * joint.in_parent *
        joint_pose(joint, model.dimension(), std::span(q).subspan(model.coordinate_offset(j)));
    const SE3<double> off = inverse(reached) * (pose(joint.child) * joint.in_child);
    worst = larger({worst, norm(off.position), norm(log(off.rotation))});
  }
  return worst;
}

/// How fast they part at rates qd: by twists of the bodies, independent of any Jacobian.
double gap_rate(const Model& model, const std::vector<double>& q, const std::vector<double>& qd) {
  const std::vector<SE3<double>> X_WB = body_poses(model, q);
  const auto pose = [&](int body) { return body == kWorld ? SE3<double>{} : X_WB[body]; };
  std::vector<Twist<double>> V_W(model.bodies().size());
  const auto across = [&](int j) {
    const Joint& joint = model.joints()[j];
    return Ad(pose(joint.child) * joint.in_child,
              joint_twist(joint, model.dimension(), std::span(q).subspan(model.coordinate_offset(j)),
                          std::span(qd).subspan(model.rate_offset(j))));
  };
  const auto twist = [&](int body) { return body == kWorld ? Twist<double>{} : V_W[body]; };
  for (const int b : model.topology().order) {
    const int j = model.topology().carrier[b];
    V_W[b] = twist(model.joints()[j].parent) + across(j);
  }
  double worst = 0;
  for (const int j : model.topology().loop_joints) {
    const Joint& joint = model.joints()[j];
    const Twist<double> off = twist(joint.child) - twist(joint.parent) - across(j);
    worst = larger({worst, norm(off.angular), norm(off.linear)});
  }
  return worst;
}

template <class Function>
ModelError error_of(const Function& function) {
  try {
    function();
  } catch (const ModelError& error) {
    return error;
  }
  return {"", "", "no error"};
}

TEST(Assembly, ATreeStartsAsTheFileSays) {
  ModelDescription d = reference::free_tree();
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_EQ(start.q, initial_coordinates(model));
  EXPECT_EQ(start.qd, initial_rates(model));
  EXPECT_EQ(start.moved.amount, 0);
  EXPECT_TRUE(start.gap_before.joint.empty());
}

TEST(Assembly, AFourBarClosesAsTheCosineLawSays) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {kPi / 2}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_EQ(of(model, start.q, "drive")[0], kPi / 2);
  EXPECT_LT(gap(model, start.q), 4e-15);  // measured 7e-16
  // Triangle crank tip - rocker pivot - pin: sides a (crank tip to pivot), 1.5 (coupler), 1 (rocker).
  const double a = std::hypot(0.5, 1.5), base = std::atan2(0.5, -1.5);
  const double at_pivot = std::acos((a * a + 1 - 1.5 * 1.5) / (2 * a));
  const double pivot = of(model, start.q, "pivot")[0];
  const double off = smaller(std::abs(std::remainder(pivot - base - at_pivot, 2 * kPi)),
                             std::abs(std::remainder(pivot - base + at_pivot, 2 * kPi)));
  EXPECT_LT(off, 1e-14);  // measured 7e-16
}

TEST(Assembly, NamedRateOfTheDriveGivesTheOthers) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.assemble = true;
  const auto at = [&](double drive) {
    d.initial.joints = {{"drive", {drive}}};
    return assemble(Model(d)).q;
  };
  d.initial.joints = {{"drive", {1.1}}};
  d.initial.rates = {{"drive", {2}}};
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_EQ(of(model, start.qd, "drive")[0], 2);
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);  // measured 5e-16
  const double h = 1e-4;
  const std::vector<double> before = at(1.1 - h), after = at(1.1 + h);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(start.qd[i], 2 * (after[i] - before[i]) / (2 * h), 1e-8);  // measured 2e-9
  }
}

TEST(Assembly, NamedRateOfALoopJointIsKept) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {1.1}}};
  d.initial.rates = {{"rocker_pin", {0.7}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_NEAR(of(model, start.qd, "rocker_pin")[0], 0.7, 4e-15);  // measured 2e-16
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);           // measured 1e-16
}

TEST(Assembly, NamedCoordinateOfALoopJointIsKeptWithItsFullTurns) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"rocker_pin", {1.3 + 4 * kPi}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_NEAR(of(model, start.q, "rocker_pin")[0], 1.3 + 4 * kPi, 1e-14);  // measured 0
  EXPECT_LT(gap(model, start.q), 1e-14);                                   // measured 5e-16
}

TEST(Assembly, OfTooManyNamedJointsTheFirstKeepTheirValues) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {kPi / 2}}};
  d.initial.assemble = true;
  const Model exact_model(d);
  const Assembly exact = assemble(exact_model);
  for (const char* joint : {"crank_pin", "pivot", "rocker_pin"}) {
    d.initial.joints[joint] = {of(exact_model, exact.q, joint)[0] + 0.01};
  }
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 4e-15);               // measured 5e-16
  EXPECT_LT(relative_error(start.q, exact.q), 4e-15);  // measured 5e-16
  EXPECT_GT(start.gap_before.length, 1e-3);
  EXPECT_EQ(start.gap_before.joint, "rocker_pin");
  EXPECT_NEAR(start.moved.amount, -0.01, 1e-14);  // measured 1e-17
  EXPECT_TRUE(summary(start).starts_with(
      "crank_pin moved by 0.01 rad; largest gap before 0.016 m at joint rocker_pin, after "))
      << summary(start);
}

TEST(Assembly, AllJointsMoveIfTheFirstHasNoWayToClose) {
  ModelDescription d = four_bar(1, 1, 1, 2.5);  // the crank cannot stand upright
  d.initial.joints = {{"drive", {kPi / 2}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 1e-14);  // measured 1e-16
  EXPECT_LT(start.q[0], kPi / 2);
}

TEST(Assembly, AGuessGoodToSixDigitsStaysOnItsSide) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {1}}};
  d.initial.assemble = true;
  const Model exact_model(d);
  const Assembly exact = assemble(exact_model);
  for (const Joint& joint : exact_model.joints()) {
    d.initial.joints[joint.name] = {std::round(1e7 * of(exact_model, exact.q, joint.name)[0]) / 1e7};
  }
  d.initial.assemble = false;
  const Assembly start = assemble(Model(d));
  EXPECT_LT(gap(exact_model, start.q), 4e-15);        // measured 5e-16
  EXPECT_LT(relative_error(start.q, exact.q), 1e-6);  // measured 0
}

TEST(Assembly, AGapWithoutAssembleNamesTheJointAndTheLength) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {kPi / 2}}};
  const ModelError error = error_of([&] { assemble(Model(d)); });
  EXPECT_EQ(error.key, "initial.joints");
  EXPECT_NE(error.found.find("'rocker_pin'"), std::string::npos) << error.found;
  EXPECT_NE(error.found.find(" m and 0 rad"), std::string::npos) << error.found;
  EXPECT_NE(error.expected.find("assemble: true"), std::string::npos) << error.expected;
}

TEST(Assembly, ALoopThatCannotCloseSaysWhatIsMissing) {
  ModelDescription d = four_bar(0.5, 0.6, 0.7, 3);  // stretched it falls 1.2 m short
  d.initial.assemble = true;
  const ModelError error = error_of([&] { assemble(Model(d)); });
  EXPECT_NE(error.found.find("a gap of 1.2 m and 0 rad at joint 'rocker_pin'"), std::string::npos)
      << error.found;
}

TEST(Assembly, ContradictoryRatesAreRefusedOrBroughtToTheNearest) {
  ModelDescription d = four_bar(1, 2, 1, 2);  // a parallelogram: drive and pivot turn alike
  d.initial.joints = {{"drive", {1}}, {"crank_pin", {-1}}, {"pivot", {1}}};
  d.initial.rates = {{"drive", {2}}, {"pivot", {3}}};
  const ModelError error = error_of([&] { assemble(Model(d)); });
  EXPECT_EQ(error.key.substr(0, 14), "initial.rates.");
  EXPECT_NE(error.found.find("0.5 rad/s"), std::string::npos) << error.found;

  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_NEAR(of(model, start.qd, "drive")[0], 2.5, 1e-14);  // measured 0
  EXPECT_NEAR(start.rate_changed.amount, 0.5, 1e-14);        // measured 0
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);      // measured 4e-16
}

TEST(Assembly, ASingularStartIsLeftAsItIs) {
  ModelDescription d = four_bar(1, 2, 1, 2);  // flat
  d.initial.rates = {{"drive", {1}}};
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_EQ(start.moved.amount, 0);
  EXPECT_EQ(of(model, start.qd, "drive")[0], 1);
  EXPECT_LT(gap_rate(model, start.q, start.qd), 4e-15);  // measured 0
  for (const double rate : start.qd) EXPECT_LT(std::abs(rate), 10);
}

TEST(Assembly, SliderCrankFollowsItsFormula) {
  ModelDescription d = reference::slider_crank(0.3, 1);
  d.initial.joints = {{"drive", {0.8}}};
  d.initial.rates = {{"drive", {1.5}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 4e-15);  // measured 3e-16
  const double root = std::sqrt(1 - std::pow(0.3 * std::sin(0.8), 2));
  const double slide = of(model, start.q, "guide")[0], sign = slide > 0 ? 1 : -1;
  EXPECT_NEAR(slide, 0.3 * std::cos(0.8) + sign * root, 4e-15);  // measured 2e-16
  const double rate = 1.5 * (-0.3 * std::sin(0.8) - sign * 0.09 * std::sin(0.8) * std::cos(0.8) / root);
  EXPECT_NEAR(of(model, start.qd, "guide")[0], rate, 4e-15);  // measured 3e-16
  EXPECT_LT(gap_rate(model, start.q, start.qd), 4e-15);       // measured 3e-16
}

TEST(Assembly, SpatialFourBarWithRedundantConstraintsCloses) {
  ModelDescription d = reference::spatial_four_bar();
  d.initial.joints = {{"drive", {0.7}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 1e-14);                 // measured 7e-16
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);  // measured 1e-16
  EXPECT_EQ(of(model, start.q, "drive")[0], 0.7);
  EXPECT_EQ(of(model, start.qd, "drive")[0], 2);
}

TEST(Assembly, NestedLoopsCloseTogether) {
  const Model model([] {
    ModelDescription d = reference::parallel_four_bars(5);
    d.initial.joints = {{"crank1", {1.9}}};
    d.initial.rates = {{"crank1", {-1}}};
    d.initial.assemble = true;
    return d;
  }());
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 1e-14);                 // measured 2e-15
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);  // measured 5e-16
  EXPECT_EQ(of(model, start.q, "crank1")[0], 1.9);
}

/// A pendulum on the coupler.
ModelDescription four_bar_with_bob() {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  Body bob = d.bodies[0];
  bob.name = "bob";
  d.bodies.push_back(bob);
  Joint hinge;
  hinge.name = "hinge";
  hinge.parent = 1, hinge.child = 3;
  d.joints.push_back(hinge);
  return d;
}

TEST(Assembly, WhatHangsOnALoopRestsUnlessNamed) {
  ModelDescription d = four_bar_with_bob();
  d.initial.joints = {{"drive", {1.1}}, {"hinge", {0.4}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  const Model model(d);
  EXPECT_EQ(of(model, assemble(model).qd, "hinge")[0], 0);
  EXPECT_EQ(of(model, assemble(model).q, "hinge")[0], 0.4);
}

TEST(Assembly, NamedPoseOfABodyIsKept) {
  ModelDescription d = reference::slider_crank(0.3, 1);
  d.initial.bodies["slider"].position = Vec3<double>{0.9, 0, 0};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_LT(gap(model, start.q), 4e-15);                    // measured 3e-16
  EXPECT_NEAR(of(model, start.q, "guide")[0], 0.9, 4e-15);  // measured 0
}

TEST(Assembly, VelocityOfABodyThatHangsOnALoopIsKept) {
  ModelDescription d = four_bar_with_bob();
  d.initial.joints = {{"drive", {1.1}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.bodies["bob"].angular_velocity = Vec3<double>{0, 0, 0.3};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  const double turn =
      of(model, start.qd, "drive")[0] + of(model, start.qd, "crank_pin")[0] + of(model, start.qd, "hinge")[0];
  EXPECT_NEAR(turn, 0.3, 4e-15);  // measured 2e-16
  EXPECT_EQ(of(model, start.qd, "drive")[0], 2);
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);  // measured 4e-16
}

TEST(Assembly, VelocityOfABodyInALoopIsKept) {
  ModelDescription d = four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {1.1}}};
  d.initial.bodies["rocker"].angular_velocity = Vec3<double>{0, 0, 0.3};
  d.initial.assemble = true;
  const Model model(d);
  const Assembly start = assemble(model);
  EXPECT_NEAR(of(model, start.qd, "pivot")[0], 0.3, 4e-15);  // measured 6e-17
  EXPECT_LT(gap_rate(model, start.q, start.qd), 1e-14);      // measured 8e-17
}

TEST(Assembly, RandomPlanarLinkagesCloseAndKeepWhatIsNamed) {
  std::mt19937 generator(7);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(generator);
  };
  double worst_gap = 0, worst_rate = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int links = 3 + trial % 5;
    ModelDescription d = reference::planar_loop(
        links, [&] { return uniform(0.8, 1.2); }, uniform(0.3, 1.0));
    d.initial.assemble = true;
    d.initial.joints["j0"] = {uniform(-3, 3)};
    // As many as there are degrees of freedom.
    for (int j = 1; j <= links - 2; ++j) d.initial.rates["j" + std::to_string(j)] = {uniform(-2, 2)};
    const Model model(d);
    Assembly start;
    try {
      start = assemble(model);
    } catch (const ModelError& error) {
      ADD_FAILURE() << trial << " " << error.what();
      continue;
    }
    worst_gap = larger(worst_gap, gap(model, start.q));
    worst_rate = larger(worst_rate, gap_rate(model, start.q, start.qd));
    if (links > 3) {
      EXPECT_EQ(start.q[0], d.initial.joints["j0"][0]) << trial;
    }
    EXPECT_EQ(start.rate_changed.amount, 0) << trial;
  }
  EXPECT_LT(worst_gap, 1e-14);   // measured 2e-15
  EXPECT_LT(worst_rate, 1e-13);  // measured 3e-14
}

/// Closes a random tree in its configuration q by a joint of this type between two of its bodies.
void add_loop(ModelDescription& d, const std::vector<double>& q, JointType type, int parent, int child,
              std::mt19937& generator) {
  const std::vector<SE3<double>> X_WB = body_poses(Model(d), q);
  const std::vector<double> r = random_vector(6, generator);
  Joint joint;
  joint.name = "closing" + std::to_string(d.joints.size());
  joint.type = type;
  joint.pitch = type == JointType::helical ? 0.2 : 0;
  joint.parent = parent, joint.child = child;
  joint.in_parent = exp_se3(Twist<double>{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}});
  std::vector<double> own = neutral_coordinates(type, 3);
  for (double& x : own) x += type == JointType::spherical ? 0 : 0.3;
  joint.in_child = inverse(X_WB[child]) * X_WB[parent] * joint.in_parent * joint_pose(joint, 3, own);
  d.joints.push_back(joint);
}

/// Names every joint's coordinates a little off q, and the rates of every fourth joint.
InitialState random_guess(const Model& tree, const std::vector<double>& q, std::mt19937& generator) {
  InitialState initial;
  std::vector<double> off(tree.rate_count());
  for (double& x : off) x = 0.05 * random_vector(1, generator)[0];
  std::vector<double> guess(q.size());
  retract<double>(make_tree(tree), q, off, guess);
  for (int j = 0; j < static_cast<int>(tree.joints().size()); ++j) {
    const std::string& name = tree.joints()[j].name;
    initial.joints[name] = {guess.begin() + tree.coordinate_offset(j),
                            guess.begin() + tree.coordinate_offset(j + 1)};
    if (j % 4 == 0)
      initial.rates[name] = random_vector(tree.rate_offset(j + 1) - tree.rate_offset(j), generator);
  }
  initial.assemble = true;
  return initial;
}

TEST(Assembly, RandomTreesWithLoopsOfEveryJointTypeClose) {
  double worst_gap = 0, worst_rate = 0;
  for (const std::string& name : joint_type_names()) {
    const JointType type = *joint_type_named(name);
    if (type == JointType::free) continue;  // closes nothing
    for (unsigned seed = 0; seed < 4; ++seed) {
      std::mt19937 generator(seed);
      ModelDescription d = random_tree(14, seed);
      const Model tree(d);
      const std::vector<double> q = random_configuration(make_tree(tree), generator);
      add_loop(d, q, type, 3, 13, generator);
      d.initial = random_guess(tree, q, generator);
      const Model model(d);
      const Assembly start = assemble(model);
      worst_gap = larger(worst_gap, gap(model, start.q));
      worst_rate = larger(worst_rate, gap_rate(model, start.q, start.qd));
      EXPECT_LT(std::abs(start.moved.amount), 1) << name << " " << seed << " " << summary(start);
    }
  }
  EXPECT_LT(worst_gap, 2e-14);   // measured 3e-15
  EXPECT_LT(worst_rate, 1e-14);  // measured 2e-15
}

}  // namespace
}  // namespace torsor
