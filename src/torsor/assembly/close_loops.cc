#include "torsor/assembly/close_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <span>

#include "torsor/assembly/body_equations.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/rank.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

constexpr int kIterations = 200, kHalvings = 12;
constexpr double kLongestStep = 0.5;  ///< [rad], or of the mechanism's size

/// The conditions at one configuration: their values and derivatives.
struct Equations {
  Eigen::MatrixXd A;
  Eigen::VectorXd r;

  void add(const Eigen::MatrixXd& rows, const Eigen::VectorXd& values) {
    A.conservativeResize(A.rows() + rows.rows(), rows.cols());
    r.conservativeResize(r.size() + values.size());
    A.bottomRows(rows.rows()) = rows;
    r.tail(values.size()) = values;
  }
};

/// What moved() is made with, for whoever moves a model again and again.
class TreeMover {
 public:
  explicit TreeMover(const Model& model) : model_(model), part_(model), tree_(make_tree(model)) {}

  std::vector<double> moved(const std::vector<double>& q, const std::vector<int>& rates,
                            const Eigen::VectorXd& increment) const {
    std::vector<double> all(model_.rate_count(), 0.0), step, tree_q = part_.coordinates(q), result = q;
    for (std::size_t i = 0; i < rates.size(); ++i) all[rates[i]] = increment[static_cast<Eigen::Index>(i)];
    for (const int i : part_.v) step.push_back(all[i]);
    retract<double>(tree_, tree_q, step, tree_q);
    normalize(tree_, tree_q);
    std::vector<double> all_q = q;
    for (std::size_t i = 0; i < part_.q.size(); ++i) all_q[part_.q[i]] = tree_q[i];
    for (const int rate : rates) {  // the others keep every bit
      const int j = joint_of_rate(model_, rate);
      for (int i = model_.coordinate_offset(j); i < model_.coordinate_offset(j + 1); ++i)
        result[i] = all_q[i];
    }
    return result;
  }

 private:
  const Model& model_;
  TreePart part_;
  Tree tree_;
};

class Closer {
 public:
  Closer(const Model& model, const std::vector<double>& guess, const Held& held)
      : model_(model),
        guess_(guess),
        held_(held),
        mover_(model),
        X_WB_(body_poses(model, guess)),
        length_(loop_size(model, guess)) {
    std::vector<bool> moves(model.joints().size(), false);
    for (const int j : joints_in_loops(model)) moves[j] = true;
    for (std::size_t b = 0; b < X_WB_.size(); ++b) {
      if (held.bodies[b]) moves[model.topology().carrier[b]] = true;
    }
    for (std::size_t j = 0; j < moves.size(); ++j) {
      if (moves[j] && !held.joints[j]) joints_.push_back(static_cast<int>(j));
    }
    rates_ = TreeMotion(model, guess, joints_).rates();
    const bool holds_bodies = std::find(held.bodies.begin(), held.bodies.end(), true) != held.bodies.end();
    in_bodies_ = !holds_bodies && pays_in_bodies(model, static_cast<int>(rates_.size()));
  }

  Closing close_from(std::vector<double> q) const {
    Equations now = equations(q);
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      const double residual = worst(now);
      if (residual <= std::numeric_limits<double>::epsilon()) break;
      Eigen::VectorXd step = -correction(q, now);
      const double longest = max_abs(step);
      if (longest > kLongestStep) step *= kLongestStep / longest;
      bool shrank = false;
      std::vector<double> tried = q;
      for (int halving = 0; halving < kHalvings && !shrank; ++halving, step /= 2) {
        std::vector<double> next_q = mover_.moved(q, rates_, step);
        if (next_q == tried) continue;  // down at rounding, where most halvings end
        tried = next_q;
        Equations next = equations(next_q);
        shrank = next.r.norm() < now.r.norm();
        if (shrank) {
          now = std::move(next);
          q = std::move(next_q);
        }
      }
      if (!shrank) break;
    }
    return {q, worst(now)};
  }

  /// The guess with the joints that move displaced at random.
  std::vector<double> shaken(double reach, std::mt19937& generator) const {
    Eigen::VectorXd increment(static_cast<Eigen::Index>(rates_.size()));
    for (double& x : increment) {
      x = reach * (2 * (static_cast<double>(generator()) / std::mt19937::max()) - 1);
    }
    return mover_.moved(guess_, rates_, increment);
  }

 private:
  static double worst(const Equations& e) { return max_abs(e.r); }

  /// The shortest that makes up for the residual.
  Eigen::VectorXd correction(const std::vector<double>& q, const Equations& now) const {
    if (!in_bodies_) return least_squares(now.A, now.r);
    const TreeMotion tree(model_, q, {});
    const double unit = typical_length(tree);
    const std::vector<JointInBodies> joints = joints_in_bodies(tree, unit);
    Eigen::VectorXd residual = now.r;  // of loops, then of loop joints that are held
    const Eigen::VectorXd of_loops = LoopConditions(tree, unit).residual();
    residual.head(of_loops.size()) = of_loops;
    std::vector<BodyRows> conditions;
    for (const int j : model_.topology().loop_joints) {
      if (joints[j].blocked.count() > 0) conditions.push_back(joints[j].blocked);
    }
    for (const int j : model_.topology().loop_joints) {
      if (held_.joints[j] && joints[j].free.count() > 0) conditions.push_back(joints[j].free);
    }
    std::vector<bool> moves(model_.joints().size(), false);
    for (const int j : joints_) moves[j] = true;
    const std::vector<double> rest(model_.rate_count(), 0.0);
    const auto found = nearest_rates(model_, joints, moves, rest, conditions, residual);
    if (!found) return least_squares(equations(q, true).A, now.r);
    return Eigen::Map<const Eigen::VectorXd>(found->data(), static_cast<Eigen::Index>(found->size()))(rates_);
  }

  Equations equations(const std::vector<double>& q) const { return equations(q, !in_bodies_); }
  Equations equations(const std::vector<double>& q, bool with_derivatives) const {
    const TreeMotion tree(model_, q, with_derivatives ? joints_ : std::vector<int>{});
    const LoopConditions loops(tree, length_);
    Equations e{loops.jacobian(), loops.residual()};
    for (const LoopState& loop : loops.loops) {
      if (held_.joints[loop.joint]) hold_joint(loop, e);
    }
    for (std::size_t b = 0; b < X_WB_.size(); ++b) {
      if (held_.bodies[b]) hold_body(tree, static_cast<int>(b), e);
    }
    return e;
  }

  /// A loop joint's own coordinates shall be those of the guess; full turns do not count.
  void hold_joint(const LoopState& loop, Equations& e) const {
    const Joint& joint = model_.joints()[loop.joint];
    const auto wanted = std::span(guess_).subspan(model_.coordinate_offset(loop.joint));
    const SE3<double> off = inverse(joint_pose(joint, model_.dimension(), wanted)) *
                            joint_pose(joint, model_.dimension(), loop.q);
    if (loop.free.cols() == 0) return;
    Eigen::VectorXd error(6);
    error << eigen(act(loop.X_WK.rotation, log(off.rotation))), eigen(act(loop.X_WK.rotation, off.position));
    e.add(least_squares(loop.free, loop.motion), least_squares(loop.free, error));
  }

  void hold_body(const TreeMotion& tree, int body, Equations& e) const {
    const InitialBody& state = model_.initial().bodies.at(model_.bodies()[body].name);
    const SE3<double> pose = tree.pose(body);
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(6, tree.columns());
    tree.add_motion(body, pose.position, +1, motion);
    if (state.rotation) {
      e.add(motion.topRows(3), eigen(log(pose.rotation * inverse(X_WB_[body].rotation))));
    }
    if (state.position) {
      e.add(motion.bottomRows(3) / length_, eigen(pose.position - X_WB_[body].position) / length_);
    }
  }

  const Model& model_;
  const std::vector<double>& guess_;
  const Held& held_;
  TreeMover mover_;
  std::vector<SE3<double>> X_WB_;  ///< of the guess
  double length_;
  std::vector<int> joints_, rates_;  ///< that move
  bool in_bodies_;                   ///< steps are found in the twists of bodies
};

/// The same pose with angles and the sign of quaternions as near as can be to `said`.
void count_turns(JointType type, int dimension, std::span<const double> said, std::span<double> q) {
  if (has_pitch(type)) return;  // the advance counts them
  const Components all = components(type, dimension);
  for (int i = 0; i < all.angles; ++i) {
    const double full = 2 * std::numbers::pi;
    q[i] += full * std::round((said[i] - q[i]) / full);
  }
  if (all.quaternions == 0) return;
  double same = 0;
  for (int i = 0; i < 4; ++i) same += q[i] * said[i];
  if (same < 0) std::for_each(q.begin(), q.begin() + 4, [](double& x) { x = -x; });
}

}  // namespace

TreePart::TreePart(const Model& model) {
  std::vector<bool> in_tree(model.joints().size(), true);
  for (const int j : model.topology().loop_joints) in_tree[j] = false;
  for (int j = 0; j < static_cast<int>(in_tree.size()); ++j) {
    if (!in_tree[j]) continue;
    for (int i = model.coordinate_offset(j); i < model.coordinate_offset(j + 1); ++i) q.push_back(i);
    for (int i = model.rate_offset(j); i < model.rate_offset(j + 1); ++i) v.push_back(i);
  }
}

std::vector<double> TreePart::coordinates(const std::vector<double>& all) const {
  std::vector<double> part;
  part.reserve(q.size());
  for (const int i : q) part.push_back(all[i]);
  return part;
}

int joint_of_rate(const Model& model, int rate) {
  int first = 0, last = static_cast<int>(model.joints().size());
  while (last - first > 1) {
    const int middle = (first + last) / 2;
    (model.rate_offset(middle) <= rate ? first : last) = middle;
  }
  return first;
}

bool is_angular(const Model& model, int rate) {
  const int j = joint_of_rate(model, rate);
  return rate - model.rate_offset(j) < components(model.joints()[j].type, model.dimension()).turns();
}

std::vector<double> moved(const Model& model, const std::vector<double>& q, const std::vector<int>& rates,
                          const Eigen::VectorXd& increment) {
  return TreeMover(model).moved(q, rates, increment);
}

std::vector<double> difference(const Model& model, const std::vector<double>& q0,
                               const std::vector<double>& q1) {
  const TreePart part(model);
  std::vector<double> increment(part.v.size()), all(model.rate_count(), 0.0);
  configuration_difference<double>(make_tree(model), part.coordinates(q0), part.coordinates(q1), increment);
  for (std::size_t i = 0; i < part.v.size(); ++i) all[part.v[i]] = increment[i];
  return all;
}

void set_loop_coordinates(const Model& model, const std::vector<double>& guess, std::vector<double>& q) {
  const LoopConditions loops(TreeMotion(model, q, {}), loop_size(model, q));
  for (const LoopState& loop : loops.loops) {
    const int first = model.coordinate_offset(loop.joint);
    std::copy(loop.q.begin(), loop.q.end(), q.begin() + first);
    count_turns(model.joints()[loop.joint].type, model.dimension(),
                std::span(guess).subspan(first, loop.q.size()), std::span(q).subspan(first, loop.q.size()));
  }
}

Closing close_loops(const Model& model, const std::vector<double>& guess, const Held& held, int starts) {
  const Closer closer(model, guess, held);
  Closing best = closer.close_from(guess);
  std::mt19937 generator(1);
  for (int start = 1; start < starts && !best.closed(); ++start) {
    // From a twentieth of a radian to about three.
    const double reach = 0.05 * std::pow(1.45, start - 1);
    Closing other = closer.close_from(closer.shaken(reach, generator));
    if (other.residual < best.residual) best = std::move(other);
  }
  return best;
}

}  // namespace torsor
