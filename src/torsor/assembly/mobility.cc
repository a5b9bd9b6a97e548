#include "torsor/assembly/mobility.h"

#include <optional>

#include "torsor/assembly/body_equations.h"
#include "torsor/assembly/body_rank.h"
#include "torsor/assembly/close_loops.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/numerics/sparse_rows.h"

namespace torsor {
namespace {

constexpr double kAside = 0.02;  ///< [rad] or of the mechanism's size: how far the second look goes
constexpr double kMostNamingWork = 2.5e10;  ///< some seconds

std::vector<std::string> names(const Model& model, const std::vector<bool>& chosen) {
  std::vector<std::string> list;
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (chosen[j]) list.push_back(model.joints()[j].name);
  }
  return list;
}

/// The rates nearest to `step` that the loops allow.
Eigen::VectorXd allowed_in_bodies(const TreeMotion& tree, const Eigen::VectorXd& step) {
  const Model& model = tree.model();
  const std::vector<JointInBodies> joints = joints_in_bodies(tree, typical_length(tree));
  std::vector<BodyRows> loops;
  Eigen::Index rows = 0;
  for (const int j : model.topology().loop_joints) {
    if (joints[j].blocked.count() > 0) loops.push_back(joints[j].blocked);
    rows += joints[j].blocked.count();
  }
  std::vector<bool> moves(model.joints().size(), false);
  std::vector<double> wanted(model.rate_count(), 0.0);
  for (int c = 0; c < tree.columns(); ++c) {
    moves[joint_of_rate(model, tree.rates()[c])] = true;
    wanted[tree.rates()[c]] = step[c];
  }
  const auto found = nearest_rates(model, joints, moves, wanted, loops, Eigen::VectorXd::Zero(rows));
  if (!found) {
    const Eigen::MatrixXd G = LoopConditions(tree, loop_size(model, tree.q())).jacobian();
    return step - least_squares(G, product(G, step));
  }
  return Eigen::Map<const Eigen::VectorXd>(found->data(),
                                           static_cast<Eigen::Index>(found->size()))(tree.rates());
}

/// A configuration near q, along all its rates at once; the loops closed again. G is its conditions, for small models.
std::vector<double> aside(const Model& model, const std::vector<double>& q, const TreeMotion& tree,
                          const std::optional<Eigen::MatrixXd>& G) {
  // Unequal weights, lest a symmetric position move into another symmetric one.
  Eigen::VectorXd step(tree.columns());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = 1 + 0.37 * static_cast<double>(i % 7);
  step = G ? Eigen::VectorXd(step - least_squares(*G, product(*G, step))) : allowed_in_bodies(tree, step);
  const double longest = max_abs(step);
  if (longest < kAside / 1000) return q;  // nothing moves
  step *= kAside / longest;
  const Closing closing = close_loops(model, moved(model, q, tree.rates(), step), Held(model), 1);
  return closing.closed() ? closing.q : q;
}

/// Forces that the loops can carry without any load, up to and with a loop that begins at row `first` of G: those in
/// the left null space of G in which this loop takes part, as orthonormal columns. The loops before it balance what
/// they can of its own forces by the least ones, X; those of which nothing is left over are what we look for. The null
/// space itself is as large as all rows, where joints repeat each other.
Eigen::MatrixXd prestress(const Eigen::MatrixXd& G, Eigen::Index first, Eigen::Index own) {
  const Eigen::MatrixXd before = G.topRows(first).transpose(), mine = G.middleRows(first, own).transpose();
  if (own == 0) return {};
  const Eigen::MatrixXd X = least_squares(before, mine);
  const Svd left_over = svd((mine - product(before, X)).transpose());
  const double zero = kRankTolerance * larger(max_abs(before), max_abs(mine));
  const Eigen::Index independent = (left_over.values.array() > zero).count();
  const Eigen::MatrixXd balanced = left_over.U.rightCols(own - independent);
  if (balanced.cols() == 0) return {};
  Eigen::MatrixXd forces(first + own, balanced.cols());
  forces.topRows(first) = -product(X, balanced);
  forces.bottomRows(own) = balanced;
  const Eigen::MatrixXd L = cholesky(product(forces.transpose(), forces));
  forces = solve_lower(L, forces.transpose()).transpose();
  const Svd part = svd(forces.bottomRows(own));
  const Eigen::Index dimension = (part.values.array() > kTakesPart).count();
  return product(forces, part.V.leftCols(dimension));
}

/// The same from what is known of all rows at once.
Eigen::MatrixXd prestress(const std::vector<DependentRow>& dependent, Eigen::Index first, Eigen::Index own) {
  Eigen::MatrixXd forces(first + own, 0);
  for (const DependentRow& row : dependent) {
    if (row.row < first || row.row >= first + own) continue;
    forces.conservativeResize(Eigen::NoChange, forces.cols() + 1);
    forces.rightCols(1) = row.factors.head(first + own).normalized();
  }
  return forces;
}

/// Which joints such forces pass through: in loop l they act along its blocked directions, and a tree joint
/// carries the sum over the loops whose way leads through it.
class Prestress {
 public:
  Prestress(const Model& model, const LoopConditions& loops, Eigen::MatrixXd forces)
      : model_(model), loops_(loops), forces_(std::move(forces)) {}

  int dimension() const { return static_cast<int>(forces_.cols()); }

  /// All but the last loop joint itself.
  std::vector<std::string> carriers(std::size_t count) const {
    std::vector<Eigen::MatrixXd> wrenches(model_.joints().size(), Eigen::MatrixXd::Zero(6, forces_.cols()));
    Eigen::Index row = 0;
    for (std::size_t l = 0; l < count; ++l) {
      const LoopState& loop = loops_.loops[l];
      const Eigen::MatrixXd wrench = world_wrench(loop, forces_.middleRows(row, loop.blocked.cols()));
      row += loop.blocked.cols();
      const Joint& joint = model_.joints()[loop.joint];
      wrenches[loop.joint] = wrench;
      add_along_way(joint.child, wrench, wrenches);
      add_along_way(joint.parent, -wrench, wrenches);
    }
    std::vector<bool> carries(wrenches.size());
    for (std::size_t j = 0; j < carries.size(); ++j) carries[j] = wrenches[j].norm() > kTakesPart;
    carries[loops_.loops[count - 1].joint] = false;
    return names(model_, carries);
  }

 private:
  /// (moment about the origin over length, force) in world axes.
  Eigen::MatrixXd world_wrench(const LoopState& loop, const Eigen::MatrixXd& forces) const {
    Eigen::MatrixXd wrench = product(loop.blocked, forces);
    const Vec3<double> p = (1 / loops_.length) * loop.X_WK.position;
    for (Eigen::Index c = 0; c < wrench.cols(); ++c) {
      const Vec3<double> moment = cross(p, Vec3<double>{wrench(3, c), wrench(4, c), wrench(5, c)});
      for (int i = 0; i < 3; ++i) wrench(i, c) += moment[i];
    }
    return wrench;
  }

  void add_along_way(int body, const Eigen::MatrixXd& wrench, std::vector<Eigen::MatrixXd>& wrenches) const {
    for (int j; body != kWorld; body = model_.joints()[j].parent) {
      j = model_.topology().carrier[body];
      wrenches[j] += wrench;
    }
  }

  const Model& model_;
  const LoopConditions& loops_;
  Eigen::MatrixXd forces_;  ///< by rows of G
};

std::vector<Redundancy> redundancies(const Model& model, const LoopConditions& loops,
                                     const Eigen::MatrixXd& G) {
  std::vector<Redundancy> found;
  const bool large = is_large_and_sparse(G);
  std::vector<DependentRow> dependent;
  if (large) dependent = dependent_rows(G, kRankTolerance);
  Eigen::Index first = 0;
  for (std::size_t count = 1; count <= loops.loops.size(); ++count) {
    const LoopState& loop = loops.loops[count - 1];
    const Eigen::Index own = loop.blocked.cols();
    const Prestress forces(model, loops, large ? prestress(dependent, first, own) : prestress(G, first, own));
    first += own;
    if (forces.dimension() == 0) continue;
    found.push_back(
        {model.joints()[loop.joint].name, forces.dimension(), static_cast<int>(own), forces.carriers(count)});
  }
  for (const CouplingState& coupling : loops.couplings) {
    const Eigen::MatrixXd forces = large ? prestress(dependent, first, 1) : prestress(G, first, 1);
    ++first;
    if (forces.cols() == 0) continue;
    Redundancy redundancy{model.couplings()[coupling.coupling].name, 1, 1, {}, "coupling"};
    for (Eigen::Index row = loops.loop_rows(); row + 1 < first; ++row) {
      if (forces.row(row).norm() <= kTakesPart) continue;
      redundancy.others.push_back(model.couplings()[row - loops.loop_rows()].name);
    }
    found.push_back(redundancy);
  }
  return found;
}

/// Of a large model in the coordinates of its bodies; none unless they are as many as were counted.
std::optional<std::vector<Redundancy>> redundancies_in_bodies(const Model& model,
                                                              const std::vector<double>& q, int counted) {
  const std::optional<std::vector<RepeatedRows>> rows = repeated_rows(model, q);
  if (!rows) return std::nullopt;
  const int all = model.dimension() == 2 ? 3 : 6;
  std::vector<Redundancy> found;
  for (const auto& [joint, count, others] : *rows) {
    const Joint& its = model.joints()[joint];
    Redundancy& redundancy =
        found.emplace_back(Redundancy{its.name, count, all - rate_count(its.type, model.dimension()), {}});
    for (const int other : others) redundancy.others.push_back(model.joints()[other].name);
    counted -= count;
  }
  if (counted != 0) return std::nullopt;
  return found;
}

/// What it takes to name so many redundant rows: for each of them the pairs of rows that share a body.
double naming_work(const Model& model, int redundant) {
  std::vector<double> rows(model.bodies().size());
  const int all = model.dimension() == 2 ? 3 : 6;
  for (const Joint& joint : model.joints()) {
    for (const int body : {joint.parent, joint.child}) {
      if (body != kWorld) rows[body] += all - rate_count(joint.type, model.dimension());
    }
  }
  double pairs = 0;
  for (const double count : rows) pairs += count * count;
  return redundant * pairs;
}

}  // namespace

Mobility mobility(const Model& model, const std::vector<double>& q, Redundant redundant) {
  const Topology& topology = model.topology();
  Mobility result;
  result.dof = result.instantaneous_dof = topology.tree_dof;
  if (!has_conditions(model)) return result;

  const double length = loop_size(model, q);
  const std::vector<int> joints = joints_in_loops(model);
  const TreeMotion here(model, q, joints);
  const auto jacobian = [&](const TreeMotion& tree) { return LoopConditions(tree, length).jacobian(); };
  const bool in_bodies = pays_in_bodies(model, here.columns());
  std::optional<Eigen::MatrixXd> G;
  if (!in_bodies) G = jacobian(here);
  const TreeMotion there(model, aside(model, q, here, G), joints);
  const auto rank_of = [&](const TreeMotion& tree) {
    const std::optional<int> dependent = in_bodies ? dependent_row_count(model, tree.q()) : std::nullopt;
    return dependent ? condition_count(model) - *dependent : rank(jacobian(tree));
  };
  const int rank_here = G ? rank(*G) : rank_of(here), rank_there = rank_of(there);
  const int higher = std::max(rank_here, rank_there);

  result.dof = topology.tree_dof - higher;
  result.redundant_constraints = condition_count(model) - higher;
  result.instantaneous_dof = topology.tree_dof - rank_here;
  const bool few = naming_work(model, result.redundant_constraints) <= kMostNamingWork;
  if (result.redundant_constraints > 0 && redundant == Redundant::named && few) {
    const TreeMotion& regular = rank_here < rank_there ? there : here;
    if (in_bodies) {
      if (auto named = redundancies_in_bodies(model, regular.q(), result.redundant_constraints)) {
        result.redundancies = std::move(*named);
        return result;
      }
    }
    const LoopConditions loops(regular, length);
    result.redundancies = redundancies(model, loops, loops.jacobian());
  }
  return result;
}

}  // namespace torsor
