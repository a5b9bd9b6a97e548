#include "torsor/formulation/joint/joint.h"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/formulation/joint/joint.hpp"
#include "torsor/formulation/joint/stiffness.h"
#include "torsor/tree/collocation.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

const Model& supported(const Model& model) {
  refuse_unsupported(model);
  return model;
}

/// B has six rows a node, a column a rate.
void require_fit_for_frames(const Tree& tree) {
  constexpr double kMostEntries = 2e7;  // B, its rate and M* then take 0.4 GB, an evaluation seconds
  const double entries = 6.0 * tree.size() * tree.rate_count;
  if (entries <= kMostEntries) return;
  throw ModelError("simulation.dynamics",
                   fmt::format("'recursive' for a matrix of more than {:g} entries", kMostEntries),
                   fmt::format("'moving-frame', which is dense, for {} rates", tree.rate_count));
}

bool has_single_axes(const Tree& tree) {
  return std::all_of(tree.nodes.begin(), tree.nodes.end(),
                     [](const TreeNode& node) { return rate_count(node.joint) <= 1; });
}

Tree without_gravity(Tree tree) {
  tree.gravity = {};
  return tree;
}

}  // namespace

JointSystem::JointSystem(const Model& model, SystemInput input)
    : tree_(make_tree(supported(model))),
      weightless_(without_gravity(tree_)),
      elements_(make_joint_elements(model, tree_, std::move(input))),
      couplings_(model),
      has_quaternions_(tree_.coordinate_count > tree_.rate_count),
      is_flat_(has_single_axes(tree_)),
      acted_on_by_nothing_(!elements_.act_on_rates && !elements_.need_poses && couplings_.empty()),
      plain_(tree_),
      stages_(tree_),
      dual_(tree_),
      dual_q0_(tree_.coordinate_count),
      dual_q_(tree_.coordinate_count),
      dual_v_(tree_.rate_count),
      dual_increment_(tree_.rate_count),
      dual_a_(tree_.rate_count),
      step_(tree_),
      dual_step_(tree_),
      inverse_(tree_),
      rest_(tree_.rate_count),
      a_(tree_.rate_count),
      p_(elements_.flow_count()),
      effort_(tree_.rate_count),
      q_(tree_.coordinate_count) {
  if (model.simulation().dynamics == Dynamics::recursive) return;
  require_fit_for_frames(tree_);
  frames_.emplace(tree_);
}

void JointSystem::evaluate(double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> a, std::span<double> p) {
  if (!frames_) {
    accelerate<double>(plain_, t, q, v, a, p);
  } else {
    const std::span<const Wrench<double>> applied = set_forces<double>(plain_, t, q, v, p);
    moving_frame_dynamics<double>(tree_, *frames_, q, v, plain_.effort, applied, a);
  }
  if (!couplings_.empty()) hold_couplings(q, a);
}

void JointSystem::hold_couplings(std::span<const double> q, std::span<double> a) {
  couplings_.factorise([&](std::span<const double> effort, std::span<double> out) {
    forward_dynamics<double>(weightless_, plain_.dynamics, q, rest_, effort, {}, out);
  });
  couplings_.hold(a);
}

std::vector<double> JointSystem::start_flows(double t, std::span<const double> q) {
  std::vector<double> z(flow_count());
  if (state_count() == 0) return z;
  forward_kinematics<double>(tree_, q, rest_, plain_.X_W, plain_.V);
  const TreeView<double> view{tree_, t, q, rest_, plain_.X_W, plain_.V};
  for_each_element(elements_.lists, [&](const auto& element) {
    if constexpr (requires { element.start(view, std::span<double>(z)); }) element.start(view, z);
  });
  return z;
}

void JointSystem::evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                                   std::span<double> a, std::span<double> da_dv) {
  constexpr int kLanes = 8;
  const int n = rate_count();
  std::copy(q0.begin(), q0.end(), dual_q0_.begin());
  if (!couplings_.empty()) {
    for (int i = 0; i < n; ++i) a_[i] = s * v[i];
    torsor::retract<double>(tree_, q0, a_, q_);
    evaluate(t, q_, v, a, {});
    held_effort_.assign(couplings_.effort().begin(), couplings_.effort().end());
  }
  for (int first = 0; first < n; first += kLanes) {
    const int last = std::min(n, first + kLanes);
    for (int j = 0; j < n; ++j) {
      dual_v_[j] = j >= first && j < last ? Dual8::variable(v[j], j - first) : Dual8(v[j]);
      dual_increment_[j] = s * dual_v_[j];
    }
    torsor::retract<Dual8>(tree_, dual_q0_, dual_increment_, dual_q_);
    accelerate<Dual8>(dual_, t, dual_q_, dual_v_, dual_a_, {});
    for (int j = first; j < last; ++j) {
      for (int i = 0; i < n; ++i) da_dv[static_cast<std::size_t>(j) * n + i] = dual_a_[i].tangent[j - first];
    }
  }
  if (!couplings_.empty()) {
    // M a = f + C^T lambda and C a = 0: with lambda as it is, a changes by M^-1 C^T of the change of lambda.
    for (int j = 0; j < n; ++j) couplings_.hold(da_dv.subspan(static_cast<std::size_t>(j) * n, n));
    held_effort_.clear();
    return;
  }
  for (int i = 0; i < n; ++i) a[i] = dual_a_[i].value;
  if (!frames_) return;
  // A tangent only leads to where the residual vanishes: that of the recursion does for either dynamics.
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = dual_q_[i].value;
  evaluate(t, q_, v, a, {});
}

void JointSystem::retract(std::span<const double> q0, std::span<const double> increment,
                          std::span<double> q1) const {
  if (is_flat_) {
    for (std::size_t i = 0; i < q1.size(); ++i) q1[i] = q0[i] + increment[i];
    return;
  }
  torsor::retract<double>(tree_, q0, increment, q1);
  // exp is of unit length up to rounding, but a steady spin rounds the same way in every step: without this
  // the length drifts by 3e-12 in 1e5 steps.
  if (has_quaternions_) normalize(tree_, q1);
}

void JointSystem::chart_rate(std::span<const double> xi, std::span<const double> v,
                             std::span<double> xi_rate) const {
  if (is_flat_) {
    std::copy(v.begin(), v.end(), xi_rate.begin());
    return;
  }
  torsor::chart_rate<double>(tree_, xi, v, xi_rate);
}

void JointSystem::collocate(const StageStep& step, std::span<const double> V, std::span<double> Q,
                            std::span<double> dq) const {
  torsor::collocate(tree_, step.h, step.lean, step.b, step.q0, V, Q, dq, step.unit_quaternions);
}

std::unique_ptr<StiffInverse> JointSystem::make_stiff_inverse(int count) const {
  if (!couplings_.empty()) return nullptr;  // it knows forces along the tree alone
  return make_joint_stiffness(tree_, elements_, count);
}

void JointSystem::momenta(std::span<const double> q, std::span<const double> v, std::span<double> p) {
  lagrangian_derivatives<double>(tree_, step_.lagrangian, q, v, {}, p, step_.f);
  couplings_.replace_part(p, v);
}

void JointSystem::rates(std::span<const double> q, std::span<const double> p, std::span<double> v) {
  if (couplings_.empty()) return forward_dynamics<double>(weightless_, plain_.dynamics, q, rest_, p, {}, v);
  std::copy(p.begin(), p.end(), effort_.begin());
  couplings_.replace_part(effort_, {});
  forward_dynamics<double>(weightless_, plain_.dynamics, q, rest_, effort_, {}, v);
  hold_couplings(q, v);
  couplings_.replace_part(v, p);
}

void JointSystem::discrete_momenta(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                   std::span<double> p1, std::span<double> power) {
  std::copy(w.begin(), w.end(), step_.w.begin());
  set_discrete_momenta<double>(plain_, step_, step, power);
  std::copy(step_.p0.begin(), step_.p0.end(), p0.begin());
  std::copy(step_.p1.begin(), step_.p1.end(), p1.begin());
  couplings_.replace_part(p0, w);
  couplings_.replace_part(p1, w);
}

void JointSystem::discrete_tangent(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                                   std::span<double> dp0_dw) {
  constexpr int kLanes = 8;
  const int n = rate_count();
  for (int first = 0; first < n; first += kLanes) {
    const int last = std::min(n, first + kLanes);
    for (int j = 0; j < n; ++j) {
      dual_step_.w[j] = j >= first && j < last ? Dual8::variable(w[j], j - first) : Dual8(w[j]);
    }
    set_discrete_momenta<Dual8>(dual_, dual_step_, step, {});
    for (int j = first; j < last; ++j) {
      for (int i = 0; i < n; ++i) {
        dp0_dw[static_cast<std::size_t>(j) * n + i] = dual_step_.p0[i].tangent[j - first];
      }
    }
  }
  for (int i = 0; i < n; ++i) p0[i] = dual_step_.p0[i].value;
  if (couplings_.empty()) return;
  couplings_.replace_part(p0, w);
  std::vector<double>& unit = effort_;
  for (int j = 0; j < n; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    couplings_.replace_part(dp0_dw.subspan(static_cast<std::size_t>(j) * n, n), unit);
  }
}

void JointSystem::joint_wrenches(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<Wrench<double>> F) {
  evaluate(t, q, v, a_, p_);
  std::span<const Wrench<double>> applied;
  if (elements_.need_poses) applied = plain_.applied;
  inverse_dynamics<double>(tree_, inverse_, q, v, a_, applied, effort_);
  std::copy(inverse_.F.begin(), inverse_.F.end(), F.begin());
}

void JointSystem::switches(std::span<const double> q, std::span<double> distances) const {
  const std::vector<TreeStop>& stops = elements_.stops();
  const std::vector<TreeLengthStop>& length_stops = elements_.length_stops();
  for (std::size_t i = 0; i < stops.size(); ++i) distances[i] = stops[i].law.overshoot(q[stops[i].q]);
  if (length_stops.empty()) return;
  switch_poses_.resize(tree_.size());
  node_poses<double>(tree_, q, switch_poses_);
  for (std::size_t i = 0; i < length_stops.size(); ++i) {
    const TreeLengthStop& stop = length_stops[i];
    distances[stops.size() + i] =
        stop.law.overshoot(stop.path.stretch<double>({tree_, 0, q, {}, switch_poses_, {}}));
  }
}

void JointSystem::hold_switches(std::span<const char> touches) {
  auto& stops = std::get<std::vector<TreeStop>>(elements_.lists);
  auto& length_stops = std::get<std::vector<TreeLengthStop>>(elements_.lists);
  for (std::size_t i = 0; i < stops.size(); ++i) stops[i].held = touches[i] != 0;
  for (std::size_t i = 0; i < length_stops.size(); ++i) length_stops[i].held = touches[stops.size() + i] != 0;
}

void JointSystem::release_switches() {
  for (TreeStop& stop : std::get<std::vector<TreeStop>>(elements_.lists)) stop.held.reset();
  for (TreeLengthStop& stop : std::get<std::vector<TreeLengthStop>>(elements_.lists)) stop.held.reset();
}

}  // namespace torsor
