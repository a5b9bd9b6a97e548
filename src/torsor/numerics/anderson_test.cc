#include "torsor/numerics/anderson.h"

#include <gtest/gtest.h>

#include <limits>

namespace torsor {
namespace {

/// On a linear system it is GMRES: done after as many steps as there are distinct eigenvalues, though the
/// plain iteration x <- x - F(x) diverges.
TEST(Anderson, SolvesLinearSystemsThatThePlainIterationDoesNot) {
  const double eigenvalues[] = {0.5, 1, 4, 9};
  constexpr int n = 40;
  Anderson solver(n);
  std::vector<double> x(n);
  const NewtonReport report = solver.solve(x, 1, {}, [&](std::span<const double> at, std::span<double> d) {
    for (int i = 0; i < n; ++i) d[i] = eigenvalues[i % 4] * (at[i] - i);
  });
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.iterations, 20);  // measured 15: rounding is told from slowness by patience
  for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], i, 1e-12);  // measured 7e-15
}

/// Coupled cubic oscillators x + k (x^3 + neighbours) = b.
TEST(Anderson, SolvesNonlinearSystemsToRounding) {
  constexpr int n = 100;
  const auto residual = [](std::span<const double> x, int i) {
    const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
    return x[i] + 0.3 * (x[i] * x[i] * x[i] + 2 * x[i] - left - right) - std::sin(0.1 * i);
  };
  Anderson solver(n);
  std::vector<double> x(n);
  for (int again = 0; again < 2; ++again) {
    std::fill(x.begin(), x.end(), 0.0);
    const NewtonReport report = solver.solve(x, 1, {}, [&](std::span<const double> at, std::span<double> d) {
      for (int i = 0; i < n; ++i) d[i] = residual(at, i);
    });
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 50);                                   // measured 30
    for (int i = 0; i < n; ++i) EXPECT_NEAR(residual(x, i), 0, 1e-14);  // measured 7e-16
  }
}

TEST(Anderson, ReportsWhatDoesNotConverge) {
  Anderson solver(1);
  std::vector<double> x{1};
  const NewtonReport report = solver.solve(
      x, 1, {}, [](std::span<const double> at, std::span<double> d) { d[0] = at[0] * at[0] + 1; });
  EXPECT_FALSE(report.converged);
}

TEST(Anderson, FailsOnACorrectionThatIsNotANumberWhereverItStands) {
  constexpr int n = 4;
  for (int place = 0; place < n; ++place) {
    for (const int from : {1, 2, 3}) {
      Anderson solver(n);
      std::vector<double> x(n);
      int call = 0;
      const NewtonReport report =
          solver.solve(x, 1, {}, [&](std::span<const double> at, std::span<double> d) {
            for (int i = 0; i < n; ++i) d[i] = (1 + i) * (at[i] - i);
            if (++call >= from) d[place] = std::numeric_limits<double>::quiet_NaN();
          });
      EXPECT_FALSE(report.converged);
      EXPECT_TRUE(std::isnan(report.correction));
    }
  }
}

}  // namespace
}  // namespace torsor
