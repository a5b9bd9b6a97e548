#include "torsor/formulation/rotationless/product.h"

#include <gtest/gtest.h>

#include <random>

#include "torsor/lie/so3.h"

namespace torsor {
namespace {

template <int D>
struct Sample {
  static constexpr int kNodes = 2;  ///< child and parent; the ground stands last

  explicit Sample(unsigned seed) : random(seed) {}

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  VecD<D> vector() {
    VecD<D> v;
    for (int i = 0; i < D; ++i) v[i] = number();
    return v;
  }
  Configuration<D> configuration() {
    Configuration<D> X(kNodes + 1, ground_directors<D>());
    for (int node = 0; node < kNodes; ++node) {
      X[node].phi = vector();
      const double z = 4 * number();
      const Mat3<double> R =
          matrix(exp_so3(D == 2 ? Vec3<double>{0, 0, z} : Vec3<double>{number(), number(), z}));
      const Vec3<double> columns[3] = {{R.xx, R.yx, R.zx}, {R.xy, R.yy, R.zy}, {R.xz, R.yz, R.zz}};
      for (int k = 0; k < D; ++k) {
        for (int i = 0; i < D; ++i) X[node].d[k][i] = columns[k][i];
      }
    }
    return X;
  }
  /// Increments (u, omega) of the bodies with turns up to 2.5 rad, and the configuration that they lead to.
  std::array<Row<D>, kNodes> step(const Configuration<D>& from, Configuration<D>& to) {
    std::array<Row<D>, kNodes> increments;
    to = from;
    for (int node = 0; node < kNodes; ++node) {
      SpinD<D> omega;
      if constexpr (D == 2) {
        omega = 2 * std::tan(1.25 * number());
        increments[node][2] = omega;
      } else {
        const Vec3<double> axis{number(), number(), number()};
        omega = (2 * std::tan(1.25 * number()) / norm(axis)) * axis;
        for (int i = 0; i < 3; ++i) increments[node][3 + i] = omega[i];
      }
      const VecD<D> u = vector();
      for (int i = 0; i < D; ++i) increments[node][i] = u[i];
      to[node].phi += u;
      for (VecD<D>& d : to[node].d) d += cayley_increment(omega, d);
    }
    return increments;
  }
  Arm<D> arm(int node, double t) {
    Arm<D> a{node, t, {}};
    for (double& beta : a.beta) beta = number();
    return a;
  }
  Product<D> product() { return {arm(0, 1), arm(1, -1), arm(1, 0), number()}; }

  std::mt19937 random;
};

template <int D>
Configuration<D> mean(const Configuration<D>& a, const Configuration<D>& b) {
  Configuration<D> X = a;
  for (std::size_t node = 0; node < a.size(); ++node) {
    X[node].phi = 0.5 * (a[node].phi + b[node].phi);
    for (int i = 0; i < D; ++i) X[node].d[i] = 0.5 * (a[node].d[i] + b[node].d[i]);
  }
  return X;
}

template <int D>
double pairing(const PairRow<D>& row, const std::array<Row<D>, 2>& increments) {
  double sum = 0;
  for (int i = 0; i < kWidth<D>; ++i) {
    sum += row.child[i] * increments[0][i] + row.parent[i] * increments[1][i];
  }
  return sum;
}

template <class T>
class RotationlessProduct : public ::testing::Test {};
template <int N>
struct Dimension {
  static constexpr int D = N;
};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(RotationlessProduct, Dimensions);

TYPED_TEST(RotationlessProduct, CayleyIncrementsKeepDirectorsOrthonormal) {
  constexpr int D = TypeParam::D;
  Sample<D> sample(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Configuration<D> a = sample.configuration();
    Configuration<D> b;
    sample.step(a, b);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        EXPECT_NEAR(dot(b[0].d[i], b[0].d[j]), i == j, 1e-14);  // measured 2e-15
      }
    }
  }
}

/// dcay^-1: a small turn of the directors at the end is a small change of omega.
TYPED_TEST(RotationlessProduct, CayleyRateTurnsTheEnd) {
  constexpr int D = TypeParam::D;
  Sample<D> sample(2);
  for (int trial = 0; trial < 20; ++trial) {
    const VecD<D> d = sample.vector();
    SpinD<D> omega, y;
    if constexpr (D == 2) {
      omega = 3 * sample.number(), y = sample.number();
    } else {
      omega = 3.0 * sample.vector(), y = sample.vector();
    }
    constexpr double e = 1e-5;
    const SpinD<D> change = cayley_rate(omega, y);
    const VecD<D> turned =
        (0.5 / e) * (cayley_increment(omega + e * change, d) - cayley_increment(omega - e * change, d));
    EXPECT_LE(norm(turned - spun(y, d + cayley_increment(omega, d))), 1e-9);  // measured 1.1e-10
  }
}

TYPED_TEST(RotationlessProduct, GradientAtTheMidpointTimesIncrementIsTheDifference) {
  constexpr int D = TypeParam::D;
  Sample<D> sample(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Product<D> p = sample.product();
    const Configuration<D> a = sample.configuration();
    Configuration<D> b;
    const auto increments = sample.step(a, b);
    PairRow<D> row;
    add_gradient(p, mean<D>(a, b), 1.0, row);
    EXPECT_NEAR(pairing<D>(row, increments), value_at(p, b) - value_at(p, a), 1e-13);  // measured 2e-15
  }
}

TYPED_TEST(RotationlessProduct, PushedGradientIsTheGradient) {
  constexpr int D = TypeParam::D;
  Sample<D> sample(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Product<D> p = sample.product();
    const Configuration<D> X = sample.configuration();
    PairRow<D> row, pushed;
    add_gradient(p, X, 0.7, row);
    push_gradient(p, X, 0.7, [&](const Arm<D>& arm, const VecD<D>& force) {
      add_force<D>(arm.t, lever(arm, X), force, (arm.node == 0 ? pushed.child : pushed.parent).data());
    });
    for (int i = 0; i < kWidth<D>; ++i) {
      EXPECT_NEAR(row.child[i], pushed.child[i], 1e-15);    // measured 1e-16
      EXPECT_NEAR(row.parent[i], pushed.parent[i], 2e-15);  // measured 2e-16
    }
  }
}

/// A product is quadratic along any straight line: p(X + s V) = p + s rate + s^2 curvature.
TYPED_TEST(RotationlessProduct, RateAndCurvatureAreItsTaylorSeries) {
  constexpr int D = TypeParam::D;
  Sample<D> sample(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Product<D> p = sample.product();
    const Configuration<D> X = sample.configuration();
    Configuration<D> V = sample.configuration(), moved = X;
    V.back() = Directors<D>{};
    const double s = 3 * sample.number();
    for (std::size_t node = 0; node < X.size(); ++node) {
      moved[node].phi += s * V[node].phi;
      for (int i = 0; i < D; ++i) moved[node].d[i] += s * V[node].d[i];
    }
    EXPECT_NEAR(value_at(p, moved), value_at(p, X) + s * (rate_at(p, X, V) + s * curvature(p, V)),
                1e-13);  // measured 1.3e-15
  }
}

}  // namespace
}  // namespace torsor
