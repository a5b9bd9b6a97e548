#include "torsor/model/symmetry.h"

#include <algorithm>
#include <set>

#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

using Eigen::MatrixXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kRank = 1e-10;  ///< of rows of length 1

Vector6 column(const Twist<double>& xi) {
  Vector6 c;
  c << xi.angular.x, xi.angular.y, xi.angular.z, xi.linear.x, xi.linear.y, xi.linear.z;
  return c;
}
Vec3<double> vec3(const Eigen::Ref<const Eigen::Vector3d>& v) { return {v[0], v[1], v[2]}; }

/// Right singular vectors of A, those of vanishing singular values last; `rank` counts the others.
MatrixXd right_vectors(const MatrixXd& A, int& rank) {
  const Svd found = svd(A);
  rank = static_cast<int>((found.values.array() > kRank).count());
  return found.V;
}

/// The symmetries found so far: an orthonormal basis, which each condition cuts down.
class Symmetries {
 public:
  explicit Symmetries(int dimension) {
    basis_ = MatrixXd::Identity(6, 6);
    if (dimension == 2) basis_ = basis_.middleCols(2, 3).eval();  // omega_z, v_x, v_y
  }

  /// Keeps xi with rows . xi = 0.
  void require_zero(MatrixXd rows) {
    if (basis_.cols() == 0) return;
    for (int i = 0; i < rows.rows(); ++i) {
      const double length = rows.row(i).norm();
      if (length > 0) rows.row(i) /= length;
    }
    if (basis_.cols() == 1) {  // it stays or goes
      if (product(rows, basis_).norm() > kRank) clear();
      return;
    }
    int rank = 0;
    const MatrixXd V = right_vectors(product(rows, basis_), rank);
    basis_ = product(basis_, V.rightCols(basis_.cols() - rank));
  }
  /// Keeps xi in the span of the generators.
  void require_in_span(const std::vector<Twist<double>>& generators) {
    if (basis_.cols() == 0) return;
    if (generators.empty()) return clear();
    MatrixXd span(generators.size(), 6);
    for (std::size_t i = 0; i < generators.size(); ++i) {
      span.row(i) = column(generators[i]).normalized().transpose();
    }
    int rank = 0;
    const MatrixXd V = right_vectors(span, rank);
    if (rank < 6) require_zero(V.rightCols(6 - rank).transpose());
  }
  void clear() { basis_.resize(6, 0); }
  bool empty() const { return basis_.cols() == 0; }

  ConservedMomenta momenta() const {
    ConservedMomenta found;
    if (basis_.cols() == 0) return found;
    int rank = 0;
    const MatrixXd V = right_vectors(basis_.topRows(3), rank);
    const MatrixXd sorted = product(basis_, V);  // those that turn first
    for (int i = rank; i < sorted.cols(); ++i) {
      found.linear.push_back({{}, vec3(sorted.col(i).tail<3>().normalized())});
    }
    for (int i = 0; i < rank; ++i) {
      const double speed = sorted.col(i).head<3>().norm();
      Twist<double> xi{(1 / speed) * vec3(sorted.col(i).head<3>()),
                       (1 / speed) * vec3(sorted.col(i).tail<3>())};
      for (const Twist<double>& t : found.linear) xi.linear -= dot(xi.linear, t.linear) * t.linear;
      found.angular.push_back(xi);
    }
    return found;
  }

 private:
  MatrixXd basis_;
};

void cut_by_gravity(const Vec3<double>& g, Symmetries& symmetries) {
  if (norm(g) == 0) return;
  MatrixXd rows = MatrixXd::Zero(4, 6);  // (1)
  rows.topLeftCorner(3, 3) << 0, g.z, -g.y, -g.z, 0, g.x, g.y, -g.x, 0;
  rows.bottomRightCorner(1, 3) << g.x, g.y, g.z;
  symmetries.require_zero(rows);
}

void cut_by_fixed_point(const Vec3<double>& p, Symmetries& symmetries) {
  MatrixXd rows(3, 6);  // (2)
  rows << 0, p.z, -p.y, 1, 0, 0, -p.z, 0, p.x, 0, 1, 0, p.y, -p.x, 0, 0, 0, 1;
  symmetries.require_zero(rows);
}

/// omega x axis = 0; what slides along it is cut off, too, though a cylinder would not mind.
void cut_by_fixed_axis(const Wrap& wrap, Symmetries& symmetries) {
  const Vec3<double> a = matrix(wrap.rotation) * Vec3<double>{0, 0, 1};
  MatrixXd rows = MatrixXd::Zero(3, 6);
  rows.leftCols(3) << 0, a.z, -a.y, -a.z, 0, a.x, a.y, -a.x, 0;
  symmetries.require_zero(rows);
}

void cut_by_joint(const Joint& joint, int dimension, Symmetries& symmetries) {
  std::vector<Twist<double>> motions = left_motions(joint, dimension);  // (3)
  for (Twist<double>& motion : motions) motion = Ad(joint.in_parent, motion);
  symmetries.require_in_span(motions);
}

/// Whether anything pushes against the ground other than gravity, tendons and the reactions of joints.
bool is_driven_from_ground(const Model& model) {
  bool driven = false;
  for_each_kind(model.elements(), [&](const char*, const auto& list) {
    for (const auto& element : list) {
      if constexpr (requires { element.acts_from_ground(model.joints()); }) {
        driven = driven || element.acts_from_ground(model.joints());
      }
    }
  });
  for (const Joint& joint : model.joints()) {  // whose rotors turn against the ground
    driven = driven || (joint.parent == kWorld && joint.has_armature());
  }
  for (const Servo& servo : model.servos()) {
    for (const int actuator : servo.actuators) {
      const Actuator& by = model.actuators()[actuator];
      driven = driven || (!by.tendon && model.joints()[by.joint].parent == kWorld);
    }
  }
  return driven;
}

/// In the plane gravity leaves no turns, and a joint to the ground that only turns no slides: found without any matrix, since
/// most planar mechanisms of a sweep are such ones.
bool is_hinged_in_planar_gravity(const Model& model) {
  if (model.dimension() != 2 || norm(model.gravity()) == 0) return false;
  return std::any_of(model.joints().begin(), model.joints().end(), [](const Joint& joint) {
    const Components all = components(joint.type, 2);
    return joint.parent == kWorld && all.rates() == all.turns();
  });
}

}  // namespace

ConservedMomenta conserved_momenta(const Model& model) {
  if (is_hinged_in_planar_gravity(model) || is_driven_from_ground(model)) return {};
  Symmetries symmetries(model.dimension());
  cut_by_gravity(model.gravity(), symmetries);
  for (const Joint& joint : model.joints()) {
    if (joint.parent == kWorld && !symmetries.empty()) cut_by_joint(joint, model.dimension(), symmetries);
  }
  if (symmetries.empty()) return {};
  std::set<const Tendon*> pulled;
  const auto insert_all = [&](const auto& elements) {
    for (const auto& element : elements) {
      if (element.tendon) pulled.insert(&model.tendons()[*element.tendon]);
    }
  };
  insert_all(model.actuators());
  insert_all(model.elements().stops);
  insert_all(model.elements().friction);
  insert_all(model.elements().laws);
  for (const Tendon& tendon : model.tendons()) {
    const bool acts = tendon.stiffness > 0 || tendon.damping > 0 || !tendon.tension.vanishes() ||
                      tendon.muscle || pulled.contains(&tendon);
    if (!acts) continue;
    for (const CoordinateTerm& term : tendon.joints) {
      if (model.joints()[term.joint].parent == kWorld) symmetries.clear();
    }
    for (const Wrap& wrap : tendon.wraps) {
      if (wrap.at.body != kWorld) continue;
      cut_by_fixed_point(wrap.at.p_B, symmetries);
      if (wrap.law.kind == WrapLaw::Kind::cylinder) cut_by_fixed_axis(wrap, symmetries);
    }
    for (const Point& point : tendon.path) {
      if (point.body == kWorld) cut_by_fixed_point(point.p_B, symmetries);
    }
  }
  return symmetries.momenta();
}

}  // namespace torsor
