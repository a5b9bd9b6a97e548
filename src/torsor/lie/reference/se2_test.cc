#include "torsor/lie/reference/se2.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "torsor/lie/se3.h"

namespace torsor {
namespace {

/// The plane z = 0 inside space.
Twist<double> embedded(const PlanarTwist<double>& V) {
  return {{0, 0, V.angular}, {V.linear.x, V.linear.y, 0}};
}
Wrench<double> embedded(const PlanarWrench<double>& F) {
  return {{0, 0, F.moment}, {F.force.x, F.force.y, 0}};
}
double distance(const PlanarTwist<double>& a, const Twist<double>& b) {
  const Twist<double> difference = embedded(a) - b;
  return norm(difference.angular) + norm(difference.linear);
}
double distance(const PlanarWrench<double>& a, const Wrench<double>& b) {
  const Wrench<double> difference = embedded(a) - b;
  return norm(difference.moment) + norm(difference.force);
}
double distance(const SE2<double>& a, const SE3<double>& b) {
  const Mat3<double> R = matrix(b.rotation);
  return std::abs(a.rotation.re - R.xx) + std::abs(a.rotation.im - R.yx) +
         norm(Vec3<double>{a.position.x, a.position.y, 0} - b.position);
}

/// Every verb of the plane is that of space, restricted.
TEST(SE2, IsThePlaneInsideSE3) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const auto twist = [&] { return PlanarTwist<double>{normal(random), {normal(random), normal(random)}}; };
  for (int i = 0; i < 200; ++i) {
    const PlanarTwist<double> X = twist(), V = twist();
    const PlanarWrench<double> F{normal(random), {normal(random), normal(random)}};
    const SE2<double> g = exp_se2(X);
    const SE3<double> G = exp_se3(embedded(X));
    EXPECT_LT(distance(g, G), 2e-14);                                                 // measured 7.5e-16
    EXPECT_LT(distance(g * g, G * G), 2e-14);                                         // measured 1.7e-15
    EXPECT_LT(distance(inverse(g), inverse(G)), 2e-14);                               // measured 1.1e-15
    EXPECT_LT(distance(log(g), log(G)), 2e-14);                                       // measured 6.7e-16
    EXPECT_LT(distance(dexp_se2(X) * V, dexp_se3(embedded(X), embedded(V))), 2e-14);  // measured 4.5e-16
    EXPECT_LT(distance(dexp_inv_se2(X) * V, dexp_inv_se3(embedded(X), embedded(V))),
              2e-14);                                                                  // measured 4.4e-16
    EXPECT_LT(distance(cay_se2(X), cay_se3(embedded(X))), 2e-14);                      // measured 9.1e-16
    EXPECT_LT(distance(dcay_se2(X) * V, dcay_se3(embedded(X)) * embedded(V)), 2e-14);  // measured 7e-16
    EXPECT_LT(distance(Ad(g, V), Ad(G, embedded(V))), 2e-14);                          // measured 1.3e-15
    EXPECT_LT(distance(Ad_dual(g, F), Ad_dual(G, embedded(F))), 2e-14);                // measured 9e-16
    EXPECT_LT(distance(bracket(X, V), bracket(embedded(X), embedded(V))), 2e-14);      // measured 0
    EXPECT_LT(distance(coadjoint(X, F), coadjoint(embedded(X), embedded(F))), 2e-14);  // measured 0
    const Vec2<double> x = act(g, V.linear);
    const Vec3<double> in_space = act(G, embedded(V).linear);
    EXPECT_LT(norm(Vec3<double>{x.x, x.y, 0} - in_space), 2e-14);  // measured 1.1e-15
  }
}

}  // namespace
}  // namespace torsor
