#pragma once
// The stiff part of the tangent in joint coordinates, for the solvers of implicit methods.

#include <memory>

#include "torsor/formulation/joint/elements.h"
#include "torsor/formulation/tree_system.h"

namespace torsor {

/// Joint springs, PD controllers and dampers, as if every coordinate were the integral of its rate and
/// rotations near rest: exact for axes, close for rotations; beside them tensions, tree/dynamic_stiffness.h.
/// Keeps a reference to the tree.
std::unique_ptr<StiffInverse> make_joint_stiffness(const Tree& tree, const JointElements& elements,
                                                   int count);

}  // namespace torsor
