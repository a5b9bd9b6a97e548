#pragma once
// Which bodies and joints meet in the matrix of a step.

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// Of the rows of loop joints and couplings: lengths in units of the mechanism's, products of directions and
/// angles as they are.
template <int D>
std::vector<double> loop_units(const RotationlessMechanism<D>& mechanism);
/// From what the workspace has before its matrix: mechanism, elements, outputs of servos.
template <int D>
KktPattern make_pattern(const RotationlessWork<D>& work);

}  // namespace torsor
