#include "torsor/assembly/consistent_rates.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/tree/inverse_dynamics.h"

namespace torsor {
namespace {

/// One number that the file names: row . v = value.
struct Wish {
  std::string key, name;
  Eigen::RowVectorXd row;
  double value = 0;
  bool angular = true;
};

std::vector<int> joints_in_play(const Model& model) {
  const std::vector<int> in_loops = joints_in_loops(model);
  std::set<int> joints(in_loops.begin(), in_loops.end());
  for (const auto& [name, state] : model.initial().bodies) {
    if (state.velocity || state.angular_velocity) {
      joints.insert(model.topology().carrier[model.body_index(name)]);
    }
  }
  return {joints.begin(), joints.end()};
}

/// Columns of the mass matrix, each by inverse dynamics: linear in the bodies, whatever hangs on the loops.
Eigen::MatrixXd kinetic_form(const Model& model, const std::vector<double>& q,
                             const std::vector<int>& rates) {
  Tree tree = make_tree(model);
  tree.gravity = {};
  const TreePart part(model);
  InverseDynamicsWorkspace<double> workspace(tree);
  const std::vector<double> tree_q = part.coordinates(q), rest(part.v.size(), 0.0);
  std::vector<int> place(model.rate_count(), -1);
  for (std::size_t i = 0; i < part.v.size(); ++i) place[part.v[i]] = static_cast<int>(i);
  std::vector<double> unit(part.v.size(), 0.0), effort(part.v.size());
  Eigen::MatrixXd M(rates.size(), rates.size());
  for (std::size_t column = 0; column < rates.size(); ++column) {
    unit[place[rates[column]]] = 1;
    inverse_dynamics<double>(tree, workspace, tree_q, rest, unit, {}, effort);
    unit[place[rates[column]]] = 0;
    for (std::size_t row = 0; row < rates.size(); ++row) M(row, column) = effort[place[rates[row]]];
  }
  return M;
}

class Rates {
 public:
  Rates(const Model& model, const std::vector<double>& q)
      : model_(model),
        tree_(model, q, joints_in_play(model)),
        loops_(tree_, loop_size(model, q)),
        G_(loops_.jacobian()),
        given_(Eigen::VectorXd::Zero(model.rate_count())) {
    for (const auto& [name, values] : model.initial().rates) wish_joint(name, values);
    for (const auto& [name, state] : model.initial().bodies) wish_body(name, state);
  }

  ConsistentRates solve() const {
    ConsistentRates result;
    for (const Wish& wish : wishes_) result.scale = larger(result.scale, std::abs(wish.value));
    Eigen::VectorXd v = nearest();
    judge(v, result);
    if (result.hold()) {
      keep_named(v);
    } else {
      v -= least_squares(G_, product(G_, v));
    }
    judge(v, result);
    result.qd = all_rates(v);
    return result;
  }

 private:
  void wish_joint(const std::string& name, const std::vector<double>& values) {
    if (values.empty()) return;
    const int j = model_.joint_index(name), first_rate = model_.rate_offset(j);
    const int count = static_cast<int>(values.size());
    const auto loop = std::find_if(loops_.loops.begin(), loops_.loops.end(),
                                   [&](const LoopState& l) { return l.joint == j; });
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(count, tree_.columns());
    if (loop != loops_.loops.end()) {
      rows = least_squares(loop->free, loop->motion);
    } else {
      for (int i = 0; i < count; ++i) given_[first_rate + i] = values[i];
      const auto found = std::find(tree_.rates().begin(), tree_.rates().end(), first_rate);
      if (found == tree_.rates().end()) return;
      rows.middleCols(found - tree_.rates().begin(), count).setIdentity();
    }
    for (int i = 0; i < count; ++i) {
      wishes_.push_back(
          {"initial.rates." + name, name, rows.row(i), values[i], is_angular(model_, first_rate + i)});
    }
  }

  void wish_body(const std::string& name, const InitialBody& state) {
    if (!state.velocity && !state.angular_velocity) return;
    const int body = model_.body_index(name);
    const Vec3<double> p_W = tree_.pose(body).position;
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(6, tree_.columns());
    tree_.add_motion(body, p_W, +1, motion);
    const Eigen::VectorXd carried = motion_of_the_rest(body, p_W);
    const auto wish = [&](const Vec3<double>& wanted, int row) {
      for (int i = 0; i < 3; ++i) {
        wishes_.push_back(
            {"initial.bodies." + name, name, motion.row(row + i), wanted[i] - carried[row + i], row == 0});
      }
    };
    if (state.angular_velocity) wish(*state.angular_velocity, 0);
    if (state.velocity) wish(*state.velocity, 3);
  }

  /// By the rates that are given and not in play.
  Eigen::VectorXd motion_of_the_rest(int body, const Vec3<double>& p_W) const {
    std::vector<int> way;
    for (int b = body; b != kWorld; b = model_.joints()[way.back()].parent) {
      way.push_back(model_.topology().carrier[b]);
    }
    const TreeMotion whole(model_, tree_.q(), way);
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(6, whole.columns());
    whole.add_motion(body, p_W, +1, motion);
    Eigen::VectorXd rates = given_(whole.rates());
    for (int c = 0; c < whole.columns(); ++c) {
      const auto& played = tree_.rates();
      if (std::find(played.begin(), played.end(), whole.rates()[c]) != played.end()) rates[c] = 0;
    }
    return product(motion, rates);
  }

  /// Loops exactly, wishes by least squares, and of all that do so the rates of least kinetic energy.
  Eigen::VectorXd nearest() const {
    if (wishes_.empty()) return Eigen::VectorXd::Zero(tree_.columns());
    const Eigen::MatrixXd Z = null_space(G_);
    Eigen::MatrixXd W(wishes_.size(), tree_.columns());
    Eigen::VectorXd w(wishes_.size());
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      W.row(static_cast<Eigen::Index>(i)) = wishes_[i].row;
      w[static_cast<Eigen::Index>(i)] = wishes_[i].value;
    }
    const Eigen::MatrixXd WZ = product(W, Z);
    const Eigen::VectorXd v = product(Z, least_squares(WZ, w));
    const Eigen::MatrixXd open = product(Z, null_space(WZ));
    if (open.cols() == 0 || v.isZero(0)) return v;
    const Eigen::MatrixXd M = kinetic_form(model_, tree_.q(), tree_.rates());
    const Eigen::MatrixXd across = product(open.transpose(), M);
    return v - product(open, least_squares(product(across, open), product(open.transpose(), product(M, v))));
  }

  /// Named rates of tree joints to the last bit; the others take up what rounding leaves.
  void keep_named(Eigen::VectorXd& v) const {
    std::vector<int> open;
    for (int c = 0; c < tree_.columns(); ++c) {
      const int rate = tree_.rates()[c];
      if (model_.initial().rates.count(model_.joints()[joint_of_rate(model_, rate)].name)) {
        v[c] = given_[rate];
      } else {
        open.push_back(c);
      }
    }
    const Eigen::MatrixXd G_open = G_(Eigen::all, open);
    v(open) -= least_squares(G_open, product(G_, v));
  }

  void judge(const Eigen::VectorXd& v, ConsistentRates& result) const {
    result.missed = 0;
    for (const Wish& wish : wishes_) {
      const double missed = std::abs(wish.row.dot(v) - wish.value);
      if (!(missed > result.missed)) continue;
      result.missed = missed;
      result.key = wish.key;
      result.name = wish.name;
      result.angular = wish.angular;
    }
  }

  std::vector<double> all_rates(const Eigen::VectorXd& v) const {
    std::vector<double> qd(given_.begin(), given_.end());
    for (int c = 0; c < tree_.columns(); ++c) qd[tree_.rates()[c]] = v[c];
    for (const LoopState& loop : loops_.loops) {
      if (loop.free.cols() == 0) continue;
      const Eigen::VectorXd own = least_squares(loop.free, product(loop.motion, v));
      std::copy(own.begin(), own.end(), qd.begin() + model_.rate_offset(loop.joint));
    }
    return qd;
  }

  const Model& model_;
  TreeMotion tree_;
  LoopConditions loops_;
  Eigen::MatrixXd G_;
  Eigen::VectorXd given_;  ///< rates of tree joints that the file names, by rates of all joints; else zero
  std::vector<Wish> wishes_;
};

}  // namespace

ConsistentRates consistent_rates(const Model& model, const std::vector<double>& q) {
  return Rates(model, q).solve();
}

}  // namespace torsor
