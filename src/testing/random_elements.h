#pragma once
// Random planar mechanisms, and every kind of element on any mechanism.

#include "torsor/model/model.h"

namespace torsor {

/// A branched tree in the plane of `joint_count` joints of every type in turn, frames anywhere, axes up and
/// down.
ModelDescription random_planar_tree(int joint_count, unsigned seed, double branching = 0.3);

enum class Damping { none, some };

/// On each joint an actuator a rate and springs of a law that fits; tendons between any bodies and the
/// ground, straight and routed, some of which take tension only and are taut, slack or in between; forces and
/// moments along world and body axes; PD controllers, and impedance controllers of which one may compensate;
/// stops and friction in joints, bushings, drag on bodies and at points; potentials and forces as functions.
/// Actuators that push a free joint between two bodies are left out.
void add_every_element(ModelDescription& description, unsigned seed, Damping damping = Damping::some);

/// The same without what holds or pushes the mechanism from outside: no loads, no tendons to the ground,
/// nothing in the joints on it. Without gravity such a tree on a free joint keeps its momenta.
void add_inner_elements(ModelDescription& description, unsigned seed, Damping damping = Damping::some);

}  // namespace torsor
