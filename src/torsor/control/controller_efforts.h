#pragma once
// Control laws at a state: what each controller asks of the joints it acts through.

#include <array>
#include <span>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/lie/pose.h"
#include "torsor/model/controlled_chain.h"
#include "torsor/model/joint_spring_law.h"
#include "torsor/model/model.h"

namespace torsor {

/// A body as the world sees it.
struct BodyState {
  Vec3<double> com;
  Mat3<double> R;  ///< body axes to world axes
  Vec3<double> velocity, angular_velocity;
};

/// What a controller measures: coordinates of its joint (pd), or place and orientation at its point (impedance).
struct Measurement {
  std::array<double, 3> q{}, qd{};
  Vec3<double> x, v;   ///< of the point, world axes
  SO3<double> r;       ///< of its body, body axes to world axes
  Vec3<double> omega;  ///< likewise, world axes

  void pass(StateTape& tape);
};
/// With the rates that two measurements, a time T apart, show: (q - q_before) / T, (x - x_before) / T, and the
/// turn from the one orientation to the other over T.
Measurement with_rates_from(Measurement now, const Measurement& before, double T);

/// pd:         effort = k (target - q) + c (target' - qd)                                              (1)
/// impedance:  effort = J^T f + dV/dq,  f = K (target - x) + D (target' - x')                          (2)
///             with an orientation also J_omega^T m,  m = -k log(R target^T) - d omega                 (3)
/// (Kotyczka-Götz-Herrmann 44, with a moving target), where J belongs to the point x and V holds gravity and
/// springs as the controller compensates them. All terms but those of joint springs are forces on bodies; the
/// joints of the chain bear what acts beyond them.
class ControllerEfforts {
 public:
  explicit ControllerEfforts(const Model& model);

  /// All that are continuous. Coordinates and rates of all joints in file order. Does not allocate.
  void evaluate(double t, std::span<const BodyState> bodies, std::span<const double> q,
                std::span<const double> qd);
  /// One of them, sampled or not, by what it measured. Does not allocate.
  Measurement measure(int controller, std::span<const BodyState> bodies, std::span<const double> q,
                      std::span<const double> qd) const;
  void evaluate(int controller, double t, const Measurement& measured, std::span<const BodyState> bodies,
                std::span<const double> q);

  int count() const { return static_cast<int>(laws_.size()); }
  /// By the rates of driven_joints.
  const std::vector<double>& efforts(int controller) const { return laws_[controller].efforts; }
  /// What (2) of all that evaluate() took sends across each joint of the model, constraints included, on the
  /// child at the joint frame K in its axes.
  const std::vector<Wrench<double>>& transmitted() const { return transmitted_; }

 private:
  struct Law {
    Controller controller;
    ControlledChain chain;        ///< of impedance
    std::vector<int> place;       ///< by body of the model: its carrier's place in the chain, or -1
    std::vector<double> efforts;  ///< by rate of the driven joints
  };

  void clear(std::span<const double> q);  ///< what controllers share
  void add_law(int controller, double t, const Measurement& measured, std::span<const BodyState> bodies,
               std::span<const double> q);
  void evaluate_pd(Law& law, double t, const Measurement& measured);
  void evaluate_impedance(Law& law, double t, const Measurement& measured, std::span<const BodyState> bodies,
                          std::span<const double> q);
  void bear(const Law& law, int body, const Vec3<double>& place, const Vec3<double>& force);
  void bear_tendons(const Law& law, double t, std::span<const BodyState> bodies);
  void add_joint_efforts(int joint, const Wrench<double>& on_child, std::span<const double> q,
                         double* efforts) const;
  Vec3<double> place_of(const Point& point, std::span<const BodyState> bodies) const;

  Model model_;
  std::vector<Law> laws_;
  std::vector<JointSpringLaw> springs_;
  std::vector<double> spring_efforts_;    ///< by rate of the model
  std::vector<Wrench<double>> on_chain_;  ///< by place in a chain, about the world's origin
  std::vector<Wrench<double>> transmitted_;
};

}  // namespace torsor
