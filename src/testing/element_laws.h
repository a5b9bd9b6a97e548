#pragma once
// Laws that every element between bodies obeys, checked on random states. For tests only.

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "torsor/lie/se3.h"
#include "torsor/tree/scalars.h"

namespace torsor::testing {

inline Vec3<double> random_vector(std::mt19937& random, double size = 1) {
  std::uniform_real_distribution<double> entry(-size, size);
  return {entry(random), entry(random), entry(random)};
}

/// Frames in motion: poses and body-fixed twists.
struct MovingFrames {
  std::vector<Pose<double>> X_W;
  std::vector<Twist<double>> V;

  MovingFrames(std::mt19937& random, int count) {
    for (int i = 0; i < count; ++i) {
      X_W.push_back({matrix(exp_so3(random_vector(random, 2))), random_vector(random)});
      V.push_back({random_vector(random), random_vector(random)});
    }
  }
  /// The frames moved along their twists for an infinitesimal time: dX/dt = X V.
  std::vector<Pose<Dual1>> moving() const {
    std::vector<Pose<Dual1>> result;
    for (std::size_t i = 0; i < X_W.size(); ++i) {
      const Twist<double>& W = V[i];
      const auto small = [](double rate) { return Dual1(0.0, {rate}); };
      const Twist<Dual1> step{{small(W.angular.x), small(W.angular.y), small(W.angular.z)},
                              {small(W.linear.x), small(W.linear.y), small(W.linear.z)}};
      result.push_back(X_W[i] * pose(exp_se3(step)));
    }
    return result;
  }
};

/// Element: `potential(span of poses over any scalar)`, `add_wrenches(poses, twists, wrenches)` and
/// `dissipation(poses, twists)`. Checks on random frames that
///   the power of the wrenches is -dU/dt - dissipation, and dissipation >= 0,
///   the wrenches add up to nothing (what acts between bodies exerts nothing on the whole),
///   U does not change under a common rigid motion.
template <class Element>
void expect_internal_element(const Element& element, int frame_count, unsigned seed) {
  std::mt19937 random(seed);
  for (int sample = 0; sample < 50; ++sample) {
    const MovingFrames frames(random, frame_count);
    const std::span<const Pose<double>> X_W(frames.X_W);
    const std::span<const Twist<double>> V(frames.V);
    std::vector<Wrench<double>> F(frame_count);
    element.add_wrenches(X_W, V, std::span<Wrench<double>>(F));

    const std::vector<Pose<Dual1>> moving = frames.moving();
    const Dual1 U = element.potential(std::span<const Pose<Dual1>>(moving));
    const double taken = element.dissipation(X_W, V);
    double power = 0, size = 1;
    Wrench<double> total;
    for (int i = 0; i < frame_count; ++i) {
      power += dot(V[i], F[i]);
      size += norm(F[i].force) + norm(F[i].moment);
      total += to_parent(X_W[i], F[i]);
    }
    EXPECT_NEAR(power, -U.tangent[0] - taken, 1e-14 * size);  // measured 2e-16
    EXPECT_GE(taken, 0);
    EXPECT_LE(norm(total.force) + norm(total.moment), 1e-14 * size);  // measured 9e-16

    const Pose<double> motion{matrix(exp_so3(random_vector(random, 3))), random_vector(random, 5)};
    std::vector<Pose<double>> moved;
    for (const Pose<double>& X : frames.X_W) moved.push_back(motion * X);
    const double still = element.potential(X_W),
                 after = element.potential(std::span<const Pose<double>>(moved));
    EXPECT_NEAR(after, still, 1e-13 * (1 + still));  // measured 2e-15
  }
}

}  // namespace torsor::testing
