#pragma once
// What a mechanism is: described by plain data, then built, validated and immutable.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "torsor/model/body.h"
#include "torsor/model/elements.h"
#include "torsor/model/joint.h"
#include "torsor/model/topology.h"

namespace torsor {

struct InitialBody {
  std::optional<Vec3<double>> position;  ///< of the body frame in the world
  std::optional<SO3<double>> rotation;
  std::optional<Vec3<double>> velocity;          ///< of the body frame's origin, world axes
  std::optional<Vec3<double>> angular_velocity;  ///< world axes
};

struct InitialState {
  std::map<std::string, std::vector<double>> joints;  ///< joint name -> coordinates
  std::map<std::string, std::vector<double>> rates;   ///< joint name -> rates
  std::map<std::string, InitialBody> bodies;
  bool assemble = false;
  double time = 0;  ///< at which it starts [s]
};

/// How the file wishes to be simulated; the command line may override each.
/// How the formulation `joint` finds accelerations: articulated bodies in O(n), or moving frames in dense
/// closed form.
enum class Dynamics { recursive, moving_frame };

struct SimulationSettings {
  std::string formulation = "joint";
  Dynamics dynamics = Dynamics::recursive;
  std::string integrator = "dopri5";
  std::map<std::string, std::variant<double, std::string>> integrator_options;
  std::optional<double> step;      ///< [s]
  std::optional<double> duration;  ///< [s]
  std::optional<double> tolerance;
  int record_every = 1;
  std::vector<std::string> record;       ///< channels; none: all
  std::vector<std::string> extremes_of;  ///< channels whose extremes are recorded between; none: not
  bool land_on_kinks = true;             ///< steps end on kinks of programs

  bool operator==(const SimulationSettings&) const = default;
};

struct ModelDescription : ElementLists {
  std::string name;
  int dimension = 3;
  Vec3<double> gravity;  ///< [m/s^2]
  std::vector<Body> bodies;
  std::vector<Shape> world_shapes;  ///< of the ground: drawn only
  std::vector<Joint> joints;
  std::vector<Point> points;
  InitialState initial;
  SimulationSettings simulation;
  std::string text;                                     ///< of the file, kept with every result
  std::shared_ptr<const std::string> text_before = {};  ///< stands before it, shared by many models
  std::string file;                                     ///< that it was read from; meshes lie beside it
  std::vector<std::pair<std::string, std::string>> overrides;  ///< of values of the text: key path, value
};

class Model {
 public:
  /// Resolves references, gives every body that is no joint's child a free joint (named after the body,
  /// placed at its `pose`), chooses the spanning tree and validates all. Throws ModelError.
  explicit Model(ModelDescription description);
  /// The same mechanism with another start. Throws ModelError.
  Model with_initial(InitialState initial) const;
  /// The same with another period of its sampled controllers, or of all where none is sampled; 0: continuous.
  Model with_period(double period) const;
  /// The same with a constant effort of some actuators, by index.
  Model with_efforts(const std::map<int, double>& efforts) const;
  /// The same with muscles whose activations start at their excitations, where they rest.
  Model with_resting_muscles() const;

  const std::string& name() const { return d_.name; }
  int dimension() const { return d_.dimension; }
  const Vec3<double>& gravity() const { return d_.gravity; }
  const std::vector<Body>& bodies() const { return d_.bodies; }
  const std::vector<Shape>& world_shapes() const { return d_.world_shapes; }
  const std::vector<Joint>& joints() const { return d_.joints; }
  const std::vector<Point>& points() const { return d_.points; }
  const ElementLists& elements() const { return d_; }
  const std::vector<Tendon>& tendons() const { return d_.tendons; }
  const std::vector<JointSpring>& joint_springs() const { return d_.joint_springs; }
  const std::vector<Load>& loads() const { return d_.loads; }
  const std::vector<Actuator>& actuators() const { return d_.actuators; }
  const std::vector<Controller>& controllers() const { return d_.controllers; }
  const std::vector<Servo>& servos() const { return d_.servos; }
  const std::vector<Coupling>& couplings() const { return d_.couplings; }
  const InitialState& initial() const { return d_.initial; }
  const SimulationSettings& simulation() const { return d_.simulation; }
  std::string text() const { return d_.text_before ? *d_.text_before + d_.text : d_.text; }
  const std::string& file() const { return d_.file; }
  const std::vector<std::pair<std::string, std::string>>& overrides() const { return d_.overrides; }
  const Topology& topology() const { return topology_; }

  int joint_index(const std::string& name) const;  ///< throws ModelError with the nearest name
  int body_index(const std::string& name) const;   ///< likewise; `world` is kWorld
  int coordinate_offset(int joint) const { return coordinate_offset_[joint]; }  ///< of joint in q, file order
  int rate_offset(int joint) const { return rate_offset_[joint]; }              ///< of joint in qd
  int coordinate_count() const { return coordinate_offset_.back(); }  ///< tree and loop joints alike
  int rate_count() const { return rate_offset_.back(); }

 private:
  ModelDescription d_;
  Topology topology_;
  std::vector<int> coordinate_offset_, rate_offset_;  ///< one more entry than joints
};

}  // namespace torsor
