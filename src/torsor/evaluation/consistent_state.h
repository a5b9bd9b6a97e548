#pragma once
// A state of a mechanism with loops from what is said of some of its joints.

#include "torsor/evaluation/evaluate.h"

namespace torsor {

/// Values of joints, and which of them are said; the others count for nothing.
struct SaidState {
  JointState values;
  std::vector<bool> q, qd, qdd, qddd, qdddd;  ///< by joint
};

/// Coordinates: of the joints that are said, those stay that loops leave open (all, if the loops close with them);
/// the others are a guess. Where nothing is said a joint starts from where the model does, and loops follow along
/// the way from there, so that the mechanism stays assembled as it is. Rates and their derivatives: those of
/// independent joints, zero unless said, and what the loops make of them. Independent are `independent`, then joints
/// that are said, actuated ones, and others in file order.
/// Throws ModelError where loops do not close, and where a rate or acceleration contradicts them. A tree has all as
/// it is said.
JointState consistent_state(const Model& model, const SaidState& said);

}  // namespace torsor
