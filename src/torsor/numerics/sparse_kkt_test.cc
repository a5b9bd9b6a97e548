#include "torsor/numerics/sparse_kkt.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace torsor {
namespace {

/// Bodies at random joined at random, in blocks and dense; K is symmetric and positive definite.
template <int W>
struct Problem {
  Problem(int bodies, int joints, int couplings, int seed, bool repeats) : random(seed) {
    pattern.bodies = bodies;
    std::uniform_int_distribution<int> body(0, bodies - 1), rows(1, repeats ? W / 2 : W);
    for (int j = 0; j < joints; ++j) {
      const int a = body(random), b = body(random);
      pattern.joints.push_back({{a, a == b ? -1 : b}, rows(random)});
      if (repeats && j % 3 == 2) pattern.joints.back() = pattern.joints[j - 1];
    }
    for (int i = 0; i < couplings; ++i) {
      const int a = body(random), b = body(random);
      if (a != b) pattern.couplings.emplace_back(a, b);
    }
    for (const auto& joint : pattern.joints) pattern.units.insert(pattern.units.end(), joint.rows, 1.0);
    fill(repeats);
  }

  void fill(bool repeats) {
    SparseKkt<W> made(pattern);
    int offset = pattern.bodies * W;
    for (const auto& joint : pattern.joints) offset += joint.rows;
    dense = Eigen::MatrixXd::Zero(offset, offset);
    for (int b = 0; b < pattern.bodies; ++b) {
      const Eigen::MatrixXd A = some(W, W);
      dense.block(W * b, W * b, W, W) = A * A.transpose() + 3 * Eigen::MatrixXd::Identity(W, W);
    }
    for (const auto& [a, b] : pattern.couplings) {
      const Eigen::MatrixXd K = 0.1 * some(W, W);
      dense.block(W * a, W * b, W, W) = K;
      dense.block(W * b, W * a, W, W) = K.transpose();
    }
    offset = pattern.bodies * W;
    Eigen::MatrixXd last[2];
    for (std::size_t j = 0; j < pattern.joints.size(); ++j) {
      const auto& [bodies, rows] = pattern.joints[j];
      for (int k = 0; k < 2; ++k) {
        if (bodies[k] < 0) continue;
        if (!repeats || j % 3 != 2) last[k] = some(rows, W);
        dense.block(offset, W * bodies[k], rows, W) = last[k];
        dense.block(W * bodies[k], offset, W, rows) = last[k].transpose();
      }
      offset += rows;
    }
  }

  Eigen::MatrixXd some(int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
  }

  /// Into the blocks; place[i] is the entry of the dense row i.
  void load(SparseKkt<W>& kkt) {
    kkt.clear();
    std::vector<std::pair<int, int>> spans;  // node, size
    for (int b = 0; b < pattern.bodies; ++b) spans.emplace_back(b, W);
    for (std::size_t j = 0; j < pattern.joints.size(); ++j) {
      spans.emplace_back(kkt.joint(static_cast<int>(j)), pattern.joints[j].rows);
    }
    place.clear();
    for (int r = 0, row = 0; r < static_cast<int>(spans.size()); row += spans[r++].second) {
      for (int i = 0; i < spans[r].second; ++i) place.push_back(kkt.offset(spans[r].first) + i);
      for (int c = 0, column = 0; c < static_cast<int>(spans.size()); column += spans[c++].second) {
        const auto block = dense.block(row, column, spans[r].second, spans[c].second);
        if (r != c && block.isZero(0)) continue;
        const BlockView to = kkt.at(kkt.place(spans[r].first, spans[c].first));
        for (int i = 0; i < block.rows(); ++i) {
          for (int j = 0; j < block.cols(); ++j) to(i, j) = block(i, j);
        }
      }
    }
  }

  Eigen::VectorXd solved(const SparseKkt<W>& kkt, const Eigen::VectorXd& b) const {
    std::vector<double> x(kkt.size());
    for (Eigen::Index i = 0; i < b.size(); ++i) x[place[i]] = b[i];
    kkt.solve(x);
    Eigen::VectorXd result(b.size());
    for (Eigen::Index i = 0; i < b.size(); ++i) result[i] = x[place[i]];
    return result;
  }

  std::mt19937 random;
  std::normal_distribution<double> normal;
  SparsePattern pattern;
  Eigen::MatrixXd dense;
  std::vector<int> place;
};

template <int W>
void expect_dense_solution(int seed) {
  Problem<W> problem(12, 9, 6, seed, false);
  SparseKkt<W> kkt(problem.pattern);
  const Eigen::VectorXd x = problem.some(static_cast<int>(problem.dense.rows()), 1), b = problem.dense * x;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(problem.dense);
  if (!lu.isInvertible()) return;
  problem.load(kkt);
  ASSERT_TRUE(kkt.factorise());
  EXPECT_LE((problem.solved(kkt, b) - x).norm(), 1e-12 * x.norm() / lu.rcond());  // measured 1e-5 of it
  problem.load(kkt);
  ASSERT_TRUE(kkt.factorise_and_watch());
  EXPECT_GT(kkt.least_pivot(), 0);
  EXPECT_EQ(kkt.idle_count(), 0);
}

TEST(SparseKkt, SolvesAsADenseMatrix) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    expect_dense_solution<3>(seed);
    expect_dense_solution<6>(seed);
  }
}

/// Joints that repeat others are left out, and the bodies do not notice.
template <int W>
void expect_repeated_rows_idle(int seed) {
  Problem<W> problem(14, 9, 4, seed, true);
  SparseKkt<W> kkt(problem.pattern);
  problem.load(kkt);
  ASSERT_TRUE(kkt.factorise_and_judge());
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(problem.dense);
  EXPECT_EQ(kkt.idle_count(), lu.dimensionOfKernel());
  const Eigen::VectorXd b = problem.dense * problem.some(static_cast<int>(problem.dense.rows()), 1);
  const Eigen::VectorXd x = problem.solved(kkt, b);
  EXPECT_LE((problem.dense * x - b).norm(), 1e-13 * b.norm());  // measured 3e-16
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(x[i] == 0 || !kkt.idle()[problem.place[i]]);
  }
}

TEST(SparseKkt, RowsThatRepeatOthersAreIdle) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    expect_repeated_rows_idle<3>(seed);
    expect_repeated_rows_idle<6>(seed);
  }
}

/// The fill of a row of loops grows with their number, whatever the order of the bodies.
TEST(SparseKkt, FillOfARowIsLinear) {
  const auto blocks = [](int n) {
    SparsePattern pattern;
    pattern.bodies = n;
    std::vector<int> name(n);
    for (int i = 0; i < n; ++i) name[i] = i;
    std::shuffle(name.begin(), name.end(), std::mt19937(3));
    for (int i = 0; i < n; ++i) {
      pattern.joints.push_back({{name[i], -1}, 2});
      if (i > 0) pattern.joints.push_back({{name[i], name[i - 1]}, 2});
    }
    for (const auto& joint : pattern.joints) pattern.units.insert(pattern.units.end(), joint.rows, 1.0);
    return static_cast<double>(SparseKkt<3>(pattern).entry_count());
  };
  EXPECT_LE(blocks(800), 2.05 * blocks(400));
}

}  // namespace
}  // namespace torsor
