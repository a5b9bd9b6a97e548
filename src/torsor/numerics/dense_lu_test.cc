#include "torsor/numerics/dense_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace torsor {
namespace {

TEST(DenseLu, SolvesRandomSystems) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int n : {1, 2, 3, 10, 50, 150}) {
    DenseLu lu(n);
    std::vector<double> A(n * n), x(n), b(n, 0.0);
    for (double& entry : A) entry = normal(random);
    for (double& entry : x) entry = normal(random);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) b[i] += A[j * n + i] * x[j];
    }
    std::copy(A.begin(), A.end(), lu.matrix().begin());
    lu.factorise();
    lu.solve(b);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-11);  // measured 3e-12
  }
}

TEST(DenseLu, PivotsWhereADiagonalEntryVanishes) {
  DenseLu lu(2);
  const double A[] = {0, 2, 3, 0};
  std::copy(std::begin(A), std::end(A), lu.matrix().begin());
  lu.factorise();
  std::vector<double> b{6, 4};
  lu.solve(b);
  EXPECT_EQ(b[0], 2);
  EXPECT_EQ(b[1], 2);
}

TEST(DenseLu, ShowsASingularMatrixInTheSolution) {
  DenseLu lu(2);
  std::fill(lu.matrix().begin(), lu.matrix().end(), 1.0);
  lu.factorise();
  std::vector<double> b{1, 2};
  lu.solve(b);
  EXPECT_FALSE(std::isfinite(b[0]) && std::isfinite(b[1]));
}

}  // namespace
}  // namespace torsor
