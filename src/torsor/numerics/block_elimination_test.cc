#include "torsor/numerics/block_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// A random matrix of a pattern, in blocks and whole.
struct Sample {
  Sample(const std::vector<BlockElimination::Node>& made, const std::vector<std::pair<int, int>>& pairs,
         unsigned seed)
      : nodes(made), matrix(made, pairs), whole(matrix.size(), matrix.size()) {
    whole.setZero();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto fill = [&](int a, int b) {
      const RowBlock block = matrix.block(a, b);
      for (int i = 0; i < (a < b ? nodes[a].shared : nodes[a].size); ++i) {
        for (int j = 0; j < (b < a ? nodes[b].shared : nodes[b].size); ++j) {
          whole(matrix.offset(a) + i, matrix.offset(b) + j) = block(i, j) = uniform(random);
        }
      }
    };
    matrix.clear();
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      fill(static_cast<int>(node), static_cast<int>(node));
    }
    for (const auto& [a, b] : pairs) {
      fill(a, b);
      fill(b, a);
    }
  }

  std::vector<BlockElimination::Node> nodes;
  BlockElimination matrix;
  Eigen::MatrixXd whole;
};

TEST(BlockElimination, SolvesTreesWithCouplingsAsADenseSolverDoes) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<BlockElimination::Node> nodes;
    std::vector<std::pair<int, int>> pairs;
    for (int node = 0; node < 8; ++node) {
      const int size = 1 + static_cast<int>(random() % 12);
      nodes.push_back({size, 1 + static_cast<int>(random() % size)});
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
    Sample sample(nodes, pairs, seed);
    Eigen::VectorXd b = Eigen::VectorXd::Random(sample.matrix.size()), x = b;
    sample.matrix.factorise();
    sample.matrix.solve(std::span(x.data(), x.size()));
    const double scale = max_abs(sample.whole) * max_abs(x);
    EXPECT_LE(max_abs(sample.whole * x - b), 1e-11 * scale) << seed;  // measured 4e-13

    std::vector<Pack<4>> packed(b.size());
    for (int i = 0; i < b.size(); ++i) packed[i] = Pack<4>(Pack<4>::Lanes{-2, -1, 1, 3}) * b[i];
    sample.matrix.solve(std::span(packed));
    for (int i = 0; i < b.size(); ++i) {
      for (int lane = 0; lane < 4; ++lane) {
        const double factor = std::array{-2, -1, 1, 3}[lane];
        EXPECT_NEAR(packed[i][lane], factor * x[i], 1e-11 * max_abs(x)) << seed;
      }
    }
  }
}

TEST(BlockElimination, SingularMatrixHasNoFiniteSolution) {
  BlockElimination matrix({{2, 2}, {2, 2}}, std::vector<std::pair<int, int>>{{0, 1}});
  matrix.clear();
  matrix.block(0, 0)(0, 0) = 1;
  matrix.factorise();
  std::vector<double> x{1, 1, 1, 1};
  matrix.solve(x);
  EXPECT_FALSE(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]) && std::isfinite(x[3]));
}

}  // namespace
}  // namespace torsor
