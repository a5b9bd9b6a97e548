#pragma once
// How far two states of the same bodies lie apart, whatever formulations they come from.

#include <vector>

#include "torsor/simulation/observation.h"

namespace torsor {

struct StateError {
  double position = 0;  ///< largest of any body: centre of mass [m], direction [rad]
  double velocity = 0;  ///< likewise [m/s, rad/s]

  void raise(const StateError& other);  ///< to the larger of both
};

StateError state_error(const std::vector<BodyObservation>& a, const std::vector<BodyObservation>& b);

}  // namespace torsor
