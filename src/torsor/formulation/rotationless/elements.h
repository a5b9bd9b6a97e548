#pragma once
// What acts on directors: tendons, joint springs, loads, actuators, controllers and servos, compiled for the
// nodes of the rotationless formulation.

#include <array>
#include <string>
#include <vector>

#include "torsor/formulation/rotationless/joint.h"
#include "torsor/model/program.h"

namespace torsor {

template <int D>
struct RotationlessElements {
  struct Tendon {
    std::vector<Arm<D>> path;
    double stiffness, rest_length, damping;
    bool tension_only;
    int damper_flow;                ///< -1 without damping
    std::size_t first_segment = 0;  ///< among those of all tendons
  };
  /// Spring and damper of one joint coordinate.
  struct Spring {
    Measure<D> measure;
    double stiffness, damping, rest;
    int joint, damper_flow;
    int compensation_flow;  ///< of the controller that compensates it; -1: none
  };
  /// U = k/2 theta^2 by the angle theta from rest, of which the trace w = 1 + 2 cos theta is quadratic in x.
  struct LogSpring {
    std::array<Product<D>, 3> trace;
    double stiffness;
    int joint;
    int compensation_flow;
  };
  /// A moment about axes fixed on the child, and its reaction on the parent.
  struct Spin {
    int child, parent;
    std::array<Arm<D>, 3> axes;
  };
  struct SpinDamper {
    Spin spin;
    std::array<double, 3> damping;
    int joint, damper_flow;
  };
  /// Moment -k (phi, theta, psi) about the axes of the rest frame on the parent; no potential.
  struct EulerSpring {
    Spin spin;
    std::array<Arm<D>, 3> rest_axes;
    std::array<double, 3> stiffness;
    int joint, source_flow;
    int compensation_flow;
  };
  struct Load {
    bool is_force;
    Arm<D> at;                   ///< of a force
    std::array<Arm<D>, 3> axes;  ///< along which the components count
    std::array<Program, 3> components;
    int source_flow;
  };
  /// Either on a coordinate, or about or along an axis of the child (spherical and free joints).
  struct Effort {
    enum class Kind { coordinate, spin, force };
    Kind kind;
    Measure<D> measure;
    Spin spin;  ///< the axis is the first
    Arm<D> at;
    Program program;
    int joint, actuator, source_flow;
    int servo;  ///< index among the unknown efforts; -1: by its program
  };
  /// A PD controller on one coordinate.
  struct CoordinateHold {
    Measure<D> measure;
    double stiffness, damping;
    Program target;
    int joint, source_flow, damper_flow;
  };
  /// The virtual spring and damper of an impedance controller at a point, along world axes.
  struct PointHold {
    Arm<D> point;
    std::array<double, D> stiffness, damping;
    std::array<Program, D> target;
    int source_flow, damper_flow;
  };
  /// The weight of a body, compensated by the joints of a chain: -m g at its centre of mass, on the body of
  /// the chain that carries it.
  struct CarriedWeight {
    int node, carrier;
    int source_flow;
  };
  /// The pull of a tendon, compensated likewise.
  struct CarriedTendon {
    int tendon;
    std::vector<int> carriers;  ///< by point of its path; the ground: the chain does not carry it
    int source_flow;
  };
  /// What a servo prescribes. An orientation is three of these: with the body's axes a_i and the target's
  /// b_i(t), a_i . b_i+1 = 0, i = 1, 2, 3 in a circle; regular wherever both agree, since a turn y changes
  /// them by y . a_i+2.
  struct Output {
    enum class Kind { component, coordinate, orientation };
    Kind kind;
    Arm<D> point;
    std::array<Arm<D>, 3> axes;  ///< a_i
    int component;               ///< of the point, or i
    Measure<D> measure;
    std::array<Program, 3> programs;  ///< roll, pitch, yaw; else the first
    std::string key;                  ///< servos.NAME.follows.x
  };

  std::vector<Tendon> tendons;
  std::vector<Spring> springs;
  std::vector<LogSpring> log_springs;
  std::vector<SpinDamper> spin_dampers;
  std::vector<EulerSpring> euler_springs;
  std::vector<Load> loads;
  std::vector<Effort> efforts;  ///< by actuator
  std::vector<CoordinateHold> coordinate_holds;
  std::vector<PointHold> point_holds;
  std::vector<CarriedWeight> carried_weights;
  std::vector<CarriedTendon> carried_tendons;
  std::vector<Output> outputs;  ///< as many as unknown efforts
  std::vector<std::string> sources, dampers;
  std::vector<double> breakpoints;

  int flow_count() const { return static_cast<int>(sources.size() + dampers.size()); }
};

/// Throws ModelError on servos that have not as many actuators as outputs.
template <int D>
RotationlessElements<D> make_rotationless_elements(const Model& model, const NodeFrames<D>& frames,
                                                   const RotationlessJoints<D>& joints);

}  // namespace torsor
