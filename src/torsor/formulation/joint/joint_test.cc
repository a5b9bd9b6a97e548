#include "torsor/formulation/joint/joint.h"

#include <gtest/gtest.h>

#include <random>

#include "testing/models.h"
#include "testing/numbers.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/joint/joint.hpp"
#include "torsor/model/initial.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"

namespace torsor {
namespace {

struct RandomState {
  std::vector<double> q, v;
  RandomState(const Model& model, const JointSystem& system, std::mt19937& random)
      : q(initial_coordinates(model)), v(system.rate_count()) {
    std::normal_distribution<double> normal(0, 0.7);
    std::vector<double> increment(system.rate_count());
    for (double& entry : increment) entry = normal(random);
    for (double& entry : v) entry = normal(random);
    system.retract(q, increment, q);
  }
};

/// Total energy, by the energies' own functions.
template <class S>
S energy(const JointSystem& system, std::span<const S> q, std::span<const S> v) {
  const Tree& tree = system.tree();
  std::vector<Pose<S>> X_W(tree.size());
  std::vector<Twist<S>> V(tree.size());
  forward_kinematics<S>(tree, q, v, X_W, V);
  S sum = kinetic_energy<S>(tree, V) + gravity_potential<S>(tree, X_W);
  return sum + system.elements().potential<S>({tree, 0, q, v, X_W, V});
}

/// dE/dt along the motion (dual numbers through the energies) = work of the sources - what the dampers take
/// (flows).
TEST(JointSystem, PowerBalancesOnATreeWithEverything) {
  const Model model(reference::all_elements());
  JointSystem system(model);
  std::mt19937 random(11);
  const int n = system.rate_count();
  std::vector<double> a(n), p(system.flow_count());
  for (int sample = 0; sample < 50; ++sample) {
    const RandomState state(model, system, random);
    const double t = 0.02 * sample;
    system.evaluate(t, state.q, state.v, a, p);
    std::vector<Dual1> q0(state.q.begin(), state.q.end()), q(q0), v(n), step(n);
    for (int i = 0; i < n; ++i) {
      v[i] = Dual1(state.v[i], {a[i]});
      step[i] = Dual1(0.0, {state.v[i]});
    }
    retract<Dual1>(system.tree(), q0, step, q);
    const Dual1 E = energy<Dual1>(system, q, v);
    double power = 0, size = 1;
    const int sources = static_cast<int>(system.elements().sources.size());
    for (int i = 0; i < system.flow_count(); ++i) {
      power += i < sources ? p[i] : -p[i];
      size += std::abs(p[i]);
      EXPECT_TRUE(i < sources || p[i] >= 0);
    }
    for (int i = 0; i < n; ++i) size += std::abs(a[i] * state.v[i]);
    EXPECT_NEAR(E.tangent[0], power, 1e-13 * size);  // measured 7e-16
  }
}

/// The tangent against a central difference of fourth order.
TEST(JointSystem, TangentIsTheDerivativeOfTheAcceleration) {
  const Model model(reference::all_elements());
  JointSystem system(model);
  std::mt19937 random(12);
  const int n = system.rate_count();
  std::vector<double> a(n), p(system.flow_count()), J(n * n), q(system.coordinate_count()), plain(n);
  for (int sample = 0; sample < 5; ++sample) {
    const RandomState state(model, system, random);
    const double s = 0.05 * sample, t = 0.1;
    system.evaluate_tangent(t, state.q, s, state.v, a, J);
    const auto acceleration = [&](int j, double shift) {
      std::vector<double> v(state.v), step(n), result(n);
      v[j] += shift;
      for (int i = 0; i < n; ++i) step[i] = s * v[i];
      system.retract(state.q, step, q);
      system.evaluate(t, q, v, result, p);
      return result;
    };
    plain = acceleration(0, 0);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(a[i], plain[i], 1e-12 * (1 + std::abs(plain[i])));
    double size = 1;
    for (double entry : J) size = larger(size, std::abs(entry));
    for (int j = 0; j < n; ++j) {
      constexpr double e = 1e-3;
      const auto a1 = acceleration(j, e), b1 = acceleration(j, -e), a2 = acceleration(j, 2 * e),
                 b2 = acceleration(j, -2 * e);
      for (int i = 0; i < n; ++i) {
        const double difference = (8 * (a1[i] - b1[i]) - (a2[i] - b2[i])) / (12 * e);
        EXPECT_NEAR(J[j * n + i], difference, 1e-8 * size);  // measured 1.1e-11
      }
    }
  }
}

/// A rod let go from the horizontal: the hinge carries a quarter of its weight.
TEST(JointSystem, ReactionOfAFallingRod) {
  const Model model(reference::pendulum());
  JointSystem system(model);
  const std::vector<double> q{0}, v{0};
  std::vector<Wrench<double>> F(system.tree().size());
  system.joint_wrenches(0, q, v, F);
  EXPECT_NEAR(F[1].force.y, 9.81 / 4, 1e-14);
  EXPECT_NEAR(F[1].force.x, 0, 1e-15);
  EXPECT_NEAR(F[1].moment.z, 0, 1e-14);
  const std::vector<double> spinning{2.0};
  system.joint_wrenches(0, q, spinning, F);
  EXPECT_NEAR(F[1].force.x, -0.5 * 4, 1e-14);  // -m omega^2 L/2
}

/// What a joint transmits along its rates is the effort that acts in it.
TEST(JointSystem, ReactionsCarryTheEfforts) {
  const Model model(reference::driven_arm());
  JointSystem system(model);
  const std::vector<double> q{0.3, -0.5, 0.8}, v{0.4, 0.1, -0.7};
  std::vector<Wrench<double>> F(system.tree().size());
  const double t = 0.5;
  system.joint_wrenches(t, q, v, F);
  const double spring = -2 * (q[2] - 0.2) - 0.3 * v[2];
  EXPECT_NEAR(F[1].moment.z, model.actuators()[0].effort.value(t), 1e-14);
  EXPECT_NEAR(F[2].moment.z, model.actuators()[1].effort.value(t), 1e-14);
  EXPECT_NEAR(F[3].moment.z, spring, 1e-14);
}

std::string refusal(const ModelDescription& description) {
  try {
    JointSystem system{Model(description)};
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(JointSystem, RefusesByNameWhatItCannotSimulate) {
  ModelDescription loop = reference::three_link_arm();
  Joint coupler = loop.joints[0];
  coupler.name = "coupler";
  coupler.child = 2;
  coupler.in_parent.position = {3, 0, 0};
  coupler.in_child.position = {1, 0, 0};
  loop.joints.push_back(coupler);
  EXPECT_NE(refusal(loop).find("joints.coupler"), std::string::npos);
  EXPECT_NE(refusal(loop).find("closes a loop"), std::string::npos);

  ModelDescription servo = reference::three_link_arm();
  servo.actuators = {{"motor", 0, 0, Program(0.0)}};
  Servo follower;
  follower.name = "follower";
  follower.point = Point{"tip", 2, {1, 0, 0}};
  follower.follows["x"] = Program(1.0);
  follower.actuators = {0};
  servo.servos = {follower};
  EXPECT_NE(refusal(servo).find("servos.follower"), std::string::npos);
}

TEST(JointSystem, StagesAreEvaluatedAsOneByOne) {
  const Model model(reference::all_elements());
  JointSystem system(model);
  std::mt19937 random(5);
  const std::size_t m = system.coordinate_count(), n = system.rate_count(), f = system.flow_count();
  for (const int count : {1, 2, 3, 5, 6, 10}) {
    std::vector<double> t, Q, V, A(count * n), P(count * f), a(n), p(f);
    for (int i = 0; i < count; ++i) {
      const RandomState state(model, system, random);
      t.push_back(0.05 * i);
      Q.insert(Q.end(), state.q.begin(), state.q.end());
      V.insert(V.end(), state.v.begin(), state.v.end());
    }
    system.evaluate_stages(t, Q, V, A, P);
    for (int i = 0; i < count; ++i) {
      system.evaluate(t[i], std::span(Q).subspan(i * m, m), std::span(V).subspan(i * n, n), a, p);
      EXPECT_LE(relative_error(std::span(A).subspan(i * n, n), a), 1e-13);  // measured 1.2e-15
      EXPECT_TRUE(std::equal(p.begin(), p.end(), P.begin() + i * f));
    }
  }
}

}  // namespace
}  // namespace torsor
