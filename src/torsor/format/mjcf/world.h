#pragma once
// The tree of bodies with their joints, geoms and sites, read from `worldbody`: frames and replicates resolved, bodies
// without joints merged into those that carry them.

#include <map>
#include <string>
#include <vector>

#include "torsor/format/mjcf/geom.h"
#include "torsor/model/body.h"

namespace torsor::mjcf {

struct JointData {
  enum class Type { free, ball, slide, hinge };

  Attributes attributes;  ///< with classes; of a freejoint those of the element alone
  std::string name{};
  Type type = Type::hinge;
  int body = 0;  ///< that it moves
  Vec3<double> position{}, axis{0, 0, 1};
  double reference = 0;  ///< coordinate in the reference configuration (hinge, slide)
  double armature = 0, stiffness = 0, damping = 0, friction = 0, spring_reference = 0;
  std::optional<std::pair<double, double>> range{};  ///< limited to it

  bool is_scalar() const { return type == Type::slide || type == Type::hinge; }
  double unit(const Compiler& c) const { return type == Type::slide ? 1 : c.angle_unit; }
  int coordinates() const { return type == Type::free ? 7 : type == Type::ball ? 4 : 1; }
  int rates() const { return type == Type::free ? 6 : type == Type::ball ? 3 : 1; }
};

struct BodyData {
  XmlElement element;
  std::string name{};
  int parent = kWorld;        ///< among all bodies of the file
  SE3<double> in_parent{};    ///< in the reference configuration
  std::vector<int> joints{};  ///< indices
  std::optional<XmlElement> inertial{};
  Inertia<double> inertia{};  ///< own, in the body frame
  Inertia<double> merged{};   ///< with bodies that are welded to it
  std::vector<Geom> geoms{};
  double gravity_compensation = 0;
  int carrier = kWorld;  ///< itself, or the body with joints into which it is merged
  SE3<double> in_carrier{};
  SE3<double> in_world{};  ///< in the reference configuration
};

struct SiteData {
  XmlElement element;
  std::string name{};
  int body = kWorld;
  SE3<double> pose{};
};

/// A tendon through sites, or a sum of coordinates.
struct TendonData {
  Attributes attributes;
  std::string name{};  ///< in the model
  bool is_fixed = false;
  std::vector<std::pair<int, double>> terms{};  ///< fixed: joints and coefficients
  double length = 0;                            ///< in the reference configuration
  double spring_length = 0;                     ///< where all joints are at their springref
  YamlNode path{};                              ///< the keys that say where it runs
};

struct World {
  std::vector<BodyData> bodies{};  ///< parents before children, in file order
  std::vector<JointData> joints{};
  std::vector<SiteData> sites{};
  std::vector<Geom> ground{};  ///< geoms of the world
  std::map<std::string, int> body_of, joint_of, site_of;
  std::map<std::string, std::pair<int, int>> geom_of;  ///< body (kWorld: the ground), index

  const Geom& geom(const std::pair<int, int>& at) const {
    return at.first == kWorld ? ground[at.second] : bodies[at.first].geoms[at.second];
  }
  int carrier(int body) const { return body == kWorld ? kWorld : bodies[body].carrier; }
  SE3<double> in_carrier(int body) const { return body == kWorld ? SE3<double>{} : bodies[body].in_carrier; }
  SE3<double> in_world(int body) const { return body == kWorld ? SE3<double>{} : bodies[body].in_world; }
};

/// What `flag` switches off.
struct Flags {
  bool contact = true, equality = true, limit = true, friction = true, gravity = true, spring = true,
       damper = true, actuation = true, clamp = true;
};

/// Where the model has what an actuator of the file became: sections and names.
struct Command {
  std::vector<std::pair<std::string, std::string>> entries{};
  bool has_activation = false;
};

/// What the readers of the sections share.
struct Reading {
  Importing& importing;
  const Document& document;
  Defaults defaults;
  Compiler compiler;
  Meshes meshes;
  World world{};
  YamlNode root{};  ///< the model file that is made
  Vec3<double> gravity{0, 0, -9.81};
  std::map<int, std::string> links{};  ///< bodies without mass after joints that are not the last of a body
  std::map<std::string, TendonData> tendons{};
  Flags flags{};
  std::map<std::string, std::vector<double>> materials{};  ///< colours by name
  bool has_loops = false;
  std::vector<Command> commands{};  ///< one for each actuator, in file order

  const Element& mujoco() const { return *document.root; }
  /// Children of all sections of a name.
  std::vector<Element> section(const char* name) const;
  /// A name of our own where the element has none, made so that it is unlike the others of its kind.
  std::string unique_name(const std::string& kind, const std::string& wanted);
  std::map<std::string, int> used{};
};

void read_world(Reading&);

/// Index of what an attribute names, or a complaint with the nearest name; -1 where there is no such attribute.
int named(const std::map<std::string, int>& all, const Attributes&, const char* attribute, const char* what);

// What is made of it, each in a file of its own.
void put_bodies(Reading&);
void put_joints(Reading&);
void put_tendons(Reading&);
void read_options(Reading&);  ///< gravity, which others ask for
void put_actuators(Reading&);
void put_equalities(Reading&);
void put_settings(Reading&);    ///< option, keyframe
void leave_out_rest(Reading&);  ///< contacts, sensors, pictures

/// Another tendon that runs like this one, of which `parts` says what it is made of; returns its name.
std::string put_beside(Reading&, const TendonData&, const std::string& name, const YamlNode& parts);
/// The path of a tendon over joints, by their factors; a joint may be named twice.
YamlNode sum_node(const Reading&, const Origin&, const std::vector<std::pair<int, double>>& terms);
/// The second end of a wrapped segment.
void put_between(YamlNode& wrap, const std::string& site, const Origin& at);

/// The shape that draws a geom, unless meshes are not wanted.
std::optional<YamlNode> drawn(const Reading&, const Geom&);

/// The name of a body of the model in which a body of the file is, or `world`.
std::string carrier_name(const Reading&, int body);

}  // namespace torsor::mjcf
