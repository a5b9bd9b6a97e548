#include "torsor/assembly/body_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/numerics/sparse_kkt.h"
#include "torsor/numerics/sparse_rows.h"

namespace torsor {
namespace {

/// Of the rows of conditions, against those that depend on others; what it takes from the rest, refinement brings
/// back.
constexpr double kShift = 1e-12;
constexpr int kRefinements = 40;
constexpr double kSolved = 4e-16;  ///< what is left of conditions, over the values

/// What a body's twist about c does at the point p, all of it as (angular, linear / length) in world axes.
Eigen::MatrixXd carried_to(const Vec3<double>& c, const Vec3<double>& p, double length) {
  Eigen::MatrixXd carried = Eigen::MatrixXd::Identity(6, 6);
  const Vec3<double> r = (1 / length) * (p - c);
  carried.block(3, 0, 3, 3) << 0, r.z, -r.y, -r.z, 0, r.x, r.y, -r.x, 0;  // omega x r
  return carried;
}

template <int W>
class Solver {
 public:
  explicit Solver(const BodyProblem& problem) : problem_(problem), kkt_(pattern(problem)) { fill(); }

  std::optional<Eigen::VectorXd> solve() {
    kkt_.shift_joints(-kShift, std::vector<double>(kkt_.size(), 1.0));
    if (!kkt_.factorise()) return std::nullopt;
    Eigen::Index rows = 0;
    for (const BodyRows& condition : problem_.conditions) rows += condition.count();
    Eigen::VectorXd V = Eigen::VectorXd::Zero(W * problem_.bodies), multipliers = Eigen::VectorXd::Zero(rows);
    const Eigen::VectorXd values = problem_.values.size() > 0 ? problem_.values : multipliers;
    const Eigen::VectorXd pull = problem_.pull.size() > 0 ? problem_.pull : V;
    Eigen::VectorXd best = V;
    double least = std::numeric_limits<double>::infinity();
    int stuck = 0;
    for (int i = 0; i < kRefinements && stuck < 3; ++i) {
      Eigen::VectorXd on_bodies = pull, on_rows = values;
      take_off(V, multipliers, on_bodies, on_rows);
      const double left = larger(max_abs(on_rows), i == 0 ? max_abs(on_bodies) : 0.0);
      if (!std::isfinite(left)) return std::nullopt;
      stuck = left <= 0.5 * least ? 0 : stuck + 1;
      if (left < least && i > 0) {
        least = left;
        best = V;
      }
      if (i > 1 && left <= kSolved * larger(max_abs(values), max_abs(V))) break;
      correct(on_bodies, on_rows, V, multipliers);
    }
    return best;
  }

 private:
  static SparsePattern pattern(const BodyProblem& problem) {
    SparsePattern made;
    made.bodies = problem.bodies;
    for (const BodyRows& rows : problem.conditions) {
      made.joints.push_back({{rows.bodies[0], rows.bodies[1]}, rows.count()});
      made.units.insert(made.units.end(), rows.count(), 1.0);
    }
    for (const BodyRows& rows : problem.squares) {
      if (rows.bodies[0] != kWorld && rows.bodies[1] != kWorld)
        made.couplings.emplace_back(rows.bodies[0], rows.bodies[1]);
    }
    return made;
  }

  template <class Use>
  static void for_each_part(const BodyRows& rows, Use&& use) {
    for (int side = 0; side < 2; ++side) {
      if (rows.bodies[side] != kWorld) use(rows.bodies[side], rows.parts[side]);
    }
  }

  void fill() {
    kkt_.clear();
    for (std::size_t body = 0; body < problem_.masses.size(); ++body) {
      const int node = static_cast<int>(body);
      add(kkt_.at(kkt_.place(node, node)), problem_.masses[body]);
    }
    for (const BodyRows& rows : problem_.squares) {
      for_each_part(rows, [&](int a, const Eigen::MatrixXd& left) {
        for_each_part(rows, [&](int b, const Eigen::MatrixXd& right) {
          add(kkt_.at(kkt_.place(a, b)), product(left.transpose(), right));
        });
      });
    }
    for (std::size_t j = 0; j < problem_.conditions.size(); ++j) {
      const int joint = kkt_.joint(static_cast<int>(j));
      for_each_part(problem_.conditions[j], [&](int body, const Eigen::MatrixXd& C) {
        add(kkt_.at(kkt_.place(joint, body)), C);
        add(kkt_.at(kkt_.place(body, joint)), C.transpose());
      });
    }
  }

  static void add(const BlockView& block, const Eigen::MatrixXd& values) {
    for (int i = 0; i < values.rows(); ++i) {
      for (int k = 0; k < values.cols(); ++k) block(i, k) += values(i, k);
    }
  }

  /// The right side minus the matrix times what is found, the shift not counted.
  void take_off(const Eigen::VectorXd& V, const Eigen::VectorXd& multipliers, Eigen::VectorXd& on_bodies,
                Eigen::VectorXd& on_rows) const {
    for (std::size_t body = 0; body < problem_.masses.size(); ++body) {
      const Eigen::Index at = W * static_cast<Eigen::Index>(body);
      on_bodies.segment(at, W) -= product(problem_.masses[body], V.segment(at, W));
    }
    for (const BodyRows& rows : problem_.squares) rows.add_transposed(-rows.times(V), on_bodies);
    Eigen::Index row = 0;
    for (const BodyRows& rows : problem_.conditions) {
      const int count = rows.count();
      on_rows.segment(row, count) -= rows.times(V);
      rows.add_transposed(-multipliers.segment(row, count), on_bodies);
      row += count;
    }
  }

  void correct(const Eigen::VectorXd& on_bodies, const Eigen::VectorXd& on_rows, Eigen::VectorXd& V,
               Eigen::VectorXd& multipliers) {
    std::vector<double> x(kkt_.size());
    for (int body = 0; body < problem_.bodies; ++body) {
      std::copy_n(&on_bodies[W * body], W, &x[kkt_.offset(body)]);
    }
    Eigen::Index row = 0;
    const auto for_each_row = [&](auto&& use) {
      row = 0;
      for (std::size_t j = 0; j < problem_.conditions.size(); ++j) {
        const int at = kkt_.offset(kkt_.joint(static_cast<int>(j)));
        for (int i = 0; i < problem_.conditions[j].count(); ++i) use(row++, at + i);
      }
    };
    for_each_row([&](Eigen::Index i, int at) { x[at] = on_rows[i]; });
    kkt_.solve(x);
    for (int body = 0; body < problem_.bodies; ++body) {
      for (int i = 0; i < W; ++i) V[W * body + i] += x[kkt_.offset(body) + i];
    }
    for_each_row([&](Eigen::Index i, int at) { multipliers[i] += x[at]; });
  }

  const BodyProblem& problem_;
  SparseKkt<W> kkt_;
};

}  // namespace

Eigen::VectorXd BodyRows::times(const Eigen::VectorXd& twists) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(count());
  for (int side = 0; side < 2; ++side) {
    if (bodies[side] == kWorld) continue;
    const Eigen::MatrixXd& part = parts[side];
    for (Eigen::Index k = 0; k < part.cols(); ++k) {
      result += twists[part.cols() * bodies[side] + k] * part.col(k);
    }
  }
  return result;
}

void BodyRows::add_transposed(const Eigen::VectorXd& factors, Eigen::VectorXd& sum) const {
  for (int side = 0; side < 2; ++side) {
    if (bodies[side] == kWorld) continue;
    const Eigen::MatrixXd& part = parts[side];
    for (Eigen::Index k = 0; k < part.cols(); ++k) {
      sum[part.cols() * bodies[side] + k] += part.col(k).dot(factors);
    }
  }
}

BodyRows JointInBodies::all() const {
  BodyRows both{blocked.bodies, {}};
  for (int side = 0; side < 2; ++side) {
    if (both.bodies[side] == kWorld) continue;
    both.parts[side].resize(blocked.parts[side].rows() + free.parts[side].rows(), free.parts[side].cols());
    both.parts[side] << blocked.parts[side], free.parts[side];
  }
  return both;
}

double typical_length(const TreeMotion& tree) {
  const Model& model = tree.model();
  std::vector<std::vector<Vec3<double>>> joints(model.bodies().size());
  for (const Joint& joint : model.joints()) {
    const Vec3<double> p = (tree.pose(joint.child) * joint.in_child).position;
    joints[joint.child].push_back(p);
    if (joint.parent != kWorld) joints[joint.parent].push_back(p);
  }
  double sum = 0;
  int count = 0;
  for (const std::vector<Vec3<double>>& of_body : joints) {
    for (std::size_t i = 1; i < of_body.size(); ++i, ++count) sum += norm(of_body[i] - of_body[i - 1]);
  }
  return sum > 0 ? sum / count : 1;
}

std::vector<JointInBodies> joints_in_bodies(const TreeMotion& tree, double length) {
  const Model& model = tree.model();
  const int dimension = model.dimension();
  const std::vector<int> live = live_rows(dimension);
  std::vector<JointInBodies> all;
  for (const Joint& joint : model.joints()) {
    const SE3<double> X_WJ = tree.pose(joint.parent) * joint.in_parent;
    const SE3<double> X_WK = tree.pose(joint.child) * joint.in_child;
    const std::vector<double> q = joint_coordinates(joint, dimension, inverse(X_WJ) * X_WK);
    const SE3<double> X_W_reached = X_WJ * joint_pose(joint, dimension, q);
    JointDirections its = joint_directions(joint, dimension, q, X_W_reached.rotation, length);
    its.free.bottomRows(3) /= length;
    JointInBodies& rows = all.emplace_back();
    rows.blocked.bodies = rows.free.bodies = {joint.child, joint.parent};
    for (int side = 0; side < 2; ++side) {
      const int body = rows.free.bodies[side];
      if (body == kWorld) continue;
      const Vec3<double> com = act(tree.pose(body), model.bodies()[body].com);
      const Vec3<double>& at = side == 0 ? X_WK.position : X_W_reached.position;
      const Eigen::MatrixXd carried = (side == 0 ? 1 : -1) * carried_to(com, at, length)(Eigen::all, live);
      rows.blocked.parts[side] = product(its.blocked.transpose(), carried);
      rows.free.parts[side] = least_squares(its.free, carried);
    }
  }
  return all;
}

std::optional<Eigen::VectorXd> solve(const BodyProblem& problem) {
  return problem.dimension == 2 ? Solver<3>(problem).solve() : Solver<6>(problem).solve();
}

bool pays_in_bodies(const Model& model, int rates) {
  return model.couplings().empty() &&
         static_cast<double>(model.topology().loop_constraints) * rates >= kLargeMatrix;
}

std::optional<std::vector<double>> nearest_rates(const Model& model, const std::vector<JointInBodies>& joints,
                                                 const std::vector<bool>& moves,
                                                 const std::vector<double>& wanted,
                                                 const std::vector<BodyRows>& conditions,
                                                 const Eigen::VectorXd& values) {
  BodyProblem problem{static_cast<int>(model.bodies().size()), model.dimension(), {}, {}, {}, {}, {}};
  problem.pull = Eigen::VectorXd::Zero(problem.bodies * problem.width());
  Eigen::Index still = 0;
  for (const int j : model.topology().carrier) {
    const JointInBodies& joint = joints[j];
    problem.squares.push_back(joint.all());
    const BodyRows held = moves[j] ? joint.blocked : joint.all();
    if (held.count() > 0) problem.conditions.push_back(held);
    still += held.count();
    if (!moves[j]) continue;
    joint.free.add_transposed(
        Eigen::Map<const Eigen::VectorXd>(&wanted[model.rate_offset(j)], joint.free.count()), problem.pull);
  }
  problem.conditions.insert(problem.conditions.end(), conditions.begin(), conditions.end());
  problem.values = Eigen::VectorXd::Zero(still + values.size());
  problem.values.tail(values.size()) = values;
  const std::optional<Eigen::VectorXd> V = solve(problem);
  if (!V) return std::nullopt;
  std::vector<double> rates(model.rate_count(), 0.0);
  for (const int j : model.topology().carrier) {
    if (!moves[j]) continue;
    const Eigen::VectorXd own = joints[j].free.times(*V);
    std::copy(own.begin(), own.end(), rates.begin() + model.rate_offset(j));
  }
  return rates;
}

}  // namespace torsor
