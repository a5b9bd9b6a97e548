#include "torsor/lie/se3.h"

#include <gtest/gtest.h>

#include <random>

namespace torsor {
namespace {

using Vec = Vec3<double>;

class SE3Test : public ::testing::Test {
 protected:
  Vec vector() { return {normal_(random_), normal_(random_), normal_(random_)}; }
  Twist<double> twist() { return {vector(), vector()}; }
  Wrench<double> wrench() { return {vector(), vector()}; }
  SE3<double> element() { return exp_se3(twist()); }

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
};

double distance(const Twist<double>& a, const Twist<double>& b) {
  return norm(a.angular - b.angular) + norm(a.linear - b.linear);
}
double distance(const Wrench<double>& a, const Wrench<double>& b) {
  return norm(a.moment - b.moment) + norm(a.force - b.force);
}

TEST_F(SE3Test, PosesChangeFramesAsQuaternionsDo) {
  for (int i = 0; i < 200; ++i) {
    const SE3<double> g = element(), h = element();
    const Pose<double> X = pose(g);
    const Twist<double> V = twist();
    const Wrench<double> F = wrench();
    const Vec x = vector();
    EXPECT_LT(distance(to_parent(X, V), Ad(g, V)), 2e-14);           // measured 2.7e-15
    EXPECT_LT(distance(to_child(X, V), Ad_inv(g, V)), 2e-14);        // measured 1.8e-15
    EXPECT_LT(distance(to_child(X, F), Ad_dual(g, F)), 2e-14);       // measured 1.6e-15
    EXPECT_LT(distance(to_parent(X, F), Ad_inv_dual(g, F)), 2e-14);  // measured 1.9e-15
    EXPECT_LT(norm(act(X * pose(h), x) - act(g * h, x)), 2e-14);     // measured 2e-15
    EXPECT_LT(norm(act(inverse(X), act(X, x)) - x), 2e-14);          // measured 2.3e-15
    EXPECT_LT(norm(act(se3(X), x) - act(g, x)), 2e-14);              // measured 1.6e-15
  }
}

/// The twist field v(x) = v + omega x x and the moment of a force, from first principles.
TEST_F(SE3Test, FrameChangesKeepVelocityFieldAndPower) {
  for (int i = 0; i < 200; ++i) {
    const Pose<double> X = pose(element());
    const Twist<double> V_B = twist();
    const Vec x_B = vector();
    const Vec velocity_B = V_B.linear + cross(V_B.angular, x_B);
    const Twist<double> V_A = to_parent(X, V_B);
    const Vec velocity_A = V_A.linear + cross(V_A.angular, act(X, x_B));
    EXPECT_LT(norm(velocity_A - X.R * velocity_B), 2e-14);  // measured 2e-15
    const Wrench<double> F_B = wrench();
    EXPECT_NEAR(dot(V_A, to_parent(X, F_B)), dot(V_B, F_B), 4e-14);  // measured 3.6e-15
  }
}

TEST_F(SE3Test, MapsOfTwistsActOnWrenchesByTheirTranspose) {
  for (int i = 0; i < 200; ++i) {
    const TwistMap<double> m = dexp_se3(twist()), n = dcay_se3(twist());
    const Twist<double> V = twist();
    const Wrench<double> F = wrench();
    EXPECT_NEAR(dot(m * V, F), dot(V, transpose_times(m, F)), 2e-14);  // measured 2.2e-15
    EXPECT_LT(distance((m * n) * V, m * (n * V)), 2e-14);              // measured 1.4e-15
  }
}

/// A screw of pitch h about an axis through c: the linear part is h omega - omega x c.
TEST_F(SE3Test, ExpOfAScrewMovesAlongItsAxis) {
  for (int i = 0; i < 200; ++i) {
    const Vec omega = vector(), c = vector();
    const double pitch = 0.3;
    const SE3<double> g = exp_se3(Twist<double>{omega, pitch * omega - cross(omega, c)});
    EXPECT_LT(norm(act(g, c) - (c + pitch * omega)), 2e-14);  // measured 1.2e-15
  }
}

}  // namespace
}  // namespace torsor
