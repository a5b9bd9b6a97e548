// All forms of the Newton-Euler equations against the rate of the spatial momentum, by dual numbers.

#include "torsor/tree/reference/newton_euler.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/lie/se3.h"
#include "torsor/tree/node_motion.hpp"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

Twist<double> random_twist(std::mt19937& generator) {
  const auto n = random_vector(6, generator);
  return {{n[0], n[1], n[2]}, {3 * n[3], 3 * n[4], 3 * n[5]}};
}
double distance(const Wrench<double>& a, const Wrench<double>& b) {
  return larger(norm(a.moment - b.moment), norm(a.force - b.force)) / larger(norm(b.moment), norm(b.force));
}
Vec3<double> value(const Vec3<Dual1>& a) { return {a.x.value, a.y.value, a.z.value}; }
Vec3<double> rate(const Vec3<Dual1>& a) { return {a.x.tangent[0], a.y.tangent[0], a.z.tangent[0]}; }
Twist<double> value(const Twist<Dual1>& V) { return {value(V.angular), value(V.linear)}; }
Twist<double> rate(const Twist<Dual1>& V) { return {rate(V.angular), rate(V.linear)}; }

/// A frame that moves with body-fixed twist V + V' t, to first order in t.
struct MovingFrame {
  explicit MovingFrame(std::mt19937& generator)
      : V(random_twist(generator)),
        V_rate(random_twist(generator)),
        X(pose(exp_se3(random_twist(generator)))) {
    const Dual1 t(0.0, {1.0});
    X_t = Pose<Dual1>{as_scalar<Dual1>(X.R), as_scalar<Dual1>(X.p)} * pose(exp_se3(t * V));
    V_t = V + t * V_rate;
  }
  Twist<double> V, V_rate;
  Pose<double> X;
  Pose<Dual1> X_t;
  Twist<Dual1> V_t;
};

struct NewtonEuler : ::testing::TestWithParam<unsigned> {
  NewtonEuler() {
    const Wrench<Dual1> momentum = to_parent(body.X_t, I * body.V_t);
    W_spatial = {rate(momentum.moment), rate(momentum.force)};  // (36)
  }
  std::mt19937 generator{GetParam()};
  MovingFrame body{generator};
  Inertia<double> I =
      inertia_about_com(1.7, random_twist(generator).angular, Sym3<double>{1.1, 1.3, 1.9, 0.1, -0.2, 0.15});
  Wrench<double> W_spatial;
};

TEST_P(NewtonEuler, GivesOneWrenchInAllRepresentations) {
  for (const Representation r : kRepresentations) {
    const Twist<Dual1> V_t = represent(r, body.X_t, body.V_t);
    const Wrench<double> W = newton_euler(r, body.X, I, value(V_t), rate(V_t));
    const Wrench<double> spatial = convert(r, Representation::spatial, body.X, W);
    EXPECT_LT(distance(spatial, W_spatial), 1e-12)
        << name_of(r) << distance(spatial, W_spatial);  // measured 1e-15
  }
}

TEST_P(NewtonEuler, HoldsAboutAnyPointInAnyAxes) {
  const MovingFrame j(generator), k(generator);
  const auto check = [&](const MovingFrame& point, const MovingFrame& axes) {
    const Pose<Dual1> X_t{axes.X_t.R, point.X_t.p};
    const Pose<double> X{axes.X.R, point.X.p};
    const Twist<Dual1> V_t = to_child(X_t, to_parent(body.X_t, body.V_t));
    const Twist<double> frame{axes.V.angular, transpose_times(axes.X.R, point.X.R * point.V.linear)};
    const Inertia<double> M = to_parent(inverse(X) * body.X, I);  // (61), (64)
    const Wrench<double> W = newton_euler_about(M, frame, value(V_t), rate(V_t));
    return distance(to_parent(X, W), W_spatial);
  };
  EXPECT_LT(check(j, j), 1e-12) << check(j, j);        // (60), measured 2e-15
  EXPECT_LT(check(j, k), 1e-12) << check(j, k);        // (63), measured 2e-15
  EXPECT_LT(check(body, k), 1e-12) << check(body, k);  // measured 8e-16
  EXPECT_LT(check(body, body), 1e-12);                 // (41) again
}

INSTANTIATE_TEST_SUITE_P(Seeds, NewtonEuler, ::testing::Range(0u, 40u));

}  // namespace
}  // namespace torsor
