#pragma once
// A URDF file as it is written: links and joints with their numbers, before they become bodies.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "torsor/format/importing.h"
#include "torsor/format/xml.h"
#include "torsor/format/yaml_tree.h"
#include "torsor/lie/inertia.h"
#include "torsor/lie/se3.h"

namespace torsor {

/// `<origin xyz rpy>`.
struct UrdfOrigin {
  Vec3<double> xyz, rpy;

  SE3<double> pose() const;
};

inline constexpr double kUrdfUnbounded = 1e9;  ///< stands for a limit that is none

struct UrdfInertial {
  double mass = 0;
  UrdfOrigin origin;
  Sym3<double> tensor;  ///< about the centre of mass, in axes of the origin
  int line = 0;
};

struct UrdfVisual {
  SE3<double> pose;
  YamlNode shape;  ///< without its pose
};

struct UrdfLink {
  std::string name;
  XmlElement element;
  std::optional<UrdfInertial> inertial;
  std::vector<UrdfVisual> visuals;
  int carrier_joint = -1;     ///< index of the joint whose child it is; -1: the root
  std::vector<int> joints{};  ///< whose parent it is, by their names in order
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  struct Mimic {
    int joint = 0;
    double multiplier = 1, offset = 0;
    int line = 0;
  };
  std::string name;
  XmlElement element;
  Type type = Type::fixed;
  int parent = 0, child = 0;
  UrdfOrigin origin{};
  Vec3<double> axis{1, 0, 0};
  std::optional<std::pair<double, double>> range{};  ///< of position
  std::optional<double> stop_energy{};               ///< that its stops take [J]; none: the usual
  double damping = 0, friction = 0;
  std::optional<Mimic> mimic{};
};

/// A tree with one root.
struct Urdf {
  std::string name;
  std::vector<UrdfLink> links;    ///< in file order
  std::vector<UrdfJoint> joints;  ///< in file order
  int root = 0;
};

/// Throws ModelError with file and line on what is no URDF.
Urdf read_urdf(const XmlElement& robot, Importing& importing);

/// What a link is drawn with (urdf_visual.cc).
class UrdfDrawing {
 public:
  UrdfDrawing(const XmlElement& robot, Importing& importing);
  std::vector<UrdfVisual> visuals_of(const XmlElement& link);

 private:
  std::optional<YamlNode> geometry(const XmlElement& visual);
  std::optional<YamlNode> mesh(const XmlElement& element);
  std::optional<std::vector<double>> color(const XmlElement& material);

  Importing& importing_;
  std::map<std::string, std::vector<double>> colors_;        ///< of the robot's materials
  std::map<std::string, std::optional<std::string>> files_;  ///< of meshes, by their names
};

UrdfOrigin urdf_origin(const XmlElement& owner);

}  // namespace torsor
