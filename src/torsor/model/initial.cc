#include "torsor/model/initial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/norm.h"
#include "torsor/model/joint_motion.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

constexpr double kReach = 1e-9;  ///< [m], [rad]; and [m/s], [rad/s] relative to the speeds at hand

std::span<const double> coordinates_of(const Model& model, const std::vector<double>& q, int joint) {
  return std::span(q).subspan(model.coordinate_offset(joint),
                              model.coordinate_offset(joint + 1) - model.coordinate_offset(joint));
}

SE3<double> parent_pose(const Joint& joint, const std::vector<SE3<double>>& X_W) {
  return joint.parent == kWorld ? SE3<double>{} : X_W[joint.parent];
}

SE3<double> child_pose(const Joint& joint, int dimension, const std::vector<SE3<double>>& X_W,
                       std::span<const double> q) {
  return parent_pose(joint, X_W) * joint.in_parent * joint_pose(joint, dimension, q) *
         inverse(joint.in_child);
}

[[noreturn]] void fail_reach(const std::string& body, const Joint& joint, const char* what, double linear,
                             double angular, const char* per_second) {
  throw ModelError(
      "initial.bodies." + body,
      fmt::format("a {} that the {} joint {} can reach", what, name_of(joint.type), in_quotes(joint.name)),
      fmt::format("one that is off by {:.3g} m{} and {:.3g} rad{}", linear, per_second, angular, per_second));
}

/// The coordinates of the carrying joint that put the body where `state` says; what it leaves open stays as
/// the joint's own coordinates have it.
std::vector<double> coordinates_for(const Model& model, const Body& body, const Joint& joint,
                                    const InitialBody& state, const std::vector<SE3<double>>& X_W,
                                    std::span<const double> q) {
  const int dimension = model.dimension();
  SE3<double> wanted = child_pose(joint, dimension, X_W, q);
  if (state.rotation) wanted.rotation = *state.rotation;
  if (state.position) wanted.position = *state.position;
  const SE3<double> X_JK = inverse(parent_pose(joint, X_W) * joint.in_parent) * wanted * joint.in_child;
  std::vector<double> found = joint_coordinates(joint, dimension, X_JK);

  const SE3<double> reached = child_pose(joint, dimension, X_W, found);
  const double angular = state.rotation ? norm(log(inverse(reached.rotation) * wanted.rotation)) : 0;
  const double linear = state.position ? norm(reached.position - wanted.position) : 0;
  const double scale = larger(1.0, norm(wanted.position));
  if (!(linear <= kReach * scale && angular <= kReach)) {
    fail_reach(body.name, joint, "pose", linear, angular, "");
  }
  return found;
}

/// Twist of the child's body frame in its own axes.
Twist<double> child_twist(const Joint& joint, const SE3<double>& X_WC, const std::vector<SE3<double>>& X_W,
                          const std::vector<Twist<double>>& V_B, const Twist<double>& relative) {
  const Twist<double> own = Ad(joint.in_child, relative);
  if (joint.parent == kWorld) return own;
  return own + Ad(inverse(X_WC) * X_W[joint.parent], V_B[joint.parent]);
}

/// World-axes velocities that `state` prescribes, of a twist in body axes: angular first, then linear.
Eigen::VectorXd prescribed(const InitialBody& state, const SE3<double>& X_WC, const Twist<double>& V) {
  Eigen::VectorXd rows((state.angular_velocity ? 3 : 0) + (state.velocity ? 3 : 0));
  int row = 0;
  const auto put = [&](const Vec3<double>& v) {
    for (int i = 0; i < 3; ++i) rows[row++] = v[i];
  };
  if (state.angular_velocity) put(act(X_WC.rotation, V.angular));
  if (state.velocity) put(act(X_WC.rotation, V.linear));
  return rows;
}

/// The smallest change of the joint's rates after which the body moves as `state` says.
std::vector<double> rates_for(const Model& model, const Body& body, const Joint& joint,
                              const InitialBody& state, const SE3<double>& X_WC, std::span<const double> q,
                              std::vector<double> qd, const Twist<double>& now) {
  const int n = static_cast<int>(qd.size());
  const auto back = inverse(X_WC.rotation);
  const Twist<double> target{act(back, state.angular_velocity.value_or(Vec3<double>{})),
                             act(back, state.velocity.value_or(Vec3<double>{}))};
  const Eigen::VectorXd missing = prescribed(state, X_WC, target - now);
  Eigen::MatrixXd map(missing.size(), n);
  for (int i = 0; i < n; ++i) {
    std::vector<double> one(n, 0.0);
    one[i] = 1;
    const Twist<double> V = Ad(joint.in_child, joint_twist(joint, model.dimension(), q, one));
    map.col(i) = prescribed(state, X_WC, V);
  }
  Eigen::VectorXd left = missing;
  if (n > 0) {
    const Eigen::VectorXd change = least_squares(map, missing);
    left -= product(map, change);
    for (int i = 0; i < n; ++i) qd[i] += change[i];
  }
  const double angular = state.angular_velocity ? left.head(3).norm() : 0;
  const double linear = state.velocity ? left.tail(3).norm() : 0;
  const double scale = larger(1.0, missing.norm());
  if (!(angular <= kReach * scale && linear <= kReach * scale)) {
    fail_reach(body.name, joint, "velocity", linear, angular, "/s");
  }
  return qd;
}

}  // namespace

std::vector<double> initial_coordinates(const Model& model) {
  const InitialState& initial = model.initial();
  std::vector<double> q;
  q.reserve(model.coordinate_count());
  const auto append = [&](const std::vector<double>& own) { q.insert(q.end(), own.begin(), own.end()); };
  for (const Joint& joint : model.joints()) {
    const auto given = initial.joints.find(joint.name);
    given != initial.joints.end() ? append(given->second)
                                  : append(neutral_coordinates(joint.type, model.dimension()));
  }
  if (initial.bodies.empty()) return q;

  std::vector<SE3<double>> X_W(model.bodies().size());
  for (const int b : model.topology().order) {
    const int j = model.topology().carrier[b];
    const Joint& joint = model.joints()[j];
    const auto state = initial.bodies.find(model.bodies()[b].name);
    if (state != initial.bodies.end() && (state->second.position || state->second.rotation)) {
      const auto own =
          coordinates_for(model, model.bodies()[b], joint, state->second, X_W, coordinates_of(model, q, j));
      std::copy(own.begin(), own.end(), q.begin() + model.coordinate_offset(j));
    }
    X_W[b] = child_pose(joint, model.dimension(), X_W, coordinates_of(model, q, j));
  }
  return q;
}

std::vector<double> initial_rates(const Model& model, const std::vector<double>& q) {
  const InitialState& initial = model.initial();
  std::vector<double> qd(model.rate_count(), 0.0);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const auto given = initial.rates.find(model.joints()[j].name);
    if (given == initial.rates.end()) continue;
    std::copy(given->second.begin(), given->second.end(),
              qd.begin() + model.rate_offset(static_cast<int>(j)));
  }
  if (initial.bodies.empty()) return qd;

  const std::vector<SE3<double>> X_W = body_poses(model, q);
  std::vector<Twist<double>> V_B(X_W.size());
  for (const int b : model.topology().order) {
    const int j = model.topology().carrier[b];
    const Joint& joint = model.joints()[j];
    const auto q_j = coordinates_of(model, q, j);
    std::vector<double> own(qd.begin() + model.rate_offset(j), qd.begin() + model.rate_offset(j + 1));
    const auto twist = [&] {
      return child_twist(joint, X_W[b], X_W, V_B, joint_twist(joint, model.dimension(), q_j, own));
    };
    const auto state = initial.bodies.find(model.bodies()[b].name);
    if (state != initial.bodies.end() && (state->second.velocity || state->second.angular_velocity)) {
      own = rates_for(model, model.bodies()[b], joint, state->second, X_W[b], q_j, own, twist());
      std::copy(own.begin(), own.end(), qd.begin() + model.rate_offset(j));
    }
    V_B[b] = twist();
  }
  return qd;
}

std::vector<double> initial_rates(const Model& model) {
  return initial_rates(model, initial_coordinates(model));
}

std::vector<SE3<double>> body_poses(const Model& model, const std::vector<double>& q) {
  std::vector<SE3<double>> X_W(model.bodies().size());
  for (const int b : model.topology().order) {
    const int j = model.topology().carrier[b];
    X_W[b] = child_pose(model.joints()[j], model.dimension(), X_W, coordinates_of(model, q, j));
  }
  return X_W;
}

std::vector<Twist<double>> body_twists(const Model& model, const std::vector<double>& q,
                                       const std::vector<double>& qd) {
  const std::vector<SE3<double>> X_W = body_poses(model, q);
  std::vector<Twist<double>> V_B(X_W.size());
  for (const int b : model.topology().order) {
    const int j = model.topology().carrier[b];
    const Joint& joint = model.joints()[j];
    const auto rates =
        std::span(qd).subspan(model.rate_offset(j), model.rate_offset(j + 1) - model.rate_offset(j));
    V_B[b] = child_twist(joint, X_W[b], X_W, V_B,
                         joint_twist(joint, model.dimension(), coordinates_of(model, q, j), rates));
  }
  return V_B;
}

}  // namespace torsor
