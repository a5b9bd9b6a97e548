#include "torsor/evaluation/muscle_states.h"

#include <cmath>

#include "torsor/tree/kinematics.h"

namespace torsor {

MuscleStates muscle_states(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                           const ReducedMotion& motion) {
  constexpr double kResting = 1e-9;  // [1/s], of activations and of fibre lengths
  const Model& model = mechanism.model();
  const Tree& tree = mechanism.tree();
  const std::vector<TreeMuscle>& muscles = mechanism.elements().muscles();
  const int dof = at.dof(), count = mechanism.elements().state_count,
            inputs = static_cast<int>(muscles.size());
  MuscleStates result;
  result.f_by_state = Eigen::MatrixXd::Zero(dof, count);
  result.rate_by_u = Eigen::MatrixXd::Zero(count, dof);
  result.rate_by_state = Eigen::MatrixXd::Zero(count, count);
  result.rate_by_input = Eigen::MatrixXd::Zero(count, inputs);
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Twist<double>> V(tree.size());
  int state = 0, input = 0;
  for (std::size_t i = 0; i < model.tendons().size(); ++i) {
    const Tendon& tendon = model.tendons()[i];
    if (!tendon.muscle) continue;
    const TreeMuscle& muscle = muscles[input];
    const auto moving = [&](const std::vector<double>& v) {
      forward_kinematics<double>(tree, at.q, v, X_W, V);
      return muscle.path.state<double>({tree, motion.t, at.q, v, X_W, V});
    };
    const TendonState<double> path = moving(motion.v);
    Eigen::VectorXd length_by_u(dof);
    for (int j = 0; j < dof; ++j)
      length_by_u[j] = moving(mechanism.rates(at, Eigen::VectorXd::Unit(dof, j))).rate;
    const bool elastic = muscle.law.has_share();
    const double a = motion.states[muscle.state], p = elastic ? motion.states[muscle.state + 1] : 0;
    const MuscleLaw::StateSlopes s = muscle.law.slopes(motion.t, path.length, path.rate, a, p);
    const TreeMuscle::Found found = muscle.find(motion.t, path.length, path.rate, {.z = motion.states});
    result.resting = result.resting && std::abs(found.activation_rate) <= kResting &&
                     (!elastic || std::abs(found.effort.share_rate) <= kResting);
    result.states.push_back("activation." + tendon.name);
    result.inputs.push_back("excitation." + tendon.name);
    result.f_by_state.col(state) = s.tension_by_activation * length_by_u;
    result.rate_by_state(state, state) = s.activation_rate_by_activation;
    result.rate_by_input(state, input) = s.activation_rate_by_excitation;
    if (elastic) {
      result.states.push_back("fibre." + tendon.name);
      result.f_by_state.col(state + 1) = s.tension_by_share * length_by_u;
      result.rate_by_u.row(state + 1) = s.share_rate_by_length * length_by_u;
      result.rate_by_state(state + 1, state) = s.share_rate_by_activation;
      result.rate_by_state(state + 1, state + 1) = s.share_rate_by_share;
    }
    state += elastic ? 2 : 1;
    ++input;
  }
  return result;
}

}  // namespace torsor
