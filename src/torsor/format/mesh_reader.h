#pragma once
// Triangle meshes from Wavefront OBJ (with the colours of its MTL file), STL (text or binary) and COLLADA (DAE) files.

#include <cstddef>
#include <string>

#include "torsor/model/body.h"

namespace torsor {

inline constexpr std::size_t kLargestMeshFile = std::size_t{64} << 20;  ///< bytes
inline constexpr std::size_t kMostTriangles = 1'000'000;
inline constexpr std::size_t kMostTrianglesInAll =
    3'000'000;  ///< of a model, a mesh counted as often as it is used

/// Vertices and triangles of a file; its kind is told by the name's ending. Polygons of an OBJ file are cut
/// into fans; equal vertices of an STL file become one. Throws ModelError with the mesh file and line under
/// `key`.
Mesh read_mesh(const std::string& path, const std::string& key);
/// The same from the bytes of the file; no other file is looked at.
Mesh parse_mesh(const std::string& bytes, const std::string& path, const std::string& key);

/// COLLADA: the geometries of its scene, in metres by its `unit`; `up_axis` does not turn them, as ROS has it.
Mesh parse_dae(const std::string& bytes, const std::string& path, const std::string& key);

/// MuJoCo's own binary format.
Mesh parse_msh(const std::string& bytes, const std::string& path, const std::string& key);

/// Whether the name's ending is that of a mesh that can be read.
bool is_mesh_name(const std::string& path);

}  // namespace torsor
