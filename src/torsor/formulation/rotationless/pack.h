#pragma once
// A pack of mechanisms in directors.

#include <memory>
#include <span>

#include "torsor/formulation/pack_system.h"

namespace torsor {

/// Of systems that make_rotationless made, one to as many as a pack has lanes. It keeps nothing of them. Throws
/// NotPackable (base/pack_lanes.h).
std::unique_ptr<PackSystem> make_rotationless_pack(std::span<ConstrainedSystem* const> lanes);

}  // namespace torsor
