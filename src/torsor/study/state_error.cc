#include "torsor/study/state_error.h"

#include <algorithm>

namespace torsor {
namespace {

/// A value that is not a number must not hide.
void raise_to(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

}  // namespace

void StateError::raise(const StateError& other) {
  raise_to(position, other.position);
  raise_to(velocity, other.velocity);
}

StateError state_error(const std::vector<BodyObservation>& a, const std::vector<BodyObservation>& b) {
  StateError error;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const BodyObservation &x = a[i], &y = b[i];
    raise_to(error.position, norm(x.com - y.com));
    raise_to(error.position, norm(log(inverse(x.rotation) * y.rotation)));
    raise_to(error.velocity, norm(x.velocity - y.velocity));
    raise_to(error.velocity, norm(x.angular_velocity - y.angular_velocity));
  }
  return error;
}

}  // namespace torsor
