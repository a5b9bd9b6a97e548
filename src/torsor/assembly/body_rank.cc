#include "torsor/assembly/body_rank.h"

#include "torsor/assembly/loop_conditions.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/sparse_kkt.h"

namespace torsor {
namespace {

/// What a body's twist about c does at the point p, all of it as (angular, linear / length) in world axes.
Eigen::MatrixXd carried_to(const Vec3<double>& c, const Vec3<double>& p, double length) {
  Eigen::MatrixXd carried = Eigen::MatrixXd::Identity(6, 6);
  const Vec3<double> r = (1 / length) * (p - c);
  carried.block(3, 0, 3, 3) << 0, r.z, -r.y, -r.z, 0, r.x, r.y, -r.x, 0;  // omega x r
  return carried;
}

/// An eigenvalue of the rows' products that counts as zero. Rounding leaves less than 1e-15; of the others the least
/// falls with the fourth power of the length of a structure, as of a beam: 2e-12 in a lift of 1000 crosses.
constexpr double kDependent = 1e-14;

/// The mean distance between two joints of a body: in units of that a joint's rows are of the same size, however
/// large the whole is.
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

struct JointRow {
  std::vector<int> bodies;  ///< child, then parent, without the ground
  std::vector<Eigen::MatrixXd> parts;
  int count;
};

std::vector<JointRow> joint_rows(const TreeMotion& tree, double length) {
  const Model& model = tree.model();
  const std::vector<int> live = live_rows(model.dimension());
  std::vector<JointRow> all;
  for (const Joint& joint : model.joints()) {
    const SE3<double> X_WJ = tree.pose(joint.parent) * joint.in_parent;
    const SE3<double> X_WK = tree.pose(joint.child) * joint.in_child;
    const std::vector<double> q = joint_coordinates(joint, model.dimension(), inverse(X_WJ) * X_WK);
    const Eigen::MatrixXd blocked = blocked_directions(joint, model.dimension(), q, X_WK.rotation, length);
    if (blocked.cols() == 0) continue;
    JointRow row{{}, {}, static_cast<int>(blocked.cols())};
    for (const auto& [body, sign] : {std::pair{joint.child, 1.0}, {joint.parent, -1.0}}) {
      if (body == kWorld) continue;
      const Vec3<double> com = act(tree.pose(body), model.bodies()[body].com);
      row.bodies.push_back(body);
      row.parts.push_back(
          sign * product(blocked.transpose(), carried_to(com, X_WK.position, length))(Eigen::all, live));
    }
    all.push_back(std::move(row));
  }
  return all;
}

template <int W>
int count(int bodies, const std::vector<JointRow>& rows) {
  SparsePattern pattern;
  pattern.bodies = bodies;
  for (const JointRow& row : rows) {
    pattern.joints.push_back({{row.bodies[0], row.bodies.size() > 1 ? row.bodies[1] : kWorld}, row.count});
    pattern.units.insert(pattern.units.end(), row.count, 1.0);
  }
  SparseKkt<W> kkt(pattern);
  kkt.clear();
  for (int body = 0; body < bodies; ++body) {
    const BlockView K = kkt.at(kkt.place(body, body));
    for (int i = 0; i < W; ++i) K(i, i) = 1;
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const int joint = kkt.joint(static_cast<int>(j));
    for (std::size_t side = 0; side < rows[j].bodies.size(); ++side) {
      const Eigen::MatrixXd& C = rows[j].parts[side];
      const BlockView along = kkt.at(kkt.place(joint, rows[j].bodies[side]));
      const BlockView across = kkt.at(kkt.place(rows[j].bodies[side], joint));
      for (int i = 0; i < rows[j].count; ++i) {
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
  const std::vector<JointRow> rows = joint_rows(tree, typical_length(tree));
  const int bodies = static_cast<int>(model.bodies().size());
  const int found = model.dimension() == 2 ? count<3>(bodies, rows) : count<6>(bodies, rows);
  if (found < 0) return std::nullopt;
  return found;
}

}  // namespace torsor
