#include "testing/random_models.h"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

Vec3<double> random_point(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double x = uniform(generator), y = uniform(generator), z = uniform(generator);
  return {x, y, z};
}

/// Six point masses: physical by construction.
Sym3<double> random_tensor(std::mt19937& generator) {
  Sym3<double> sum;
  for (int k = 0; k < 6; ++k) {
    const Vec3<double> x = random_point(generator);
    sum = sum + 0.3 * steiner(x, x);
  }
  return sum;
}

}  // namespace

std::vector<JointType> with_others(std::vector<JointType> types) {
  for (const JointTypeRow& row : kJointTypes) {
    if (std::find(types.begin(), types.end(), row.type) == types.end()) types.push_back(row.type);
  }
  return types;
}

ModelDescription random_tree(int joint_count, unsigned seed, double branching) {
  static const std::vector<JointType> kTypes =
      with_others({JointType::revolute, JointType::spherical, JointType::prismatic, JointType::universal,
                   JointType::revolute, JointType::helical, JointType::fixed, JointType::free,
                   JointType::cylindrical, JointType::planar});
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  ModelDescription d;
  d.name = fmt::format("random tree {}", seed);
  d.gravity = 9.81 * random_point(generator);
  for (int i = 0; i < joint_count; ++i) {
    Body body;
    body.name = fmt::format("body{}", i);
    body.mass = 0.5 + uniform(generator);
    body.com = 0.5 * random_point(generator);
    body.inertia = random_tensor(generator);
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    joint.type = kTypes[i % kTypes.size()];
    joint.parent = i == 0 ? kWorld : i - 1;
    if (uniform(generator) < branching) joint.parent = static_cast<int>(uniform(generator) * (i + 1)) - 1;
    joint.child = i;
    joint.in_parent = {exp_so3(2.0 * random_point(generator)), random_point(generator)};
    joint.in_child = {exp_so3(2.0 * random_point(generator)), 0.3 * random_point(generator)};
    if (has_axis(joint.type)) joint.axis = random_point(generator);
    if (has_pitch(joint.type)) joint.pitch = 0.2;
    d.bodies.push_back(body);
    d.joints.push_back(joint);
  }
  return d;
}

ModelDescription with_armature(ModelDescription d, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0.1, 2);
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    Joint& joint = d.joints[j];
    joint.armature.resize(rate_count(joint.type, d.dimension));
    if (j % 3 == 2) continue;
    for (double& a : joint.armature) a = uniform(generator);
    if (joint.type != JointType::free) continue;
    std::fill(joint.armature.end() - d.dimension, joint.armature.end(), uniform(generator));
  }
  return d;
}

ModelDescription random_geared_tree(int joint_count, unsigned seed) {
  ModelDescription d = random_tree(joint_count, seed);
  return seed % 2 == 1 ? with_armature(d, seed) : d;
}

std::vector<double> random_vector(int size, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> v(size);
  for (double& x : v) x = uniform(generator);
  return v;
}

std::vector<double> random_configuration(const Tree& tree, std::mt19937& generator) {
  std::vector<double> q(tree.coordinate_count);
  set_neutral(tree, q);
  const std::vector<double> increment = random_vector(tree.rate_count, generator);
  retract<double>(tree, q, increment, q);
  return q;
}

}  // namespace torsor
