#pragma once
// How far two motions of a mechanism lie apart: what --verify and --accuracy speak of.

#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// Where a body is.
struct BodyPose {
  Vec3<double> com;      ///< world [m]
  SO3<double> rotation;  ///< body axes to world axes
};

std::vector<BodyPose> poses_of(const Observation& observation);

struct MotionError {
  double error =
      0;         ///< distances of centres of mass over the size, angles between directions [rad]: the largest
  int body = 0;  ///< whose it is
};
MotionError motion_error(const std::vector<BodyPose>& a, const std::vector<BodyPose>& b, double size);

}  // namespace torsor
