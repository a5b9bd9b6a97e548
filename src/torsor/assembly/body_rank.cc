#include "torsor/assembly/body_rank.h"

#include <algorithm>
#include <cmath>

#include "torsor/assembly/body_equations.h"
#include "torsor/numerics/row_dependences.h"
#include "torsor/numerics/sparse_kkt.h"

namespace torsor {
namespace {

/// An eigenvalue of the rows' products that counts as zero. Rounding leaves less than 1e-15; of the others the least
/// falls with the fourth power of the length of a structure, as of a beam: 2e-12 in a lift of 1000 crosses.
constexpr double kDependent = 1e-14;

template <int W>
int count(int bodies, const std::vector<BodyRows>& rows) {
  SparsePattern pattern;
  pattern.bodies = bodies;
  for (const BodyRows& row : rows) {
    pattern.joints.push_back({{row.bodies[0], row.bodies[1]}, row.count()});
    pattern.units.insert(pattern.units.end(), row.count(), 1.0);
  }
  SparseKkt<W> kkt(pattern);
  kkt.clear();
  for (int body = 0; body < bodies; ++body) {
    const BlockView K = kkt.at(kkt.place(body, body));
    for (int i = 0; i < W; ++i) K(i, i) = 1;
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const int joint = kkt.joint(static_cast<int>(j));
    for (int side = 0; side < 2; ++side) {
      if (rows[j].bodies[side] == kWorld) continue;
      const Eigen::MatrixXd& C = rows[j].parts[side];
      const BlockView along = kkt.at(kkt.place(joint, rows[j].bodies[side]));
      const BlockView across = kkt.at(kkt.place(rows[j].bodies[side], joint));
      for (int i = 0; i < rows[j].count(); ++i) {
        for (int k = 0; k < W; ++k) along(i, k) = across(k, i) = C(i, k);
      }
    }
  }
  kkt.shift_joints(kDependent, std::vector<double>(kkt.size(), 1.0));
  return kkt.count_below();
}

/// Each loop joint behind the joints of the tree that it closes a loop with. All other joints of the tree carry no
/// inner forces of it and of the loops before, so that its rows depend on rows above as if the whole tree stood there;
/// but neighbours in the mechanism stay neighbours.
std::vector<int> joints_by_loops(const Model& model) {
  std::vector<int> order;
  std::vector<bool> placed(model.joints().size(), false);
  for (const int loop : model.topology().loop_joints) {
    for (const int joint : joints_of_loop(model, loop)) {
      if (!placed[joint]) order.push_back(joint);
      placed[joint] = true;
    }
    order.push_back(loop);
  }
  return order;
}

}  // namespace

std::optional<int> dependent_row_count(const Model& model, const std::vector<double>& q) {
  const TreeMotion tree(model, q, {});
  std::vector<BodyRows> rows;
  for (JointInBodies& joint : joints_in_bodies(tree, typical_length(tree))) {
    if (joint.blocked.count() > 0) rows.push_back(std::move(joint.blocked));
  }
  const int bodies = static_cast<int>(model.bodies().size());
  const int found = model.dimension() == 2 ? count<3>(bodies, rows) : count<6>(bodies, rows);
  if (found < 0) return std::nullopt;
  return found;
}

std::optional<std::vector<RepeatedRows>> repeated_rows(const Model& model, const std::vector<double>& q) {
  const TreeMotion tree(model, q, {});
  const std::vector<JointInBodies> joints = joints_in_bodies(tree, typical_length(tree));
  std::vector<int> joint_of;  // by row
  std::vector<Eigen::Triplet<double>> entries;
  for (const int joint : joints_by_loops(model)) {
    const BodyRows& rows = joints[joint].blocked;
    const int first = static_cast<int>(joint_of.size());
    joint_of.insert(joint_of.end(), rows.count(), joint);
    for (int side = 0; side < 2; ++side) {
      if (rows.bodies[side] == kWorld) continue;
      const Eigen::MatrixXd& C = rows.parts[side];
      const int column = static_cast<int>(C.cols()) * rows.bodies[side];
      for (int i = 0; i < C.rows(); ++i) {
        for (int k = 0; k < C.cols(); ++k) entries.emplace_back(first + i, column + k, C(i, k));
      }
    }
  }
  const int width = model.dimension() == 2 ? 3 : 6;
  SparseRows A(static_cast<Eigen::Index>(joint_of.size()),
               static_cast<Eigen::Index>(width * model.bodies().size()));
  A.setFromTriplets(entries.begin(), entries.end());
  const std::optional<std::vector<RowDependence>> dependences = row_dependences(A, kDependent);
  if (!dependences) return std::nullopt;

  std::vector<RepeatedRows> found;
  std::vector<double> carried(joints.size(), 0.0);  // squares of the forces
  std::vector<int> touched;
  const auto name_others = [&] {
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int joint : touched) {
      const bool carries = std::sqrt(carried[joint]) > kTakesPart;
      if (carries && joint != found.back().joint) found.back().others.push_back(joint);
      carried[joint] = 0;
    }
    touched.clear();
  };
  for (const RowDependence& dependence : *dependences) {
    const int joint = joint_of[dependence.row];
    if (found.empty() || found.back().joint != joint) {
      if (!found.empty()) name_others();
      found.push_back({joint, 0, {}});
    }
    ++found.back().count;
    for (const auto& [row, factor] : dependence.factors) {
      carried[joint_of[row]] += factor * factor;
      touched.push_back(joint_of[row]);
    }
  }
  if (!found.empty()) name_others();
  return found;
}

}  // namespace torsor
