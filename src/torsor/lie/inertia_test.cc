#include "torsor/lie/inertia.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "torsor/base/norm.h"
#include "torsor/lie/se3.h"

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Tensor = Sym3<double>;

/// A body as what it is: point masses, from which every quantity follows by summation.
struct PointMasses {
  std::vector<double> mass;
  std::vector<Vec> position;

  Inertia<double> inertia() const {
    Inertia<double> sum;
    for (std::size_t i = 0; i < mass.size(); ++i)
      sum = sum + inertia_about_com(mass[i], position[i], Tensor{});
    return sum;
  }
};

class InertiaTest : public ::testing::Test {
 protected:
  double number() { return normal_(random_); }
  Vec vector() { return {number(), number(), number()}; }
  PointMasses body(int points = 7) {
    PointMasses result;
    for (int i = 0; i < points; ++i) {
      result.mass.push_back(0.1 + std::abs(number()));
      result.position.push_back(vector());
    }
    return result;
  }
  Twist<double> twist() { return {vector(), vector()}; }
  Pose<double> random_pose() { return pose(exp_se3(twist())); }

 private:
  std::mt19937_64 random_{11};
  std::normal_distribution<double> normal_;
};

double largest(const Tensor& J) {
  return larger(
      {std::abs(J.xx), std::abs(J.yy), std::abs(J.zz), std::abs(J.xy), std::abs(J.xz), std::abs(J.yz)});
}

TEST_F(InertiaTest, MomentumAndEnergyAreThoseOfThePointMasses) {
  for (int i = 0; i < 100; ++i) {
    const PointMasses points = body();
    const Twist<double> V = twist();
    Wrench<double> momentum{};
    double energy = 0;
    for (std::size_t k = 0; k < points.mass.size(); ++k) {
      const Vec velocity = V.linear + cross(V.angular, points.position[k]);
      momentum +=
          Wrench<double>{points.mass[k] * cross(points.position[k], velocity), points.mass[k] * velocity};
      energy += 0.5 * points.mass[k] * dot(velocity, velocity);
    }
    const Wrench<double> found = points.inertia() * V;
    EXPECT_LT(norm(found.moment - momentum.moment) + norm(found.force - momentum.force),
              1e-12);                                                 // measured 2e-14
    EXPECT_NEAR(kinetic_energy(points.inertia(), V), energy, 1e-12);  // measured 2.8e-14
  }
}

TEST_F(InertiaTest, FrameChangeMovesThePointMasses) {
  for (int i = 0; i < 100; ++i) {
    const PointMasses points = body();
    const Pose<double> X = random_pose();
    PointMasses moved = points;
    for (Vec& x : moved.position) x = act(X, x);
    const Inertia<double> found = to_parent(X, points.inertia()), expected = moved.inertia();
    EXPECT_EQ(found.mass, points.inertia().mass);
    EXPECT_LT(norm(found.first_moment - expected.first_moment), 1e-12);     // measured 5e-15
    EXPECT_LT(largest(found.about_origin - expected.about_origin), 1e-12);  // measured 2.8e-14
    EXPECT_LT(norm(com(found) - act(X, com(points.inertia()))), 1e-13);     // measured 5e-16
    EXPECT_LT(largest(tensor_about_com(found) - rotate(X.R, tensor_about_com(points.inertia()))),
              1e-12);  // measured 2.1e-14
  }
}

TEST_F(InertiaTest, FrameChangeKeepsTheEnergy) {
  for (int i = 0; i < 100; ++i) {
    const Inertia<double> I = body().inertia();
    const Pose<double> X = random_pose();
    const Twist<double> V = twist();
    const double energy = kinetic_energy(I, V);
    EXPECT_NEAR(kinetic_energy(to_parent(X, I), to_parent(X, V)), energy,
                1e-12 * (1 + energy));  // measured 7.1e-14
  }
}

TEST_F(InertiaTest, EulerTensorIsTheSecondMoment) {
  const PointMasses points = body();
  Tensor second{};
  for (std::size_t k = 0; k < points.mass.size(); ++k)
    second = second + points.mass[k] * symmetric(outer(points.position[k], points.position[k]));
  const Tensor J = points.inertia().about_origin;
  EXPECT_LT(largest(euler_tensor(J) - second), 1e-13);             // measured 8.9e-16
  EXPECT_LT(largest(inertia_tensor(euler_tensor(J)) - J), 1e-13);  // measured 8.9e-16
}

/// F = M Vdot - ad_V^T M V with F = 0 keeps the momentum constant in space: d/dt of Ad^-T (M V) vanishes.
TEST_F(InertiaTest, FreeBodyKeepsItsSpatialMomentum) {
  using D = Dual<double, 1>;
  for (int i = 0; i < 100; ++i) {
    const Inertia<double> I = body().inertia();
    const Twist<double> V = twist();
    const Wrench<double> rate = coadjoint(V, I * V);  // of the body momentum
    const Wrench<double> P = I * V;
    const auto moving = [](double x, double slope) { return D(x, {slope}); };
    const auto lift = [&](const Vec& x, const Vec& slope) {
      return Vec3<D>{moving(x.x, slope.x), moving(x.y, slope.y), moving(x.z, slope.z)};
    };
    const SE3<D> X =
        exp_se3(Twist<D>{lift({}, V.angular), lift({}, V.linear)});  // body twist V at the identity
    const Wrench<D> spatial =
        Ad_inv_dual(X, Wrench<D>{lift(P.moment, rate.moment), lift(P.force, rate.force)});
    for (const D& component : {spatial.moment.x, spatial.moment.y, spatial.moment.z, spatial.force.x,
                               spatial.force.y, spatial.force.z})
      EXPECT_NEAR(component.tangent[0], 0, 1e-12);  // measured 5.3e-15
  }
}

TEST_F(InertiaTest, RealBodiesArePhysical) {
  for (int i = 0; i < 100; ++i)
    for (int points :
         {1, 2, 3, 7}) {  // a particle, a rod, a plate, a body: the first three lie on the boundary
      const Inertia<double> I = body(points).inertia();
      EXPECT_EQ(inertia_fault(I), "") << points;
      EXPECT_TRUE(is_physical(to_parent(random_pose(), I)));
    }
  EXPECT_TRUE(is_physical(Inertia<double>{}));
}

TEST_F(InertiaTest, FaultsAreNamedWithNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto fault = [](double mass, const Tensor& J) { return inertia_fault(mass, J); };
  const Tensor ball{1, 1, 1, 0, 0, 0};
  EXPECT_EQ(fault(1, ball), "");
  EXPECT_EQ(fault(-2, ball), "mass -2 is negative");
  EXPECT_EQ(fault(nan, ball), "mass nan is not finite");
  EXPECT_EQ(fault(infinity, ball), "mass inf is not finite");
  EXPECT_EQ(fault(0, ball), "mass is 0 but the inertia tensor is not (largest entry 1)");
  EXPECT_EQ(fault(1, {1, nan, 1, 0, 0, 0}), "the inertia tensor is not finite");
  EXPECT_EQ(fault(1, {1, 1, 1, 0, 0, infinity}), "the inertia tensor is not finite");
  EXPECT_EQ(fault(1, {1, 1, -0.5, 0, 0, 0}), "principal moments -0.5, 1, 1: the smallest is negative");
  EXPECT_EQ(fault(1, {1, 1, 3, 0, 0, 0}),
            "principal moments 1, 1, 3: the largest exceeds the sum of the other two (2)");
  EXPECT_EQ(fault(1, {1, 1, 1, 2, 0, 0}), "principal moments -1, 1, 3: the smallest is negative");
  EXPECT_EQ(inertia_fault(Inertia<double>{0, {1, 0, 0}, {}}),
            "mass is 0 but the first moment of mass is not");
  EXPECT_EQ(inertia_fault(Inertia<double>{1, {nan, 0, 0}, ball}), "the first moment of mass is not finite");
  // The tensor is fine about the origin; about the centre of mass nothing is left of it.
  EXPECT_NE(inertia_fault(Inertia<double>{1, {2, 0, 0}, ball}), "");
}

TEST_F(InertiaTest, TheToleranceIsRelative) {
  for (double scale : {1e-12, 1.0, 1e12}) {
    EXPECT_EQ(inertia_fault(scale, scale * Tensor{1, 1, 2 + 1e-10, 0, 0, 0}), "");
    EXPECT_NE(inertia_fault(scale, scale * Tensor{1, 1, 2 + 1e-7, 0, 0, 0}), "");
  }
}

}  // namespace
}  // namespace torsor
