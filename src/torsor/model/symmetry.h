#pragma once
// Which momenta a model conserves, by Noether's theorem: one for each rigid motion of the whole mechanism
// under which nothing that acts from outside changes.

#include <vector>

#include "torsor/lie/twist.h"
#include "torsor/model/model.h"

namespace torsor {

/// Generators xi = (omega, v) in world axes about the world's origin; dot(xi, h) is conserved, where h is the
/// total momentum as a wrench (angular about the origin, linear).
struct ConservedMomenta {
  std::vector<Twist<double>> linear;   ///< pure translations, orthonormal
  std::vector<Twist<double>> angular;  ///< |omega| = 1, omegas orthogonal; v has no part along `linear`
};

/// xi is a symmetry if it leaves invariant
///   gravity g:                     omega x g = 0, v . g = 0                                   (1)
///   a tendon's point p on the ground: omega x p + v = 0                                       (2)
///   a joint to the ground:         xi in the span of the motions that it allows from that side       (3)
/// and there is no load, no impedance controller, and no spring, actuator or controller at a joint to the
/// ground. What acts between bodies conserves all momenta, servos included.
ConservedMomenta conserved_momenta(const Model& model);

}  // namespace torsor
