#pragma once
// What follows from the motions of bodies, whichever formulation found them: points, both sides of reactions,
// accelerations of joints.

#include <vector>

#include "torsor/lie/pose.h"
#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

class FrameObserver {
 public:
  explicit FrameObserver(const Model& model);

  /// Points from the motions of bodies, which are there already; from reactions on children in their axes those in
  /// world axes and those on parents.
  void observe(Observation& observation);
  /// Points alone; their accelerations follow those of the bodies.
  void observe_points(Observation& observation);
  /// Of all joints, from the motions of their two bodies: where nobody knows them better.
  void observe_accelerations(Observation& observation);

 private:
  struct Place {
    int body;
    Pose<double> X;  ///< from the centre of mass, in body axes
  };
  struct JointPlaces {
    JointType type;
    Place J, K;
  };
  /// Of a frame on a body, world axes.
  struct Motion {
    Pose<double> X;
    Vec3<double> velocity, acceleration, omega, alpha;
  };

  void set_rotations(const Observation& observation);
  void put_points(Observation& observation) const;
  void observe_sides(Observation& observation) const;
  Pose<double> pose_of(const Place& place, const Observation& observation) const;
  Motion motion_of(const Place& place, const Observation& observation) const;

  int dimension_;
  std::vector<Place> points_;
  std::vector<JointPlaces> joints_;
  std::vector<Mat3<double>> R_;  ///< of the bodies
};

}  // namespace torsor
