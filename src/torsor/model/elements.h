#pragma once
// What acts on the bodies: tendons, joint springs, loads, actuators; and what commands them: controllers,
// servos. Plain descriptions; the laws are in tendon_law.h and joint_spring_law.h.
//
// What others ask of an element, where it has an answer:
//   sources()                  names under which the ledger books the work it does
//   is_damped()                whether the ledger books what it takes, under its name
//   programs()                 functions of time in it, whose kinks integrators step onto
//   acts_from_ground(joints)   whether it pushes against the ground, and so breaks every symmetry
//   describe(fields)           its keys in a model file, with units and ranges: then it is read and checked

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "torsor/lie/so3.h"
#include "torsor/model/body.h"
#include "torsor/model/joint.h"
#include "torsor/model/program.h"

namespace torsor {

inline bool vanishes(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double value) { return value == 0; });
}

/// A point fixed on a body (or on the ground).
struct Point {
  std::string name;
  int body = kWorld;
  Vec3<double> p_B;  ///< in the body frame [m]
};

/// A massless, frictionless cable of straight segments through points.
///   U = k/2 (l - l0)^2, tension T = k (l - l0) + c ld;   tension_only: both vanish where l < l0, and T >= 0
struct Tendon {
  std::string name;
  std::vector<Point> path;  ///< two or more
  double stiffness = 0;     ///< k >= 0 [N/m]
  double rest_length = 0;   ///< l0 >= 0 [m]
  double damping = 0;       ///< c >= 0 [N s/m], on the rate of the total length
  bool tension_only = false;

  bool is_damped() const { return damping > 0; }
};

/// angle: each coordinate of a revolute, prismatic, helical, cylindrical, universal or planar joint by itself.
/// log: U = k/2 |log(R_rest^T R)|^2 of a spherical (or free) joint's rotation; damping on angular velocity.
/// euler321: moment -k (phi_x, theta_y, psi_z) on the child in parent axes, R = Rz(psi) Ry(theta) Rx(phi)
///   (Sætran 3.3.2, corrected); it has no potential, and the ledger books it as work.
enum class SpringLaw { angle, log, euler321 };

struct JointSpring {
  std::string name;
  int joint = 0;
  SpringLaw law = SpringLaw::angle;
  /// One for each rate of the joint (angle), or 3 about the axes (log: all equal). One number stands for all
  /// where they have the same unit; missing damping and rest are filled with zeros.
  std::vector<double> stiffness;
  std::vector<double> damping;            ///< likewise
  std::vector<double> rest;               ///< one for each coordinate (angle law)
  SO3<double> rest_rotation{1, 0, 0, 0};  ///< log and euler321

  std::vector<std::string> sources() const {
    return law == SpringLaw::euler321 ? std::vector<std::string>{name} : std::vector<std::string>{};
  }
  bool is_damped() const { return !vanishes(damping); }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return joints[joint].parent == kWorld && !(vanishes(stiffness) && vanishes(damping));
  }
};

/// A force at a point, or a moment on a body, given along world or body axes.
struct Load {
  enum class Kind { force, moment };
  std::string name;
  Kind kind = Kind::force;
  Point at;  ///< for a moment only the body counts
  bool in_body_axes = false;
  std::array<Program, 3> components;  ///< [N] or [N m]

  std::vector<std::string> sources() const { return {name}; }
  std::vector<Program> programs() const { return {components.begin(), components.end()}; }
  bool acts_from_ground(const std::vector<Joint>&) const {
    return !std::all_of(components.begin(), components.end(), [](const Program& p) { return p.vanishes(); });
  }
};

/// An effort on one coordinate of a joint: on the child, with its reaction on the parent.
struct Actuator {
  std::string name;
  int joint = 0;
  int coordinate = 0;  ///< index among the joint's rates
  Program effort;      ///< [N m] or [N]

  std::vector<std::string> sources() const { return {name}; }
  std::vector<Program> programs() const { return {effort}; }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return joints[joint].parent == kWorld && !effort.vanishes();
  }
};

/// Continuous, or sampled: then the law is evaluated at the start and every period after it, and its efforts on
/// the joints are held between.
struct Controller {
  enum class Type { pd, impedance };
  std::string name;
  Type type = Type::pd;
  std::optional<int> joint;                ///< pd
  std::optional<Point> point;              ///< impedance
  std::vector<double> stiffness, damping;  ///< one for each component of the target
  std::vector<Program> target;
  bool compensate_gravity = false, compensate_springs = false;
  std::optional<SO3<double>> rotation =
      std::nullopt;              ///< impedance in 3D: of the point's body, body axes to world axes
  double angular_stiffness = 0;  ///< of the virtual spring k/2 |log(rotation^T R)|^2 [N m/rad]
  double angular_damping = 0;    ///< on the angular velocity [N m s/rad]
  double period = 0;             ///< [s]; 0: continuous
  bool position_only = false;    ///< sampled: rates are differences of sampled positions

  bool is_sampled() const { return period > 0; }
  /// What is held is one effort, whatever it is made of.
  std::vector<std::string> sources() const {
    std::vector<std::string> names{name};
    if (is_sampled()) return names;
    if (compensate_gravity) names.push_back(name + " (gravity)");
    if (compensate_springs) names.push_back(name + " (springs)");
    return names;
  }
  bool is_damped() const { return !is_sampled() && (!vanishes(damping) || angular_damping > 0); }
  std::vector<Program> programs() const { return target; }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return type == Type::impedance || joints[*joint].parent == kWorld;
  }
};

/// Outputs that follow programs exactly; the efforts of the actuators are unknowns of the step.
struct Servo {
  std::string name;
  std::optional<Point> point;              ///< either a point ...
  std::optional<int> body;                 ///< ... or a body ...
  std::optional<int> joint;                ///< ... or a joint
  std::map<std::string, Program> follows;  ///< by names of servo_outputs (model/servo.h)
  std::vector<int> actuators;

  std::vector<Program> programs() const {
    std::vector<Program> all;
    for (const auto& [output, program] : follows) all.push_back(program);
    return all;
  }
};

/// Viscous drag of a body against surroundings at rest: force -c v at its centre of mass, moment -d omega.
struct Drag {
  std::string name;
  int body = 0;
  double linear = 0;   ///< c >= 0 [N s/m]
  double angular = 0;  ///< d >= 0 [N m s/rad]

  bool is_damped() const { return linear > 0 || angular > 0; }
  bool acts_from_ground(const std::vector<Joint>&) const { return is_damped(); }
  template <class Fields>
  void describe(Fields&& fields) {
    fields.body("body", body);
    fields.nonnegative("linear", "N s/m", linear);
    fields.nonnegative("angular", "N m s/rad", angular);
  }
};

/// The elements of a model, a list for each kind.
struct ElementLists {
  std::vector<Tendon> tendons;
  std::vector<JointSpring> joint_springs;
  std::vector<Load> loads;
  std::vector<Drag> drag;
  std::vector<Actuator> actuators;
  std::vector<Controller> controllers;
  std::vector<Servo> servos;
};

/// Hands every list to `use(section, list)`, in the order in which the ledger books.
template <class Lists, class Use>
void for_each_kind(Lists& elements, Use&& use) {
  use("actuators", elements.actuators);
  use("loads", elements.loads);
  use("tendons", elements.tendons);
  use("joint_springs", elements.joint_springs);
  use("drag", elements.drag);
  use("controllers", elements.controllers);
  use("servos", elements.servos);
}

}  // namespace torsor
