#pragma once
// Triangle meshes from Wavefront OBJ and STL (text or binary) files.

#include <cstddef>
#include <string>

#include "torsor/model/body.h"

namespace torsor {

inline constexpr std::size_t kLargestMeshFile = std::size_t{64} << 20;  ///< bytes
inline constexpr std::size_t kMostTriangles = 1'000'000;

/// Vertices and triangles of a file; its kind is told by the name's ending. Polygons of an OBJ file are cut
/// into fans; equal vertices of an STL file become one. Throws ModelError with the mesh file and line under
/// `key`.
Mesh read_mesh(const std::string& path, const std::string& key);
/// The same from the bytes of the file.
Mesh parse_mesh(const std::string& bytes, const std::string& path, const std::string& key);

/// MuJoCo's own binary format.
Mesh parse_msh(const std::string& bytes, const std::string& path, const std::string& key);

}  // namespace torsor
