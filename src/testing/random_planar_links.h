#pragma once
// Random planar trees of revolute joints, axes up and down, centres of mass to any side of the joints: what
// the formulation cartesian takes.

#include <cmath>
#include <random>

#include "testing/random_elements.h"
#include "testing/random_models.h"

namespace torsor {

inline ModelDescription random_planar_links(int count, unsigned seed) {
  std::mt19937 random(seed);
  ModelDescription description = random_planar_tree(count, seed);
  for (int i = 0; i < count; ++i) {
    Joint& joint = description.joints[i];
    joint.type = JointType::revolute;
    joint.axis = {0, 0, i % 4 == 3 ? -1.0 : 1.0};
    const double angle = std::uniform_real_distribution<double>(-3, 3)(random);
    const double length = std::uniform_real_distribution<double>(0.5, 1)(random);
    description.bodies[i].com =
        joint.in_child.position + length * Vec3<double>{std::cos(angle), std::sin(angle), 0};
  }
  return description;
}

}  // namespace torsor
