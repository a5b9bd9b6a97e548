// Conversions against differentiation of the moving coordinates themselves, by dual numbers of second order.

#include "torsor/tree/representation.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/base/dual.h"
#include "torsor/lie/se3.h"

namespace torsor {
namespace {

using Jet = Dual<Dual<double, 1>, 1>;  ///< value, first and second derivative in time

Twist<double> random_twist(std::mt19937& generator) {
  const auto n = random_vector(6, generator);
  return {{n[0], n[1], n[2]}, {3 * n[3], 3 * n[4], 3 * n[5]}};
}
Wrench<double> random_wrench(std::mt19937& generator) {
  const Twist<double> n = random_twist(generator);
  return {n.angular, n.linear};
}
double largest(const Twist<double>& V) { return larger(norm(V.angular), norm(V.linear)); }
double distance(const Twist<double>& a, const Twist<double>& b) { return largest(a - b) / largest(b); }
double distance(const Wrench<double>& a, const Wrench<double>& b) {
  return distance(Twist<double>{a.moment, a.force}, Twist<double>{b.moment, b.force});
}

template <class Take>
Twist<double> taken(const Twist<Jet>& V, Take take) {
  return {{take(V.angular.x), take(V.angular.y), take(V.angular.z)},
          {take(V.linear.x), take(V.linear.y), take(V.linear.z)}};
}
TwistDerivatives<double> derivatives(const Twist<Jet>& V) {
  return {taken(V, [](const Jet& x) { return x.value.value; }),
          taken(V, [](const Jet& x) { return x.tangent[0].value; }),
          taken(V, [](const Jet& x) { return x.tangent[0].tangent[0]; })};
}

/// A body that moves with the body-fixed twist V + V' t + V'' t^2/2. Up to t^2 its displacement is the
/// exponential of the integral: the brackets of the Magnus series begin at t^3.
struct MovingBody {
  explicit MovingBody(unsigned seed) : generator(seed) {
    motion = {random_twist(generator), random_twist(generator), random_twist(generator)};
    X = pose(exp_se3(random_twist(generator)));
    const Jet t{Dual<double, 1>(0.0, {1.0}), {Dual<double, 1>(1.0)}};
    const Twist<Jet> path = t * motion.twist + (0.5 * t * t) * motion.acceleration;
    const Pose<Jet> start{{X.R.xx, X.R.xy, X.R.xz, X.R.yx, X.R.yy, X.R.yz, X.R.zx, X.R.zy, X.R.zz},
                          {X.p.x, X.p.y, X.p.z}};
    X_jet = start * pose(exp_se3(path));
    V_jet = motion.twist + t * motion.acceleration + (0.5 * t * t) * motion.jerk;
  }
  std::mt19937 generator;
  TwistDerivatives<double> motion;
  Pose<double> X;
  Pose<Jet> X_jet;
  Twist<Jet> V_jet;
};

TEST(Representation, HasTheNamesOfTheText) {
  EXPECT_STREQ(name_of(Representation::body), "body");
  EXPECT_STREQ(name_of(Representation::spatial), "spatial");
  EXPECT_STREQ(name_of(Representation::hybrid), "hybrid");
  EXPECT_STREQ(name_of(Representation::mixed), "mixed");
}

TEST(Representation, ConvertedDerivativesAreDerivativesOfTheConverted) {
  double worst = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const MovingBody body(seed);
    for (const Representation from : kRepresentations) {
      const TwistDerivatives<double> given = derivatives(represent(from, body.X_jet, body.V_jet));
      for (const Representation to : kRepresentations) {
        const TwistDerivatives<double> expected = derivatives(represent(to, body.X_jet, body.V_jet));
        const TwistDerivatives<double> got = convert(from, to, body.X, given);
        worst = larger(worst, distance(convert(from, to, body.X, given.twist), expected.twist));
        worst = larger(worst, distance(got.twist, expected.twist));
        worst = larger(worst, distance(got.acceleration, expected.acceleration));
        worst = larger(worst, distance(got.jerk, expected.jerk));
        worst =
            larger(worst, distance(convert_acceleration(from, to, body.X, given.twist, given.acceleration),
                                   expected.acceleration));
      }
    }
  }
  EXPECT_LT(worst, 1e-12) << worst;  // measured 3e-15
}

TEST(Representation, PowerIsTheSameInAll) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    MovingBody body(seed);
    const Wrench<double> W = random_wrench(body.generator);
    const Twist<double> V = body.motion.twist;
    const double power = dot(V, W), scale = largest(V) * larger(norm(W.moment), norm(W.force));
    for (const Representation from : kRepresentations) {
      const Twist<double> V_from = represent(from, body.X, V);
      const Wrench<double> W_from = represent(from, body.X, W);
      EXPECT_LT(std::abs(dot(V_from, W_from) - power) / scale, 1e-14);  // measured 3e-16
      for (const Representation to : kRepresentations) {
        EXPECT_LT(distance(convert(from, to, body.X, W_from), represent(to, body.X, W)),
                  1e-14);  // measured 4e-16
      }
    }
  }
}

TEST(Representation, MomentumIsInertiaTimesTwistInAll) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    MovingBody body(seed);
    const auto n = random_vector(6, body.generator);
    const Inertia<double> I = inertia_about_com(
        1.5, Vec3<double>{n[0], n[1], n[2]}, steiner(Vec3<double>{n[3], n[4], n[5]}, Vec3<double>{1, 2, 3}));
    const Wrench<double> momentum = I * body.motion.twist;
    for (const Representation from : kRepresentations) {
      const ArticulatedInertia<double> M_from = represent(from, body.X, I);
      for (const Representation to : kRepresentations) {
        const ArticulatedInertia<double> M = convert(from, to, body.X, M_from);
        const Wrench<double> product = M * represent(to, body.X, body.motion.twist);
        EXPECT_LT(distance(product, represent(to, body.X, momentum)), 1e-13);  // measured 1e-15
      }
    }
    // The ten numbers of the spatial inertia, by another route.
    const ArticulatedInertia<double> spatial = represent(Representation::spatial, body.X, I);
    const Inertia<double> ten = to_parent(body.X, I);
    EXPECT_LT(norm(spatial.A * Vec3<double>{1, 2, 3} - ten.about_origin * Vec3<double>{1, 2, 3}),
              1e-13);  // measured 3e-14
    EXPECT_LT(norm(spatial.B * Vec3<double>{1, 2, 3} - cross(ten.first_moment, Vec3<double>{1, 2, 3})),
              1e-13);  // measured 6e-15
  }
}

}  // namespace
}  // namespace torsor
