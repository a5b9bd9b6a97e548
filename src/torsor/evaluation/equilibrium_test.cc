#include "torsor/evaluation/equilibrium.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/linkages.h"
#include "torsor/assembly/assembly.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Number = long double;
constexpr double kPi = std::numbers::pi;

/// Where a function of growing sign changes it.
template <class Function>
double sign_change(Function&& f, double low, double high) {
  Number a = low, b = high;
  const bool grows = f(b) > 0;
  for (int i = 0; i < 200; ++i) {
    const Number middle = (a + b) / 2;
    ((f(middle) > 0) == grows ? b : a) = middle;
  }
  return static_cast<double>((a + b) / 2);
}

/// dU/dx by differences of the fourth order.
template <class Function>
auto slope_of(Function U) {
  return [U](Number x) {
    const Number h = 1e-3L;
    return (8 * (U(x + h) - U(x - h)) - (U(x + 2 * h) - U(x - 2 * h))) / (12 * h);
  };
}

struct Found {
  ReducedMechanism mechanism;
  ReducedConfiguration start;

  explicit Found(const ModelDescription& d)
      : mechanism(Model(d)), start(mechanism.configure(assemble(mechanism.model()).q)) {}
  RestPosition nearest() const {
    const auto at = nearest_equilibrium(mechanism, start, 0);
    EXPECT_TRUE(at.has_value());
    return at.value();
  }
};

/// Each rod leans as the force at its middle does: tan(angle_i) = -(n / 2 - i - 1/2) w / H; H such that the span fits.
TEST(Equilibrium, ChainOfAHundredRodsHangsAsTheDiscreteCatenary) {
  constexpr int kLinks = 100;
  constexpr double kRod = 0.05, kSpan = 3, kWeight = 9.81;
  ModelDescription d = reference::planar_loop(
      kLinks, [] { return kRod; }, kSpan);
  d.gravity = {0, -kWeight, 0};
  for (int i = 0; i < kLinks; ++i)
    d.initial.joints["j" + std::to_string(i)] = {i == 0 ? -1.4 : 2.8 / (kLinks - 1)};
  d.initial.assemble = true;
  const Found chain(d);
  const RestPosition rest = chain.nearest();

  const auto angle = [&](Number H, int i) { return std::atan(-(kLinks / 2.0L - i - 0.5L) * kWeight / H); };
  const auto too_wide = [&](Number H) {
    Number span = -kSpan;
    for (int i = 0; i < kLinks; ++i) span += kRod * std::cos(angle(H, i));
    return span;
  };
  const Number H = sign_change(too_wide, 1, 1e5);
  double worst = 0, turned = 0;
  for (int i = 0; i < kLinks; ++i) {
    turned += rest.q[i];
    keep_largest(worst, std::abs(turned - static_cast<double>(angle(H, i))));
  }
  EXPECT_LE(worst, 1e-12);  // measured 3e-14
  EXPECT_EQ(rest.stability, Stability::stable);
  EXPECT_TRUE(rest.conservative);
  // The pull on the left pin is H; what is upright in it bears a half of the weight.
  const Wrench<double>& first = rest.reactions[0];
  EXPECT_NEAR(norm(first.force), std::hypot(static_cast<double>(H), kLinks * kWeight / 2), 1e-8);
}

/// Three struts in a ring of tendons: whatever the tendons are, heads are turned by 150 degrees against feet.
TEST(Equilibrium, TensegrityPrismIsTwistedByThirtyDegrees) {
  ModelDescription d;
  d.dimension = 3;
  const double start = 135 * kPi / 180;
  std::array<Point, 3> feet, heads;
  for (int j = 0; j < 3; ++j) {
    const double turn = 2 * kPi / 3 * j;
    const Vec3<double> foot{0.5 * std::cos(turn), 0.5 * std::sin(turn), 0};
    const Vec3<double> head{0.4 * std::cos(turn + start), 0.4 * std::sin(turn + start), 1};
    const double length = norm(head - foot);
    const SE3<double> pose{axis_frame((1 / length) * (head - foot)), 0.5 * (foot + head)};
    d.bodies.push_back({"strut" + std::to_string(j), 1, {}, {0.1, 0.1, 1e-3, 0, 0, 0}, {}, pose});
    feet[j] = {"", j, {0, 0, -0.5 * length}};
    heads[j] = {"", j, {0, 0, 0.5 * length}};
  }
  const auto tie = [&](const Point& a, const Point& b, double stiffness, double rest) {
    Tendon tendon;
    tendon.name = "t" + std::to_string(d.tendons.size());
    tendon.path = {a, b};
    tendon.stiffness = stiffness;
    tendon.rest_length = Program(rest);
    tendon.tension_only = true;
    d.tendons.push_back(tendon);
  };
  for (int j = 0; j < 3; ++j) {
    tie(feet[j], feet[(j + 1) % 3], 900, 0.8);
    tie(heads[j], heads[(j + 1) % 3], 1100, 0.6);
    tie(heads[j], feet[(j + 1) % 3], 1300, 0.95);
  }
  const Found prism(d);
  const RestPosition rest = prism.nearest();
  EXPECT_LE(rest.residual, 1e-10);  // measured 3e-13
  EXPECT_EQ(rest.falling, 0);
  EXPECT_EQ(rest.neutral, 9);  // motions of the whole, and each strut about itself
  const Tree& tree = prism.mechanism.tree();
  std::vector<Pose<double>> X_W(tree.size());
  node_poses<double>(tree, rest.q, X_W);
  const auto place = [&](const Point& p) {
    return act(X_W[tree.body_node[p.body]] * tree.X_NB[p.body], p.p_B);
  };
  Vec3<double> low{}, high{};
  for (int j = 0; j < 3; ++j) {
    low += (1 / 3.0) * place(feet[j]);
    high += (1 / 3.0) * place(heads[j]);
  }
  for (int j = 0; j < 3; ++j) {
    const Vec3<double> a = place(feet[j]) - low, b = place(heads[j]) - high;
    const Vec3<double> axis = (1 / norm(high - low)) * (high - low);
    EXPECT_NEAR(std::atan2(dot(cross(a, b), axis), dot(a, b)), 150 * kPi / 180, 1e-13);  // measured 4e-16
  }
  for (const TendonAtRest& tendon : rest.tendons) EXPECT_GT(tendon.tension, 1);
}

/// A mass on a guide between two springs, and a load across: U = k (sqrt(b^2 + y^2) - l)^2 + P y.
TEST(Equilibrium, SnapThroughToggleHasThreeRestPositions) {
  constexpr double b = 1, l = 1.1, k = 400, P = 1.5;
  ModelDescription d;
  d.dimension = 2;
  d.gravity = {0, -P, 0};
  d.bodies = {{"mass", 1, {}, {0.5, 0.5, 1, 0, 0, 0}, {}, {}}};
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.axis = {0, 1, 0};
  guide.parent = kWorld;
  guide.child = 0;
  d.joints = {guide};
  for (const double side : {-b, b}) {
    Tendon spring;
    spring.name = side < 0 ? "left" : "right";
    spring.path = {{"", kWorld, {side, 0, 0}}, {"", 0, {}}};
    spring.stiffness = k;
    spring.rest_length = Program(l);
    d.tendons.push_back(spring);
  }
  d.initial.joints = {{"guide", {0.3}}};
  const Found toggle(d);
  const auto slope = [&](Number y) {
    const Number length = std::sqrt(b * b + y * y);
    return 2 * k * (length - l) * y / length + P;
  };
  const double upper = sign_change(slope, 0.3, 0.7), middle = sign_change(slope, -0.2, 0.2),
               lower = sign_change(slope, -0.7, -0.3);
  EXPECT_NEAR(toggle.nearest().q[0], upper, 1e-14);  // measured 2e-16
  const EquilibriumSearch all = find_equilibria(toggle.mechanism, toggle.start, 0);
  ASSERT_EQ(all.found.size(), 3u);
  EXPECT_NEAR(all.found[0].q[0], lower, 1e-14);
  EXPECT_NEAR(all.found[1].q[0], upper, 1e-14);
  EXPECT_NEAR(all.found[2].q[0], middle, 1e-14);
  EXPECT_EQ(all.found[0].stability, Stability::stable);
  EXPECT_EQ(all.found[1].stability, Stability::stable);
  EXPECT_EQ(all.found[2].stability, Stability::unstable);
  EXPECT_EQ(all.found[2].falling, 1);
}

/// Crank and rod pushed apart by a spring at the slider; stretched and folded it rests by the geometry alone.
TEST(Equilibrium, SliderCrankWithASpringRestsInAllItsFourPositions) {
  constexpr double a = 1, c = 1.3, k = 80, rest_at = 1.7;
  ModelDescription d = reference::slider_crank(a, c);
  d.initial.joints = {{"drive", {0.5}}};
  d.initial.assemble = true;
  JointSpring spring;
  spring.name = "spring";
  spring.joint = 2;
  spring.stiffness = {k};
  spring.rest = {rest_at};
  d.joint_springs = {spring};
  const Found toggle(d);
  const EquilibriumSearch all = find_equilibria(toggle.mechanism, toggle.start, 0);
  ASSERT_EQ(all.found.size(), 4u);
  // x = rest_at: a, c and rest_at make a triangle.
  const double angle = std::acos((a * a + rest_at * rest_at - c * c) / (2 * a * rest_at));
  for (int i = 0; i < 4; ++i) {
    const RestPosition& rest = all.found[i];
    const double crank = std::abs(std::remainder(rest.q[0], 2 * kPi));
    EXPECT_NEAR(crank, i < 2 ? angle : i == 2 ? 0 : kPi, 1e-12);
    EXPECT_EQ(rest.stability, i < 2 ? Stability::stable : Stability::unstable);
  }
}

TEST(Equilibrium, FourBarWithASpringRestsAtTheLeastOfItsPotential) {
  constexpr double a = 0.5, b = 1.5, c = 1.0, g = 1.5, k = 12, rest_at = -0.3;
  for (const bool spatial : {false, true}) {
    ModelDescription d = spatial ? reference::spatial_four_bar(a, b, c, g) : reference::four_bar(a, b, c, g);
    d.gravity = {0, -9.81, 0};
    d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
    d.initial.assemble = true;
    JointSpring spring;
    spring.name = "spring";
    spring.joint = 0;
    spring.stiffness = {k};
    spring.rest = {rest_at};
    d.joint_springs = {spring};
    const Found four_bar(d);
    const RestPosition rest = four_bar.nearest();
    // The joint between coupler and rocker lies where two circles meet, above the line of their centres.
    const auto potential = [&](Number crank) {
      const Number x = a * std::cos(crank), y = a * std::sin(crank), dx = g - x, dy = -y;
      const Number apart = std::sqrt(dx * dx + dy * dy),
                   along = (apart * apart + b * b - c * c) / (2 * apart),
                   across = std::sqrt(b * b - along * along);
      const Number pin = y + along * dy / apart + across * dx / apart;
      return 9.81L * (y / 2 + (y + pin) / 2 + pin / 2) + k * (crank - rest_at) * (crank - rest_at) / 2;
    };
    const auto slope = slope_of(potential);
    const double q = rest.q[0];
    EXPECT_NEAR(sign_change(slope, q - 0.1, q + 0.1), q, 1e-11);            // measured 2e-13
    EXPECT_NEAR(static_cast<double>(potential(q)), rest.potential, 1e-12);  // measured 9e-16
    EXPECT_EQ(rest.stability, Stability::stable);
    EXPECT_EQ(rest.redundancies.empty(), !spatial);
  }
}

TEST(Equilibrium, PendulumAtRestUprightStaysAndIsUnstable) {
  ModelDescription d = reference::planar_loop(
      1, [] { return 1.0; }, 1);
  d.joints.pop_back();
  d.gravity = {0, -9.81, 0};
  d.initial.joints = {{"j0", {kPi / 2}}};
  const Found upright(d);
  const RestPosition rest = upright.nearest();
  EXPECT_NEAR(rest.q[0], kPi / 2, 1e-14);
  EXPECT_EQ(rest.stability, Stability::unstable);
  EXPECT_NEAR(*rest.least_square, -1.5 * 9.81, 1e-12);  // of a rod: 3 g / (2 l)
  d.initial.joints = {{"j0", {1.5}}};
  EXPECT_NEAR(std::remainder(Found(d).nearest().q[0], 2 * kPi), -kPi / 2, 1e-12);
  EXPECT_EQ(find_equilibria(upright.mechanism, upright.start, 0).found.size(), 2u);
}

TEST(Equilibrium, WhatNothingBearsHasNone) {
  ModelDescription d;
  d.gravity = {0, 0, -9.81};
  d.bodies = {{"ball", 1, {}, {0.1, 0.1, 0.1, 0, 0, 0}, {}, {}}};
  const Found falling(d);
  EXPECT_FALSE(nearest_equilibrium(falling.mechanism, falling.start, 0).has_value());
}

TEST(Equilibrium, ActuatorsHoldAPose) {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.gravity = {0, -9.81, 0};
  d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  d.initial.assemble = true;
  const auto actuator = [](const char* name, int joint) {
    Actuator a;
    a.name = name;
    a.joint = joint;
    return a;
  };
  d.actuators = {actuator("motor", 0)};
  const Found one(d);
  const HeldPose held = hold_pose(one.mechanism, one.start, 0);
  EXPECT_TRUE(held.holds);
  EXPECT_EQ(held.free_efforts, 0);
  // The power of the weights is that of the effort: dU/du.
  const Tree& tree = one.mechanism.tree();
  const auto height = [&](double du) {
    const ReducedConfiguration at = one.mechanism.moved(one.start, Eigen::VectorXd::Constant(1, du));
    std::vector<Pose<double>> X_W(tree.size());
    node_poses<double>(tree, at.q, X_W);
    double sum = 0;
    for (int body = 0; body < 3; ++body) {
      sum += act(X_W[tree.body_node[body]] * tree.X_NB[body], one.mechanism.model().bodies()[body].com).y;
    }
    return sum;
  };
  const double h = 1e-4;
  const double slope = (8 * (height(h) - height(-h)) - (height(2 * h) - height(-2 * h))) / (12 * h);
  EXPECT_NEAR(held.effort[0], 9.81 * slope, 1e-9);  // measured 3e-11
  // Two motors share it, the least of all efforts; one combination strains the loop alone.
  d.actuators = {actuator("motor", 0), actuator("other", 2)};
  const Found two(d);
  const HeldPose shared = hold_pose(two.mechanism, two.start, 0);
  EXPECT_TRUE(shared.holds);
  EXPECT_EQ(shared.free_efforts, 1);
  EXPECT_LT(std::hypot(shared.effort[0], shared.effort[1]), std::abs(held.effort[0]));
  // Nothing holds two rates with one motor.
  d.joints.pop_back();
  d.actuators = {actuator("motor", 0)};
  d.initial.assemble = false;
  EXPECT_FALSE(hold_pose(Found(d).mechanism, Found(d).start, 0).holds);
}

}  // namespace
}  // namespace torsor
