#pragma once
// A model in the formulation `joint` with its start, for tests of integrators on trees.

#include "torsor/formulation/joint/joint.h"
#include "torsor/integrator/integrator.h"
#include "torsor/model/initial.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"

namespace torsor::testing {

struct TreeProbe {
  explicit TreeProbe(const ModelDescription& description) : model(description), system(model) {
    start.q = initial_coordinates(model);
    start.v = initial_rates(model, start.q);
    start.z.resize(system.flow_count());
  }

  /// The body-fixed increment from one configuration to another.
  std::vector<double> difference(const std::vector<double>& from, const std::vector<double>& to) const {
    std::vector<double> increment(system.rate_count());
    configuration_difference<double>(system.tree(), from, to, increment);
    return increment;
  }
  /// Kinetic and of gravity.
  double energy(const TreeState& state) const {
    std::vector<Pose<double>> X_W(system.tree().size());
    std::vector<Twist<double>> V(system.tree().size());
    forward_kinematics<double>(system.tree(), state.q, state.v, X_W, V);
    return kinetic_energy<double>(system.tree(), V) + rotor_energy<double>(system.tree(), state.v) +
           gravity_potential<double>(system.tree(), X_W);
  }

  Model model;
  JointSystem system;
  TreeState start;
};

}  // namespace torsor::testing
