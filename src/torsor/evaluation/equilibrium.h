#pragma once
// Rest positions of a mechanism, with loops or without: f(u) = 0 of reduced_mechanism.h at rest, with every element of
// the model at one time. Servos give no effort there; `hold_pose` finds efforts instead. Muscles are as at their start:
// those of Model::with_resting_muscles have the activations of their excitations, and fibres in balance.

#include <optional>
#include <string>
#include <vector>

#include "torsor/assembly/mobility.h"
#include "torsor/lie/twist.h"
#include "torsor/model/model.h"

namespace torsor {

class ReducedMechanism;
struct ReducedConfiguration;

/// By the least eigenvalue of the symmetric part of K = df/du. Where K is symmetric this is the second variation of the
/// energy; elsewhere (loads that follow a body, controllers) it says nothing of flutter: modes.h does.
enum class Stability { stable, neutral, unstable };
const char* name_of(Stability stability);

struct TendonAtRest {
  double length = 0, tension = 0;  ///< [m], [N]; with motors, actuators and stops
};

struct RestPosition {
  std::vector<double> q;         ///< of all joints in file order
  std::vector<int> independent;  ///< rates in which it is described, by index in qd of all joints
  double potential = 0;          ///< of gravity and of all elements that have one [J]
  double residual = 0;           ///< largest of f that is left [N m, N]
  Stability stability = Stability::stable;
  int falling = 0;              ///< ways to fall: eigenvalues below zero
  int neutral = 0;              ///< motions without stiffness: eigenvalues that are zero
  double least_eigenvalue = 0;  ///< of K, slides over the mechanism's size [J/rad^2]
  std::optional<double>
      least_square;          ///< of K against M: w^2 of the slowest small motion [1/s^2]; none without mass
  bool conservative = true;  ///< K is symmetric
  std::vector<double> actuation{};          ///< by actuator: what acts beside its program; empty: nothing
  std::vector<Wrench<double>> reactions{};  ///< on the child of each joint at K in its axes, efforts included
  std::vector<TendonAtRest> tendons{};
  /// Constraints that others impose already: reactions of the joints named are not unique, and the least are given.
  std::vector<Redundancy> redundancies{};
};

/// All of the above at a configuration.
RestPosition describe_rest(const ReducedMechanism& mechanism, const ReducedConfiguration& at, double t,
                           const std::vector<double>& actuation = {});

/// Where the mechanism comes to rest from there if its motion is slow and heavily damped: steps of least energy in a trust
/// region, then Newton's method. A position at rest stays, stable or not. None where it finds no rest: it falls.
std::optional<RestPosition> nearest_equilibrium(const ReducedMechanism& mechanism,
                                                const ReducedConfiguration& from, double t);

struct EquilibriumSearch {
  std::vector<RestPosition> found;  ///< by increasing potential
  int starts = 0;                   ///< from so many positions it was searched
};
/// Those that a search finds: from there; down and to roots of f from `starts` positions spread over the independent
/// coordinates (0: as many as suit the degrees of freedom); and from each rest position found along its softest and
/// its falling motions. Of a family of them along motions without stiffness
/// one is given. No list of this kind is certain to be complete. The same at every call.
EquilibriumSearch find_equilibria(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                  double t, int starts = 0);

/// Efforts of the actuators that hold the mechanism in a position: f = B tau, the least of them.
struct HeldPose {
  RestPosition rest;           ///< its residual is what no actuator can hold
  std::vector<double> effort;  ///< by actuator, its program included [N m, N]
  int free_efforts = 0;        ///< combinations of efforts that act on inner forces alone
  bool holds = true;           ///< within 1e-9 of what is to be held
};
HeldPose hold_pose(const ReducedMechanism& mechanism, const ReducedConfiguration& at, double t);

// The same from the model's start, with all that acts at its time. They throw ModelError on an inconsistent start, and where
// there is no actuator to hold with.
std::optional<RestPosition> nearest_equilibrium(const Model& model);
EquilibriumSearch find_equilibria(const Model& model, int starts = 0);
HeldPose hold_pose(const Model& model);

}  // namespace torsor
