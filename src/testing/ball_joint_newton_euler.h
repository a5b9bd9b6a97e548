#pragma once
// Newton's and Euler's equations of bodies on ball joints, one body after the other with the forces in the
// joints as unknowns: nothing here knows the recursions or the formulations.

#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor::testing {

/// What acts on a body beside its joints: force, and moment about the centre of mass, world axes.
struct BodyLoad {
  Vec3<double> force, moment;
};

/// Angular accelerations in world axes of a model whose joints are all spherical. Solves
///   m a = f + sum of joint forces,  J alpha + omega x J omega = moment + sum of arm x joint force,
///   a + alpha x r + omega x (omega x r) equal on both sides of each joint,
/// densely.
std::vector<Vec3<double>> angular_accelerations(const Model& model, const Observation& state,
                                                const std::vector<BodyLoad>& loads);

}  // namespace torsor::testing
