#pragma once
// Meshes of the section `asset`: what they weigh as MuJoCo computes it.

#include <map>
#include <memory>
#include <optional>

#include "torsor/format/mjcf/compiler.h"
#include "torsor/model/body.h"

namespace torsor::mjcf {

/// How the volume of a mesh is understood. convex: that of its hull; exact: of a closed surface; legacy: the sum of the pyramids from the centre of
/// the faces, each counted as positive; shell: of its surface.
enum class MeshInertia { convex, exact, legacy, shell };

struct MeshAsset {
  XmlElement element;
  std::string file{};  ///< with the folder that `compiler` says; empty: vertices are given
  Vec3<double> scale{1, 1, 1};
  SE3<double> reference{};  ///< refpos, refquat: of the file's axes in those of the mesh
  MeshInertia inertia = MeshInertia::legacy;
  std::vector<Vec3<double>> vertices{};
  std::vector<std::array<int, 3>> faces{};
};

/// Mass 1 for each cubic metre (shell: square metre), in the axes of the mesh.
Inertia<double> mesh_inertia(const std::vector<Vec3<double>>& vertices,
                             const std::vector<std::array<int, 3>>& faces, MeshInertia how);

class Meshes {
 public:
  Meshes(const Element& mujoco, const Document&, const Defaults&, const Compiler&);
  std::vector<std::string> files() const;  ///< that the assets name
  const MeshAsset& find(const Attributes& geom) const;
  /// Reads the file where that has not been done.
  const std::pair<std::vector<Vec3<double>>, std::vector<std::array<int, 3>>>& surface(const MeshAsset&);
  const Inertia<double>& unit_inertia(const MeshAsset&, MeshInertia how);

 private:
  std::vector<std::string> names_{};
  std::map<std::string, MeshAsset> all_;
  std::map<const MeshAsset*, std::pair<std::vector<Vec3<double>>, std::vector<std::array<int, 3>>>> surfaces_;
  std::map<std::pair<const MeshAsset*, MeshInertia>, Inertia<double>> inertias_;
};

}  // namespace torsor::mjcf
