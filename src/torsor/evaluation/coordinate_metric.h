#pragma once
// How far a mechanism moves: rates of all joints side by side, slides over the mechanism's size.

#include <Eigen/Core>
#include <span>

#include "torsor/evaluation/reduced_mechanism.h"

namespace torsor {

/// Of each rate: 1 of an angle, 1 / length of a slide.
Eigen::VectorXd rate_scales(const ReducedMechanism& mechanism, double length);
/// N^T scales^2 N, positive: |du|^2 in it is the square of how far all joints move.
Eigen::MatrixXd coordinate_metric(const ReducedMechanism& mechanism, const ReducedConfiguration& at);
/// The largest motion of a joint for du.
double largest_motion(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                      const Eigen::VectorXd& du);

/// Independent coordinates moved by as much of du as the loops close for: all, or a half, a quarter .. of it.
ReducedConfiguration moved_as_far(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                  Eigen::VectorXd du);

/// Whether bodies stand alike: turned and shifted by at most `tolerance`, over the length.
bool stand_alike(const ReducedMechanism& mechanism, std::span<const double> q, std::span<const double> other,
                 double length, double tolerance);

/// Numbers spread over (-1, 1), the same on every machine.
class SpreadNumbers {
 public:
  Eigen::VectorXd next(int count);

 private:
  unsigned long long state_ = 1;
};

}  // namespace torsor
