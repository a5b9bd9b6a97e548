#pragma once
// A pack of mechanisms in directors.

#include <memory>
#include <span>

#include "torsor/formulation/pack_system.h"

namespace torsor {

/// Of systems that make_rotationless made, one to as many as P has lanes, which are 4 or 8. It keeps nothing of them. Throws
/// NotPackable (base/pack_lanes.h).
template <class P>
std::unique_ptr<PackSystem<P>> make_rotationless_pack(std::span<ConstrainedSystem* const> lanes);

/// Puts other lanes in the places of those that a pack has. False where they are not built like these, and for packs of other
/// formulations; then, and where NotPackable is thrown, the pack is of no more use.
template <class P>
bool take_lanes(PackSystem<P>& pack, std::span<ConstrainedSystem* const> lanes);

/// Whether packs of all widths give the same numbers, bit for bit. Loops do not: what is left of them after the tree is a
/// dense matrix, and in its loops compilers contract products and sums otherwise at another width.
bool is_same_at_all_widths(ConstrainedSystem& lane);

}  // namespace torsor
