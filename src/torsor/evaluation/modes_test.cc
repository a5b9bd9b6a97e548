#include "torsor/evaluation/modes.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/random_models.h"
#include "torsor/assembly/assembly.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
constexpr double kPi = std::numbers::pi;

SmallMotions at_start(const ModelDescription& d) {
  const Model model(d);
  const Assembly start = assemble(model);
  return small_motions(model, start.q, start.qd, 0);
}

JointSpring turning_spring(int joint, double stiffness, double damping = 0) {
  JointSpring spring;
  spring.name = "spring" + std::to_string(joint);
  spring.joint = joint;
  spring.stiffness = {stiffness};
  spring.damping = {damping};
  return spring;
}

/// A beam of length, mass per length and bending stiffness 1 as n rods; the spring in the wall bends half a rod.
TEST(Modes, ChainOfRodsHasTheFrequenciesOfACantileverInSecondOrder) {
  const double exact[3] = {std::pow(1.8751040687119611, 2), std::pow(4.6940911329741746, 2),
                           std::pow(7.8547574382376126, 2)};
  double before[3] = {};
  for (const int n : {8, 16, 32, 64}) {
    const double h = 1.0 / n;
    ModelDescription d = reference::planar_loop(
        n, [&] { return h; }, 1);
    d.joints.pop_back();
    for (Body& body : d.bodies) {
      body.mass = h;
      const double J = h * h * h / 12;
      body.inertia = {J / 2, J / 2, J, 0, 0, 0};
    }
    for (int i = 0; i < n; ++i) d.joint_springs.push_back(turning_spring(i, (i == 0 ? 2 : 1) / h));
    const SmallMotions small = at_start(d);
    ASSERT_TRUE(small.symmetric);
    for (int k = 0; k < 3; ++k) {
      const double error = std::abs(2 * kPi * small.modes[k].frequency() / exact[k] - 1);
      if (before[k] > 0) {
        EXPECT_NEAR(std::log2(before[k] / error), 2, n == 16 ? 0.2 : 0.05) << n << ", mode " << k;
      }
      before[k] = error;
    }
  }
  EXPECT_LE(before[0], 3e-4);
}

/// Two rods by hand, in angles against the vertical.
TEST(Modes, DoublePendulumHasTheFrequenciesOfItsMatrices) {
  constexpr double l = 0.7, g = 9.81;
  ModelDescription d = reference::planar_loop(
      2, [] { return l; }, 1);
  d.joints.pop_back();
  d.gravity = {0, -g, 0};
  d.initial.joints = {{"j0", {-kPi / 2}}};
  const SmallMotions small = at_start(d);
  ASSERT_TRUE(small.symmetric);
  EXPECT_TRUE(small.steady);
  const double a = 4 * l * l / 3, b = l * l / 2, c = l * l / 3, k1 = 1.5 * g * l, k2 = 0.5 * g * l;
  const double p = a * c - b * b, q = a * k2 + c * k1, root = std::sqrt(q * q - 4 * p * k1 * k2);
  EXPECT_NEAR(2 * kPi * small.modes[0].frequency(), std::sqrt((q - root) / (2 * p)), 1e-12);
  EXPECT_NEAR(2 * kPi * small.modes[1].frequency(), std::sqrt((q + root) / (2 * p)),
              1e-12);  // measured 4e-15
  EXPECT_GT(small.modes[0].shape[1].real(), 0);
  EXPECT_LT((small.modes[1].shape[0] * small.modes[1].shape[1]).real(), 0);
  // The first body turns by its joint, and its middle goes across.
  EXPECT_NEAR(std::abs(small.modes[0].bodies[0].linear.x), l / 2 * std::abs(small.modes[0].shape[0]), 1e-14);
}

TEST(Modes, DampedSpringHasItsRatioAndAnOverdampedOneTwoDecays) {
  ModelDescription d = reference::planar_loop(
      1, [] { return 1.0; }, 1);
  d.joints.pop_back();
  const double J = 1 / 3.0, k = 5;
  for (const double zeta : {0.1, 0.7, 3.0}) {
    d.joint_springs = {turning_spring(0, k, 2 * zeta * std::sqrt(k * J))};
    const SmallMotions small = at_start(d);
    EXPECT_FALSE(small.symmetric);
    const double w = std::sqrt(k / J);
    if (zeta < 1) {
      ASSERT_EQ(small.modes.size(), 1u);
      EXPECT_NEAR(small.modes[0].damping_ratio(), zeta, 1e-12);
      EXPECT_NEAR(2 * kPi * small.modes[0].natural(), w, 1e-12);
    } else {
      ASSERT_EQ(small.modes.size(), 2u);
      EXPECT_NEAR(small.modes[0].s.real() * small.modes[1].s.real(), w * w, 1e-10);
      EXPECT_NEAR(small.modes[0].s.real() + small.modes[1].s.real(), -2 * zeta * w, 1e-12);
    }
  }
}

/// A wheel in two rings: nutation at C W / sqrt(I1 I2).
TEST(Modes, WheelInAGimbalNutates) {
  constexpr double A = 0.3, C = 0.5, W = 40;
  ModelDescription d;
  d.dimension = 3;
  d.bodies = {{"outer", 1, {}, {0.11, 0.2, 0.2, 0, 0, 0}, {}, {}},
              {"inner", 1, {}, {0.05, 0.07, 0.06, 0, 0, 0}, {}, {}},
              {"wheel", 2, {}, {A, A, C, 0, 0, 0}, {}, {}}};
  const Vec3<double> axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const char* names[3] = {"ring", "cross", "spin"};
  for (int i = 0; i < 3; ++i) {
    Joint joint;
    joint.name = names[i];
    joint.parent = i - 1;
    joint.child = i;
    joint.axis = axes[i];
    d.joints.push_back(joint);
  }
  d.initial.rates = {{"spin", {W}}};
  const SmallMotions small = at_start(d);
  EXPECT_TRUE(small.steady);
  const double I1 = 0.11 + 0.05 + A, I2 = 0.07 + A, nutation = C * W / std::sqrt(I1 * I2);
  const SmallMotion& fastest = small.modes.back();
  EXPECT_NEAR(fastest.s.imag(), nutation, 1e-12 * nutation);  // measured 8e-16
  EXPECT_NEAR(fastest.s.real(), 0, 1e-9);
  // The rings go round a quarter of a turn apart.
  const std::complex<double> ratio = fastest.shape[0] / fastest.shape[1];
  EXPECT_NEAR(ratio.real(), 0, 1e-9);
  EXPECT_NEAR(std::abs(ratio.imag()), std::sqrt(I2 / I1), 1e-9);
}

/// Upright and spinning on a ball: A z'' - i C W z' - m g l z = 0 in axes that stand, hence s - i W in those of the body.
TEST(Modes, SleepingTopTurnsWithItsAxes) {
  constexpr double A = 0.2, C = 0.35, W = 30, m = 2, l = 0.4, g = 9.81;
  ModelDescription d;
  d.dimension = 3;
  d.gravity = {0, 0, -g};
  d.bodies = {{"top", m, {0, 0, l}, {A, A, C, 0, 0, 0}, {}, {}}};
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.parent = kWorld;
  ball.child = 0;
  d.joints = {ball};
  d.initial.rates = {{"ball", {0, 0, W}}};
  const SmallMotions small = at_start(d);
  const double about_pivot = A + m * l * l;
  const double root = std::sqrt(C * C * W * W - 4 * about_pivot * m * g * l);
  std::vector<double> wanted{std::abs((C * W + root) / (2 * about_pivot) - W),
                             std::abs((C * W - root) / (2 * about_pivot) - W)};
  std::sort(wanted.begin(), wanted.end());
  std::vector<double> found;
  for (const SmallMotion& mode : small.modes) {
    if (mode.s.imag() > 1) found.push_back(mode.s.imag());
  }
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], wanted[0], 1e-12 * W);
  EXPECT_NEAR(found[1], wanted[1], 1e-12 * W);  // measured 5e-16
}

/// w^2 = (d2U/du2) / M(u) at rest, both by differences of positions of bodies in closed loops.
TEST(Modes, FourBarSwingsAsItsPotentialAndItsMassSay) {
  for (const bool spatial : {false, true}) {
    ModelDescription d = spatial ? reference::spatial_four_bar() : reference::four_bar(0.5, 1.5, 1, 1.5);
    d.gravity = {0, -9.81, 0};
    d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
    d.initial.assemble = true;
    d.joint_springs = {turning_spring(0, 12)};
    const ReducedMechanism mechanism{Model(d)};
    const auto rest = nearest_equilibrium(mechanism, mechanism.configure(assemble(mechanism.model()).q), 0);
    ASSERT_TRUE(rest);
    const ReducedConfiguration there = mechanism.configure(rest->q);
    const SmallMotions small = small_motions(mechanism, there, mechanism.rest(0).v, 0);
    ASSERT_TRUE(small.symmetric);
    ASSERT_EQ(small.modes.size(), 1u);
    const Tree& tree = mechanism.tree();
    const auto bodies = [&](double du) {
      const ReducedConfiguration at = mechanism.moved(there, VectorXd::Constant(1, du));
      VectorXd all(10);  // centres, angles of bars, spring
      std::vector<Pose<double>> X_W(tree.size());
      node_poses<double>(tree, at.q, X_W);
      for (int b = 0; b < 3; ++b) {
        const Pose<double> X = X_W[tree.body_node[b]] * tree.X_NB[b];
        const Vec3<double> c = act(X, d.bodies[b].com), along = X.R * Vec3<double>{1, 0, 0};
        all.segment(3 * b, 3) << c.x, c.y, std::atan2(along.y, along.x);
      }
      all[9] = at.q[0];
      return all;
    };
    const double h = 2e-3;
    const auto at = [&](int k) { return bodies(k * h); };
    const VectorXd rate =
        (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * h);  // sixth order
    const auto U = [&](int k) {
      const VectorXd x = at(k);
      return 9.81 * (x[1] + x[4] + x[7]) + 6 * x[9] * x[9];
    };
    const double curvature =
        (270 * (U(1) + U(-1)) - 27 * (U(2) + U(-2)) + 2 * (U(3) + U(-3)) - 490 * U(0)) / (180 * h * h);
    double mass = 0;
    for (int b = 0; b < 3; ++b) {
      const double J = spatial ? 0.1 : mechanism.model().bodies()[b].inertia.zz;
      mass += rate[3 * b] * rate[3 * b] + rate[3 * b + 1] * rate[3 * b + 1] +
              J * rate[3 * b + 2] * rate[3 * b + 2];
    }
    EXPECT_NEAR(std::norm(small.modes[0].s) / (curvature / mass), 1, 1e-9);  // measured 4e-11
  }
}

/// Columns of A by differences of accelerations, which are those of forward dynamics of the tree, moving.
TEST(Modes, StateMatrixIsThatOfDifferencesOfAccelerations) {
  const Model model(reference::all_elements());
  const ReducedMechanism mechanism(model);
  const int n = model.rate_count();
  std::mt19937 random(7);
  JointState state = neutral_state(model);
  retract<double>(mechanism.tree(), state.q, random_vector(n, random), state.q);
  state.qd = random_vector(n, random);
  const SmallMotions small = small_motions(mechanism, mechanism.configure(state.q), state.qd, 0);
  const auto accelerations = [&](const VectorXd& dq, const VectorXd& dv) {
    JointState there = state;
    retract<double>(mechanism.tree(), state.q, std::vector<double>(dq.begin(), dq.end()), there.q);
    for (int i = 0; i < n; ++i) there.qd[i] += dv[i];
    const std::vector<double> a = Evaluation(model, there).forward_dynamics();
    return VectorXd(VectorXd::Map(a.data(), n));
  };
  const VectorXd none = VectorXd::Zero(n);
  const MatrixXd A = eigen(small.A);
  const double h = 1e-4, largest = max_abs(A);
  for (int j = 0; j < n; ++j) {
    const auto column = [&](auto&& at) {
      return VectorXd((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    };
    const VectorXd by_q = column([&](double s) { return accelerations(s * VectorXd::Unit(n, j), none); });
    const VectorXd by_v = column([&](double s) { return accelerations(none, s * VectorXd::Unit(n, j)); });
    EXPECT_LE(max_abs(VectorXd(by_q - A.col(j).tail(n))), 1e-9 * largest);  // measured 3e-12
    EXPECT_LE(max_abs(VectorXd(by_v - A.col(n + j).tail(n))), 1e-9 * largest);
  }
}

TEST(Modes, InputsAndOutputsAreNamedAndActAsTheySay) {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  d.initial.assemble = true;
  d.points = {{"tip", 1, {0.7, 0.2, 0}}};
  Actuator motor;
  motor.name = "motor";
  d.actuators = {motor};
  Tendon cable;
  cable.name = "cable";
  cable.path = {{"", kWorld, {0, 2, 0}}, {"", 1, {0.7, 0.2, 0}}};
  cable.tension = Program(1.0);
  d.tendons = {cable};
  const Model model(d);
  const ReducedMechanism mechanism(model);
  const ReducedConfiguration at = mechanism.configure(assemble(model).q);
  const SmallMotions small = small_motions(mechanism, at, mechanism.rest(0).v, 0);
  EXPECT_EQ(small.inputs, (std::vector<std::string>{"motor", "tendon.cable"}));
  EXPECT_EQ(small.outputs,
            (std::vector<std::string>{"q.drive", "qd.drive", "tip.x", "tip.y", "tip.vx", "tip.vy"}));
  // A change of the tension changes the acceleration by its column.
  d.tendons[0].tension = Program(2.0);
  const ReducedMechanism pulled{Model(d)};
  const double more = pulled.solve(at, pulled.rest(0)).a[0] - mechanism.solve(at, mechanism.rest(0)).a[0];
  EXPECT_NEAR(small.B(1, 1), more, 1e-12);
  EXPECT_NEAR(small.B(1, 0), 1 / small.M(0, 0), 1e-12);
  EXPECT_EQ(small.C(2, 0), small.C(4, 1));
}

}  // namespace
}  // namespace torsor
