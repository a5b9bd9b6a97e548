#pragma once
// Forces of muscle fibres by their length and velocity, all without units: lengths in the optimal length,
// velocities in the largest one (positive: lengthening), forces in the largest isometric one.

#include "torsor/model/muscle.h"

namespace torsor {

struct CurvePoint {
  double value = 0, slope = 0;
};

/// A passive force. hill: (exp(k (x - 1)/e) - exp(k (x_0 - 1)/e)) / (exp(k) - exp(k (x_0 - 1)/e)), k = 4,
/// e = 0.6, x_0 = 0.2; 0 below x_0, straight above 2: De Groote et al., Annals of Biomedical Engineering 44 (2016).
/// mujoco: f y^2/2 from 1 to b = (1 + greatest length)/2, y = (x - 1)/(b - 1), and f (y - 1/2) beyond.
struct PassiveCurve {
  Muscle::Law law;
  double half, force;  ///< b - 1 and f

  CurvePoint at(double x) const;
  double integral(double x) const;  ///< of the force, from where it vanishes
  std::array<double, 2> kinks() const;
};

/// Of a tendon in series by its strain e: (e / e_0)^2, 0 where it is slack.
struct SeriesCurve {
  double strain;

  CurvePoint at(double e) const;
  double integral(double e) const;
  std::array<double, 2> kinks() const { return {0, 0}; }
};

/// The integral from a to b over b - a, without a quotient of small differences, and its derivative by b.
template <class Curve>
CurvePoint mean(const Curve& curve, double a, double b);

/// hill: exp(-(x - 1)^2 / 0.45) (Thelen 2003); mujoco: four parabolas between the least and greatest length.
CurvePoint active_force_length(const Muscle& muscle, double x);
/// 0 up to v = -1, 1 at rest, increasing. hill: 1 + c (asinh(d v + e) - asinh(e)), the form of De Groote et al.
/// with d = 8.149, e = 0.374 and c such that it vanishes at -1; mujoco: two parabolas, and a constant beyond.
CurvePoint force_velocity(const Muscle& muscle, double v);

}  // namespace torsor
