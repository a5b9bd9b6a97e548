#include "torsor/assembly/consistent_rates.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/assembly/body_equations.h"
#include "torsor/assembly/close_loops.h"
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

/// About the centre of mass in world axes, lengths over `length`.
Eigen::MatrixXd mass_matrix(const Body& body, const SE3<double>& pose, int dimension, double length) {
  const Sym3<double> J = rotate(matrix(pose.rotation), body.inertia);
  const double s = 1 / (length * length);
  Eigen::MatrixXd M = body.mass * Eigen::MatrixXd::Identity(6, 6);
  M.topLeftCorner(3, 3) << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  M.topLeftCorner(3, 3) *= s;
  const std::vector<int> live = live_rows(dimension);
  return M(live, live);
}

/// In the twists of bodies, where no body is named: what is named as conditions beside those of joints, and of all
/// motions that fulfil them the one of least kinetic energy. Empty where there is none.
std::optional<ConsistentRates> rates_in_bodies(const Model& model, const std::vector<double>& q) {
  const TreeMotion tree(model, q, {});
  const double length = typical_length(tree);
  const std::vector<JointInBodies> joints = joints_in_bodies(tree, length);
  const std::vector<int> loops = joints_in_loops(model);
  std::vector<bool> open(joints.size(), false);  // in loops, and not named
  for (const int j : loops) open[j] = true;
  for (const int j : model.topology().loop_joints) open[j] = true;
  ConsistentRates result;
  result.qd.assign(model.rate_count(), 0.0);
  for (const auto& [name, values] : model.initial().rates) {
    const int j = model.joint_index(name);
    if (values.empty()) continue;
    if (open[j]) result.scale = larger(result.scale, max_abs(values));
    open[j] = false;
    std::copy(values.begin(), values.end(), result.qd.begin() + model.rate_offset(j));
  }
  if (result.scale == 0) return result;

  BodyProblem problem{static_cast<int>(model.bodies().size()), model.dimension(), {}, {}, {}, {}, {}};
  double mass = 0;
  for (const Body& body : model.bodies()) mass += body.mass / problem.bodies;
  for (int b = 0; b < problem.bodies; ++b) {
    problem.masses.push_back(mass_matrix(model.bodies()[b], tree.pose(b), model.dimension(), length) / mass);
  }
  std::vector<double> values;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int first = model.rate_offset(static_cast<int>(j));
    BodyRows rows = open[j] ? joints[j].blocked : joints[j].all();
    values.insert(values.end(), joints[j].blocked.count(), 0.0);
    for (int i = 0; !open[j] && i < joints[j].free.count(); ++i) values.push_back(result.qd[first + i]);
    if (rows.count() > 0) problem.conditions.push_back(std::move(rows));
    const std::vector<double>& armature = model.joints()[j].armature;
    if (armature.empty()) continue;
    BodyRows rotors = joints[j].free;
    for (Eigen::MatrixXd& part : rotors.parts) {
      for (Eigen::Index i = 0; i < part.rows(); ++i) {
        part.row(i) *= std::sqrt(armature[i] / (mass * length * length));
      }
    }
    problem.squares.push_back(std::move(rotors));
  }
  problem.values = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  const std::optional<Eigen::VectorXd> V = torsor::solve(problem);
  if (!V) return std::nullopt;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int first = model.rate_offset(static_cast<int>(j));
    const Eigen::VectorXd own = joints[j].free.times(*V);
    keep_largest(result.missed, max_abs(joints[j].blocked.times(*V)));
    for (Eigen::Index i = 0; i < own.size(); ++i) {
      if (!open[j]) keep_largest(result.missed, std::abs(own[i] - result.qd[first + i]));
      if (open[j]) result.qd[first + i] = own[i];
    }
  }
  if (!result.hold()) return std::nullopt;
  return result;
}

}  // namespace

ConsistentRates consistent_rates(const Model& model, const std::vector<double>& q) {
  const auto& bodies = model.initial().bodies;
  const bool names_bodies = std::any_of(bodies.begin(), bodies.end(), [](const auto& body) {
    return body.second.velocity || body.second.angular_velocity;
  });
  if (!names_bodies && pays_in_bodies(model, model.topology().tree_dof)) {
    if (const auto found = rates_in_bodies(model, q)) return *found;
  }
  return Rates(model, q).solve();
}

}  // namespace torsor
