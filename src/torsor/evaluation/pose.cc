#include "torsor/evaluation/pose.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr int kMostReaches = 300;
constexpr double kReached = 1e-9, kSamePose = 1e-6;
constexpr double kLongestReach = 0.5;  ///< rad, or of the mechanism's size
constexpr std::size_t kMostWithSelfMotions = 8;

/// What is left, over the size of the mechanism, and its derivatives by du.
struct Left {
  VectorXd r;
  MatrixXd J;
  int place_rows = 0;
};

struct Bounded {
  int coordinate, rate;
  double lower, upper;
};
std::vector<Bounded> bounds_of(const Model& model) {
  std::vector<Bounded> all;
  for (const JointStop& stop : model.elements().stops) {
    if (stop.tendon) continue;
    for (std::size_t i = 0; i < stop.ranges.size(); ++i) {
      if (!stop.ranges[i].is_bounded()) continue;
      const int offset = static_cast<int>(i);
      all.push_back({model.coordinate_offset(stop.joint) + offset, model.rate_offset(stop.joint) + offset,
                     stop.ranges[i].lower, stop.ranges[i].upper});
    }
  }
  return all;
}

double beyond_bounds(const Bounded& bound, std::span<const double> q) {
  const double x = q[bound.coordinate];
  return x > bound.upper ? x - bound.upper : x < bound.lower ? x - bound.lower : 0;
}

/// 3 x dof, by the velocities that unit rates cause.
MatrixXd place_by_u(const ReducedMechanism& mechanism, const ReducedConfiguration& at, const Point& point) {
  MatrixXd J = MatrixXd::Zero(3, at.dof());
  if (point.body == kWorld) return J;
  const Tree& tree = mechanism.tree();
  const int node = tree.body_node[point.body];
  const Vec3<double> p_N = act(tree.X_NB[point.body], point.p_B);
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Twist<double>> V(tree.size());
  for (int j = 0; j < at.dof(); ++j) {
    forward_kinematics<double>(tree, at.q, mechanism.rates(at, VectorXd::Unit(at.dof(), j)), X_W, V);
    const Vec3<double> v = X_W[node].R * (V[node].linear + cross(V[node].angular, p_N));
    J.col(j) << v.x, v.y, v.z;
  }
  return J;
}

class Reaching {
 public:
  Reaching(const ReducedMechanism& mechanism, const std::vector<Reach>& wanted, double length)
      : mechanism_(mechanism), wanted_(wanted), length_(length), bounds_(bounds_of(mechanism.model())) {}

  Left left(const ReducedConfiguration& at) const {
    const int axes = mechanism_.model().dimension();
    const VectorXd scales = rate_scales(mechanism_, length_);
    Left result;
    result.place_rows = axes * static_cast<int>(wanted_.size());
    std::vector<const Bounded*> broken;
    for (const Bounded& bound : bounds_) {
      if (beyond_bounds(bound, at.q) != 0) broken.push_back(&bound);
    }
    const int rows = result.place_rows + static_cast<int>(broken.size());
    result.r = VectorXd(rows);
    result.J = MatrixXd(rows, at.dof());
    int row = 0;
    for (const Reach& reach : wanted_) {
      const Vec3<double> apart = place_of(mechanism_, at.q, reach.point) - reach.place;
      const MatrixXd by_u = place_by_u(mechanism_, at, reach.point);
      for (int i = 0; i < axes; ++i, ++row) {
        result.r[row] = apart[i] / length_;
        result.J.row(row) = by_u.row(i) / length_;
      }
    }
    for (const Bounded* bound : broken) {
      result.r[row] = scales[bound->rate] * beyond_bounds(*bound, at.q);
      result.J.row(row++) = scales[bound->rate] * at.N.row(bound->rate);
    }
    return result;
  }

  /// Levenberg's steps, shortest in the coordinate metric.
  ReachedPose from(ReducedConfiguration at, std::span<const double> q0) const {
    Left now = left(at);
    double damping = 1e-3;
    for (int step = 0; step < kMostReaches && at.dof() > 0 && now.r.norm() > 1e-15 && damping < 1e8; ++step) {
      const MatrixXd L = cholesky(coordinate_metric(mechanism_, at));
      const MatrixXd J = solve_lower(L, now.J.transpose()).transpose();
      const auto rows = J.rows(), dof = J.cols();
      MatrixXd system(rows + dof, dof);
      system << J, std::sqrt(damping * now.r.norm()) * MatrixXd::Identity(dof, dof);
      VectorXd right = VectorXd::Zero(rows + dof);
      right.head(rows) = -now.r;
      VectorXd du = solve_transposed(L, least_squares(system, right));
      const double longest = largest_motion(mechanism_, at, du);
      if (longest > kLongestReach) du *= kLongestReach / longest;
      try {
        ReducedConfiguration next = mechanism_.configure(mechanism_.moved(at, du).q);
        Left there = left(next);
        if (there.r.norm() < now.r.norm()) {
          at = std::move(next);
          now = std::move(there);
          damping = std::max(1e-12, damping / 10);
          continue;
        }
      } catch (const ModelError&) {
        // Loops do not close there: shorter.
      }
      damping *= 10;
      if (now.r.norm() < 1e-13) break;
    }
    return described(at, q0);
  }

  ReachedPose described(const ReducedConfiguration& at, std::span<const double> q0) const {
    ReachedPose pose;
    pose.q = at.q;
    pose.independent = at.independent;
    for (const Reach& reach : wanted_) {
      keep_largest(pose.miss, norm(place_of(mechanism_, at.q, reach.point) - reach.place));
    }
    for (const Bounded& bound : bounds_) keep_largest(pose.beyond, std::abs(beyond_bounds(bound, at.q)));
    const Left rest = left(at);
    pose.self_motions = at.dof() - (at.dof() == 0 ? 0 : rank(rest.J.topRows(rest.place_rows)));
    std::vector<double> increment(mechanism_.rate_count());
    configuration_difference<double>(mechanism_.tree(), q0, at.q, increment);
    pose.distance = VectorXd::Map(increment.data(), mechanism_.rate_count())
                        .cwiseProduct(rate_scales(mechanism_, length_))
                        .norm();
    pose.reaches = pose.miss <= kReached * length_ && pose.beyond <= kReached;
    return pose;
  }

 private:
  const ReducedMechanism& mechanism_;
  const std::vector<Reach>& wanted_;
  double length_;
  std::vector<Bounded> bounds_;
};

}  // namespace

Vec3<double> place_of(const ReducedMechanism& mechanism, std::span<const double> q, const Point& point) {
  if (point.body == kWorld) return point.p_B;
  const Tree& tree = mechanism.tree();
  std::vector<Pose<double>> X_W(tree.size());
  node_poses<double>(tree, q, X_W);
  return act(X_W[tree.body_node[point.body]], act(tree.X_NB[point.body], point.p_B));
}

ReachedPose reach(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                  const std::vector<Reach>& wanted) {
  return Reaching(mechanism, wanted, from.length).from(from, from.q);
}

std::vector<ReachedPose> reach_all(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                   const std::vector<Reach>& wanted, int starts) {
  const Reaching reaching(mechanism, wanted, from.length);
  const int dof = from.dof();
  if (starts <= 0) starts = std::clamp(20 * dof, 40, 200);
  std::vector<ReachedPose> found;
  SpreadNumbers spread;
  const VectorXd reach_of = rate_scales(mechanism, from.length)(from.independent).cwiseInverse();
  for (int k = 0; k < starts; ++k) {
    const ReducedConfiguration start =
        k == 0 ? from
               : moved_as_far(mechanism, from, std::numbers::pi * spread.next(dof).cwiseProduct(reach_of));
    ReachedPose pose = reaching.from(start, from.q);
    if (!pose.reaches) continue;
    const bool known = std::any_of(found.begin(), found.end(), [&](const ReachedPose& other) {
      return stand_alike(mechanism, other.q, pose.q, from.length, kSamePose);
    });
    if (known) continue;
    found.push_back(std::move(pose));
    if (found.back().self_motions > 0 && found.size() >= kMostWithSelfMotions) break;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const ReachedPose& a, const ReachedPose& b) { return a.distance < b.distance; });
  return found;
}

AssemblyModes assembly_modes(const ReducedMechanism& mechanism, const ReducedConfiguration& at, int starts) {
  const Model& model = mechanism.model();
  AssemblyModes modes{{}, {at.q}};
  Held held(model);
  std::set<int> kept;
  for (const int rate : at.independent) kept.insert(joint_of_rate(model, rate));
  for (const int j : kept) {
    held.joints[j] = true;
    modes.kept.push_back(model.joints()[j].name);
  }
  std::vector<int> rates;
  for (const int j : joints_in_loops(model)) {
    if (held.joints[j]) continue;
    for (int i = model.rate_offset(j); i < model.rate_offset(j + 1); ++i) rates.push_back(i);
  }
  if (rates.empty() || model.topology().loop_joints.empty()) return modes;
  if (starts <= 0) starts = std::clamp(10 * static_cast<int>(rates.size()), 60, 300);
  const auto is_loop_joint = [&](int j) {
    const std::vector<int>& loops = model.topology().loop_joints;
    return std::find(loops.begin(), loops.end(), j) != loops.end();
  };
  SpreadNumbers spread;
  for (int k = 0; k < starts; ++k) {
    VectorXd increment = std::numbers::pi * spread.next(static_cast<int>(rates.size()));
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (!is_angular(model, rates[i])) increment[static_cast<Eigen::Index>(i)] *= at.length;
    }
    const Closing closing = close_loops(model, moved(model, at.q, rates, increment), held, 1);
    if (!closing.closed()) continue;
    InitialState there;
    there.time = model.initial().time;
    for (int j = 0; j < static_cast<int>(model.joints().size()); ++j) {
      const auto first = closing.q.begin() + model.coordinate_offset(j),
                 last = closing.q.begin() + model.coordinate_offset(j + 1);
      if (first != last && !is_loop_joint(j)) there.joints[model.joints()[j].name] = {first, last};
    }
    try {
      std::vector<double> other =
          mechanism.configure(assemble(model.with_initial(there)).q, {}, {kept.begin(), kept.end()}).q;
      const bool known =
          std::any_of(modes.found.begin(), modes.found.end(), [&](const std::vector<double>& mode) {
            return stand_alike(mechanism, mode, other, at.length, kSamePose);
          });
      if (!known) modes.found.push_back(std::move(other));
    } catch (const ModelError&) {
      // Closed in a singular position, from which nothing goes on.
    }
  }
  return modes;
}

ReachedPose reach(const Model& model, const std::vector<Reach>& wanted) {
  const ReducedMechanism mechanism(model);
  return reach(mechanism, mechanism.configure(assemble(model).q), wanted);
}

std::vector<ReachedPose> reach_all(const Model& model, const std::vector<Reach>& wanted, int starts) {
  const ReducedMechanism mechanism(model);
  return reach_all(mechanism, mechanism.configure(assemble(model).q), wanted, starts);
}

AssemblyModes assembly_modes(const Model& model, int starts) {
  const ReducedMechanism mechanism(model);
  return assembly_modes(mechanism, mechanism.configure(assemble(model).q), starts);
}

}  // namespace torsor
