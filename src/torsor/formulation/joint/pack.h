#pragma once
// A pack of trees in joint coordinates.

#include <memory>
#include <span>

#include "torsor/formulation/pack_system.h"

namespace torsor {

class JointSystem;

/// One to as many as a pack has lanes, which must outlive it: what packs do not know of their elements is asked of them,
/// one after the other. Throws NotPackable (base/pack_lanes.h).
std::unique_ptr<PackTreeSystem> make_joint_pack(std::span<JointSystem* const> lanes);

}  // namespace torsor
