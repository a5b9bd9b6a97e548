#include "torsor/evaluation/reduced_mechanism.h"

#include <gtest/gtest.h>

#include <random>

#include "testing/loop_cases.h"
#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/assembly/assembly.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/assembly/mobility.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

TEST(ReducedMechanism, LoopsAreClosedAndStaySo) {
  std::mt19937 random(1);
  for (const LoopCase& each : joined(linkages(), redundant_linkages())) {
    const Model model(each.description);
    const ReducedMechanism mechanism(model);
    const Moving m = random_motion(mechanism, random);
    EXPECT_EQ(m.at.dof(), mobility(model, m.at.q).dof) << each.name;
    EXPECT_LE(mechanism.gap(m.at.q, m.at.length), 4e-15) << each.name;  // measured 3e-16
    EXPECT_LE(max_abs(MatrixXd(m.at.G * m.at.N)), 1e-14) << each.name;  // measured 8e-16
  }
}

TEST(ReducedMechanism, NamedJointsAreIndependent) {
  const Model model(linkages()[0].description);
  const ReducedMechanism mechanism(model);
  const std::vector<double> q = assemble(model).q;
  for (const char* name : {"drive", "crank_pin", "pivot", "rocker_pin"}) {
    const int j = model.joint_index(name);
    EXPECT_EQ(mechanism.configure(q, {j}).independent, std::vector<int>{model.rate_offset(j)});
  }
  EXPECT_EQ(mechanism.configure(q).independent, std::vector<int>{0});
  EXPECT_THROW(mechanism.configure(q, {0, 1}), ModelError);
}

/// By the rotationless formulation, which shares nothing with trees.
TEST(ReducedMechanism, AccelerationsAndReactionsAreThoseOfDirectors) {
  std::mt19937 random(2);
  for (const LoopCase& each :
       joined(joined(linkages(), with_elements(linkages(), Damping::some)),
              joined(redundant_linkages(), with_elements(redundant_linkages(), Damping::some)))) {
    const Model model(each.description);
    const ReducedMechanism mechanism(model);
    Moving m = random_motion(mechanism, random);
    m.motion.effort.clear();
    m.motion.actuation.clear();
    m.motion = mechanism.solve(m.at, m.motion);
    const ReducedEquations solved = mechanism.equations(m.at, m.motion);
    EXPECT_LE(max_abs(solved.f), 1e-11 * std::max(1.0, max_abs(solved.lambda))) << each.name;
    const int rank = condition_count(model) - mobility(model, m.at.q).redundant_constraints;
    const ConstrainedMechanism directors = make_rotationless(model, rank);
    std::vector<double> x(directors.system->coordinate_count()), v(x.size()), a(x.size());
    std::vector<double> angles(directors.system->angle_count()), unknowns(directors.system->unknown_count());
    directors.observer->start(model, m.at.q, m.motion.v, x, v, angles);
    std::vector<double> z(directors.system->flow_count());
    directors.observer->start_states(m.motion.t, x, angles, z);
    directors.system->hold_states(z);
    ASSERT_TRUE(directors.system->accelerate(m.motion.t, x, v, angles, unknowns, a)) << each.name;
    const Tree& tree = mechanism.tree();
    std::vector<Pose<double>> X_W(tree.size());
    node_poses<double>(tree, m.at.q, X_W);
    InverseDynamicsWorkspace<double> workspace(tree);
    std::vector<double> effort(tree.rate_count);
    inverse_dynamics<double>(tree, workspace, m.at.q, m.motion.v, m.motion.a, {}, effort);
    double worst = 0, largest = 1;
    const int D = model.dimension();
    const auto& order = model.topology().order;
    for (std::size_t node = 0; node < order.size(); ++node) {
      const int body = order[node], k = tree.body_node[body];
      const Vec3<double> c = act(tree.X_NB[body], model.bodies()[body].com);
      const Vec3<double>&omega = workspace.omega[k], &alpha = workspace.alpha[k];
      const Vec3<double> of_com =
          X_W[k].R * (workspace.a[k] + cross(alpha, c) + cross(omega, cross(omega, c))) + model.gravity();
      for (int i = 0; i < D; ++i) {
        keep_largest(worst, std::abs(of_com[i] - a[D * (D + 1) * node + i]));
        keep_largest(largest, std::abs(of_com[i]));
      }
    }
    EXPECT_LE(worst, 1e-10 * largest) << each.name;  // measured 6e-13

    std::vector<Wrench<double>> on_child(model.joints().size());
    directors.observer->reactions(m.motion.t, x, v, angles, unknowns, on_child);
    const std::vector<Wrench<double>> found = mechanism.reactions(m.at, m.motion, solved.lambda);
    worst = 0, largest = 1;
    if (m.at.redundant_rows() > 0) {
      // Rigid bodies leave inner forces open, and either route has its own least ones: what they differ by is in balance
      // on every body.
      std::vector<Wrench<double>> on_body(model.bodies().size());  // about the origin of the world
      for (std::size_t j = 0; j < found.size(); ++j) {
        const Joint& joint = model.joints()[j];
        const Pose<double> X = X_W[tree.body_node[joint.child]] * tree.X_NB[joint.child];
        const Mat3<double> R_WK = X.R * matrix(joint.in_child.rotation);
        const Wrench<double> apart = found[j] - on_child[j];
        const Vec3<double> force = R_WK * apart.force;
        const Wrench<double> in_world{R_WK * apart.moment + cross(act(X, joint.in_child.position), force),
                                      force};
        on_body[joint.child] += in_world;
        if (joint.parent != kWorld) on_body[joint.parent] -= in_world;
        keep_largest(largest, norm(found[j].force));
      }
      for (const Wrench<double>& left : on_body) keep_largest(worst, norm(left.force) + norm(left.moment));
      EXPECT_LE(worst, 1e-10 * largest) << each.name;  // measured 3e-15
      continue;
    }
    for (std::size_t j = 0; j < found.size(); ++j) {
      const Wrench<double> apart = found[j] - on_child[j];
      keep_largest(worst, norm(apart.force) + norm(apart.moment));
      keep_largest(largest, norm(found[j].force));
    }
    EXPECT_LE(worst, 1e-10 * largest) << each.name;  // measured 6e-13
  }
}

/// f at fixed u', u'' along a curve of closed loops, and everything else that is derived.
struct Along {
  VectorXd f, lambda, v, a;
  Vec3<double> position, velocity, acceleration;
};
Along along(const ReducedMechanism& mechanism, const ReducedConfiguration& at, ReducedMotion motion,
            const VectorXd& u_rate, const VectorXd& u_acceleration, const Point& point) {
  motion.v = mechanism.rates(at, u_rate);
  motion.a = mechanism.accelerations(at, motion.v, u_acceleration);
  const ReducedEquations e = mechanism.equations(at, motion);
  Along result{e.f,
               e.lambda,
               VectorXd::Map(motion.v.data(), motion.v.size()),
               VectorXd::Map(motion.a.data(), motion.a.size()),
               {},
               {},
               {}};
  Tree tree = mechanism.tree();
  tree.gravity = {};
  InverseDynamicsWorkspace<double> w(tree);
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Twist<double>> V(tree.size());
  std::vector<double> effort(tree.rate_count);
  forward_kinematics<double>(tree, at.q, motion.v, X_W, V);
  inverse_dynamics<double>(tree, w, at.q, motion.v, motion.a, {}, effort);
  const int node = tree.body_node[point.body];
  const Vec3<double> p = act(tree.X_NB[point.body], point.p_B);
  result.position = act(X_W[node], p);
  result.velocity = X_W[node].R * (V[node].linear + cross(V[node].angular, p));
  result.acceleration =
      X_W[node].R * (w.a[node] + cross(w.alpha[node], p) + cross(w.omega[node], cross(w.omega[node], p)));
  return result;
}

TEST(ReducedMechanism, DerivativesAreThoseOfDifferences) {
  std::mt19937 random(3);
  for (const LoopCase& each :
       joined(with_elements(linkages(), Damping::some), with_elements(redundant_linkages(), Damping::some))) {
    const Model model(each.description);
    const ReducedMechanism mechanism(model);
    const Moving m = random_motion(mechanism, random);
    const int dof = m.at.dof();
    VectorXd ud(dof), udd(dof);
    for (int i = 0; i < dof; ++i) {
      ud[i] = m.motion.v[m.at.independent[i]];
      udd[i] = m.motion.a[m.at.independent[i]];
    }
    const ReducedLinearisation d = mechanism.linearise(m.at, m.motion);
    const Point point{"p", 1, {0.3, 0.2, model.dimension() == 3 ? 0.1 : 0}};
    const PointDerivatives by = mechanism.point_derivatives(m.at, m.motion, d, point);
    const double h = 1e-4;
    const auto difference = [&](auto&& at) {  // fourth order
      const auto vector = [](const Along& x) {
        VectorXd all(x.f.size() + x.lambda.size() + x.v.size() + x.a.size() + 9);
        all << x.f, x.lambda, x.v, x.a, eigen(x.position), eigen(x.velocity), eigen(x.acceleration);
        return all;
      };
      return VectorXd((8 * (vector(at(h)) - vector(at(-h))) - (vector(at(2 * h)) - vector(at(-2 * h)))) /
                      (12 * h));
    };
    for (int j = 0; j < dof; ++j) {
      const VectorXd by_u = difference([&](double s) {
        return along(mechanism, mechanism.moved(m.at, s * VectorXd::Unit(dof, j)), m.motion, ud, udd, point);
      });
      VectorXd exact(by_u.size());
      exact << d.K.col(j), d.lambda_by_u.col(j), d.v_by_u.col(j), d.a_by_u.col(j), by.position_by_u.col(j),
          by.velocity_by_u.col(j), by.acceleration_by_u.col(j);
      EXPECT_LE(relative(exact, by_u), 3e-8) << each.name;  // measured 8e-11
      const VectorXd by_ud = difference([&](double s) {
        return along(mechanism, m.at, m.motion, ud + s * VectorXd::Unit(dof, j), udd, point);
      });
      exact << d.D.col(j), d.lambda_by_ud.col(j), m.at.N.col(j), d.a_by_ud.col(j), VectorXd::Zero(3),
          by.position_by_u.col(j), by.acceleration_by_ud.col(j);
      EXPECT_LE(relative(exact, by_ud), 3e-8) << each.name;  // measured 8e-11
    }
    // By actuation.
    for (Eigen::Index i = 0; i < d.B.cols(); ++i) {
      ReducedMotion more = m.motion;
      more.actuation[i] += 1;
      EXPECT_LE(relative(d.at.f - mechanism.equations(m.at, more).f, d.B.col(i)), 1e-12) << each.name;
    }
  }
}

TEST(ReducedMechanism, DerivativesOfTreesAreThoseOfEvaluation) {
  const Model model(reference::all_elements());
  const ReducedMechanism mechanism(model);
  std::mt19937 random(4);
  JointState state = neutral_state(model);
  const std::vector<double> shift = random_vector(model.rate_count(), random);
  retract<double>(mechanism.tree(), state.q, shift, state.q);
  state.qd = random_vector(model.rate_count(), random);
  state.qdd = random_vector(model.rate_count(), random);
  const Evaluation evaluation(model, state);
  const ReducedConfiguration at = mechanism.configure(state.q);
  const ReducedLinearisation d = mechanism.linearise(at, {0, state.qd, state.qdd});
  const int n = model.rate_count();
  const auto square = [&](const std::vector<double>& rows) {
    return MatrixXd(MatrixXd::Map(rows.data(), n, n).transpose());
  };
  const StateDerivatives wanted = evaluation.inverse_dynamics_derivatives();
  const std::vector<double> efforts = evaluation.inverse_dynamics();
  EXPECT_LE(relative(d.at.f, VectorXd::Map(efforts.data(), n)), 1e-12);  // measured 2e-16
  EXPECT_LE(relative(d.at.M, square(evaluation.mass_matrix())), 1e-14);
  EXPECT_LE(relative(d.K, square(wanted.by_q)), 1e-12);   // measured 6e-16
  EXPECT_LE(relative(d.D, square(wanted.by_qd)), 1e-12);  // measured 3e-16
}

TEST(ReducedMechanism, CoriolisMatrixHasTheVelocityTermsAndTheRateOfM) {
  std::mt19937 random(8);
  for (const LoopCase& each : joined(linkages(), redundant_linkages())) {
    const Model model(each.description);
    const ReducedMechanism mechanism(model);
    const ReducedConfiguration at = mechanism.configure(assemble(model).q);
    const VectorXd ud = random_numbers(at.dof(), random);
    ReducedMotion moves = mechanism.rest(0);
    const VectorXd still = mechanism.equations(at, moves).f;
    moves.v = mechanism.rates(at, ud);
    moves.a = mechanism.accelerations(at, moves.v, VectorXd::Zero(at.dof()));
    const MatrixXd C = mechanism.coriolis_matrix(at, moves.v);
    EXPECT_LE(relative(C * ud, mechanism.equations(at, moves).f - still), 1e-12)
        << each.name;  // measured 2e-14
    const auto mass = [&](double t) {
      const ReducedConfiguration there = mechanism.moved(at, t * ud);
      return mechanism.equations(there, mechanism.rest(0)).M;
    };
    const double h = 1e-3;
    const MatrixXd rate = (8 * (mass(h) - mass(-h)) - (mass(2 * h) - mass(-2 * h))) / (12 * h);
    EXPECT_LE(relative(C + C.transpose(), rate), 1e-7) << each.name;  // measured 5e-11

    // Christoffel's symbols, of which C is the sum.
    JointState state = neutral_state(model);
    state.qd = moves.v;
    state.qdd = moves.a;
    const Evaluation evaluation(model, state);
    ASSERT_EQ(evaluation.independent(), at.independent) << each.name;
    const std::vector<double> Gamma = evaluation.christoffel();
    MatrixXd sum = MatrixXd::Zero(at.dof(), at.dof());
    std::size_t entry = 0;
    for (int i = 0; i < at.dof(); ++i) {
      for (int j = 0; j < at.dof(); ++j) {
        for (int k = 0; k < at.dof(); ++k) sum(i, j) += Gamma[entry++] * ud[k];
      }
    }
    EXPECT_LE(relative(sum, C), 1e-12) << each.name;  // measured 1e-15
  }
}

/// The power of what is missing is what the energy gains: dual numbers along the motion.
TEST(ReducedMechanism, PowerIsTheRateOfTheEnergy) {
  std::mt19937 random(5);
  for (LoopCase& each : linkages()) {
    ModelDescription& d = each.description;
    add_springs(d, 0);
    const Model model(d);
    const ReducedMechanism mechanism(model);
    Moving m = random_motion(mechanism, random);
    m.motion.effort.clear();
    m.motion.actuation.clear();
    const ReducedEquations e = mechanism.equations(m.at, m.motion);
    double power = 0, twice = 0;
    VectorXd ud(m.at.dof());
    for (int i = 0; i < m.at.dof(); ++i) ud[i] = m.motion.v[m.at.independent[i]];
    power = e.f.dot(ud);

    const Tree& tree = mechanism.tree();
    std::vector<Dual1> q(m.at.q.begin(), m.at.q.end()), v(tree.rate_count), step(tree.rate_count);
    for (int i = 0; i < tree.rate_count; ++i) {
      v[i] = Dual1(m.motion.v[i], {m.motion.a[i]});
      step[i] = Dual1(0.0, {m.motion.v[i]});
    }
    retract<Dual1>(tree, q, step, q);
    std::vector<Pose<Dual1>> X_W(tree.size());
    std::vector<Twist<Dual1>> V(tree.size());
    forward_kinematics<Dual1>(tree, q, v, X_W, V);
    const Dual1 kinetic = kinetic_energy<Dual1>(tree, V);
    const Dual1 energy = kinetic + gravity_potential<Dual1>(tree, X_W) +
                         mechanism.elements().potential<Dual1>({tree, m.motion.t, q, v, X_W, V});
    EXPECT_NEAR(power, energy.tangent[0], 1e-12 * std::max(1.0, std::abs(power)))
        << each.name;  // measured 4e-15
    twice = ud.dot(e.M * ud);
    EXPECT_NEAR(twice / 2, kinetic.value, 1e-14 * std::max(1.0, kinetic.value)) << each.name;
  }
}

}  // namespace
}  // namespace torsor
