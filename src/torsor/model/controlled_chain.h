#pragma once
// What an impedance controller acts through: the joints on the way from the ground to the body of its point.

#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// All joints of the chain are driven. Efforts on them do the same virtual work as forces on the bodies of
/// the chain; a force elsewhere acts on the chain as if it acted on the body that carries that place.
struct ControlledChain {
  std::vector<int> bodies;   ///< from the ground outwards
  std::vector<int> joints;   ///< that carry these bodies
  std::vector<int> carrier;  ///< for each body of the model the last body of the chain on the way to it from
                             ///< the ground; kWorld if there is none
};

ControlledChain make_controlled_chain(const Model& model, int body);

/// The joints with rates that a controller acts through, from the ground outwards.
std::vector<int> driven_joints(const Model& model, const Controller& controller);
int driven_rate_count(const Model& model, const Controller& controller);  ///< of all of them

/// Throws ModelError where no joint moves the point of a controller, and where two controllers compensate the
/// same at one joint, which would be done twice.
void require_feasible_controllers(const Model& model);

}  // namespace torsor
