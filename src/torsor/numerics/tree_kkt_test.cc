#include "torsor/numerics/tree_kkt.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "testing/count_allocations.h"
#include "testing/numbers.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/border_rank.h"

namespace torsor {
namespace {

struct Kind {
  int nodes;
  int couplings = 0, border = 0;
  double root = 0.2;              ///< how often a node hangs on the ground
  bool massless_turning = false;  ///< half of K_cc is zero, as for a point mass; multipliers hold that half
};

/// A random matrix, in the tree's blocks and dense.
template <int W>
class Problem {
 public:
  Problem(const Kind& kind, int seed) : random_(seed), pattern_(make_pattern(kind)), kkt(pattern_) {
    const int n = kkt.size(), border = kkt.border_size();
    dense = Eigen::MatrixXd::Zero(n + border, n + border);
    refill(kind);
  }

  void refill(const Kind& kind) {
    kkt.clear();
    for (int c = 0; c < static_cast<int>(pattern_.nodes.size()); ++c) fill_node(kind, c);
    for (const auto& [a, b] : pattern_.couplings) {
      fill(kkt.block(a, b), W, W, kkt.offset(a), kkt.offset(b));
      fill(kkt.block(b, a), W, W, kkt.offset(b), kkt.offset(a));
    }
    const int n = kkt.size();
    for (int j = 0; j < kkt.border_size(); ++j) {
      for (int k = 0; k < static_cast<int>(pattern_.border[j].size()); ++k) {
        const int at = kkt.offset(pattern_.border[j][k]);
        fill({kkt.border_left(j, k), 1}, W, 1, at, n + j);
        fill({kkt.border_right(j, k), W}, 1, W, n + j, at);
      }
      for (int i = 0; i < kkt.border_size(); ++i) fill({&kkt.corner(i, j), 1}, 1, 1, n + i, n + j);
    }
  }

  /// Column j of the border, its row and corner, become those of column i.
  void repeat_border(int i, int j) {
    ASSERT_EQ(pattern_.border[i], pattern_.border[j]);
    const int n = kkt.size(), m = kkt.border_size();
    for (int k = 0; k < static_cast<int>(pattern_.border[j].size()); ++k) {
      std::copy_n(kkt.border_left(i, k), W, kkt.border_left(j, k));
      std::copy_n(kkt.border_right(i, k), W, kkt.border_right(j, k));
    }
    dense.col(n + j) = dense.col(n + i);
    dense.row(n + j) = dense.row(n + i);
    for (int k = 0; k < m; ++k) {
      kkt.corner(k, j) = dense(n + k, n + j);
      kkt.corner(j, k) = dense(n + j, n + k);
    }
  }

  Eigen::VectorXd random_vector(int n) {
    Eigen::VectorXd result(n);
    for (double& x : result) x = normal_(random_);
    return result;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  KktPattern make_pattern(const Kind& kind) {
    KktPattern pattern;
    for (int c = 0; c < kind.nodes; ++c) {
      const bool root = c == 0 || std::bernoulli_distribution(kind.root)(random_);
      pattern.nodes.push_back(
          {root ? -1 : below(c), kind.massless_turning ? W - below(W / 2 + 1) : below(W + 1)});
    }
    while (static_cast<int>(pattern.couplings.size()) < kind.couplings) {
      const int a = below(kind.nodes), b = below(kind.nodes);
      const auto is_parent = [&](int c, int p) { return pattern.nodes[c].parent == p; };
      const auto same = [&](const auto& other) {
        return std::minmax(a, b) == std::minmax(other.first, other.second);
      };
      if (a == b || is_parent(a, b) || is_parent(b, a) ||
          std::any_of(pattern.couplings.begin(), pattern.couplings.end(), same))
        continue;
      pattern.couplings.emplace_back(a, b);
    }
    for (int j = 0; j < kind.border; ++j) {
      if (j % 2 == 1) {
        pattern.border.push_back(pattern.border.back());
        continue;
      }
      pattern.border.emplace_back();
      const int a = below(kind.nodes), b = below(kind.nodes);
      pattern.border.back().push_back(a);
      if (a != b) pattern.border.back().push_back(b);
    }
    return pattern;
  }

  void fill_node(const Kind& kind, int c) {
    const int at = kkt.offset(c), m = pattern_.nodes[c].multipliers, parent = pattern_.nodes[c].parent;
    const BlockView pivot = kkt.pivot(c);
    fill(pivot, W, W, at, at);
    if (kind.massless_turning) {
      for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j)
          if (std::max(i, j) >= W / 2) pivot(i, j) = dense(at + i, at + j) = 0;
    }
    const int up = parent < 0 ? -1 : kkt.offset(parent);
    for (int j = 0; j < m; ++j) {
      double left[W], right[W], left_parent[W], right_parent[W];
      fill({left, 1}, W, 1, at, at + W + j);
      fill({right, W}, 1, W, at + W + j, at);
      if (parent >= 0) fill({left_parent, 1}, W, 1, up, at + W + j);
      if (parent >= 0) fill({right_parent, W}, 1, W, at + W + j, up);
      kkt.set_row(c, j, left, right, left_parent, right_parent);
    }
    if (parent < 0) return;
    fill(kkt.block(c, parent), W, W, at, up);
    fill(kkt.block(parent, c), W, W, up, at);
  }

  void fill(BlockView block, int rows, int columns, int row, int column) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) block(i, j) = dense(row + i, column + j) = normal_(random_);
  }

  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  KktPattern pattern_;

 public:
  TreeKkt<W> kkt;
  Eigen::MatrixXd dense;
};

template <class Size>
class TreeKktOf : public testing::Test {};
using Sizes = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(TreeKktOf, Sizes);

const Kind kKinds[] = {{.nodes = 1},
                       {.nodes = 12},
                       {.nodes = 30, .root = 0},
                       {.nodes = 15, .couplings = 8},
                       {.nodes = 10, .border = 4},
                       {.nodes = 20, .couplings = 6, .border = 11},
                       {.nodes = 12, .couplings = 3, .border = 3, .massless_turning = true}};

template <int W>
Eigen::VectorXd solution(TreeKkt<W>& kkt, Eigen::VectorXd b) {
  const std::span<double> all(b.data(), b.size());
  kkt.solve(all.first(kkt.size()), all.subspan(kkt.size()));
  return b;
}

TYPED_TEST(TreeKktOf, SolvesAsFullPivotingDoes) {
  constexpr int W = TypeParam::value;
  for (const Kind& kind : kKinds) {
    for (int seed = 0; seed < 30; ++seed) {
      Problem<W> problem(kind, seed);
      const Eigen::VectorXd b = problem.random_vector(problem.dense.rows());
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(problem.dense);
      const Eigen::VectorXd exact = lu.solve(b);
      ASSERT_TRUE(problem.kkt.factorise());
      ASSERT_TRUE(problem.kkt.factorise_border());
      const Eigen::VectorXd x = solution(problem.kkt, b);
      EXPECT_LT((x - exact).norm() / exact.norm() * lu.rcond(), 1e-14);  // measured 1e-15
    }
  }
}

TYPED_TEST(TreeKktOf, FilledAnewSolvesAnew) {
  constexpr int W = TypeParam::value;
  const Kind kind{.nodes = 12, .couplings = 4, .border = 5};
  Problem<W> problem(kind, 1);
  for (int fill = 0; fill < 5; ++fill) {
    ASSERT_TRUE(problem.kkt.factorise());
    ASSERT_TRUE(problem.kkt.factorise_border());
    for (int side = 0; side < 2; ++side) {
      const Eigen::VectorXd b = problem.random_vector(problem.dense.rows());
      const Eigen::VectorXd x = solution(problem.kkt, b);
      EXPECT_LT((problem.dense * x - b).norm() / (problem.dense.norm() * x.norm()), 1e-13);
    }
    problem.refill(kind);
  }
}

TYPED_TEST(TreeKktOf, LeavesTheSchurComplementOfTheBorder) {
  constexpr int W = TypeParam::value;
  for (int seed = 0; seed < 30; ++seed) {
    Problem<W> problem({.nodes = 15, .couplings = 3, .border = 9}, seed);
    const int n = problem.kkt.size(), m = problem.kkt.border_size();
    const Eigen::MatrixXd& A = problem.dense;
    const Eigen::MatrixXd S =
        A.bottomRightCorner(m, m) -
        A.bottomLeftCorner(m, n) * A.topLeftCorner(n, n).fullPivLu().solve(A.topRightCorner(n, m));
    ASSERT_TRUE(problem.kkt.factorise());
    const std::span<const double> schur = problem.kkt.schur();
    const Eigen::MatrixXd transposed = S.transpose();
    EXPECT_LT(relative_error(schur, {transposed.data(), schur.size()}), 1e-9);  // measured 2e-10
  }
}

TYPED_TEST(TreeKktOf, ABasisOfTheBorderSolvesARedundantOne) {
  constexpr int W = TypeParam::value;
  Problem<W> problem({.nodes = 10, .border = 5}, 3);
  problem.repeat_border(2, 3);
  const int n = problem.kkt.size(), m = problem.kkt.border_size();
  ASSERT_TRUE(problem.kkt.factorise());
  EXPECT_TRUE(!problem.kkt.factorise_border() || problem.kkt.border_pivot_ratio() < 1e-13);

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> Q = Eigen::MatrixXd::Zero(m, m - 1);
  Q(0, 0) = Q(1, 1) = Q(4, 3) = 1;
  Q(2, 2) = Q(3, 2) = std::sqrt(0.5);
  problem.kkt.set_border_basis({Q.data(), static_cast<std::size_t>(Q.size())}, m - 1);
  ASSERT_TRUE(problem.kkt.factorise_border());
  EXPECT_GT(problem.kkt.border_pivot_ratio(), 1e-3);
  Eigen::VectorXd b = problem.random_vector(n + m);
  b[n + 3] = b[n + 2];
  const Eigen::VectorXd x = solution(problem.kkt, b);
  EXPECT_LT((problem.dense * x - b).norm() / b.norm(), 1e-11);  // measured 2e-12
  EXPECT_EQ(x[n + 3], x[n + 2]);                                // the solution of least norm
}

TYPED_TEST(TreeKktOf, ReportsWhatItCannotFactorise) {
  constexpr int W = TypeParam::value;
  for (double entry : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem<W> problem({.nodes = 8, .border = 2}, 5);
    problem.kkt.pivot(7)(1, 2) = entry;
    EXPECT_FALSE(problem.kkt.factorise());
  }
  Problem<W> problem({.nodes = 8, .border = 2}, 5);
  problem.kkt.corner(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(problem.kkt.factorise());
  EXPECT_FALSE(problem.kkt.factorise_border());
  problem.kkt.clear();
  EXPECT_FALSE(problem.kkt.factorise());
}

TYPED_TEST(TreeKktOf, AllocatesNothingOnceMade) {
  constexpr int W = TypeParam::value;
  const Kind kind{.nodes = 40, .couplings = 5, .border = 20};
  Problem<W> problem(kind, 2);
  BorderRank border(std::vector<double>(problem.kkt.border_size(), 1.0));
  std::vector<double> x(problem.kkt.size(), 1.0), nu(problem.kkt.border_size(), 1.0);
  const long before = allocations;
  EXPECT_GT(before, 0);
  for (int rank : {19, 0}) {
    problem.refill(kind);
    EXPECT_TRUE(problem.kkt.factorise());
    border.decompose(problem.kkt.schur(), -1);
    problem.kkt.set_border_basis(border.basis(rank), rank);
    EXPECT_TRUE(problem.kkt.factorise_border());
    problem.kkt.solve(x, nu);
  }
  EXPECT_EQ(allocations - before, 0);
}

/// Nodes that are tied by a point, some of them without a part K_ca, in plain numbers and in packs: both solve the matrix
/// whose pattern says nothing of it. Measured 1e-9, of a matrix that is nearly singular.
template <int W>
void expect_pinned_as_any(int couplings, int border, int seed) {
  constexpr int N = Pack<8>::size, kPlace = W == 3 ? 2 : 3, kNodes = 7;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  KktPattern pattern;
  for (int c = 0; c < kNodes; ++c) {
    const bool pinned = c % 4 != 3;
    pattern.nodes.push_back(
        {.parent = c == 0 ? -1 : static_cast<int>(random() % c),
         .multipliers = pinned ? kPlace + static_cast<int>(random() % (W - kPlace + 1)) : 1,
         .pinned = pinned,
         .loose = c % 3 != 1});
  }
  for (int k = 0; k < couplings; ++k)
    pattern.couplings.emplace_back(6 - k, pattern.nodes[6 - k].parent == 0 ? 1 : 0);
  for (int j = 0; j < border; ++j) pattern.border.push_back({5, 2});
  KktPattern plain = pattern;
  for (KktPattern::Node& node : plain.nodes) node.pinned = node.loose = false;

  TreeKkt<W, Pack<8>> packed(pattern);
  std::vector<TreeKkt<W>> tied(N, TreeKkt<W>(pattern));
  for (int round = 0; round < 2; ++round) {  // the second time over what the first left
    std::vector<TreeKkt<W>> alone(N, TreeKkt<W>(plain));
    packed.clear();
    for (TreeKkt<W>& kkt : tied) kkt.clear();
    const auto fill = [&](int rows, int columns, auto&& place) {
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          for (int lane = 0; lane < N; ++lane) {
            const double number = normal(random);
            place(packed)(i, j)[lane] = number;
            place(tied[lane])(i, j) = place(alone[lane])(i, j) = number;
          }
        }
      }
    };
    for (int c = 0; c < kNodes; ++c) {
      const auto& [parent, m, pinned, loose] = pattern.nodes[c];
      const int a = parent;
      fill(W, W, [&](auto& K) { return K.pivot(c); });
      if (a >= 0 && !loose) {
        fill(W, W, [&](auto& K) { return K.block(c, a); });
        fill(W, W, [&](auto& K) { return K.block(a, c); });
      }
      for (int j = 0; j < m; ++j) {
        Pack<8> rows[4][W];
        for (int lane = 0; lane < N; ++lane) {
          double own[4][W];
          for (int part = 0; part < 4; ++part) {
            for (int i = 0; i < W; ++i) {
              const bool identity = pinned && std::max(i, j) < kPlace;
              own[part][i] = identity ? (part < 2 ? 1.0 : -1.0) * (i == j) : normal(random);
              rows[part][i][lane] = own[part][i];
            }
          }
          for (TreeKkt<W>* kkt : {&tied[lane], &alone[lane]})
            kkt->set_row(c, j, own[0], own[1], own[2], own[3]);
        }
        packed.set_row(c, j, rows[0], rows[1], rows[2], rows[3]);
      }
    }
    for (const auto& [a, b] : pattern.couplings) {
      fill(W, W, [&, a = a, b = b](auto& K) { return K.block(a, b); });
      fill(W, W, [&, a = a, b = b](auto& K) { return K.block(b, a); });
    }
    for (int j = 0; j < border; ++j) {
      for (int lane = 0; lane < N; ++lane) {
        for (int k = 0; k < 2 * W; ++k) {
          const double left = normal(random), right = normal(random);
          packed.border_left(j, k / W)[k % W][lane] = left;
          packed.border_right(j, k / W)[k % W][lane] = right;
          for (TreeKkt<W>* kkt : {&tied[lane], &alone[lane]}) {
            kkt->border_left(j, k / W)[k % W] = left;
            kkt->border_right(j, k / W)[k % W] = right;
          }
        }
      }
    }
    for (int j = 0; j < border; ++j) {
      fill(1, border, [&](auto& K) {
        using S = std::remove_reference_t<decltype(K.corner(j, 0))>;
        return BlockViewOf<S>{&K.corner(j, 0), border};
      });
    }
    ASSERT_TRUE(all(packed.factorise()));
    ASSERT_TRUE(all(packed.factorise_border()));
    std::vector<Pack<8>> x(packed.size()), y(border);
    for (auto* side : {&x, &y}) {
      for (Pack<8>& number : *side) {
        for (int lane = 0; lane < N; ++lane) number[lane] = normal(random);
      }
    }
    const std::vector<Pack<8>> b = x, d = y;
    packed.solve(x, y);
    for (int lane = 0; lane < N; ++lane) {
      const auto solved = [&](TreeKkt<W>& kkt) {
        EXPECT_TRUE(kkt.factorise() && kkt.factorise_border());
        std::vector<double> own(x.size() + border);
        for (std::size_t i = 0; i < x.size(); ++i) own[i] = b[i][lane];
        for (int i = 0; i < border; ++i) own[x.size() + i] = d[i][lane];
        kkt.solve(std::span(own).first(x.size()), std::span(own).subspan(x.size()));
        return own;
      };
      const std::vector<double> own = solved(alone[lane]), of_tied = solved(tied[lane]);
      double size = 1, off = 0;
      for (std::size_t i = 0; i < own.size(); ++i) {
        keep_largest(size, std::abs(own[i]));
        keep_largest(off, std::abs(own[i] - (i < x.size() ? x[i] : y[i - x.size()])[lane]));
        keep_largest(off, std::abs(own[i] - of_tied[i]));
      }
      // Some matrices are nearly singular.
      EXPECT_LT(off, 1e-6 * size) << "lane " << lane << ", round " << round;
    }
  }
}

TEST(TreeKkt, TiedPointsAreEliminatedAsAnyRowsAre) {
  for (int seed = 0; seed < 10; ++seed) {
    for (const auto& [couplings, border] : {std::pair(0, 0), {2, 0}, {0, 3}, {2, 3}}) {
      expect_pinned_as_any<3>(couplings, border, seed);
      expect_pinned_as_any<6>(couplings, border, seed);
    }
  }
}

}  // namespace
}  // namespace torsor
