#include "torsor/study/state_error.h"

#include "torsor/base/norm.h"

namespace torsor {
void StateError::raise(const StateError& other) {
  keep_largest(position, other.position);
  keep_largest(velocity, other.velocity);
}

StateError state_error(const std::vector<BodyObservation>& a, const std::vector<BodyObservation>& b) {
  StateError error;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const BodyObservation &x = a[i], &y = b[i];
    keep_largest(error.position, norm(x.com - y.com));
    keep_largest(error.position, norm(log(inverse(x.rotation) * y.rotation)));
    keep_largest(error.velocity, norm(x.velocity - y.velocity));
    keep_largest(error.velocity, norm(x.angular_velocity - y.angular_velocity));
  }
  return error;
}

}  // namespace torsor
