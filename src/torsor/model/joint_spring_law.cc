#include "torsor/model/joint_spring_law.h"

#include <algorithm>

namespace torsor {

JointSpringLaw make_joint_spring_law(const JointSpring& spring, int first_coordinate, int first_rate) {
  JointSpringLaw law;
  law.law = spring.law;
  law.q = first_coordinate;
  law.v = first_rate;
  law.count = static_cast<int>(std::max(spring.stiffness.size(), spring.damping.size()));
  const auto fill = [](const std::vector<double>& from, std::array<double, 6>& to) {
    std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
  };
  fill(spring.stiffness, law.stiffness);
  fill(spring.damping, law.damping);
  fill(spring.rest, law.rest);
  law.rest_rotation = spring.rest_rotation;
  return law;
}

}  // namespace torsor
