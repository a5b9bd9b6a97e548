#pragma once
// Random mechanisms and states for tests that must hold for every one of them.

#include <random>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// These, then what other joint types there are.
std::vector<JointType> with_others(std::vector<JointType> types);

/// A branched tree of `joint_count` joints of every type in turn, bodies with random inertia, frames
/// anywhere, axes skew. `branching` is the share of joints that hang on a random earlier body instead of the
/// last one.
ModelDescription random_tree(int joint_count, unsigned seed, double branching = 0.3);

/// Rotors on two joints in three, on each rate its own; on the slides of a free joint the same.
ModelDescription with_armature(ModelDescription description, unsigned seed);
/// A random tree, with armature if the seed is odd.
ModelDescription random_geared_tree(int joint_count, unsigned seed);

/// Uniform in [-1, 1].
std::vector<double> random_vector(int size, std::mt19937& generator);
/// A configuration a random increment away from the neutral one.
std::vector<double> random_configuration(const Tree& tree, std::mt19937& generator);

}  // namespace torsor
