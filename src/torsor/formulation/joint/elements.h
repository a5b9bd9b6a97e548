#pragma once
// What acts on a tree, compiled for its nodes and rates.

#include <array>
#include <string>
#include <vector>

#include "torsor/model/joint_spring_law.h"
#include "torsor/model/model.h"
#include "torsor/model/tendon_law.h"
#include "torsor/tree/tree.h"

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

/// A PD controller on one coordinate: effort k (target - q) + c (target' - qd).
struct TreeCoordinateHold {
  int q = 0, rate = 0;
  double stiffness = 0, damping = 0;
  Program target;
  int source_flow = 0, damper_flow = -1;
};

/// The virtual spring and damper of an impedance controller: force k (target - x) + c (target' - x') at a
/// point, which efforts on the joints of its chain exert (Kotyczka-Götz-Herrmann 44).
struct TreePointHold {
  int node = 0;
  Vec3<double> p_N;
  Vec3<double> stiffness, damping;  ///< along world axes
  std::array<Program, 3> target;
  int source_flow = 0, damper_flow = -1;
};

/// The weight of a body, compensated by the joints of a chain: -m g at its centre of mass, on the node of the
/// chain that carries it.
struct TreeCarriedWeight {
  int node = 0, carrier = 0;
  Vec3<double> com_N;
  double mass = 0;
  int source_flow = 0;
};

/// The pull of a tendon, compensated likewise.
struct TreeCarriedTendon {
  int tendon = 0;
  std::vector<int> carriers;  ///< by point of its path; 0: the chain does not carry it
  int source_flow = 0;
};

/// `flow` is where the element books its power among the flows; sources of work come first, then dampers.
struct JointElements {
  std::vector<ActuatorLaw> actuators;  ///< flows 0 ..
  std::vector<LoadLaw> loads;          ///< flows after the actuators
  std::vector<JointSpringLaw> springs;
  std::vector<int> spring_source_flow;        ///< of a spring without potential, else -1
  std::vector<int> spring_damper_flow;        ///< -1 without damping
  std::vector<int> spring_compensation_flow;  ///< of the controller that compensates it; -1: none
  std::vector<TendonLaw> tendons;
  std::vector<int> tendon_damper_flow;  ///< -1 without damping
  std::vector<TreeCoordinateHold> coordinate_holds;
  std::vector<TreePointHold> point_holds;
  std::vector<TreeCarriedWeight> carried_weights;
  std::vector<TreeCarriedTendon> carried_tendons;
  std::vector<std::string> sources, dampers;
  std::vector<double> breakpoints;  ///< of all programs, increasing

  int flow_count() const { return static_cast<int>(sources.size() + dampers.size()); }
  bool need_poses() const { return !tendons.empty() || !loads.empty() || !point_holds.empty(); }
};

JointElements make_joint_elements(const Model& model, const Tree& tree);

/// Throws ModelError that names what the formulation `joint` cannot simulate: loop joints, servos.
void refuse_unsupported(const Model& model);

}  // namespace torsor
