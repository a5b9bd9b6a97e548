#pragma once
// Where a model rests, how it swings about a state, and what it reaches, with loops or without, in plain numbers:
// equilibrium.h, modes.h and pose.h say what is computed and how. Elements act as they do at the model's start time.
// All throw ModelError on a model with muscles, which have states of their own.

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "torsor/lie/twist.h"
#include "torsor/model/model.h"
#include "torsor/numerics/matrix.h"

namespace torsor {

/// By the least eigenvalue of the symmetric part of K = df/du. Where K is symmetric this is the second variation of the
/// energy; elsewhere (loads that follow a body, controllers) it says nothing of flutter: modes() does.
enum class Stability { stable, neutral, unstable };
const char* name_of(Stability stability);

struct TendonAtRest {
  double length = 0, tension = 0;  ///< [m], [N]; with motors, actuators and stops
};

struct Rest {
  std::vector<double> q;  ///< of all joints in file order
  double potential = 0;   ///< [J]
  double residual = 0;    ///< largest force or moment that is left [N, N m]
  Stability stability = Stability::stable;
  int falling = 0, neutral = 0;           ///< independent ways to fall, and to move without stiffness
  std::optional<double> least_square;     ///< w^2 of the slowest small motion [1/s^2]; none without mass
  std::vector<Wrench<double>> reactions;  ///< on the child of each joint at K in its axes, efforts included
  std::vector<TendonAtRest> tendons;      ///< in file order
};
/// Where the mechanism comes to rest from its start if its motion is slow and heavily damped; none: it falls.
std::optional<Rest> equilibrium(const Model& model);
/// All that a search from `starts` positions finds (0: as many as suit the degrees of freedom), by increasing
/// potential. No list of this kind is certain to be complete.
std::vector<Rest> equilibria(const Model& model, int starts = 0);

/// Efforts of the actuators that hold the start, the least of them, their programs included [N m, N]; none where they
/// cannot.
std::optional<std::vector<double>> holding_efforts(const Model& model);

struct SmallMotion {
  std::complex<double> s;                   ///< of e^{s t} [1/s]
  double frequency = 0, damping_ratio = 0;  ///< |Im s| / 2 pi [Hz], -Re s / |s|
  std::vector<std::complex<double>>
      shape;  ///< of all rates; the largest (slides over the mechanism's size) is 1
};
/// x' = A x + B w, y = C x + D w.
struct StateSpace {
  Matrix A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
  std::vector<SmallMotion> motions;  ///< by increasing frequency
};
/// About a state of all joints at which loops are closed, with the accelerations that its forces cause.
StateSpace modes(const Model& model, const std::vector<double>& q, const std::vector<double>& qd,
                 double t = 0);

struct PointAim {
  std::string point;   ///< of the model
  Vec3<double> place;  ///< in the world [m]
};
struct Reached {
  std::vector<double> q;  ///< of all joints in file order
  double miss = 0;        ///< of the point that misses most [m]
  bool reaches = false;   ///< within 1e-9 of the mechanism's size, ranges kept
};
/// The pose nearest to the start, loops closed and ranges kept; or as near to the places as it gets.
Reached reach(const Model& model, const std::vector<PointAim>& aims);
/// All that a search from `starts` positions finds, the nearest first.
std::vector<Reached> reach_all(const Model& model, const std::vector<PointAim>& aims, int starts = 0);

}  // namespace torsor
