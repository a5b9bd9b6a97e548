#pragma once
// The readers of the sections of a model file, each of which fills its part of the description. Later
// sections refer to earlier ones by name.

#include <compare>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/format/yaml_view.h"
#include "torsor/model/model.h"

namespace torsor {

/// Names of a section and their indices in the description. Copies share them until a name is added.
class NameIndex {
 public:
  explicit NameIndex(const char* what) : what_(what) {}
  void add(const std::string& name);
  bool has(const std::string& name) const { return names_ && names_->index.contains(name); }
  int index(const std::string& name) const { return names_->index.at(name); }
  /// The index of the name that stands in the file, or a complaint with the nearest name.
  int resolve(const YamlView& name) const;
  [[noreturn]] void refuse(const std::string& name, const YamlView& place) const;

 private:
  struct Names {
    std::unordered_map<std::string, int> index;
    std::vector<std::string> list;
  };
  const char* what_;  ///< `the name of a joint`, for messages
  std::shared_ptr<Names> names_;
};

/// Without a stiffness a stop takes this much within the permitted overshoot.
inline constexpr double kStopEnergy = 1;    // [J]
inline constexpr double kStopShare = 0.01;  // of the range
inline double default_stop_stiffness(double width) { return stop_stiffness(kStopEnergy, kStopShare * width); }

struct ModelReading {
  ModelDescription d;
  std::string folder;                 ///< where relative mesh files lie
  mutable std::size_t triangles = 0;  ///< of all meshes so far
  NameIndex bodies{"the name of a body"};
  NameIndex joints{"the name of a joint"};
  NameIndex points{"the name of a point"};
  NameIndex tendons{"the name of a tendon"};
  NameIndex actuators{"the name of an actuator"};

  int dimension() const { return d.dimension; }
  int body(const YamlView& name) const;  ///< `world` is kWorld
  const Joint& joint(int index) const { return d.joints[index]; }
};

// The whole file is read in stages: the head, the sections in the order in which one refers to another, and the elements that
// describe themselves.
struct ModelSource;
ModelReading begun_reading(const ModelSource&);
/// How far reading has come: a stage, and an entry of its section.
struct ReadingPlace {
  std::size_t stage = 0, entry = 0;

  auto operator<=>(const ReadingPlace&) const = default;
};
ReadingPlace reading_end();
/// Before what a key path means is read.
ReadingPlace reading_place(const YamlNode& root, const std::string& path);
/// From one place up to another.
void read_stages(const YamlNode& root, ModelReading&, const ReadingPlace& first, const ReadingPlace& last);

/// Validation below the reader knows keys but no file: runs it, and adds file and line to its complaints.
template <class Read>
auto located(const YamlNode& root, Read read) {
  try {
    return read();
  } catch (const ModelError& error) {
    if (!error.file.empty()) throw;
    const YamlNode& place = deepest_match(root, error.key);
    throw ModelError(error.key, error.expected, error.found, *place.file, place.line);
  }
}

// Geometry (model_reader_geometry.cc): 2D vectors have two entries and lie in the plane z = 0.
Vec3<double> read_vector(const YamlView&, int dimension, const Quantity&);
/// Not zero; in 2D two entries or three.
Vec3<double> read_axis(const YamlView&, int dimension);
/// `{quaternion | rpy | axis, angle | matrix}`, in 2D an angle.
SO3<double> read_rotation(const YamlView&, int dimension);
/// A quaternion w, x, y, z of length 1 within the digits people write; normalised.
SO3<double> unit_quaternion(const YamlView&, const std::vector<double>& wxyz);
/// `{position, rotation}`, both optional.
SE3<double> read_pose(const YamlView&, int dimension);

// What the coordinates of a joint measure (model_reader_joints.cc).
std::vector<Quantity> coordinate_quantities(JointType, int dimension);
struct RateQuantities {
  Quantity coordinate, rate, effort, stiffness, damping, inertia;
};
inline constexpr RateQuantities kTurning{kAngle,          kAngularVelocity, kMoment, kAngularStiffness,
                                         kAngularDamping, kInertia};
inline constexpr RateQuantities kSliding{kLength, kVelocity, kForce, kStiffness, kDamping, kMass};
std::vector<RateQuantities> rate_quantities(JointType, int dimension);

/// A number for all entries, or a list with one for each; `member` picks the quantity of an entry.
std::vector<double> read_spread(const YamlView&, const std::vector<RateQuantities>&,
                                Quantity RateQuantities::*member);

Program read_program(const YamlView&, const Quantity&);
Muscle read_muscle(const YamlView&);

// An entry of a section; and sections that have none.
void read_bodies(const std::string& name, const YamlView&, ModelReading&);
void read_world(const YamlView&, ModelReading&);
void read_joints(const std::string& name, const YamlView&, ModelReading&);
/// `range` and `friction` of a joint that has been read (model_reader_limits.cc).
void read_joint_limits(const YamlView& joint, int index, ModelReading&);
/// Likewise of a tendon.
void read_tendon_limits(const YamlView& tendon, int index, ModelReading&);
void read_points(const std::string& name, const YamlView&, ModelReading&);
void read_tendons(const std::string& name, const YamlView&, ModelReading&);
void read_joint_springs(const std::string& name, const YamlView&, ModelReading&);
void read_bushings(const std::string& name, const YamlView&, ModelReading&);
void read_loads(const std::string& name, const YamlView&, ModelReading&);
void read_actuators(const std::string& name, const YamlView&, ModelReading&);
/// Elements that describe themselves (model/elements.h): their sections, and all of them.
std::vector<std::string> described_sections();
void read_described(const YamlView& file, ModelReading&);
void read_controllers(const std::string& name, const YamlView&, ModelReading&);
void read_servos(const std::string& name, const YamlView&, ModelReading&);
void read_couplings(const std::string& name, const YamlView&, ModelReading&);
/// `{a: 1, b: -2.5}` of joints and factors, a list of factors for a joint with several coordinates. Factors of angles may
/// be radii with a unit: `has_radii` tells.
std::vector<CoordinateTerm> read_terms(const YamlView&, const ModelReading&, bool* has_radii = nullptr);
void read_initial(const YamlView&, ModelReading&);
void read_simulation(const YamlView&, ModelReading&);

}  // namespace torsor
