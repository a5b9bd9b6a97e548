#pragma once
// Inverse kinematics with loops closed and joint ranges kept, and the other ways in which loops close.

#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

class ReducedMechanism;
struct ReducedConfiguration;

/// A point that shall be at a place; in the plane x and y.
struct Reach {
  Point point;
  Vec3<double> place;  ///< in the world [m]
};

struct ReachedPose {
  std::vector<double> q;         ///< of all joints in file order
  std::vector<int> independent;  ///< rates in which it was sought, by index in qd of all joints
  double miss = 0;               ///< of the point that misses most [m]
  double beyond = 0;             ///< of a coordinate out of its range [rad, m]
  int self_motions = 0;          ///< ways to move on without moving the points
  double distance =
      0;  ///< from where it was sought: root of the sum of squares over all joints [rad, of the size]
  bool reaches = false;  ///< within 1e-9 of the mechanism's size, and of the ranges
};

Vec3<double> place_of(const ReducedMechanism& mechanism, std::span<const double> q, const Point& point);

/// By damped least squares on the points and on coordinates beyond the model's stops, from `from` on: it goes no further than
/// it has to in each step. Where it does not get there, what is left is the least that it found.
ReachedPose reach(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                  const std::vector<Reach>& wanted);

/// Those that a search from `starts` positions finds (0: as many as suit the degrees of freedom), the nearest first; of poses
/// with self-motions a few. Empty where it finds none.
std::vector<ReachedPose> reach_all(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                   const std::vector<Reach>& wanted, int starts = 0);

/// Configurations with the joints of independent rates as they are in `at`, and the others wherever the loops close: `at`
/// itself, and what a search finds besides.
struct AssemblyModes {
  std::vector<std::string> kept;           ///< joints
  std::vector<std::vector<double>> found;  ///< coordinates of all joints
};
AssemblyModes assembly_modes(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                             int starts = 0);

// The same from the model's start.
ReachedPose reach(const Model& model, const std::vector<Reach>& wanted);
std::vector<ReachedPose> reach_all(const Model& model, const std::vector<Reach>& wanted, int starts = 0);
AssemblyModes assembly_modes(const Model& model, int starts = 0);

}  // namespace torsor
