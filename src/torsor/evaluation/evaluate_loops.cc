// What loops add to an evaluation; and reactions and efforts of actuators, which trees have likewise.

#include "torsor/evaluation/evaluate_loops.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

constexpr double kFits = 1e-6;  ///< rates and accelerations with the loops, of the largest

Eigen::VectorXd eigen_list(const std::vector<double>& list) {
  return Eigen::VectorXd::Map(list.data(), static_cast<Eigen::Index>(list.size()));
}

}  // namespace

Evaluation::~Evaluation() = default;

const Evaluation::Loops& Evaluation::reduced_mechanism() const {
  if (!loops_) loops_ = std::make_unique<Loops>(model_, state_);
  return *loops_;
}

void Evaluation::require_consistent() const {
  const Loops& loops = reduced_mechanism();
  const auto part = [&](const std::vector<double>& all) {
    Eigen::VectorXd own(loops.at.dof());
    for (int i = 0; i < loops.at.dof(); ++i) own[i] = all[independent_[i]];
    return own;
  };
  const auto require = [&](const char* key, const std::vector<double>& found,
                           const std::vector<double>& wanted) {
    const double scale = std::max({1.0, max_abs(found), max_abs(wanted)});
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (std::abs(found[i] - wanted[i]) <= kFits * scale) continue;
      throw ModelError(fmt::format("{}.{}", key, rate_name(model_, static_cast<int>(i))),
                       fmt::format("{:.9g}, which the loops demand", wanted[i]),
                       fmt::format("{:.9g}", found[i]));
    }
  };
  require("qd", state_.qd, loops.mechanism.rates(loops.at, part(state_.qd)));
  require("qdd", state_.qdd, loops.mechanism.accelerations(loops.at, state_.qd, part(state_.qdd)));
}

std::vector<double> Evaluation::reduced(const std::vector<double>& by_all) const {
  if (!is_reduced_) return by_all;
  return list_of(product(reduced_mechanism().at.N.transpose(), eigen_list(by_all)));
}

ActuatorEfforts Evaluation::actuator_efforts() const {
  const Loops& loops = reduced_mechanism();
  ReducedMotion motion = loops.motion(state_);
  for (const Actuator& actuator : model_.actuators()) {
    motion.actuation.push_back(-actuator.effort.value(state_.time));
  }
  const Eigen::VectorXd needed = loops.mechanism.equations(loops.at, motion).f;
  const Eigen::MatrixXd B = loops.mechanism.input_matrix(loops.at);
  ActuatorEfforts result;
  result.needed = list_of(needed);
  if (B.cols() == 0) {
    result.missing = result.needed;
    return result;
  }
  const Eigen::VectorXd efforts = least_squares(B, needed);
  result.efforts = list_of(efforts);
  result.missing = list_of(needed - product(B, efforts));
  const Eigen::MatrixXd inner = null_space(B);
  for (Eigen::Index c = 0; c < inner.cols(); ++c) result.internal.push_back(list_of(inner.col(c)));
  return result;
}

std::vector<Reaction> Evaluation::reactions_of(const std::vector<double>& qdd,
                                               const std::vector<double>& effort,
                                               const std::vector<double>& actuation) const {
  const Loops& loops = reduced_mechanism();
  const ReducedMotion motion{state_.time, state_.qd, qdd, effort, actuation};
  const Eigen::VectorXd lambda = loops.mechanism.equations(loops.at, motion).lambda;
  const std::vector<Wrench<double>> on_child = loops.mechanism.reactions(loops.at, motion, lambda);
  std::vector<Reaction> all;
  for (std::size_t j = 0; j < on_child.size(); ++j) {
    const Joint& joint = model_.joints()[j];
    const Mat3<double> R_WK = X_WB_[joint.child].R * matrix(joint.in_child.rotation);
    all.push_back({on_child[j], {R_WK * on_child[j].moment, R_WK * on_child[j].force}});
  }
  return all;
}

std::vector<Reaction> Evaluation::reactions() const {
  return reactions_of(forward_dynamics(), state_.effort, {});
}

std::vector<Reaction> Evaluation::driven_reactions() const {
  const ActuatorEfforts found = actuator_efforts();
  std::vector<double> effort(tree_.rate_count), actuation = found.efforts;
  for (std::size_t i = 0; i < independent_.size(); ++i) effort[independent_[i]] = found.missing[i];
  for (std::size_t i = 0; i < actuation.size(); ++i) {
    actuation[i] -= model_.actuators()[i].effort.value(state_.time);
  }
  return reactions_of(state_.qdd, effort, actuation);
}

}  // namespace torsor
