#pragma once
// Geoms: what they weigh, and the shapes that draw them.

#include <optional>

#include "torsor/format/mjcf/mesh_asset.h"
#include "torsor/format/model_tree.h"

namespace torsor::mjcf {

struct Geom {
  enum class Type { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };

  XmlElement element;
  std::string name{};
  Type type = Type::sphere;
  Vec3<double> size{};         ///< half lengths, radii: as the format has them
  SE3<double> pose{};          ///< in the body
  Inertia<double> inertia{};   ///< in the body frame; zero: it does not weigh
  bool collides = true;
  const MeshAsset* mesh = nullptr;
  std::optional<std::vector<double>> rgba{};
  std::string material{};
  int group = 0;
};

class GeomReader {
 public:
  GeomReader(const Compiler& compiler, Meshes& meshes) : compiler_(compiler), meshes_(meshes) {}
  /// `weighs`: whether its mass counts, and so must be known.
  Geom read(const Attributes& geom, const SE3<double>& frame, bool weighs);

 private:
  void weigh(const Attributes& a, Geom& geom);
  void fit(const Attributes& a, Geom& geom);

  const Compiler& compiler_;
  Meshes& meshes_;
};

/// Mass, tensor of a solid (or a shell) of density 1, in its own axes about its centre.
Inertia<double> unit_inertia(Geom::Type type, const Vec3<double>& size, bool shell);

/// The shape that draws it, as model files have it; nothing where they have none.
std::optional<YamlNode> shape_node(const Geom& geom, const std::string& folder);

}  // namespace torsor::mjcf
