#include "bench/models.h"

#include <cmath>
#include <random>

namespace torsor::bench {
namespace {

class Builder {
 public:
  Builder(const std::string& name, unsigned seed) : random_(seed) {
    model_.name = name;
    model_.gravity = {0, 0, -9.81};
  }

  int add(JointType type, int parent, const Vec3<double>& axis) {
    const int child = static_cast<int>(model_.bodies.size());
    const std::string number = std::to_string(child);
    model_.bodies.push_back(random_body("body" + number));
    Joint joint;
    joint.name = "joint" + number;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.in_parent = {random_rotation(), 0.2 * random_vector()};
    joint.axis = axis;
    model_.joints.push_back(joint);
    return child;
  }
  int add_revolute(int parent) { return add(JointType::revolute, parent, random_principal_axis()); }
  int add_limb(int parent, int joints) {
    for (int i = 0; i < joints; ++i) parent = add_revolute(parent);
    return parent;
  }

  Vec3<double> random_principal_axis() {
    const int k = std::uniform_int_distribution<int>(0, 2)(random_);
    return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  }
  Vec3<double> random_direction() {
    const Vec3<double> v{normal_(random_), normal_(random_), normal_(random_)};
    return (1 / norm(v)) * v;
  }
  ModelDescription take() { return std::move(model_); }

 private:
  Vec3<double> random_vector() { return {uniform_(random_), uniform_(random_), uniform_(random_)}; }
  SO3<double> random_rotation() {
    return normalized(SO3<double>{normal_(random_), normal_(random_), normal_(random_), normal_(random_)});
  }
  /// The inertia of a box of random size, turned by a random rotation: physical by construction.
  Body random_body(const std::string& name) {
    Body body;
    body.name = name;
    body.mass = 1 + 0.5 * uniform_(random_);
    body.com = 0.1 * random_vector();
    const Vec3<double> half = Vec3<double>{0.15, 0.15, 0.15} + 0.1 * random_vector();
    const double k = body.mass / 3;
    const Sym3<double> principal{k * (half.y * half.y + half.z * half.z),
                                 k * (half.x * half.x + half.z * half.z),
                                 k * (half.x * half.x + half.y * half.y)};
    body.inertia = rotate(matrix(random_rotation()), principal);
    return body;
  }

  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::normal_distribution<double> normal_;
  ModelDescription model_;
};

}  // namespace

ModelDescription revolute_chain(int n, Axes axes) {
  Builder build(std::to_string(n) + " revolute joints", 1);
  for (int i = 0, tip = kWorld; i < n; ++i) {
    tip = build.add(JointType::revolute, tip,
                    axes == Axes::principal ? build.random_principal_axis() : build.random_direction());
  }
  return build.take();
}

ModelDescription spherical_chain(int n) {
  Builder build(std::to_string(n) + " spherical joints", 2);
  for (int i = 0, tip = kWorld; i < n; ++i) tip = build.add(JointType::spherical, tip, {0, 0, 1});
  return build.take();
}

ModelDescription humanoid() {
  Builder build("humanoid", 3);
  const int pelvis = build.add(JointType::free, kWorld, {0, 0, 1});
  for (int leg = 0; leg < 2; ++leg) build.add_limb(pelvis, 6);
  const int chest = build.add_limb(pelvis, 2);
  build.add_limb(chest, 2);
  for (int arm = 0; arm < 2; ++arm) build.add_limb(chest, 7);
  return build.take();
}

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all;
  for (int n : {3, 7, 16, 64, 256, 1024}) all.push_back({"revolute", n, revolute_chain(n, Axes::principal)});
  for (int n : {7, 64}) all.push_back({"skew", n, revolute_chain(n, Axes::skew)});
  for (int n : {4, 8, 16, 32, 64}) all.push_back({"spherical", n, spherical_chain(n)});
  all.push_back({"humanoid", 31, humanoid()});
  return all;
}

}  // namespace torsor::bench
