#pragma once
// Reference problems, described in C++: what tests of integrators and simulations run on.

#include "torsor/model/model.h"

namespace torsor::reference {

/// One rod on a hinge, falling from the horizontal: m = 1, J = 1/12, L = 1, g = 9.81.
ModelDescription pendulum();

/// Götz's arm: three equal links in the plane, m = 1, J = 1, L = 1, com in the middle, g = 1, horizontal at
/// rest.
ModelDescription three_link_arm();
/// The same with two tendons: one over the second joint from the post to the third link, one from the ground
/// to the tip.
ModelDescription three_link_arm_with_tendons();
/// The same driven by a hat and a sine at two joints, with damped tendons and a damped spring.
ModelDescription driven_arm();

/// n bodies on spherical joints under gravity, swinging and spinning.
ModelDescription spherical_chain(int n);
/// Lagrange's top: an axisymmetric body on a spherical joint under gravity, an integrable motion.
ModelDescription heavy_top();
/// An axisymmetric body in free flight without gravity, spinning off its axis.
ModelDescription free_top();
/// A free body that carries a spherical and a revolute arm: what order is measured on.
ModelDescription free_tree();
/// Every joint type in one branched tree.
ModelDescription all_joints();
/// A tree with every kind of element: tendons (damped, tension-only), springs of each law, loads, actuators.
ModelDescription all_elements();

}  // namespace torsor::reference
