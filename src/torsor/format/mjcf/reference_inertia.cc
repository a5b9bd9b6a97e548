#include "torsor/format/mjcf/reference_inertia.h"

#include <Eigen/Core>

#include "torsor/numerics/dense.h"

namespace torsor::mjcf {
namespace {

/// The twist of a rate at the world's origin, in its axes.
struct Screw {
  int body;
  Twist<double> twist;
  double armature;
};

std::vector<Screw> screws_of(const World& world, const JointData& joint) {
  const SE3<double>& X = world.bodies[joint.body].in_world;
  const Vec3<double> through = act(X, joint.position);
  std::vector<Screw> all;
  const auto turn = [&](const Vec3<double>& n) {
    all.push_back({joint.body, {n, cross(through, n)}, joint.armature});
  };
  const auto slide = [&](const Vec3<double>& n) { all.push_back({joint.body, {{}, n}, joint.armature}); };
  const Vec3<double> unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (joint.type == JointData::Type::hinge) turn(act(X.rotation, joint.axis));
  if (joint.type == JointData::Type::slide) slide(act(X.rotation, joint.axis));
  if (joint.type == JointData::Type::free)
    for (const Vec3<double>& n : unit) slide(n);
  if (!joint.is_scalar())
    for (const Vec3<double>& n : unit) turn(act(X.rotation, n));
  return all;
}

struct ReferenceMatrix {
  Eigen::MatrixXd M;
  std::vector<int> first;  ///< rate, by joint
};

ReferenceMatrix reference_matrix(const World& world) {
  std::vector<Inertia<double>> carried;  // by each body, in the world
  for (const BodyData& body : world.bodies) carried.push_back(to_parent(pose(body.in_world), body.inertia));
  for (std::size_t i = world.bodies.size(); i-- > 0;)
    if (const int parent = world.bodies[i].parent; parent != kWorld)
      carried[parent] = carried[parent] + carried[i];
  std::vector<Screw> screws;
  std::vector<int> first;
  for (const JointData& joint : world.joints) {
    first.push_back(static_cast<int>(screws.size()));
    for (const Screw& one : screws_of(world, joint)) screws.push_back(one);
  }
  const auto count = static_cast<Eigen::Index>(screws.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    // Joints stand in the order of the tree: those before act on it if their bodies carry its own.
    const Wrench<double> momentum = carried[screws[i].body] * screws[i].twist;
    for (Eigen::Index k = 0; k <= i; ++k) {
      int above = screws[i].body;
      while (above != kWorld && above != screws[k].body) above = world.bodies[above].parent;
      if (above == screws[k].body) M(i, k) = M(k, i) = dot(screws[k].twist, momentum);
    }
    M(i, i) += screws[i].armature;
  }
  return {M, first};
}

}  // namespace

double inertia_along(const World& world, const std::vector<std::pair<int, double>>& terms) {
  const auto [M, first] = reference_matrix(world);
  Eigen::MatrixXd way = Eigen::MatrixXd::Zero(M.rows(), 1);
  for (const auto& [joint, factor] : terms) way(first[joint], 0) += factor;
  return 1 / solve_lower(cholesky(M), way).squaredNorm();
}

std::vector<double> free_inertias(const World& world) {
  const auto [M, first] = reference_matrix(world);
  const Eigen::MatrixXd half = solve_lower(cholesky(M), Eigen::MatrixXd::Identity(M.rows(), M.rows()));
  std::vector<double> result;
  for (const int rate : first) result.push_back(1 / half.col(rate).squaredNorm());
  return result;
}

}  // namespace torsor::mjcf
