#include "torsor/assembly/loop_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/numerics/sparse_rows.h"

namespace torsor {
namespace {

constexpr double kRounding = 1e-13;  ///< of motions that cancel, over their size

/// Of the motions of all loops, and of the conditions that are made of them.
void require_room(double rows, double columns) {
  if (rows * columns <= kMostLoopEntries) return;
  throw ModelError("joints",
                   fmt::format("loops whose conditions times rates are at most {:.0e}", kMostLoopEntries),
                   fmt::format("{} conditions and {} rates", rows, columns));
}

/// An orthonormal basis of the directions that no column of `free` has a part in, within the live rows.
Eigen::MatrixXd complement(const Eigen::MatrixXd& free, int dimension) {
  const std::vector<int> live = live_rows(dimension);
  const int rows = static_cast<int>(live.size()), columns = static_cast<int>(free.cols());
  Eigen::MatrixXd blocked = Eigen::MatrixXd::Zero(6, rows - columns);
  blocked(live, Eigen::all) = orthogonal_complement(free(live, Eigen::all));
  return blocked;
}

Eigen::MatrixXd scaled(Eigen::MatrixXd rows, double length) {
  rows.bottomRows(3) /= length;
  return rows;
}

/// The screws of a joint's own rates in world axes at the origin of K.
Eigen::MatrixXd own_motion(const Joint& joint, int dimension, std::span<const double> q,
                           const SO3<double>& R_WK) {
  const int count = rate_count(joint.type, dimension);
  Eigen::MatrixXd motion(6, count);
  for (int i = 0; i < count; ++i) {
    std::vector<double> unit(count);
    unit[i] = 1;
    const Twist<double> V = joint_twist(joint, dimension, q, unit);
    motion.col(i) << eigen(act(R_WK, V.angular)), eigen(act(R_WK, V.linear));
  }
  return motion;
}

/// The last body on the way to both; the world is one, too.
int common_carrier(const Model& model, int a, int b) {
  const auto way = [&](int body) {
    std::vector<int> bodies;
    for (; body != kWorld; body = model.joints()[model.topology().carrier[body]].parent)
      bodies.push_back(body);
    return bodies;
  };
  const std::vector<int> to_a = way(a), to_b = way(b);
  int common = kWorld;
  for (auto i = to_a.rbegin(), j = to_b.rbegin(); i != to_a.rend() && j != to_b.rend() && *i == *j;
       ++i, ++j) {
    common = *i;
  }
  return common;
}

/// The coordinate of a loop joint nearest to the poses, with the full turns of the guess, and its rate by those of
/// the tree.
struct LoopCoordinate {
  double value;
  Eigen::RowVectorXd row;
};
LoopCoordinate loop_coordinate(const TreeMotion& tree, const LoopState& loop, int i, bool turns,
                               double length) {
  const double guess = tree.q()[tree.model().coordinate_offset(loop.joint) + i];
  const double turn = 2 * std::numbers::pi;
  const double counted = turns ? turn * std::round((guess - loop.q[i]) / turn) : 0;
  const Eigen::MatrixXd rates = least_squares(scaled(loop.free, length), scaled(loop.motion, length));
  return {loop.q[i] + counted, rates.row(i)};
}

CouplingState coupling_state(const TreeMotion& tree, const std::vector<LoopState>& loops,
                             const Coupling& coupling, double length) {
  const Model& model = tree.model();
  const auto turns = [&](const Coupling::Term& term) {
    return term.coordinate < components(model.joints()[term.joint].type, model.dimension()).angles;
  };
  CouplingState state;
  state.row = Eigen::RowVectorXd::Zero(tree.columns());
  state.error = -coupling.offset;
  state.angular = turns(coupling.terms.front());
  double unit = 0;
  for (const Coupling::Term& term : coupling.terms) {
    keep_largest(unit, std::abs(term.factor) * (turns(term) ? 1 : length));
    const auto closes = std::find_if(loops.begin(), loops.end(),
                                     [&](const LoopState& loop) { return loop.joint == term.joint; });
    if (closes != loops.end()) {
      const LoopCoordinate own = loop_coordinate(tree, *closes, term.coordinate, turns(term), length);
      state.error += term.factor * own.value;
      state.row += term.factor * own.row;
      continue;
    }
    state.error += term.factor * tree.q()[model.coordinate_offset(term.joint) + term.coordinate];
    const auto& rates = tree.rates();
    const auto found = std::find(rates.begin(), rates.end(), model.rate_offset(term.joint) + term.coordinate);
    if (found != rates.end()) state.row[found - rates.begin()] += term.factor;
  }
  state.scale = 1 / unit;
  return state;
}

}  // namespace

std::vector<int> live_rows(int dimension) {
  return dimension == 2 ? std::vector<int>{2, 3, 4} : std::vector<int>{0, 1, 2, 3, 4, 5};
}

JointDirections joint_directions(const Joint& joint, int dimension, std::span<const double> q,
                                 const SO3<double>& R_WK, double length) {
  const Eigen::MatrixXd free = own_motion(joint, dimension, q, R_WK);
  return {free, complement(scaled(free, length), dimension)};
}

TreeMotion::TreeMotion(const Model& model, const std::vector<double>& q, const std::vector<int>& joints)
    : model_(model), q_(q), X_WB_(body_poses(model, q)), column_(model.joints().size(), -1) {
  for (const int j : joints) {
    const Joint& joint = model.joints()[j];
    column_[j] = columns();
    const SE3<double> X_WK = pose(joint.child) * joint.in_child;
    const int first = model.coordinate_offset(j), count = rate_count(joint.type, model.dimension());
    for (int i = 0; i < count; ++i) {
      std::vector<double> unit(count);
      unit[i] = 1;
      rates_.push_back(model.rate_offset(j) + i);
      screw_.push_back(Ad(X_WK, joint_twist(joint, model.dimension(), std::span(q_).subspan(first), unit)));
    }
  }
}

void TreeMotion::add_motion(int body, const Vec3<double>& p_W, double sign, Eigen::Ref<Eigen::MatrixXd> rows,
                            int carrier) const {
  for (int j; body != carrier; body = model_.joints()[j].parent) {
    j = model_.topology().carrier[body];
    if (column_[j] < 0) continue;
    const int count = rate_count(model_.joints()[j].type, model_.dimension());
    for (int c = column_[j]; c < column_[j] + count; ++c) {
      const Twist<double>& V = screw_[c];
      rows.col(c).head(3) += sign * eigen(V.angular);
      rows.col(c).tail(3) += sign * eigen(V.linear + cross(V.angular, p_W));
    }
  }
}

LoopConditions::LoopConditions(const TreeMotion& tree, double length_unit)
    : length(length_unit), columns_(tree.columns()) {
  const Model& model = tree.model();
  require_room(condition_count(model), columns_);
  const int dimension = model.dimension();
  const bool large = model.topology().loop_constraints * tree.columns() >= kLargeMatrix;
  for (const int j : model.topology().loop_joints) {
    const Joint& joint = model.joints()[j];
    LoopState loop;
    loop.joint = j;
    loop.X_WK = tree.pose(joint.child) * joint.in_child;
    const SE3<double> X_WJ = tree.pose(joint.parent) * joint.in_parent;
    loop.q = joint_coordinates(joint, dimension, inverse(X_WJ) * loop.X_WK);

    const SE3<double> X_W_reached = X_WJ * joint_pose(joint, dimension, loop.q);
    const SE3<double> off = inverse(X_W_reached) * loop.X_WK;
    loop.error.resize(6);
    loop.error << eigen(act(X_W_reached.rotation, log(off.rotation))),
        eigen(loop.X_WK.position - X_W_reached.position);
    loop.motion = Eigen::MatrixXd::Zero(6, tree.columns());
    // What carries the whole loop turns its gap, and does nothing else: a large matrix is rather left sparse.
    const int carrier = large ? common_carrier(model, joint.child, joint.parent) : kWorld;
    tree.add_motion(joint.child, loop.X_WK.position, +1, loop.motion, carrier);
    tree.add_motion(joint.parent, X_W_reached.position, -1, loop.motion, carrier);
    JointDirections its = joint_directions(joint, dimension, loop.q, X_W_reached.rotation, length);
    loop.free = std::move(its.free);
    loop.blocked = std::move(its.blocked);
    loops.push_back(std::move(loop));
  }
  for (std::size_t i = 0; i < model.couplings().size(); ++i) {
    couplings.push_back(coupling_state(tree, loops, model.couplings()[i], length));
    couplings.back().coupling = static_cast<int>(i);
  }
}

Eigen::MatrixXd LoopConditions::jacobian() const {
  const Eigen::Index rows = loop_rows() + static_cast<Eigen::Index>(couplings.size());
  Eigen::MatrixXd G(rows, columns_);
  Eigen::Index row = 0;
  for (const LoopState& loop : loops) {
    G.middleRows(row, loop.blocked.cols()) = product(loop.blocked.transpose(), scaled(loop.motion, length));
    row += loop.blocked.cols();
  }
  // Where loops only repeat the tree's joints, all entries are rounding, which has a rank like any other.
  double lever = 1 + 1 / length;
  for (const LoopState& loop : loops) keep_largest(lever, norm(loop.X_WK.position) / length);
  if (max_abs(G.topRows(row)) <= kRounding * lever) G.topRows(row).setZero();
  for (const CouplingState& coupling : couplings) G.row(row++) = coupling.scale * coupling.row;
  return G;
}

Eigen::VectorXd LoopConditions::residual() const {
  Eigen::VectorXd g(loop_rows() + static_cast<Eigen::Index>(couplings.size()));
  Eigen::Index row = 0;
  for (const LoopState& loop : loops) {
    g.segment(row, loop.blocked.cols()) = product(loop.blocked.transpose(), scaled(loop.error, length));
    row += loop.blocked.cols();
  }
  for (const CouplingState& coupling : couplings) g[row++] = coupling.scale * coupling.error;
  return g;
}

Eigen::Index LoopConditions::loop_rows() const {
  Eigen::Index rows = 0;
  for (const LoopState& loop : loops) rows += loop.blocked.cols();
  return rows;
}

bool has_conditions(const Model& model) { return !model.topology().is_tree() || !model.couplings().empty(); }

int condition_count(const Model& model) {
  return model.topology().loop_constraints + static_cast<int>(model.couplings().size());
}

std::vector<int> joints_of_loop(const Model& model, int loop_joint) {
  std::vector<int> visits(model.joints().size(), 0);
  const auto walk = [&](int body) {
    for (int j; body != kWorld; body = model.joints()[j].parent) {
      j = model.topology().carrier[body];
      ++visits[j];
    }
  };
  walk(model.joints()[loop_joint].parent);
  walk(model.joints()[loop_joint].child);
  std::vector<int> joints;
  for (std::size_t j = 0; j < visits.size(); ++j) {
    if (visits[j] == 1) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

std::vector<int> joints_in_loops(const Model& model) {
  std::vector<bool> inside(model.joints().size(), false);
  std::vector<int> met(model.bodies().size(),
                       -1);  // on the way from the parent of which loop joint to the world
  const auto carrier = [&](int body) { return model.topology().carrier[body]; };
  for (const int loop : model.topology().loop_joints) {
    const Joint& closing = model.joints()[loop];
    for (int body = closing.parent; body != kWorld; body = model.joints()[carrier(body)].parent)
      met[body] = loop;
    int common = closing.child;
    for (; common != kWorld && met[common] != loop; common = model.joints()[carrier(common)].parent) {
      inside[carrier(common)] = true;
    }
    for (int body = closing.parent; body != common; body = model.joints()[carrier(body)].parent) {
      inside[carrier(body)] = true;
    }
  }
  for (const Coupling& coupling : model.couplings()) {
    for (const Coupling::Term& term : coupling.terms) inside[term.joint] = true;
  }
  for (const int loop : model.topology().loop_joints) inside[loop] = false;
  std::vector<int> joints;
  for (std::size_t j = 0; j < inside.size(); ++j) {
    if (inside[j]) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

double loop_size(const Model& model, const std::vector<double>& q) {
  const TreeMotion tree(model, q, {});
  std::vector<int> joints = joints_in_loops(model);
  joints.insert(joints.end(), model.topology().loop_joints.begin(), model.topology().loop_joints.end());
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3<double> low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  const auto extend = [&](const Vec3<double>& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  };
  for (const int j : joints) {
    const Joint& joint = model.joints()[j];
    extend((tree.pose(joint.parent) * joint.in_parent).position);
    extend((tree.pose(joint.child) * joint.in_child).position);
  }
  const double size = joints.empty() ? 0 : norm(high - low);
  return size > 0 ? size : 1;
}

}  // namespace torsor
