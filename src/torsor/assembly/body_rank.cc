#include "torsor/assembly/body_rank.h"

#include "torsor/assembly/body_equations.h"
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

}  // namespace torsor
