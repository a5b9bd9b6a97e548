// Muscles in rest positions and small motions: against their law, and against differences of the rates of all states.

#include "torsor/evaluation/muscle_states.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/models.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/modes.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

Tendon muscle_between(const char* name, const Vec3<double>& on_ground, const Vec3<double>& on_link, int link,
                      double strain) {
  Tendon tendon;
  tendon.name = name;
  tendon.path = {{"", kWorld, on_ground}, {"", link, on_link}};
  Muscle muscle;
  muscle.excitation = Program(0.3);
  muscle.initial = 0.6;
  muscle.smoothing = 0.2;
  muscle.max_force = 40;
  muscle.fibre_length = 0.5;
  muscle.slack_length = 0.4;
  muscle.tendon_strain = strain;
  muscle.pennation = 0.2;
  muscle.fibre_damping = 0.3;
  tendon.muscle = muscle;
  return tendon;
}

/// Two links that hang, two muscles on each side; one behind an elastic tendon.
ModelDescription arm_with_muscles() {
  ModelDescription d = reference::three_link_arm();
  d.gravity = {0, -9.81, 0};
  d.bodies.resize(2);
  d.joints.resize(2);
  d.initial.joints = {{d.joints[0].name, {-1.2}}, {d.joints[1].name, {0.4}}};
  d.tendons = {muscle_between("rigid", {-0.4, -0.5, 0}, {0.8, 0.1, 0}, 0, 0),
               muscle_between("elastic", {0.7, -0.6, 0}, {0.6, 0.05, 0}, 1, 0.05)};
  return d;
}

/// The moment of weight and muscles about the hinge of a rod, by hand, with the law of the muscle alone.
TEST(MuscleStates, RodRestsWhereItsMuscleBearsTheWeight) {
  for (const double strain : {0.0, 0.05}) {
    ModelDescription d = arm_with_muscles();
    d.bodies.resize(1);
    d.joints.resize(1);
    d.initial.joints = {{d.joints[0].name, {-1.2}}};
    d.tendons = {muscle_between("holds", {0.1, 0.9, 0}, {0.8, 0, 0}, 0, strain)};
    d.tendons[0].muscle->initial = 0.9;  // which is no rest
    const Model model(d);
    const std::optional<RestPosition> rest = nearest_equilibrium(model);
    ASSERT_TRUE(rest);
    const double q = rest->q[0];
    const Vec3<double> tip{0.8 * std::cos(q), 0.8 * std::sin(q), 0}, along = Vec3<double>{0.1, 0.9, 0} - tip;
    const double length = norm(along), arm = (tip.x * along.y - tip.y * along.x) / length;
    const Body& body = d.bodies[0];
    const double weight = 9.81 * body.mass * (body.com.x * std::cos(q) - body.com.y * std::sin(q));
    const MuscleLaw law(*d.tendons[0].muscle);
    const double tension = strain == 0 ? law.between({length, length, 0, 0, 1, 0}, 0.3).tension
                                       : law.at(length, 0.3, law.start_share(length, 0.3)).tension;
    EXPECT_NEAR(tension * arm, weight, 1e-10 * weight) << strain;     // measured 7e-15
    EXPECT_NEAR(rest->tendons[0].tension, tension, 1e-10 * tension);  // measured 6e-16
    // The stiffness counts that fibres go along with the path: by differences of the moment.
    const auto moment = [&](double angle) {
      const Vec3<double> at{0.8 * std::cos(angle), 0.8 * std::sin(angle), 0};
      const Vec3<double> d_at = Vec3<double>{0.1, 0.9, 0} - at;
      const double l = norm(d_at);
      const double T = strain == 0 ? law.between({l, l, 0, 0, 1, 0}, 0.3).tension
                                   : law.at(l, 0.3, law.start_share(l, 0.3)).tension;
      return 9.81 * body.mass * (body.com.x * std::cos(angle) - body.com.y * std::sin(angle)) -
             T * (at.x * d_at.y - at.y * d_at.x) / l;
    };
    const double h = 1e-4, K = (moment(q + h) - moment(q - h)) / (2 * h);
    EXPECT_NEAR(rest->least_eigenvalue, K, 1e-5 * std::abs(K)) << strain;  // measured 5e-9
  }
}

/// Columns of A and B by differences of a' and of the rates of states as the formulation `joint` simulates them.
TEST(MuscleStates, StateMatrixIsThatOfDifferencesOfAllRates) {
  const ModelDescription d = arm_with_muscles();
  const Model model(d);
  const ReducedMechanism mechanism(model);
  const int n = model.rate_count(), states = 3;
  const ReducedConfiguration at = mechanism.configure({-1.1, 0.5});
  std::vector<double> z = mechanism.start_states(at, 0);
  const int first = static_cast<int>(z.size()) - states;
  z[first] = 0.45;
  z[first + 2] *= 1.02;
  const SmallMotions small = small_motions(mechanism, at, {0.3, -0.4}, 0, z);
  EXPECT_EQ(small.states,
            (std::vector<std::string>{"q." + d.joints[0].name, "q." + d.joints[1].name,
                                      "qd." + d.joints[0].name, "qd." + d.joints[1].name, "activation.rigid",
                                      "activation.elastic", "fibre.elastic"}));
  EXPECT_EQ(small.inputs, (std::vector<std::string>{"excitation.rigid", "excitation.elastic"}));

  const auto rates = [&](const VectorXd& change, const VectorXd& input) {
    ModelDescription there = d;
    for (int i = 0; i < 2; ++i) there.tendons[i].muscle->excitation = Program(0.3 + input[i]);
    JointSystem system{Model(there)};
    std::vector<double> q{-1.1, 0.5}, v{0.3, -0.4}, a(n), p(system.flow_count()), own = z;
    for (int i = 0; i < n; ++i) q[i] += change[i], v[i] += change[n + i];
    for (int i = 0; i < states; ++i) own[first + i] += change[2 * n + i];
    system.hold_states({.z = own});
    system.evaluate(0, q, v, a, p);
    VectorXd all(2 * n + states);
    for (int i = 0; i < n; ++i) all[i] = v[i], all[n + i] = a[i];
    for (int i = 0; i < states; ++i) all[2 * n + i] = p[first + i];
    return all;
  };
  const auto difference = [](auto&& f) {
    const double h = 1e-5;
    return VectorXd((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
  };
  const MatrixXd A = eigen(small.A), B = eigen(small.B);
  const VectorXd none = VectorXd::Zero(A.rows()), no_input = VectorXd::Zero(2);
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const VectorXd column =
        difference([&](double s) { return rates(s * VectorXd::Unit(A.rows(), j), no_input); });
    EXPECT_LE(max_abs(VectorXd(column - A.col(j))), 1e-7 * max_abs(A)) << j;  // measured 8e-9, absolute
  }
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    const VectorXd column = difference([&](double s) { return rates(none, s * VectorXd::Unit(2, j)); });
    EXPECT_LE(max_abs(VectorXd(column - B.col(j))), 1e-7 * max_abs(B)) << j;  // measured 5e-11, absolute
  }
  // Modes are those of A: products of eigenvalues and sums.
  std::complex<double> sum = 0;
  for (const SmallMotion& mode : small.modes) sum += mode.s.imag() > 0 ? 2 * mode.s.real() : mode.s.real();
  EXPECT_NEAR(sum.real(), A.trace(), 1e-9 * std::abs(A.trace()));  // measured 2e-16
}

}  // namespace
}  // namespace torsor
