#pragma once
// Meshes with fewer triangles, for pictures.

#include <cstddef>

#include "torsor/model/body.h"

namespace torsor {

/// At most `most` triangles, or the mesh itself where it has no more: vertices in one cell of a grid become one, at their mean, and
/// triangles that lose a corner go (Rossignac and Borrel 1993). Parts keep their colours.
Mesh thinned(const Mesh& mesh, std::size_t most);

}  // namespace torsor
