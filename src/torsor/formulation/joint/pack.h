#pragma once
// A pack of trees in joint coordinates.

#include <memory>
#include <span>

#include "torsor/formulation/pack_system.h"

namespace torsor {

class JointSystem;

/// One to as many as P has lanes, 4 or 8, which must outlive it: what packs do not know of their elements is asked of them,
/// one after the other. Throws NotPackable (base/pack_lanes.h).
template <class P>
std::unique_ptr<PackTreeSystem<P>> make_joint_pack(std::span<JointSystem* const> lanes);

}  // namespace torsor
