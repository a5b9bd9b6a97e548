#include "torsor/numerics/restricted_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace torsor {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::span<const double> numbers(const RowMajor& A) { return {A.data(), static_cast<std::size_t>(A.size())}; }

TEST(RestrictedLu, SolvesTheProjectedEquations) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const int n = 8;
  RestrictedLu lu(n);
  for (int rank : {n, 5, 1, 0, 7}) {
    const RowMajor S = RowMajor::NullaryExpr(n, n, [&] { return normal(random); });
    const RowMajor b = RowMajor::NullaryExpr(n, 1, [&] { return normal(random); });
    RowMajor Q = RowMajor::Identity(n, n);
    if (rank < n) {
      Q = RowMajor::NullaryExpr(n, rank, [&] { return normal(random); });
      lu.set_basis(numbers(Q), rank);
    }
    ASSERT_TRUE(lu.factorise(numbers(S)));
    EXPECT_GT(lu.pivot_ratio(), 1e-3);
    Eigen::VectorXd x = b;
    lu.solve({x.data(), static_cast<std::size_t>(n)});
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
    if (rank > 0) expected = Q * (Q.transpose() * S * Q).fullPivLu().solve(Q.transpose() * b);
    EXPECT_LE((x - expected).norm(), 1e-12 * expected.norm());  // measured 1e-13
  }
}

TEST(RestrictedLu, ReportsASingularMatrix) {
  RestrictedLu lu(2);
  EXPECT_FALSE(lu.factorise(numbers(RowMajor::Ones(2, 2))));
  EXPECT_EQ(lu.pivot_ratio(), 0);
}

}  // namespace
}  // namespace torsor
