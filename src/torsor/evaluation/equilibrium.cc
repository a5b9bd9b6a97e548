#include "torsor/evaluation/equilibrium.h"

#include <cmath>

#include "torsor/assembly/assembly.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/formulation/elements/joint_limits.h"
#include "torsor/model/tendon_law.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr double kNeutral = 1e-9;    ///< share of the largest eigenvalue
constexpr double kSymmetric = 1e-9;  ///< share of K that rounding may leave skew

std::vector<TendonAtRest> tendons_at_rest(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                                          std::span<const Pose<double>> X_W, const ReducedMotion& motion) {
  const Model& model = mechanism.model();
  const std::vector<Twist<double>> still(X_W.size());
  const std::vector<double> resting(mechanism.tree().rate_count);
  std::vector<TendonAtRest> all;
  for (const TreeTendon& tendon : mechanism.elements().tendons()) {
    const TendonState<double> state =
        tendon.path.state<double>({mechanism.tree(), motion.t, at.q, resting, X_W, still});
    all.push_back({state.length, state.tension});
  }
  for (std::size_t i = 0; i < model.actuators().size(); ++i) {
    const Actuator& actuator = model.actuators()[i];
    if (!actuator.tendon) continue;
    all[*actuator.tendon].tension +=
        actuator.effort.value(motion.t) + (motion.actuation.empty() ? 0 : motion.actuation[i]);
  }
  for (const JointStop& stop : model.elements().stops) {
    if (!stop.tendon) continue;
    TendonAtRest& tendon = all[*stop.tendon];
    for_each_bound(stop,
                   [&](int, const StopLaw& law) { tendon.tension += law.at(tendon.length, 0.0).effort; });
  }
  for (const OwnLaw& law : model.elements().laws) {
    if (!law.tendon) continue;
    const auto state = FunctionLaw(law).at(all[*law.tendon].length, 0.0, motion.t);
    all[*law.tendon].tension += state.elastic - state.force;
  }
  auto muscle = mechanism.elements().muscles().begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!model.tendons()[i].muscle) continue;
    all[i].tension += (muscle++)->find(motion.t, all[i].length, 0, {}).effort.tension;
  }
  return all;
}

}  // namespace

const char* name_of(Stability stability) {
  return stability == Stability::stable ? "stable" : stability == Stability::neutral ? "neutral" : "unstable";
}

RestPosition describe_rest(const ReducedMechanism& mechanism, const ReducedConfiguration& at, double t,
                           const std::vector<double>& actuation) {
  const Model& model = mechanism.model();
  const Tree& tree = mechanism.tree();
  RestPosition rest;
  rest.q = at.q;
  rest.independent = at.independent;
  rest.actuation = actuation;
  ReducedMotion motion = mechanism.rest(t);
  motion.actuation = actuation;
  const ReducedLinearisation d = mechanism.linearise(at, motion);
  rest.residual = max_abs(d.at.f);

  std::vector<Pose<double>> X_W(tree.size());
  const std::vector<Twist<double>> still(tree.size());
  node_poses<double>(tree, at.q, X_W);
  rest.potential = gravity_potential<double>(tree, X_W) +
                   mechanism.elements().potential<double>({tree, t, at.q, motion.v, X_W, still});

  if (at.dof() > 0) {
    const MatrixXd K = 0.5 * (d.K + d.K.transpose());
    rest.conservative = max_abs(MatrixXd(d.K - d.K.transpose())) <= kSymmetric * max_abs(d.K);
    const auto values_against = [&](const MatrixXd& L) {
      return VectorXd(
          symmetric_eigen(solve_lower(L, MatrixXd(solve_lower(L, K).transpose())).transpose()).values);
    };
    const VectorXd values = values_against(cholesky(coordinate_metric(mechanism, at)));
    const double flat = kNeutral * max_abs(values);
    rest.least_eigenvalue = values[0];
    rest.falling = static_cast<int>((values.array() < -flat).count());
    rest.neutral = static_cast<int>((values.array().abs() <= flat).count());
    rest.stability = values[0] < -flat   ? Stability::unstable
                     : values[0] <= flat ? Stability::neutral
                                         : Stability::stable;
    const MatrixXd L = cholesky(d.at.M);
    if (L.diagonal().minCoeff() > 1e-9 * L.diagonal().maxCoeff()) rest.least_square = values_against(L)[0];
  }
  rest.reactions = mechanism.reactions(at, motion, d.at.lambda);
  rest.tendons = tendons_at_rest(mechanism, at, X_W, motion);
  if (at.redundant_rows() > 0) rest.redundancies = mobility(model, at.q).redundancies;
  return rest;
}

HeldPose hold_pose(const ReducedMechanism& mechanism, const ReducedConfiguration& at, double t) {
  const std::vector<Actuator>& actuators = mechanism.model().actuators();
  if (actuators.empty()) {
    throw ModelError("actuators", "actuators that can hold the mechanism", "none");
  }
  const ReducedEquations e = mechanism.equations(at, mechanism.rest(t));
  const MatrixXd B = mechanism.input_matrix(at);
  const VectorXd tau = least_squares(B, e.f);
  HeldPose held;
  held.rest = describe_rest(mechanism, at, t, {tau.begin(), tau.end()});
  held.free_efforts = static_cast<int>(B.cols()) - rank(B);
  held.holds = held.rest.residual <= 1e-9 * std::max(max_abs(e.f), 1e-9);
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    held.effort.push_back(actuators[i].effort.value(t) + tau[static_cast<Eigen::Index>(i)]);
  }
  return held;
}

std::optional<RestPosition> nearest_equilibrium(const Model& model) {
  const ReducedMechanism mechanism(model.with_resting_muscles());
  return nearest_equilibrium(mechanism, mechanism.configure(assemble(model).q), model.initial().time);
}

EquilibriumSearch find_equilibria(const Model& model, int starts) {
  const ReducedMechanism mechanism(model.with_resting_muscles());
  return find_equilibria(mechanism, mechanism.configure(assemble(model).q), model.initial().time, starts);
}

HeldPose hold_pose(const Model& model) {
  const ReducedMechanism mechanism(model.with_resting_muscles());
  return hold_pose(mechanism, mechanism.configure(assemble(model).q), model.initial().time);
}

}  // namespace torsor
