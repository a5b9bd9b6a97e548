#pragma once
// Energies and momentum of a tree from its poses and twists.

#include <span>

#include "torsor/tree/tree.h"

namespace torsor {

/// Of the bodies; rotors of joints have rotor_energy (armature.h) beside it.
template <class S>
S kinetic_energy(const Tree& tree, std::span<const Twist<S>> V_N);

/// -m g . x summed; zero for a centre of mass at the world origin.
template <class S>
S gravity_potential(const Tree& tree, std::span<const Pose<S>> X_WN);

/// Total momentum of the bodies as a co-screw about the world origin in world axes: (angular, linear), Müller (35).
template <class S>
Wrench<S> momentum(const Tree& tree, std::span<const Pose<S>> X_WN, std::span<const Twist<S>> V_N);

}  // namespace torsor
