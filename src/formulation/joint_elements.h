#pragma once
// What acts on a tree, compiled for its nodes and rates.

#include <array>
#include <string>
#include <vector>

#include "model/joint_spring_law.h"
#include "model/model.h"
#include "model/tendon_law.h"
#include "tree/tree.h"

namespace torsor {

/// An effort program on one rate.
struct ActuatorLaw {
  int rate = 0;
  Program effort;
};

/// A force or moment program on one node, along world axes or along axes fixed on the node.
struct LoadLaw {
  Load::Kind kind = Load::Kind::force;
  int node = 0;
  Vec3<double> p_N;   ///< where the force acts
  Mat3<double> R_NB;  ///< axes of the body, for loads given in them
  bool in_body_axes = false;
  std::array<Program, 3> components;
};

/// `flow` is where the element books its power among the flows; sources of work come first, then dampers.
struct JointElements {
  std::vector<ActuatorLaw> actuators;  ///< flows 0 ..
  std::vector<LoadLaw> loads;          ///< flows after the actuators
  std::vector<JointSpringLaw> springs;
  std::vector<int> spring_source_flow;  ///< of a spring without potential, else -1
  std::vector<int> spring_damper_flow;  ///< -1 without damping
  std::vector<TendonLaw> tendons;
  std::vector<int> tendon_damper_flow;  ///< -1 without damping
  std::vector<std::string> sources, dampers;
  std::vector<double> breakpoints;  ///< of all programs, increasing

  int flow_count() const { return static_cast<int>(sources.size() + dampers.size()); }
  bool need_poses() const { return !tendons.empty() || !loads.empty(); }
};

JointElements make_joint_elements(const Model& model, const Tree& tree);

/// Throws ModelError that names what the formulation `joint` cannot simulate: loop joints, controllers,
/// servos.
void refuse_unsupported(const Model& model);

}  // namespace torsor
