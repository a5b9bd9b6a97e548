#include "torsor/numerics/newton.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace torsor {
namespace {

/// x_i + c sin(x_{i+1}) = b_i: convex enough for Newton from 0, with a unique root for c < 1.
struct Ring {
  double c = 0.5;
  std::vector<double> b;
  int residuals = 0, tangents = 0;

  void residual(std::span<const double> x, std::span<double> r) const {
    for (std::size_t i = 0; i < x.size(); ++i) r[i] = x[i] + c * std::sin(x[(i + 1) % x.size()]) - b[i];
  }
  NewtonReport solve(DenseNewton& newton, std::vector<double>& x, const NewtonSettings& settings = {}) {
    return newton.solve(
        x, 1, settings,
        [&](std::span<const double> at, std::span<double> r) {
          ++residuals;
          residual(at, r);
        },
        [&](std::span<const double> at, std::span<double> r, std::span<double> J) {
          ++tangents;
          residual(at, r);
          const std::size_t n = at.size();
          std::fill(J.begin(), J.end(), 0.0);
          for (std::size_t i = 0; i < n; ++i) {
            J[i * n + i] += 1;
            J[(i + 1) % n * n + i] += c * std::cos(at[(i + 1) % n]);
          }
        });
  }
};

TEST(Newton, SolvesToRounding) {
  for (int n : {1, 2, 5, 40}) {
    Ring ring;
    for (int i = 0; i < n; ++i) ring.b.push_back(std::sin(3.0 * i) + 1);
    DenseNewton newton(n);
    std::vector<double> x(n), r(n);
    EXPECT_TRUE(ring.solve(newton, x).converged);
    ring.residual(x, r);
    for (double entry : r) EXPECT_LE(std::abs(entry), 5e-16);  // measured 2e-16
  }
}

TEST(Newton, KeepsItsTangentWhileItServes) {
  Ring ring;
  ring.b = {1, 0.5, 0.2};
  DenseNewton newton(3);
  std::vector<double> x(3);
  ring.solve(newton, x);
  const int tangents = ring.tangents;
  for (int k = 0; k < 20; ++k) {
    ring.b[0] += 1e-3;
    EXPECT_TRUE(ring.solve(newton, x).converged);
  }
  EXPECT_EQ(ring.tangents, tangents);
  newton.forget();
  ring.solve(newton, x);
  EXPECT_EQ(ring.tangents, tangents + 1);
}

TEST(Newton, TakesRoundingForConvergence) {
  DenseNewton newton(1);
  std::vector<double> x{1.0};
  int calls = 0;
  // Noise of 1e-12 that no iteration can remove.
  const auto noisy = [&](double at) { return at - 3 + 1e-12 * std::sin(1000.0 * ++calls); };
  const NewtonReport report = newton.solve(
      x, 1, {}, [&](std::span<const double> at, std::span<double> r) { r[0] = noisy(at[0]); },
      [&](std::span<const double> at, std::span<double> r, std::span<double> J) {
        r[0] = noisy(at[0]);
        J[0] = 1;
      });
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(x[0], 3, 2e-12);
}

TEST(Newton, SaysWhenThereIsNoRoot) {
  DenseNewton newton(1);
  std::vector<double> x{0.7};
  const NewtonReport report = newton.solve(
      x, 1, {}, [](std::span<const double> at, std::span<double> r) { r[0] = at[0] * at[0] + 1; },
      [](std::span<const double> at, std::span<double> r, std::span<double> J) {
        r[0] = at[0] * at[0] + 1;
        J[0] = 2 * at[0];
      });
  EXPECT_FALSE(report.converged);
}

TEST(Newton, SaysWhenTheTangentIsSingular) {
  DenseNewton newton(2);
  std::vector<double> x{0, 0};
  const NewtonReport report = newton.solve(
      x, 1, {}, [](std::span<const double>, std::span<double> r) { r[0] = r[1] = 1; },
      [](std::span<const double>, std::span<double> r, std::span<double> J) {
        r[0] = 1, r[1] = 2;
        std::fill(J.begin(), J.end(), 1.0);
      });
  EXPECT_FALSE(report.converged);
}

TEST(Newton, FailsOnAResidualThatIsNotANumberWhereverItStands) {
  for (int n : {1, 2, 5}) {
    for (int place = 0; place < n; ++place) {
      Ring ring;
      ring.b.assign(n, 1.0);
      ring.b[place] = std::numeric_limits<double>::quiet_NaN();
      for (const bool kept : {false, true}) {  // by a fresh tangent, and by one that is kept
        DenseNewton newton(n);
        std::vector<double> x(n);
        Ring sound = ring;
        sound.b[place] = 1;
        if (kept) {
          ASSERT_TRUE(sound.solve(newton, x).converged);
        }
        const NewtonReport report = ring.solve(newton, x);
        EXPECT_FALSE(report.converged);
        EXPECT_TRUE(std::isnan(report.correction));
      }
    }
  }
}

}  // namespace
}  // namespace torsor
