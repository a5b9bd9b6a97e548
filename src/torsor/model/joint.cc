#include "torsor/model/joint.h"

namespace torsor {

SO3<double> axis_frame(const Vec3<double>& a) {
  // (1 + z.a, z x a), normalised; below the equator 1 + a.z without its cancellation.
  const double sideways = a.x * a.x + a.y * a.y;
  if (a.z < 0 && sideways == 0) return {0, 1, 0, 0};
  const double w = a.z < 0 ? sideways / (1 - a.z) : 1 + a.z;
  return normalized(SO3<double>{w, -a.y, a.x, 0});
}

}  // namespace torsor
