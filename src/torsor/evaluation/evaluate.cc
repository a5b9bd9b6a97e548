#include "torsor/evaluation/evaluate.h"

#include <numeric>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/error.h"
#include "torsor/evaluation/dense_room.h"
#include "torsor/evaluation/evaluate_loops.hpp"
#include "torsor/formulation/joint/joint.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/mass_matrix.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

}  // namespace

JointState neutral_state(const Model& model) {
  const Tree tree = make_open_tree(model).tree;
  const Numbers zero(tree.rate_count);
  JointState state{Numbers(tree.coordinate_count), zero, zero, zero, zero, zero};
  set_neutral(tree, state.q);
  if (has_conditions(model)) state.q = assemble(model).q;
  return state;
}

Evaluation::Evaluation(const Model& model, const JointState& state)
    : model_(model.with_period(0).with_efforts(state.actuators)),  // as at a sample
      state_(state),
      tree_(make_open_tree(model).tree),
      is_reduced_(has_conditions(model)),
      X_WN_(tree_.size()),
      X_WB_(model.bodies().size()),
      V_N_(tree_.size()),
      V_B_(model.bodies().size()) {
  require_size("q", state.q.size(), tree_.coordinate_count);
  require_size("qd", state.qd.size(), tree_.rate_count);
  require_size("qdd", state.qdd.size(), tree_.rate_count);
  require_size("qddd", state.qddd.size(), tree_.rate_count);
  require_size("qdddd", state.qdddd.size(), tree_.rate_count);
  require_size("effort", state.effort.size(), tree_.rate_count);
  if (is_reduced_) {
    independent_ = reduced_mechanism().at.independent;
    state_.q = reduced_mechanism().at.q;
    require_consistent();
  } else {
    independent_.resize(tree_.rate_count);
    std::iota(independent_.begin(), independent_.end(), 0);
  }
  forward_kinematics<double>(tree_, state_.q, state_.qd, X_WN_, V_N_);
  for (std::size_t b = 0; b < X_WB_.size(); ++b) {
    const int node = tree_.body_node[b];
    X_WB_[b] = X_WN_[node] * tree_.X_NB[b];
    V_B_[b] = to_child(tree_.X_NB[b], V_N_[node]);
  }
}

std::vector<Twist<double>> Evaluation::twists(Representation representation) const {
  std::vector<Twist<double>> all;
  for (std::size_t b = 0; b < V_B_.size(); ++b) all.push_back(represent(representation, X_WB_[b], V_B_[b]));
  return all;
}

std::vector<Twist<double>> Evaluation::jacobian(Representation representation, int body) const {
  std::vector<Twist<double>> screws(tree_.rate_count), columns(tree_.rate_count);
  spatial_joint_screws<double>(tree_, X_WN_, screws);
  for (int node = 1; node < tree_.size(); ++node) {
    if (!is_ancestor(tree_, node, tree_.body_node[body])) continue;
    for (int i = 0; i < rate_count(tree_.nodes[node].joint); ++i) {
      const int rate = tree_.nodes[node].v + i;
      columns[rate] = convert(Representation::spatial, representation, X_WB_[body], screws[rate]);
    }
  }
  if (!is_reduced_) return columns;
  const Eigen::MatrixXd& N = reduced_mechanism().at.N;
  std::vector<Twist<double>> all(independent_.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (std::size_t i = 0; i < columns.size(); ++i) all[c] += N(i, c) * columns[i];
  }
  return all;
}

std::vector<Vec3<double>> Evaluation::jacobian(const Point& point) const {
  std::vector<Vec3<double>> columns(independent_.size());
  if (point.body == kWorld) return columns;
  const std::vector<Twist<double>> of_body = jacobian(Representation::hybrid, point.body);
  const Vec3<double> arm = X_WB_[point.body].R * point.p_B;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c] = of_body[c].linear + cross(of_body[c].angular, arm);
  }
  return columns;
}

PointMotion Evaluation::motion(const Point& point) const {
  if (point.body == kWorld) return {point.p_B, {}, {}};
  const Vec3<double> arm = X_WB_[point.body].R * point.p_B;
  const Twist<double> V = twists(Representation::hybrid)[point.body];
  const Twist<double> A = accelerations(Representation::hybrid)[point.body];
  return {X_WB_[point.body].p + arm, V.linear + cross(V.angular, arm),
          A.linear + cross(A.angular, arm) + cross(V.angular, cross(V.angular, arm))};
}

Numbers Evaluation::mass_matrix() const {
  if (is_reduced_) return rows_of(reduced_mechanism().equations(state_).M);
  require_dense_room("the mass matrix", tree_.rate_count, tree_.rate_count);
  MassMatrixWorkspace<double> workspace(tree_);
  Numbers M(std::size_t(tree_.rate_count) * tree_.rate_count);
  torsor::mass_matrix<double>(tree_, workspace, state_.q, M);
  return M;
}

Numbers Evaluation::tree_inverse_dynamics(const Numbers& qd, const Numbers& qdd) const {
  InverseDynamicsWorkspace<double> workspace(tree_);
  Numbers effort(tree_.rate_count);
  torsor::inverse_dynamics<double>(tree_, workspace, state_.q, qd, qdd, {}, effort);
  return effort;
}

Numbers Evaluation::gravity_forces() const {
  const Numbers zero(tree_.rate_count);
  return reduced(tree_inverse_dynamics(zero, zero));
}

Numbers Evaluation::element_forces() const {
  // Without further efforts M a + c + g = f, and the left side is the inverse dynamics of a.
  JointSystem system(model_);
  Numbers a(system.rate_count()), flows(system.flow_count());
  system.evaluate(state_.time, state_.q, state_.qd, a, flows);
  return tree_inverse_dynamics(state_.qd, a);
}

Numbers Evaluation::inverse_dynamics() const {
  if (is_reduced_) return list_of(reduced_mechanism().equations(state_).f);
  Numbers effort = tree_inverse_dynamics(state_.qd, state_.qdd);
  const Numbers f = element_forces();
  for (std::size_t i = 0; i < effort.size(); ++i) effort[i] -= f[i];
  return effort;
}

Numbers Evaluation::forward_dynamics() const {
  if (is_reduced_) return reduced_mechanism().solved(state_).a;
  Numbers effort = element_forces(), qdd(tree_.rate_count);
  for (std::size_t i = 0; i < effort.size(); ++i) effort[i] += state_.effort[i];
  ForwardDynamicsWorkspace<double> workspace(tree_);
  torsor::forward_dynamics<double>(tree_, workspace, state_.q, state_.qd, effort, {}, qdd);
  return qdd;
}

Energies Evaluation::energies() const {
  Energies energies{kinetic_energy<double>(tree_, V_N_) + rotor_energy<double>(tree_, state_.qd),
                    gravity_potential<double>(tree_, X_WN_), 0};
  energies.elastic = make_joint_elements(model_, tree_)
                         .potential<double>({tree_, state_.time, state_.q, state_.qd, X_WN_, V_N_});
  return energies;
}

Momentum Evaluation::momentum() const {
  const Wrench<double> total = torsor::momentum<double>(tree_, X_WN_, V_N_);
  Momentum result{total.force, total.moment, {}};
  double mass = 0;
  for (std::size_t b = 0; b < X_WB_.size(); ++b) {
    const Body& body = model_.bodies()[b];
    mass += body.mass;
    result.com += body.mass * act(X_WB_[b], body.com);
  }
  if (mass > 0) result.com = (1.0 / mass) * result.com;
  return result;
}

}  // namespace torsor
