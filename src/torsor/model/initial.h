#pragma once
// The state in which a model starts, in joint coordinates. Loops are closed elsewhere: this is the guess.

#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// q of all joints in file order: `initial.joints`, zeros and unit quaternions where nothing is given; the
/// poses of `initial.bodies` turned into the coordinates of the joints that carry those bodies. Throws
/// ModelError that says by how much a pose is out of the joint's reach (beyond 1e-9 m or rad).
std::vector<double> initial_coordinates(const Model& model);

/// qd of all joints in file order, likewise from `initial.rates` and the velocities of `initial.bodies`, in
/// the configuration q (that of initial_coordinates, or an assembled one).
std::vector<double> initial_rates(const Model& model, const std::vector<double>& q);
std::vector<double> initial_rates(const Model& model);

/// The pose of every body's frame in the world, along the spanning tree.
std::vector<SE3<double>> body_poses(const Model& model, const std::vector<double>& q);

/// The twist of every body's frame in its own axes, likewise.
std::vector<Twist<double>> body_twists(const Model& model, const std::vector<double>& q,
                                       const std::vector<double>& qd);

}  // namespace torsor
