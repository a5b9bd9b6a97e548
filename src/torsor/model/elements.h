#pragma once
// What acts on the bodies: tendons, joint springs, loads, actuators; and what commands them: controllers,
// servos. Plain descriptions; the laws are in scalar_law.h, tendon_law.h and joint_spring_law.h.
//
// What others ask of an element, where it has an answer:
//   sources()                  names under which the ledger books the work it does
//   is_damped()                whether the ledger books what it takes, under its name
//   state_count()              numbers of its own that change in time, beside the motion of the bodies
//   programs()                 functions of time in it, whose kinks integrators step onto
//   acts_from_ground(joints)   whether it pushes against the ground, and so breaks every symmetry
//   describe(fields)           its keys in a model file, with units and ranges: then it is read and checked

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/lie/so3.h"
#include "torsor/model/body.h"
#include "torsor/model/joint.h"
#include "torsor/model/muscle.h"
#include "torsor/model/orientation_program.h"
#include "torsor/model/own_law.h"
#include "torsor/model/point_law.h"
#include "torsor/model/program.h"
#include "torsor/model/scalar_law.h"
#include "torsor/model/wrap_law.h"

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

/// What a segment of a tendon goes round, on a body or on the ground.
struct Wrap {
  int segment = 0;                   ///< from point `segment` of the path to the next
  Point at;                          ///< the centre
  SO3<double> rotation{1, 0, 0, 0};  ///< of its frame in the body's; z is the axis of a cylinder
  WrapLaw law{};
};

/// A coordinate of a joint in a sum of several.
struct CoordinateTerm {
  int joint = 0;
  int coordinate = 0;  ///< index among the joint's
  double factor = 0;   ///< not zero; what a term is measured in is the file's affair
};

/// A massless, frictionless cable of segments through points, straight or round what stands in the way; or one over
/// pulleys in joints, whose length l is a sum of joint coordinates. With its stretch e = l - l0
///   U = k/2 e^2, tension T = k e + c e' + T_m;   tension_only: all but T_m vanish where e < 0, and are >= 0
/// A winch changes l0 in time and does the work -int (T - T_m) dl0, a motor that of T_m, -int T_m dl.
struct Tendon {
  std::string name;
  std::vector<Point> path;  ///< two or more, or none where there are joints
  double stiffness = 0;     ///< k >= 0 [N/m]
  Program rest_length{};    ///< l0 >= 0 [m]; of joints any
  double damping = 0;       ///< c >= 0 [N s/m], on the rate of the stretch
  bool tension_only = false;
  Program tension{};                     ///< T_m, what a motor pulls with [N]
  std::vector<Wrap> wraps{};             ///< one a segment at most
  std::optional<Muscle> muscle{};        ///< pulls along the path, beside the spring and the damper
  std::vector<CoordinateTerm> joints{};  ///< instead of a path: l = sum of factor * coordinate, of any sign
  bool is_angle = false;                 ///< what these add up to: then it is in rad, N m, ...

  bool is_damped() const { return damping > 0 || muscle; }
  bool is_wound() const { return !rest_length.is_constant(); }
  int state_count() const { return !muscle ? 0 : muscle->has_series_tendon() ? 2 : 1; }
  std::vector<std::string> sources() const {
    return is_wound() || !tension.vanishes() || muscle ? std::vector<std::string>{name}
                                                       : std::vector<std::string>{};
  }
  std::vector<Program> programs() const {
    std::vector<Program> all{rest_length, tension};
    if (muscle) all.push_back(muscle->excitation);
    return all;
  }
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

/// Stops of a joint, or of a tendon: beyond each bound of a coordinate, or of the length, a spring and damper push it
/// back, and never hold it.
struct JointStop {
  struct Range {
    double lower = -std::numeric_limits<double>::infinity(), upper = -lower;
    double stiffness = 0;  ///< k > 0 [N m/rad, N/m]
    double damping = 0;    ///< c >= 0 [N m s/rad, N s/m], beyond the bound alone

    bool is_bounded() const { return std::isfinite(lower) || std::isfinite(upper); }
  };
  std::string name;
  int joint = 0;
  std::vector<Range> ranges;    ///< one for each coordinate; one of a length
  std::optional<int> tendon{};  ///< whose length it bounds, instead of a joint's coordinates

  bool is_damped() const {
    return std::any_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.damping > 0; });
  }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return !tendon && joints[joint].parent == kWorld;
  }
};
/// The stiffness of a stop that takes an energy within a permitted overshoot, E = k/2 e^2.
inline double stop_stiffness(double energy, double overshoot) { return 2 * energy / (overshoot * overshoot); }

/// In a joint, or along a tendon, against the rate of its length.
struct JointFriction {
  std::string name;
  int joint = 0;
  std::vector<FrictionLaw> laws;  ///< one for each rate; one of a length
  std::optional<int> tendon{};    ///< instead of a joint

  bool is_damped() const {
    return !std::all_of(laws.begin(), laws.end(), [](const FrictionLaw& law) { return law.vanishes(); });
  }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return !tendon && joints[joint].parent == kWorld && is_damped();
  }
};

/// A spring and damper between two bodies without a joint, in all directions: between a frame J on the parent
/// and a frame K on the child, which coincide at rest. With d from J to K and the unit quaternion (w, q) of
/// the rotation from J to K, both in axes of J,
///   U = 1/2 sum k_i d_i^2 + 2 sum kr_i q_i^2,   2 q = the rotation vector near rest;                     (1)
/// the dampers act on d' and on the angular velocity of K in J, along the same axes.
struct Bushing {
  template <class P>
  struct SixOf {
    Vec3<P> translation, rotation;  ///< along and about x, y, z of J

    bool vanishes() const { return translation == Vec3<P>{} && rotation == Vec3<P>{}; }
  };
  using Six = SixOf<double>;
  std::string name;
  int parent = kWorld, child = 0;
  SE3<double> in_parent, in_child;  ///< J and K
  Six stiffness;                    ///< [N/m], [N m/rad]; in the plane x, y and about z
  Six damping;                      ///< [N s/m], [N m s/rad]

  bool is_damped() const { return !damping.vanishes(); }
  bool acts_from_ground(const std::vector<Joint>&) const {
    return (parent == kWorld || child == kWorld) && !(stiffness.vanishes() && damping.vanishes());
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

/// An effort on one coordinate of a joint: on the child, with its reaction on the parent. Or a tension along
/// the path of a tendon, which shortens it where it is positive.
struct Actuator {
  std::string name;
  int joint = 0;
  int coordinate = 0;                                 ///< index among the joint's rates
  Program effort;                                     ///< [N m] or [N]
  std::optional<int> tendon{};                        ///< on which it pulls, instead of a joint
  std::optional<std::pair<double, double>> limits{};  ///< that servos keep, where they can

  std::vector<std::string> sources() const { return {name}; }
  std::vector<Program> programs() const { return {effort}; }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return !tendon && joints[joint].parent == kWorld && !effort.vanishes();
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
  std::optional<OrientationProgram> rotation =
      std::nullopt;              ///< impedance in 3D: of the point's body, body axes to world axes
  double angular_stiffness = 0;  ///< of the virtual spring k/2 |log(rotation^T R)|^2 [N m/rad]
  double angular_damping = 0;    ///< on the angular velocity relative to that of the rotation [N m s/rad]
  double period = 0;             ///< [s]; 0: continuous
  bool position_only = false;    ///< sampled: rates are differences of sampled positions
  struct Excited {
    int tendon = 0;     ///< whose muscle
    double factor = 0;  ///< of the effort [1/(N m), 1/N]
  };
  /// pd, sampled: the effort is no load on the joint, but joins the excitations of muscles.
  std::vector<Excited> excites{};

  bool is_sampled() const { return period > 0; }
  bool loads_joints() const { return excites.empty(); }
  bool holds_loads() const { return is_sampled() && loads_joints(); }
  /// What is held is one effort, whatever it is made of.
  std::vector<std::string> sources() const {
    if (!loads_joints()) return {};
    std::vector<std::string> names{name};
    if (is_sampled()) return names;
    if (compensate_gravity) names.push_back(name + " (gravity)");
    if (compensate_springs) names.push_back(name + " (springs)");
    return names;
  }
  bool is_damped() const {
    return !is_sampled() && loads_joints() && (!vanishes(damping) || angular_damping > 0);
  }
  std::vector<Program> programs() const {
    std::vector<Program> all = target;
    const std::vector<Program> turns = rotation ? rotation->programs() : std::vector<Program>{};
    all.insert(all.end(), turns.begin(), turns.end());
    return all;
  }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return loads_joints() && (type == Type::impedance || joints[*joint].parent == kWorld);
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

/// Drag against surroundings at rest: force -(c + c2 |v|) v at a point, or at the centre of mass of a body,
/// and a moment -d omega on the body.
struct Drag {
  std::string name;
  int body = 0;
  double linear = 0;           ///< c >= 0 [N s/m]
  double angular = 0;          ///< d >= 0 [N m s/rad]
  double quadratic = 0;        ///< c2 >= 0 [N s^2/m^2]
  std::optional<Point> point;  ///< on the body; none: its centre of mass

  bool is_damped() const { return linear > 0 || angular > 0 || quadratic > 0; }
  bool acts_from_ground(const std::vector<Joint>&) const { return is_damped(); }
  template <class Fields>
  void describe(Fields&& fields) {
    fields.body_or_point("body", "point", body, point);
    fields.nonnegative("linear", "N s/m", linear);
    fields.nonnegative("angular", "N m s/rad", angular);
    fields.nonnegative("quadratic", "N s^2/m^2", quadratic);
  }
};

/// A linear relation of joint coordinates, sum of factor * coordinate = offset: gears, belts, racks, mimic
/// joints, differentials. A constraint, which does no work: an effort `factor * lambda` on each coordinate.
struct Coupling {
  using Term = CoordinateTerm;
  std::string name;
  std::vector<Term> terms;  ///< two or more, of joints of the spanning tree
  double offset = 0;

  /// By which its error is divided to be one of coordinates.
  double largest_factor() const {
    double largest = 0;
    for (const Term& term : terms) keep_largest(largest, std::abs(term.factor));
    return largest;
  }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const Term& term) { return joints[term.joint].parent == kWorld; });
  }
};

/// On a point of a body, by its place and velocity in the world: -grad U and F. What is said of OwnLaw holds here, too.
struct PointLaw {
  std::string name;
  Point at;
  PointPotentialFunction potential{};  ///< either of the two may be left out
  PointForceFunction force{};
  bool dissipates = false;  ///< the ledger books what the force takes, instead of the work it does

  bool is_damped() const { return force && dissipates; }
  std::vector<std::string> sources() const {
    return force && !dissipates ? std::vector<std::string>{name} : std::vector<std::string>{};
  }
  bool acts_from_ground(const std::vector<Joint>&) const { return true; }
  PointFunctionLaw function(LawFault* fault = nullptr) const {
    return {name, potential, force, dissipates, fault};
  }
};

/// The elements of a model, a list for each kind.
struct ElementLists {
  std::vector<Tendon> tendons;
  std::vector<JointSpring> joint_springs;
  std::vector<JointStop> stops;
  std::vector<JointFriction> friction;
  std::vector<Bushing> bushings;
  std::vector<Load> loads;
  std::vector<Drag> drag;
  std::vector<Actuator> actuators;
  std::vector<Controller> controllers;
  std::vector<Servo> servos;
  std::vector<Coupling> couplings;
  std::vector<OwnLaw> laws;
  std::vector<PointLaw> point_laws;
};

/// Hands every list to `use(section, list)`, in the order in which the ledger books.
template <class Lists, class Use>
void for_each_kind(Lists& elements, Use&& use) {
  use("actuators", elements.actuators);
  use("loads", elements.loads);
  use("tendons", elements.tendons);
  use("joint_springs", elements.joint_springs);
  use("stops", elements.stops);
  use("friction", elements.friction);
  use("bushings", elements.bushings);
  use("drag", elements.drag);
  use("controllers", elements.controllers);
  use("servos", elements.servos);
  use("couplings", elements.couplings);
  use("laws", elements.laws);
  use("point_laws", elements.point_laws);
}

}  // namespace torsor
