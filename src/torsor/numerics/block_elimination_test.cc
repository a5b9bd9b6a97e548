#include "torsor/numerics/block_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// A random matrix of a pattern, in blocks and whole.
struct Sample {
  Sample(const std::vector<int>& node_sizes, const std::vector<std::pair<int, int>>& pairs, unsigned seed)
      : sizes(node_sizes), matrix(node_sizes, pairs), whole(matrix.size(), matrix.size()) {
    whole.setZero();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto fill = [&](int a, int b) {
      const ColumnBlock block = matrix.block(a, b);
      for (int i = 0; i < sizes[a]; ++i) {
        for (int j = 0; j < sizes[b]; ++j) {
          whole(matrix.offset(a) + i, matrix.offset(b) + j) = block(i, j) = uniform(random);
        }
      }
    };
    matrix.clear();
    for (std::size_t node = 0; node < sizes.size(); ++node)
      fill(static_cast<int>(node), static_cast<int>(node));
    for (const auto& [a, b] : pairs) {
      fill(a, b);
      fill(b, a);
    }
  }

  std::vector<int> sizes;
  BlockElimination matrix;
  Eigen::MatrixXd whole;
};

TEST(BlockElimination, SolvesTreesWithCouplingsAsADenseSolverDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<int> sizes;
    std::vector<std::pair<int, int>> pairs;
    for (int node = 0; node < 8; ++node) {
      sizes.push_back(1 + static_cast<int>(random() % 6));
      if (node > 0) pairs.emplace_back(static_cast<int>(random() % node), node);
    }
    const auto coupled = [&](int a, int b) {
      for (const auto& [p, q] : pairs) {
        if ((p == a && q == b) || (p == b && q == a)) return true;
      }
      return false;
    };
    if (!coupled(2, 7)) pairs.emplace_back(7, 2);
    if (!coupled(0, 5)) pairs.emplace_back(0, 5);
    Sample sample(sizes, pairs, seed);
    Eigen::VectorXd b = Eigen::VectorXd::Random(sample.matrix.size()), x = b;
    sample.matrix.factorise();
    sample.matrix.solve({x.data(), static_cast<std::size_t>(x.size())});
    const double scale = max_abs(sample.whole) * max_abs(x);
    EXPECT_LE(max_abs(sample.whole * x - b), 1e-11 * scale) << seed;  // measured 4e-13
  }
}

TEST(BlockElimination, SingularMatrixHasNoFiniteSolution) {
  BlockElimination matrix({2, 2}, std::vector<std::pair<int, int>>{{0, 1}});
  matrix.clear();
  matrix.block(0, 0)(0, 0) = 1;
  matrix.factorise();
  std::vector<double> x{1, 1, 1, 1};
  matrix.solve(x);
  EXPECT_FALSE(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]) && std::isfinite(x[3]));
}

}  // namespace
}  // namespace torsor
