#pragma once
// Whether every motion that the joints allow moves mass. Where one does not, nothing says how fast it goes:
// the mass matrix is singular in every formulation.

#include "torsor/model/model.h"

namespace torsor {

/// Throws ModelError at the inertia of a body that can turn without moving mass, such as a thin rod on a ball
/// joint about its axis, in general position and not held by a spring, damper or servo.
void require_massive_motions(const Model& model);

}  // namespace torsor
