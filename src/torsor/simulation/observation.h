#pragma once
// The view of a state that does not depend on the formulation: what Record, Ledger, reports and comparisons
// live on.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/twist.h"
#include "torsor/model/program.h"

namespace torsor {

struct BodyObservation {
  Vec3<double> com;                   ///< world [m]
  SO3<double> rotation;               ///< body axes to world axes
  double angle = 0;                   ///< 2D only; counts turns
  Vec3<double> velocity;              ///< of the centre of mass, world axes [m/s]
  Vec3<double> angular_velocity;      ///< world axes [rad/s]
  Vec3<double> acceleration;          ///< of the centre of mass, world axes [m/s^2]
  Vec3<double> angular_acceleration;  ///< world axes [rad/s^2]

  void pass(StateTape& tape);
};

/// World axes [m, m/s, m/s^2].
struct PointObservation {
  Vec3<double> position, velocity, acceleration;

  void pass(StateTape& tape) { tape(position, velocity, acceleration); }
};

struct JointObservation {
  std::vector<double> position, rate;  ///< in the joint's coordinates
  Wrench<double> reaction;  ///< on the child at the joint frame K, in its axes [N m, N]; efforts included
  Wrench<double> reaction_world;     ///< the same in world axes, about the origin of K
  Wrench<double> reaction_parent;    ///< on the parent at the joint frame J, in its axes
  std::vector<double> acceleration;  ///< derivatives of the rates

  void pass(StateTape& tape);
};

struct TendonObservation {
  double length = 0, tension = 0;  ///< [m], [N] (with damping, motors, actuators and muscle)

  void pass(StateTape& tape) { tape(length, tension); }
};

struct MuscleObservation {
  double excitation = 0, activation = 0;
  double force = 0, passive = 0;  ///< along the path, all of it and what is elastic in it [N]
  double fibre_length = 0;        ///< [m]

  void pass(StateTape& tape) { tape(excitation, activation, force, passive, fibre_length); }
};

struct SolverObservation {
  int iterations = 0;
  double residual = 0;

  void pass(StateTape& tape) { tape(iterations, residual); }
};

/// Of a sampled controller so far [J].
struct SamplingFlows {
  double created =
      0;             ///< its work less that which its law would have done continuously along the same motion
  double taken = 0;  ///< by the damper of that law, which is in its work

  void pass(StateTape& tape) { tape(created, taken); }
};

/// Of a body as a method has it, which may violate constraints by a little: world axes [m/s, rad/s].
struct BodySpeed {
  Vec3<double> velocity, angular_velocity;  ///< of the centre of mass; of the body

  void pass(StateTape& tape) { tape(velocity, angular_velocity); }
};

/// By which speeds of a body are weighed against those of others.
struct BodyWeight {
  double mass = 0, inertia = 0;  ///< [kg]; half of the sum of the principal moments [kg m^2]
};

/// Made once with the right sizes, then filled again and again.
struct Observation {
  double time = 0;
  double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]
  std::vector<double> work;                      ///< done so far by each source of Manifest::sources [J]
  std::vector<double> dissipated;                ///< taken so far by each damper of Manifest::dampers [J]
  double flow_rounding = 0;                      ///< of work less dissipated, what these sums cannot hold [J]
  std::vector<SamplingFlows> sampling;           ///< of each of Manifest::sampled
  Vec3<double> linear_momentum;                  ///< world axes [kg m/s]
  Vec3<double> angular_momentum;                 ///< about the world origin, world axes [kg m^2/s]
  double position_error = 0, velocity_error = 0;  ///< constraints, largest [m, m/s]
  double unit_length_error = 0;                   ///< of quaternions
  std::vector<BodyObservation> bodies;
  std::vector<JointObservation> joints;
  std::vector<PointObservation> points;
  std::vector<TendonObservation> tendons;
  std::vector<MuscleObservation> muscles;
  std::vector<double> efforts;    ///< of each actuator [N m, N]
  std::vector<double> couplings;  ///< effort of each: times its factor it acts on a coordinate
  std::vector<std::vector<double>>
      controllers;  ///< efforts of each on its joints (control/controller_efforts.h)
  SolverObservation solver;

  double total() const { return kinetic + gravity + elastic; }
  void pass(StateTape& tape);
};

/// A coordinate of a joint, or the length of a tendon, with stops; a bound that it has not is infinite.
struct StoppedCoordinate {
  std::string name;  ///< of the joint or tendon; of a joint with several coordinates also of the coordinate
  int joint = 0, coordinate = 0;
  bool turns = true;  ///< an angle; else a displacement or a length
  double lower = 0, upper = 0;
  int tendon = -1;  ///< whose length it is; -1: a coordinate
};

struct SampledController {
  std::string name;
  double period = 0;  ///< [s]
  int source = 0;     ///< of its work, among Manifest::sources
};

/// A quantity that is recorded: a dataset of a result file.
struct Channel {
  std::vector<std::string> path;        ///< {"bodies", "link1", "com"}
  std::string unit;                     ///< SI; a list where the components differ
  std::vector<std::string> components;  ///< {"x", "y"}; {""} for a single number
  bool integral = false;                ///< counts

  int width() const { return static_cast<int>(components.size()); }
};

/// What may be recorded, in the order of a row. Copies share it, and so do runs of models that differ in numbers alone.
class ChannelList {
 public:
  ChannelList() = default;
  /// `key` tells lists apart: all that decides the channels, as one text.
  ChannelList(std::string key, std::vector<Channel> channels)
      : shared_(std::make_shared<const Contents>(Contents{std::move(key), std::move(channels)})) {}

  operator const std::vector<Channel>&() const { return list(); }
  const Channel& operator[](std::size_t i) const { return list()[i]; }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  std::size_t size() const { return list().size(); }
  const std::string& key() const { return contents().key; }

 private:
  struct Contents {
    std::string key;
    std::vector<Channel> channels;
  };
  const Contents& contents() const {
    static const Contents none;
    return shared_ ? *shared_ : none;
  }
  const std::vector<Channel>& list() const { return contents().channels; }

  std::shared_ptr<const Contents> shared_;
};

/// The axes in which a reaction is recorded in 2D, as its joint frame sees them: those of the frame, but for a
/// joint that only slides, whose z lies in the plane: then x is along the slide.
struct PlaneAxes {
  Vec3<double> x{1, 0, 0}, y{0, 1, 0}, normal{0, 0, 1};
};
struct JointPlane {
  PlaneAxes child, parent;
};

/// A point that belongs to the mechanism: of a body, or of the world.
struct OutlinePoint {
  int body = -1;          ///< -1: the world
  Vec3<double> from_com;  ///< from its centre of mass, in body axes; of the world from its origin [m]
};

/// Names for the entries of an Observation; the same for a whole run.
struct Manifest {
  std::string model, formulation, integrator;
  int dimension = 3;
  int order = 0;             ///< of the method
  double controlled_to = 0;  ///< tolerance of a method that controls the error of its steps; 0: it does not
  std::vector<std::string> bodies, joints, points, tendons, actuators, controllers, couplings;
  std::vector<BodyWeight> weights;                   ///< of the bodies
  std::vector<OutlinePoint> outline;                 ///< ends of joints, and named points
  std::vector<JointPlane> planes;                    ///< 2D: in which each joint acts
  std::vector<std::string> muscles;                  ///< names of their tendons
  std::vector<std::optional<Program>> rest_lengths;  ///< of the tendons through points [m]
  std::vector<bool> tension_only;                    ///< likewise
  std::vector<StoppedCoordinate> stops;
  std::vector<std::optional<std::pair<double, double>>> limits;  ///< of the actuators [N m, N]
  std::vector<std::string> sources;  ///< of work: actuators, loads, springs without potential,
                                     ///< controllers and what they compensate, muscles
  std::vector<std::string> dampers;  ///< tendons, joint springs and controllers with damping, muscles
  std::vector<SampledController> sampled;
  std::vector<SampledController> exciting;  ///< muscles; they do no work themselves
  bool has_quaternions = false;             ///< whether unit_length_error means something
  bool has_constraints = false;             ///< whether the constraint errors do
  std::string note;                         ///< on the way the integrator steps; usually empty
  std::string assembly;                     ///< what had to move before the start; empty without loops
  ChannelList channels;                     ///< what may be recorded (channels.h)
  std::vector<Twist<double>> conserved_linear, conserved_angular;  ///< symmetries (model/symmetry.h)
};

/// Of the two unit quaternions of a rotation the one nearer to the last, so that recorded ones are
/// continuous.
inline SO3<double> on_side_of(const SO3<double>& last, const SO3<double>& r) {
  const double along = last.w * r.w + last.x * r.x + last.y * r.y + last.z * r.z;
  return along < 0 ? SO3<double>{-r.w, -r.x, -r.y, -r.z} : r;
}

}  // namespace torsor
