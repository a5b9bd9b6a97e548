#include "torsor/study/motion_error.h"

#include "torsor/base/norm.h"

namespace torsor {

std::vector<BodyPose> poses_of(const Observation& observation) {
  std::vector<BodyPose> poses;
  poses.reserve(observation.bodies.size());
  for (const BodyObservation& body : observation.bodies) poses.push_back({body.com, body.rotation});
  return poses;
}

MotionError motion_error(const std::vector<BodyPose>& a, const std::vector<BodyPose>& b, double size) {
  MotionError largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error =
        larger(norm(a[i].com - b[i].com) / size, norm(log(inverse(a[i].rotation) * b[i].rotation)));
    if (error <= largest.error) continue;
    largest = {error, static_cast<int>(i)};
  }
  return largest;
}

}  // namespace torsor
