#include "torsor/model/massless_motion.h"

#include <Eigen/Core>

#include "torsor/model/check.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

constexpr double kMassless = 1e-12;  ///< of the largest principal moment
constexpr double kDependent = 1e-9;  ///< of a length of 1

/// Angular part, then the velocity of the centre of mass, in body axes.
using Axes = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Motions that move no mass: turns about the centre of mass, of a body without mass its shifts, too; by body.
std::vector<Axes> idle_axes(const Model& model) {
  std::vector<Axes> all;
  for (const Body& body : model.bodies()) {
    const Sym3<double>& J = body.inertia;
    Eigen::Matrix3d tensor;
    tensor << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
    const PrincipalAxes<3> principal = principal_axes<3>(tensor);
    Axes& axes = all.emplace_back(6, 0);
    const auto add = [&](const Eigen::Vector3d& turn, const Eigen::Vector3d& shift) {
      axes.conservativeResize(6, axes.cols() + 1);
      axes.rightCols(1) << turn, shift;
    };
    const Eigen::Vector3d none = Eigen::Vector3d::Zero();
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d n = principal.vectors.col(i);
      if (std::abs(principal.values[i]) > kMassless * principal.values.cwiseAbs().maxCoeff()) continue;
      if (model.dimension() == 2 && std::abs(n.z()) < 0.5) continue;
      add(n, none);
    }
    for (int i = 0; i < model.dimension() && body.mass == 0; ++i) add(none, Eigen::Vector3d::Unit(i));
  }
  return all;
}

Eigen::Matrix<double, 6, 1> stacked(const Twist<double>& V) {
  return {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
}

/// In one configuration, what the joints forbid of the idle turns.
class IdleMotion {
 public:
  IdleMotion(const Model& model, const std::vector<Axes>& axes, std::vector<double> q)
      : model_(model), axes_(axes), q_(std::move(q)), X_WB_(body_poses(model, q_)) {}

  /// A body that can turn so while its parent and the ground are at rest, and about what, by elimination from
  /// the leaves; loop joints are left out. -1: none.
  int free_body(Twist<double>& axis) const {
    std::vector<Eigen::MatrixXd> rows;  // of each body: what its children forbid
    for (const Axes& own : axes_) rows.emplace_back(0, own.cols());
    const std::vector<int>& order = model_.topology().order;
    for (auto body = order.rbegin(); body != order.rend(); ++body) {
      const int carrier = model_.topology().carrier[*body], parent = model_.joints()[carrier].parent;
      const Eigen::MatrixXd own = forbidden(carrier, *body);
      const Eigen::Index d = own.cols(), above = rows[*body].rows();
      Eigen::MatrixXd both(above + 6, d);
      both << rows[*body], own;
      Eigen::MatrixXd left = Eigen::MatrixXd::Identity(above + 6, above + 6);
      if (d > 0) {
        const Svd parts = svd(both);
        if (parts.values[d - 1] <= kDependent) {
          const Eigen::Matrix<double, 6, 1> n = axes_[*body] * parts.V.col(d - 1);
          axis = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
          return *body;
        }
        left = parts.U.rightCols(above + 6 - d);
      }
      if (parent == kWorld || axes_[parent].cols() == 0) continue;
      Eigen::MatrixXd by_parent = Eigen::MatrixXd::Zero(above + 6, axes_[parent].cols());
      by_parent.bottomRows(6) = -forbidden(carrier, parent);
      const Eigen::MatrixXd more = left.transpose() * by_parent;
      rows[parent].conservativeResize(rows[parent].rows() + more.rows(), Eigen::NoChange);
      rows[parent].bottomRows(more.rows()) = more;
    }
    return -1;
  }

  /// Whether loop joints may forbid it: those on the body do or do not, those on what it carries are trusted to.
  bool is_stopped_by_loops(int body, const Twist<double>& axis) const {
    const Eigen::VectorXd turn = least_squares(axes_[body], stacked(axis));
    const auto is_carried = [&](int other) {
      while (other != kWorld && other != body) {
        other = model_.joints()[model_.topology().carrier[other]].parent;
      }
      return other == body;
    };
    for (const int j : model_.topology().loop_joints) {
      const Joint& joint = model_.joints()[j];
      if (joint.child != body && joint.parent != body) {
        if (is_carried(joint.child) || is_carried(joint.parent)) return true;
        continue;
      }
      if ((forbidden(j, body) * turn).norm() > kDependent) return true;
    }
    return false;
  }

 private:
  /// The part of a body's idle turns, seen from the child's joint frame, that the joint does not allow.
  Eigen::MatrixXd forbidden(int j, int body) const {
    const Joint& joint = model_.joints()[j];
    const SE3<double> X_KB = inverse(X_WB_[joint.child] * joint.in_child) * X_WB_[body];
    Eigen::MatrixXd turns(6, axes_[body].cols());
    for (Eigen::Index i = 0; i < turns.cols(); ++i) {
      const Axes& own = axes_[body];
      const Vec3<double> n{own(0, i), own(1, i), own(2, i)}, v{own(3, i), own(4, i), own(5, i)};
      turns.col(i) = stacked(Ad(X_KB, Twist<double>{n, v + cross(model_.bodies()[body].com, n)}));
    }
    const int rates = rate_count(joint.type, model_.dimension());
    Eigen::MatrixXd free = Eigen::MatrixXd::Zero(6, rates);
    for (int i = 0; i < rates; ++i) {
      if (!joint.armature.empty() && joint.armature[i] > 0) continue;  // it moves a rotor
      std::vector<double> unit(rates);
      unit[i] = 1;
      const std::span<const double> q = std::span(q_).subspan(model_.coordinate_offset(j));
      free.col(i) = stacked(joint_twist(joint, model_.dimension(), q, unit));
    }
    if (rates > 0 && turns.cols() > 0) turns -= product(free, least_squares(free, turns));
    return turns;
  }

  const Model& model_;
  const std::vector<Axes>& axes_;
  std::vector<double> q_;
  std::vector<SE3<double>> X_WB_;
};

/// Off any special position that the file may start in; loops need not close for what is asked here.
std::vector<double> aside(const Model& model, std::vector<double> q) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    int at = model.coordinate_offset(static_cast<int>(j));
    const int next = model.coordinate_offset(static_cast<int>(j) + 1);
    const JointType type = model.joints()[j].type;
    if (type == JointType::spherical || (type == JointType::free && model.dimension() == 3)) {
      const SO3<double> r = SO3<double>{q[at], q[at + 1], q[at + 2], q[at + 3]} *
                            exp_so3(Vec3<double>{0.3, 0.2 + 0.01 * static_cast<double>(j % 7), -0.4});
      for (const double entry : {r.w, r.x, r.y, r.z}) q[at++] = entry;
    }
    for (; at < next; ++at) q[at] += 0.3 + 0.07 * (at % 5);
  }
  return q;
}

bool is_held(const Model& model, int body) {
  for (const JointSpring& spring : model.joint_springs()) {
    const Joint& joint = model.joints()[spring.joint];
    if (joint.child == body || joint.parent == body) return true;
  }
  return !model.servos().empty();
}

}  // namespace

void require_massive_motions(const Model& model) {
  const std::vector<Axes> axes = idle_axes(model);
  if (std::all_of(axes.begin(), axes.end(), [](const Axes& own) { return own.cols() == 0; })) return;
  const IdleMotion general(model, axes, aside(model, initial_coordinates(model)));
  Twist<double> motion;
  const int body = general.free_body(motion);
  if (body < 0 || is_held(model, body) || general.is_stopped_by_loops(body, motion)) return;
  const bool slides = norm(motion.angular) < 1e-9;
  Vec3<double> axis = slides ? motion.linear : motion.angular;
  const double sign = axis.x + axis.y + axis.z < 0 ? -1 : 1;  // either is an axis: the one easier to read
  for (int i = 0; i < 3; ++i) axis[i] = std::abs(axis[i]) < 1e-9 ? 0 : sign * axis[i];
  const Joint& carrier = model.joints()[model.topology().carrier[body]];
  throw ModelError(
      "bodies." + model.bodies()[body].name + ".inertia",
      slides
          ? fmt::format("mass that moves where the {} joint '{}' lets the body slide", name_of(carrier.type),
                        carrier.name)
          : fmt::format(
                "inertia about every axis that the {} joint '{}' lets the body turn about: give it some (a "
                "rod of radius r has m r^2/2), or take a joint that does not turn so",
                name_of(carrier.type), carrier.name),
      fmt::format("none {} {}, where {} moves no mass and nothing says how fast it goes",
                  slides ? "along" : "about", shown(axis), slides ? "sliding" : "turning"));
}

}  // namespace torsor
