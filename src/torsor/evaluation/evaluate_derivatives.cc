// Derivatives at a state: of twists and efforts along the motion, and of the dynamics by coordinates and
// rates.

#include "torsor/base/error.h"
#include "torsor/evaluation/dense_room.h"
#include "torsor/evaluation/evaluate_loops.hpp"
#include "torsor/formulation/joint/joint.hpp"
#include "torsor/numerics/dense.h"
#include "torsor/tree/christoffel.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/higher_order_kinematics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/time_derivatives.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

}  // namespace

std::vector<TwistDerivatives<double>> Evaluation::body_motion(Representation representation) const {
  std::vector<Twist<double>> screws(tree_.rate_count);
  spatial_joint_screws<double>(tree_, X_WN_, screws);
  std::vector<TwistDerivatives<double>> all;
  for (std::size_t b = 0; b < X_WB_.size(); ++b) {
    // The spatial twist belongs to the body as a whole, whichever frame is fixed on it.
    const auto spatial = twist_derivatives(tree_, X_WN_, screws, state_.qd, state_.qdd, state_.qddd,
                                           tree_.body_node[b], Representation::spatial);
    all.push_back(convert(Representation::spatial, representation, X_WB_[b], spatial));
  }
  return all;
}

std::vector<Twist<double>> Evaluation::accelerations(Representation representation) const {
  std::vector<Twist<double>> all;
  for (const auto& motion : body_motion(representation)) all.push_back(motion.acceleration);
  return all;
}

std::vector<Twist<double>> Evaluation::jerks(Representation representation) const {
  std::vector<Twist<double>> all;
  for (const auto& motion : body_motion(representation)) all.push_back(motion.jerk);
  return all;
}

Numbers Evaluation::coriolis_matrix() const {
  if (is_reduced_)
    return rows_of(reduced_mechanism().mechanism.coriolis_matrix(reduced_mechanism().at, state_.qd));
  require_dense_room("the Coriolis matrix", tree_.rate_count, tree_.rate_count);
  CoriolisWorkspace<double> workspace(tree_);
  Numbers C(std::size_t(tree_.rate_count) * tree_.rate_count);
  torsor::coriolis_matrix<double>(tree_, workspace, state_.q, state_.qd, C);
  return C;
}

Numbers Evaluation::christoffel() const {
  const std::size_t n = independent_.size();
  require_dense_room("Christoffel symbols", double(n) * double(n), double(n));
  Numbers Gamma(n * n * n);
  if (is_reduced_) {
    // C is linear in the rates: its part of each independent one.
    const Loops& loops = reduced_mechanism();
    for (std::size_t k = 0; k < n; ++k) {
      const Numbers along = list_of(loops.at.N.col(static_cast<Eigen::Index>(k)));
      const Eigen::MatrixXd C = loops.mechanism.coriolis_matrix(loops.at, along);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) Gamma[(i * n + j) * n + k] = C(i, j);
      }
    }
    return Gamma;
  }
  ChristoffelWorkspace workspace(tree_);
  christoffel_symbols(tree_, workspace, state_.q, Gamma);
  return Gamma;
}

bool Evaluation::has_elements() const {
  bool has = false;
  for_each_kind(model_.elements(),
                [&](const char*, const auto& elements) { has = has || !elements.empty(); });
  return has;
}

void Evaluation::refuse_without_rates(const char* quantity) const {
  const auto refuse = [&](const std::string& key, const char* found) {
    throw ModelError(key, std::string("elements with derivatives in time, for ") + quantity, found);
  };
  for_each_kind(model_.elements(), [&]<class Elements>(const std::string& section, const Elements& elements) {
    for (const auto& element : elements) {
      const std::string key = section + "." + element.name;
      if constexpr (std::same_as<Elements, std::vector<OwnLaw>> ||
                    std::same_as<Elements, std::vector<PointLaw>>) {
        if ((element.potential && !element.potential.along) || (element.force && !element.force.along))
          refuse(key, "a law that is known by its slopes alone");
      }
      if constexpr (requires { element.muscle; }) {
        if (element.muscle) refuse(key, "a muscle, with states of its own");
      }
    }
  });
}

EffortRates Evaluation::inverse_dynamics_rates() const {
  if (is_reduced_ || has_elements()) {
    refuse_without_rates("time derivatives of inverse dynamics");
    const Loops& loops = reduced_mechanism();
    const auto rates = loops.mechanism.force_rates(loops.at, loops.motion(state_), state_.qddd, state_.qdddd);
    return {list_of(rates.first), list_of(rates.second)};
  }
  InverseDynamicsRatesWorkspace workspace(tree_);
  const std::size_t n = tree_.rate_count;
  Numbers Q(n);
  EffortRates rates{Numbers(n), Numbers(n)};
  torsor::inverse_dynamics_rates(tree_, workspace, state_.q, state_.qd, state_.qdd, state_.qddd, state_.qdddd,
                                 Q, rates.first, rates.second);
  return rates;
}

/// f(q, qd) is the inverse dynamics of the accelerations it causes; dual numbers carry that through.
StateDerivatives Evaluation::element_force_derivatives() const {
  const int n = tree_.rate_count;
  require_dense_room("derivatives of the dynamics", n, n);
  const JointSystem system(model_);
  JointWorkspace<Dual1> workspace(tree_);
  InverseDynamicsWorkspace<Dual1> inverse(tree_);
  std::vector<Dual1> q0(state_.q.begin(), state_.q.end()), q(q0), qd(n), increment(n), a(n), f(n);
  StateDerivatives result{Numbers(std::size_t(n) * n), Numbers(std::size_t(n) * n)};
  for (int column = 0; column < 2 * n; ++column) {
    const bool by_rate = column >= n;
    const int j = by_rate ? column - n : column;
    for (int k = 0; k < n; ++k) {
      qd[k] = Dual1(state_.qd[k], {by_rate && k == j ? 1.0 : 0.0});
      increment[k] = Dual1(0.0, {!by_rate && k == j ? 1.0 : 0.0});
    }
    retract<Dual1>(tree_, q0, increment, q);
    system.accelerate<Dual1>(workspace, state_.time, q, qd, a, {});
    torsor::inverse_dynamics<Dual1>(tree_, inverse, q, qd, a, {}, f);
    Numbers& matrix = by_rate ? result.by_qd : result.by_q;
    for (int i = 0; i < n; ++i) matrix[i * n + j] = f[i].tangent[0];
  }
  return result;
}

StateDerivatives Evaluation::inverse_dynamics_derivatives() const {
  if (is_reduced_) {
    const Loops& loops = reduced_mechanism();
    const ReducedLinearisation d = loops.mechanism.linearise(loops.at, loops.motion(state_));
    return {rows_of(d.K), rows_of(d.D)};
  }
  const int n = tree_.rate_count;
  StateDerivatives result = element_force_derivatives();
  InverseDynamicsDerivativesWorkspace<double> workspace(tree_);
  Numbers effort(n), by_q(std::size_t(n) * n), by_qd(std::size_t(n) * n);
  torsor::inverse_dynamics_derivatives<double>(tree_, workspace, state_.q, state_.qd, state_.qdd, effort,
                                               by_q, by_qd);
  for (std::size_t i = 0; i < by_q.size(); ++i) {
    result.by_q[i] = by_q[i] - result.by_q[i];
    result.by_qd[i] = by_qd[i] - result.by_qd[i];
  }
  return result;
}

StateDerivatives Evaluation::forward_dynamics_derivatives() const {
  if (is_reduced_) {
    // f(u, u', u'') = 0, and f by u'' is M.
    const Loops& loops = reduced_mechanism();
    const ReducedLinearisation d = loops.mechanism.linearise(loops.at, loops.solved(state_));
    const Eigen::MatrixXd L = cholesky(d.at.M);
    const auto by = [&](const Eigen::MatrixXd& f_by) {
      return rows_of(-solve_transposed(L, solve_lower(L, f_by)));
    };
    return {by(d.K), by(d.D)};
  }
  const int n = tree_.rate_count;
  const std::size_t size = std::size_t(n) * n;
  Numbers effort = element_forces(), qdd(n), by_effort(size);
  for (int i = 0; i < n; ++i) effort[i] += state_.effort[i];
  StateDerivatives result{Numbers(size), Numbers(size)};
  ForwardDynamicsDerivativesWorkspace workspace(tree_);
  torsor::forward_dynamics_derivatives(tree_, workspace, state_.q, state_.qd, effort, qdd, result.by_q,
                                       result.by_qd, by_effort);
  // What the elements add to the effort, through M^-1.
  const StateDerivatives f = element_force_derivatives();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        result.by_q[i * n + j] += by_effort[i * n + k] * f.by_q[k * n + j];
        result.by_qd[i * n + j] += by_effort[i * n + k] * f.by_qd[k * n + j];
      }
    }
  }
  return result;
}

}  // namespace torsor
