// (2) and (3) of reduced_mechanism.h.

#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/reduced_pass.hpp"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

constexpr int kLanes = 8;

Eigen::VectorXd vector_of(std::span<const double> list) {
  return Eigen::VectorXd::Map(list.data(), static_cast<Eigen::Index>(list.size()));
}

/// Tangents of a list of dual numbers into columns from `first` on.
void store_tangents(const std::vector<Dual8>& list, int first, Eigen::MatrixXd& columns) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (int k = 0; k < kLanes && first + k < columns.cols(); ++k) columns(i, first + k) = list[i].tangent[k];
  }
}

void set_tangents(std::span<const double> values, const Eigen::MatrixXd& columns, int first,
                  std::vector<Dual8>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = Dual8(values[i]);
    for (int k = 0; k < kLanes && first + k < columns.cols(); ++k) list[i].tangent[k] = columns(i, first + k);
  }
}

/// q0 retracted along columns of increments.
void set_moved(const Tree& tree, std::span<const double> q0, const Eigen::MatrixXd& columns, int first,
               std::vector<Dual8>& q) {
  std::vector<Dual8> from(q0.begin(), q0.end()), increment(tree.rate_count);
  const std::vector<double> zero(tree.rate_count);
  set_tangents(zero, columns, first, increment);
  retract<Dual8>(tree, from, increment, q);
}

/// What dependent rates change by so that columns of gaps close.
Eigen::MatrixXd closing(const ReducedConfiguration& at, const Eigen::MatrixXd& gaps) {
  Eigen::MatrixXd change = Eigen::MatrixXd::Zero(at.N.rows(), gaps.cols());
  if (!at.dependent.empty()) change(at.dependent, Eigen::all) = -product(at.inverse, gaps);
  return change;
}

}  // namespace

std::vector<double> ReducedMechanism::jerks(const ReducedConfiguration& at, std::span<const double> v,
                                            std::span<const double> a, const Eigen::VectorXd& u_jerk) const {
  require_size("u_jerk", u_jerk.size(), at.dof());
  const Eigen::VectorXd along = product(at.N, u_jerk);
  std::vector<double> jerk(along.begin(), along.end());
  if (at.dependent.empty()) return jerk;
  const Tree& tree = open_.tree;
  Pass<Dual1> pass(tree);
  std::vector<Dual1> from(at.q.begin(), at.q.end()), step(tree.rate_count);
  for (int i = 0; i < tree.rate_count; ++i) {
    step[i] = Dual1(0.0, {v[i]});
    pass.v[i] = Dual1(v[i], {a[i]});
    pass.a[i] = Dual1(a[i], {jerk[i]});
  }
  retract<Dual1>(tree, from, step, pass.q);
  inverse_dynamics<Dual1>(tree, pass.inverse, pass.q, pass.v, pass.a, {}, pass.missing);
  const std::vector<Dual1> gaps = acceleration_gaps(pass, at.length);
  Eigen::VectorXd rates(at.G.rows());
  for (std::size_t i = 0; i < gaps.size(); ++i) rates[i] = gaps[i].tangent[0];
  const Eigen::VectorXd correction = product(at.inverse, rates);
  for (std::size_t d = 0; d < at.dependent.size(); ++d) jerk[at.dependent[d]] -= correction[d];
  return jerk;
}

ReducedEquations ReducedMechanism::equations(const ReducedConfiguration& at,
                                             const ReducedMotion& motion) const {
  const Tree& tree = open_.tree;
  require_size("v", motion.v.size(), tree.rate_count);
  require_size("a", motion.a.size(), tree.rate_count);
  require_size_or_none("effort", motion.effort.size(), tree.rate_count);
  require_size_or_none("actuation", motion.actuation.size(), model_.actuators().size());
  Pass<double> pass(tree);
  pass.q = at.q;
  pass.v = motion.v;
  pass.a = motion.a;
  run<double>(pass, motion, {}, at.length);
  MassMatrixWorkspace<double> workspace(tree);
  Eigen::MatrixXd M(tree.rate_count, tree.rate_count);
  mass_matrix<double>(tree, workspace, at.q, std::span(M.data(), static_cast<std::size_t>(M.size())));
  const Eigen::VectorXd missing = vector_of(pass.missing);
  ReducedEquations result;
  if (at.dependent.empty()) return {M, missing, Eigen::VectorXd::Zero(at.G.rows())};
  result.M = product(at.N.transpose(), product(M, at.N));
  result.M = (0.5 * (result.M + result.M.transpose())).eval();
  result.f = product(at.N.transpose(), missing);
  result.lambda = product(at.inverse.transpose(), missing(at.dependent));
  return result;
}

ReducedLinearisation ReducedMechanism::linearise(const ReducedConfiguration& at,
                                                 const ReducedMotion& motion) const {
  const Tree& tree = open_.tree;
  const int n = tree.rate_count, dof = at.dof(), rows = static_cast<int>(at.G.rows());
  ReducedLinearisation result{equations(at, motion), {}, {}, input_matrix(at), {}, {}, {}, {}, {}};
  const Eigen::VectorXd& lambda = result.at.lambda;
  const std::vector<Dual8> held(lambda.begin(), lambda.end());
  Pass<Dual8> pass(tree);
  // The gaps of dG v (and dG a + dgamma), column by column; then (3).
  const auto differentiate = [&](const Eigen::MatrixXd& dq, Eigen::MatrixXd dv, bool moves,
                                 Eigen::MatrixXd& a_by, Eigen::MatrixXd& f_by, Eigen::MatrixXd& lambda_by,
                                 Eigen::MatrixXd* v_by) {
    Eigen::MatrixXd gaps(rows, dof), missing(n, dof);
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(n, dof);
    const auto set_q = [&](int first) {
      if (moves) {
        set_moved(tree, at.q, dq, first, pass.q);
      } else {
        pass.q.assign(at.q.begin(), at.q.end());
      }
    };
    if (moves) {
      for (int first = 0; first < dof; first += kLanes) {
        set_q(first);
        set_tangents(motion.v, none, first, pass.v);
        forward_kinematics<Dual8>(tree, pass.q, pass.v, pass.X_W, pass.V);
        store_tangents(rate_gaps(pass, at.length), first, gaps);
      }
      dv = closing(at, gaps);
      *v_by = dv;
    }
    for (int first = 0; first < dof; first += kLanes) {
      set_q(first);
      set_tangents(motion.v, dv, first, pass.v);
      set_tangents(motion.a, none, first, pass.a);
      inverse_dynamics<Dual8>(tree, pass.inverse, pass.q, pass.v, pass.a, {}, pass.missing);
      store_tangents(acceleration_gaps(pass, at.length), first, gaps);
    }
    a_by = closing(at, gaps);
    for (int first = 0; first < dof; first += kLanes) {
      set_q(first);
      set_tangents(motion.v, dv, first, pass.v);
      set_tangents(motion.a, a_by, first, pass.a);
      run<Dual8>(pass, motion, held, at.length);
      store_tangents(pass.missing, first, missing);
    }
    if (at.dependent.empty()) {
      f_by = missing;
      lambda_by = Eigen::MatrixXd::Zero(rows, dof);
      return;
    }
    f_by = product(at.N.transpose(), missing);
    lambda_by = product(at.inverse.transpose(), missing(at.dependent, Eigen::all));
  };
  differentiate(at.N, Eigen::MatrixXd::Zero(n, dof), true, result.a_by_u, result.K, result.lambda_by_u,
                &result.v_by_u);
  differentiate(at.N, at.N, false, result.a_by_ud, result.D, result.lambda_by_ud, nullptr);
  if (at.redundant_rows() > 0 && !at.dependent.empty()) {
    // The least of the multipliers is G_d y with y = inverse lambda; the space of G_d turns with u:
    //   d lambda += (1 - G_d inverse) dG_d y.
    const Eigen::VectorXd y = product(at.inverse, lambda);
    Eigen::MatrixXd gaps(rows, dof);
    std::vector<double> along(n);
    for (std::size_t d = 0; d < at.dependent.size(); ++d) along[at.dependent[d]] = y[d];
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(n, dof);
    for (int first = 0; first < dof; first += kLanes) {
      set_moved(tree, at.q, at.N, first, pass.q);
      set_tangents(along, none, first, pass.v);
      forward_kinematics<Dual8>(tree, pass.q, pass.v, pass.X_W, pass.V);
      store_tangents(rate_gaps(pass, at.length), first, gaps);
    }
    result.lambda_by_u += gaps - product(at.G(Eigen::all, at.dependent), product(at.inverse, gaps));
  }
  return result;
}

ReducedMotion ReducedMechanism::solve(const ReducedConfiguration& at, ReducedMotion motion) const {
  motion.a = accelerations(at, motion.v, Eigen::VectorXd::Zero(at.dof()));
  if (at.dof() == 0) return motion;
  const ReducedEquations e = equations(at, motion);
  const Eigen::MatrixXd L = cholesky(e.M);
  const Eigen::VectorXd missing = solve_transposed(L, solve_lower(L, -e.f));
  if (!(L.diagonal().minCoeff() > 1e-9 * L.diagonal().maxCoeff()) || !std::isfinite(max_abs(missing))) {
    throw ModelError("bodies", "mass that every motion of the mechanism moves", "a motion without");
  }
  const Eigen::VectorXd change = product(at.N, missing);
  for (int i = 0; i < rate_count(); ++i) motion.a[i] += change[i];
  return motion;
}

Eigen::MatrixXd ReducedMechanism::coriolis_matrix(const ReducedConfiguration& at,
                                                  std::span<const double> v) const {
  const Tree& tree = open_.tree;
  const int n = tree.rate_count, dof = at.dof();
  Eigen::MatrixXd M(n, n);
  MassMatrixWorkspace<double> mass(tree);
  mass_matrix<double>(tree, mass, at.q, std::span(M.data(), static_cast<std::size_t>(M.size())));
  std::vector<double> rows(tree.matrix_size());
  CoriolisWorkspace<double> workspace(tree);
  torsor::coriolis_matrix<double>(tree, workspace, at.q, v, rows);
  const Eigen::MatrixXd C = Eigen::MatrixXd::Map(rows.data(), n, n).transpose();
  // G N = 0 along the motion: G N' = -G' N.
  Pass<Dual1> pass(tree);
  std::vector<Dual1> from(at.q.begin(), at.q.end()), step(n);
  for (int i = 0; i < n; ++i) step[i] = Dual1(0.0, {v[i]});
  retract<Dual1>(tree, from, step, pass.q);
  Eigen::MatrixXd gaps(at.G.rows(), dof);
  for (int c = 0; c < dof; ++c) {
    for (int i = 0; i < n; ++i) pass.v[i] = Dual1(at.N(i, c));
    forward_kinematics<Dual1>(tree, pass.q, pass.v, pass.X_W, pass.V);
    const std::vector<Dual1> found = rate_gaps(pass, at.length);
    for (std::size_t i = 0; i < found.size(); ++i) gaps(i, c) = found[i].tangent[0];
  }
  return product(at.N.transpose(), product(C, at.N) + product(M, closing(at, gaps)));
}

Eigen::MatrixXd ReducedMechanism::input_matrix(const ReducedConfiguration& at) const {
  const Tree& tree = open_.tree;
  Eigen::MatrixXd B =
      Eigen::MatrixXd::Zero(tree.rate_count, static_cast<Eigen::Index>(model_.actuators().size()));
  Tree weightless = tree;
  weightless.gravity = {};
  InverseDynamicsWorkspace<double> workspace(tree);
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Wrench<double>> applied(tree.size());
  std::vector<double> still(tree.rate_count), effort(tree.rate_count), pulled(tree.rate_count);
  node_poses<double>(tree, at.q, X_W);
  auto pulls = std::get<std::vector<TreeTendonEffort>>(elements_.lists).begin();
  Eigen::Index column = 0;
  for (const Actuator& actuator : model_.actuators()) {
    if (actuator.tendon) {
      std::fill(applied.begin(), applied.end(), Wrench<double>{});
      std::fill(pulled.begin(), pulled.end(), 0.0);
      (pulls++)->path.pull<double>({tree, 0, at.q, still, X_W, {}}, 1.0, {pulled, applied, {}, {}});
      inverse_dynamics<double>(weightless, workspace, at.q, still, still, applied, effort);
      B.col(column) = vector_of(pulled) - vector_of(effort);
    } else {
      B(model_.rate_offset(actuator.joint) + actuator.coordinate, column) = 1;
    }
    ++column;
  }
  return product(at.N.transpose(), B);
}

std::vector<Wrench<double>> ReducedMechanism::reactions(const ReducedConfiguration& at,
                                                        const ReducedMotion& motion,
                                                        const Eigen::VectorXd& lambda) const {
  const Tree& tree = open_.tree;
  Pass<double> pass(tree);
  pass.q = at.q;
  pass.v = motion.v;
  pass.a = motion.a;
  run<double>(pass, motion, std::span(lambda.data(), static_cast<std::size_t>(lambda.size())), at.length);
  std::vector<Wrench<double>> all(model_.joints().size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    const Joint& joint = model_.joints()[j];
    const int node = tree.joint_node[j];
    all[j] = to_child(tree.X_NB[joint.child] * pose(joint.in_child), pass.inverse.F[node]);
  }
  for (const OpenLoop& loop : open_.loops) {
    const Pose<double> X_BK{matrix(model_.joints()[loop.joint].in_child.rotation), {}};
    all[loop.joint] = to_child(loop.copy_X_NK * X_BK, pass.inverse.F[loop.copy]);
  }
  return all;
}

PointDerivatives ReducedMechanism::point_derivatives(const ReducedConfiguration& at,
                                                     const ReducedMotion& motion,
                                                     const ReducedLinearisation& along,
                                                     const Point& point) const {
  const Tree& tree = open_.tree;
  const int dof = at.dof();
  PointDerivatives result;
  for (Eigen::MatrixXd* all : {&result.position_by_u, &result.velocity_by_u, &result.acceleration_by_u,
                               &result.acceleration_by_ud}) {
    *all = Eigen::MatrixXd::Zero(3, dof);
  }
  if (point.body == kWorld) return result;
  const int node = tree.body_node[point.body];
  const Vec3<double> p_N = act(tree.X_NB[point.body], point.p_B);
  Tree weightless = tree;
  weightless.gravity = {};
  Pass<Dual8> pass(tree);
  const auto store = [&](const Vec3<Dual8>& x, int first, Eigen::MatrixXd& columns) {
    store_tangents({x.x, x.y, x.z}, first, columns);
  };
  const auto acceleration = [&] {
    inverse_dynamics<Dual8>(weightless, pass.inverse, pass.q, pass.v, pass.a, {}, pass.missing);
    const Vec3<Dual8>&omega = pass.inverse.omega[node], &alpha = pass.inverse.alpha[node];
    return Vec3<Dual8>(pass.X_W[node].R *
                       (pass.inverse.a[node] + cross(alpha, p_N) + cross(omega, cross(omega, p_N))));
  };
  for (int first = 0; first < dof; first += kLanes) {
    set_moved(tree, at.q, at.N, first, pass.q);
    set_tangents(motion.v, along.v_by_u, first, pass.v);
    set_tangents(motion.a, along.a_by_u, first, pass.a);
    forward_kinematics<Dual8>(tree, pass.q, pass.v, pass.X_W, pass.V);
    const Twist<Dual8>& V = pass.V[node];
    store(act(pass.X_W[node], p_N), first, result.position_by_u);
    store(pass.X_W[node].R * (V.linear + cross(V.angular, p_N)), first, result.velocity_by_u);
    store(acceleration(), first, result.acceleration_by_u);

    pass.q.assign(at.q.begin(), at.q.end());
    set_tangents(motion.v, at.N, first, pass.v);
    set_tangents(motion.a, along.a_by_ud, first, pass.a);
    forward_kinematics<Dual8>(tree, pass.q, pass.v, pass.X_W, pass.V);
    store(acceleration(), first, result.acceleration_by_ud);
  }
  return result;
}

}  // namespace torsor
