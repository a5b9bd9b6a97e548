#include "torsor/integrator/variational.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/models.h"
#include "testing/tree_probe.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/implicit_midpoint.h"
#include "torsor/lie/twist.h"

namespace torsor {
namespace {

using testing::TreeProbe;
using Numbers = std::vector<double>;

ModelDescription double_pendulum() {
  ModelDescription d = reference::three_link_arm();
  d.bodies.pop_back();
  d.joints.pop_back();
  d.initial.joints = {{"shoulder", {0.4}}, {"elbow", {1.1}}};
  d.initial.rates = {{"shoulder", {1.3}}, {"elbow", {-2.1}}};
  return d;
}
/// A body without symmetries on a spherical joint.
ModelDescription tumbling_top() {
  ModelDescription d = reference::heavy_top();
  d.bodies[0].com = {0.05, -0.1, 0.3};
  d.bodies[0].inertia = {0.05, 0.04, 0.02, 0.003, -0.002, 0.001};
  d.initial.rates["tip"] = {1.0, -2.0, 3.0};
  return d;
}

/// The symplectic form -d(p . eta) of the cotangent bundle in body-fixed coordinates (eta, dp):
///   omega(a, b) = a.eta . b.dp - b.eta . a.dp + p . [a.eta, b.eta],
/// the bracket joint by joint. Column-major, 2n x 2n.
Numbers symplectic_form(const Tree& tree, const Numbers& p) {
  const int n = tree.rate_count;
  Numbers form(4 * n * n);
  const auto entry = [&](int i, int j) -> double& { return form[j * 2 * n + i]; };
  for (int i = 0; i < n; ++i) {
    entry(i, n + i) = 1;
    entry(n + i, i) = -1;
  }
  for (const TreeNode& node : tree.nodes) {
    const bool free = node.joint == Primitive::free;
    if (node.joint != Primitive::spherical && !free) continue;
    const int rates = free ? 6 : 3;
    const auto axis = [](int k) {
      Twist<double> V{};
      (k < 3 ? V.angular[k] : V.linear[k - 3]) = 1;
      return V;
    };
    Wrench<double> momentum{};
    for (int k = 0; k < rates; ++k) (k < 3 ? momentum.moment[k] : momentum.force[k - 3]) = p[node.v + k];
    for (int i = 0; i < rates; ++i) {
      for (int j = 0; j < rates; ++j)
        entry(node.v + i, node.v + j) = dot(bracket(axis(i), axis(j)), momentum);
    }
  }
  return form;
}

/// One step as a map of (q, p).
using Flow = void (*)(JointSystem&, const Numbers& q0, const Numbers& p0, Numbers& q1, Numbers& p1);

template <StepMap map>
void variational_flow(JointSystem& system, const Numbers& q0, const Numbers& p0, Numbers& q1, Numbers& p1) {
  TreeState state{0, q0, Numbers(p0.size()), {}};
  system.rates(q0, p0, state.v);
  Variational integrator(system, state, {.map = map, .newton = {}});
  integrator.step(0.1);
  q1 = integrator.state().q;
  p1 = integrator.momenta();
}
void midpoint_flow(JointSystem& system, const Numbers& q0, const Numbers& p0, Numbers& q1, Numbers& p1) {
  TreeState state{0, q0, Numbers(p0.size()), {}};
  system.rates(q0, p0, state.v);
  ImplicitMidpoint integrator(system, state);
  integrator.step(0.1);
  q1 = integrator.state().q;
  system.momenta(q1, integrator.state().v, p1);
}

/// Largest entry of D^T omega_1 D - omega_0, D the derivative of the flow by central differences, over the
/// largest of omega.
double symplectic_error(const ModelDescription& description, Flow flow) {
  TreeProbe probe(description);
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  const int n = system.rate_count();
  Numbers p0(n), p1(n), q1;
  system.momenta(start.q, start.v, p0);
  flow(system, start.q, p0, q1, p1);

  const double epsilon = 1e-4;  // errors epsilon^4 by a five-point rule
  Numbers D(4 * n * n);
  for (int k = 0; k < 2 * n; ++k) {
    for (const auto& [distance, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      Numbers q(start.q.size()), p = p0, increment(n), q_end, p_end(n);
      (k < n ? increment[k] : p[k - n]) += distance * epsilon;
      system.retract(start.q, increment, q);
      flow(system, q, p, q_end, p_end);
      const Numbers turned = probe.difference(q1, q_end);
      for (int i = 0; i < n; ++i) {
        D[k * 2 * n + i] += weight * turned[i] / (12 * epsilon);
        D[k * 2 * n + n + i] += weight * (p_end[i] - p1[i]) / (12 * epsilon);
      }
    }
  }
  const Numbers before = symplectic_form(system.tree(), p0), after = symplectic_form(system.tree(), p1);
  double worst = 0, size = 0;
  for (int a = 0; a < 2 * n; ++a) {
    for (int b = 0; b < 2 * n; ++b) {
      double sum = -before[b * 2 * n + a];
      for (int i = 0; i < 2 * n; ++i) {
        for (int j = 0; j < 2 * n; ++j) sum += D[a * 2 * n + i] * after[j * 2 * n + i] * D[b * 2 * n + j];
      }
      worst = larger(worst, std::abs(sum));
      size = larger(size, std::abs(before[b * 2 * n + a]));
    }
  }
  return worst / size;
}

TEST(Variational, StepsAreSymplectic) {
  for (const ModelDescription& d : {double_pendulum(), tumbling_top(), reference::free_tree()}) {
    SCOPED_TRACE(d.name);
    EXPECT_LE(symplectic_error(d, variational_flow<StepMap::exp>), 1e-9);    // measured 6e-12
    EXPECT_LE(symplectic_error(d, variational_flow<StepMap::chord>), 1e-9);  // measured 1.6e-10
    EXPECT_GE(symplectic_error(d, midpoint_flow), 1e-5);  // measured 3e-4 at least: the test can fail
  }
}

/// Back with the momenta turned round, whatever the joints: the method is symmetric.
TEST(Variational, StepsAreReversible) {
  for (const ModelDescription& d : {reference::all_joints(), double_pendulum(), tumbling_top()}) {
    SCOPED_TRACE(d.name);
    TreeProbe probe(d);
    JointSystem& system = probe.system;
    TreeState& start = probe.start;
    Variational there(system, start, {});
    for (int i = 0; i < 20; ++i) there.step(0.02);
    TreeState turned = there.state();
    for (double& rate : turned.v) rate = -rate;
    turned.time = 0;
    Variational back(system, turned, {});
    for (int i = 0; i < 20; ++i) back.step(0.02);
    const Numbers apart = probe.difference(start.q, back.state().q);
    for (std::size_t i = 0; i < apart.size(); ++i) {
      EXPECT_NEAR(apart[i], 0, 1e-11);                        // measured 1.3e-14
      EXPECT_NEAR(back.state().v[i] + start.v[i], 0, 1e-10);  // measured 5e-14
    }
  }
}

/// Two steps in a row satisfy D_2 L_d + D_1 L_d = 0: the form with three configurations.
TEST(Variational, SatisfiesTheDiscreteEulerLagrangeEquations) {
  TreeProbe probe(reference::all_elements());
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  Variational integrator(system, start, {});
  const double h = 0.01;
  const int n = system.rate_count();
  std::vector<Numbers> q{integrator.state().q};
  for (int k = 0; k < 10; ++k) {
    integrator.step(h);
    q.push_back(integrator.state().q);
  }
  Numbers ends(n), begins(n), unused(n), power(system.flow_count());
  for (int k = 1; k < 10; ++k) {
    const auto momenta = [&](int from, Numbers& p0, Numbers& p1) {
      Numbers w = probe.difference(q[from], q[from + 1]);
      for (double& rate : w) rate /= h;
      system.discrete_momenta({(from + 0.5) * h, h, q[from]}, w, p0, p1, power);
    };
    momenta(k - 1, unused, ends);
    momenta(k, begins, unused);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(ends[i], begins[i], 1e-11);  // measured 1.3e-14
  }
}

TEST(Variational, TangentIsTheDerivativeOfTheMomenta) {
  TreeProbe probe(reference::all_elements());
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  const int n = system.rate_count();
  const DiscreteStep step{0.3, 0.05, start.q, StepMap::chord};
  Numbers J(n * n), p(n), p0(n), p1(n), power(system.flow_count());
  system.discrete_tangent(step, start.v, p, J);
  system.discrete_momenta(step, start.v, p0, p1, power);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(p[i], p0[i], 1e-13);  // measured 1e-15
  for (int k = 0; k < n; ++k) {
    const double e = 1e-3;
    Numbers slope(n);
    for (const auto& [distance, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      Numbers w = start.v;
      w[k] += distance * e;
      system.discrete_momenta(step, w, p0, p1, power);
      for (int i = 0; i < n; ++i) slope[i] += weight * p0[i] / (12 * e);
    }
    for (int i = 0; i < n; ++i) EXPECT_NEAR(J[k * n + i], slope[i], 1e-9);  // measured 1.6e-12
  }
}

/// Beyond half a turn other increments lead to the same end; beyond an eighth, other chords to the same
/// momenta.
TEST(Variational, StepsThatTurnTooFarFail) {
  for (const ModelDescription& d : {tumbling_top(), double_pendulum()}) {
    TreeProbe probe(d);
    JointSystem& system = probe.system;
    TreeState& start = probe.start;
    for (double& rate : start.v) rate *= 100;
    Variational integrator(system, start, {.map = StepMap::chord, .newton = {}});
    EXPECT_THROW(integrator.step(0.1), StepFailure);
    EXPECT_EQ(integrator.state().q, start.q);
    EXPECT_NO_THROW(integrator.step(0.0005));
  }
}

/// (4.28) of Götz written out for his arm, with attitude vectors, M_d = diag(q_k . q_k+1) M(q') and rates
/// (4.31): the three configurations of two steps of `chord` satisfy it.
TEST(Variational, ChordIsTheSchemeOfTheThesis) {
  TreeProbe probe(reference::three_link_arm());
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  Variational integrator(system, start, {.map = StepMap::chord, .newton = {}});
  const double h = 0.05, g = 1;
  std::vector<Numbers> phi{integrator.state().q};
  for (int k = 0; k < 40; ++k) {
    integrator.step(h);
    phi.push_back(integrator.state().q);
  }
  // V(phi) and T(phi, omega) in relative angles, from positions of the centres of mass.
  const auto lagrangian = [&](const Numbers& angle, const Numbers& omega) {
    double L = 0, turn = 0, rate = 0, y = 0, vx = 0, vy = 0;
    for (int i = 0; i < 3; ++i) {
      turn += angle[i];
      rate += omega[i];
      const double c = std::cos(turn), s = std::sin(turn);
      const double x_rate = vx - 0.5 * s * rate, y_rate = vy + 0.5 * c * rate;
      L += 0.5 * (x_rate * x_rate + y_rate * y_rate + rate * rate) - g * (y + 0.5 * s);
      vx -= s * rate;
      vy += c * rate;
      y += s;
    }
    return L;
  };
  const auto slope = [](const auto& function) {
    const double e = 1e-3;
    return (8 * (function(e) - function(-e)) - (function(2 * e) - function(-2 * e))) / (12 * e);
  };
  for (int k = 1; k < 40; ++k) {
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (const int from : {k - 1, k}) {
        Numbers middle(3), omega(3);
        for (int j = 0; j < 3; ++j) {
          middle[j] = 0.5 * (phi[from][j] + phi[from + 1][j]);
          omega[j] = std::sin(phi[from + 1][j] - phi[from][j]) / h;
        }
        const double momentum = slope([&](double e) {
          Numbers moved = omega;
          moved[i] += e;
          return lagrangian(middle, moved);
        });
        const double force = slope([&](double e) {
          Numbers moved = middle;
          moved[i] += e;
          return lagrangian(moved, omega);
        });
        const double q_q = std::cos(phi[from + 1][i] - phi[from][i]);
        sum += (from == k ? -1 : 1) * q_q * momentum + 0.5 * h * force;
      }
      EXPECT_NEAR(sum, 0, 1e-10);  // measured 1.2e-12
    }
  }
}

/// What exp turns exactly, even by more than a turn in a step, chords turn by asin(2 h v)/2.
TEST(Variational, AFreeRotorTurnsAsItsMapSays) {
  ModelDescription d = reference::pendulum();
  d.gravity = {};
  const double h = 0.1;
  for (const double rate : {2.0, 100.0}) {
    TreeProbe probe(d);
    probe.start.v = {rate};
    Variational integrator(probe.system, probe.start, {});
    for (int k = 0; k < 10; ++k) integrator.step(h);
    EXPECT_NEAR(integrator.state().q[0], rate, 1e-14 * rate);  // measured 2e-16
  }
  TreeProbe probe(d);
  probe.start.v = {2};
  Variational integrator(probe.system, probe.start, {.map = StepMap::chord, .newton = {}});
  for (int k = 0; k < 10; ++k) integrator.step(h);
  EXPECT_NEAR(integrator.state().q[0], 10 * 0.5 * std::asin(2 * h * 2), 1e-13);  // measured 4e-16
  EXPECT_NEAR(integrator.state().v[0], 2, 1e-14);                                // measured 0
}

/// Many rates: articulated bodies in place of the tangent end at the same state.
TEST(Variational, LargeAndDenseSolversAgree) {
  TreeProbe probe(reference::spherical_chain(20));
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  Variational integrator(system, start, {});
  for (int k = 0; k < 50; ++k) {
    const Numbers q = integrator.state().q, before = integrator.momenta();
    integrator.step(0.002);
    const int n = system.rate_count();
    Numbers w = probe.difference(q, integrator.state().q), p0(n), p1(n), power(system.flow_count());
    for (double& rate : w) rate /= 0.002;
    system.discrete_momenta({0, 0.002, q}, w, p0, p1, power);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(p0[i], before[i], 1e-10);  // measured 1.2e-11
  }
}

TEST(Variational, StepsOfAnyLengthInTurnKeepTheMomentum) {
  TreeProbe probe(reference::free_top());
  JointSystem& system = probe.system;
  TreeState& start = probe.start;
  Variational integrator(system, start, {});
  const auto momentum = [&] {
    const TreeState& state = integrator.state();
    std::vector<Pose<double>> X(system.tree().size());
    node_poses<double>(system.tree(), state.q, X);
    const Numbers& p = integrator.momenta();
    return to_parent(X[1], Wrench<double>{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}});
  };
  const Wrench<double> before = momentum();
  for (int k = 0; k < 300; ++k) integrator.step(k % 3 == 0 ? 0.05 : 0.02);
  EXPECT_LE(norm(momentum().moment - before.moment), 1e-12);  // measured 4e-14
  EXPECT_LE(norm(momentum().force - before.force), 1e-13);    // measured 8e-15
}

}  // namespace
}  // namespace torsor
