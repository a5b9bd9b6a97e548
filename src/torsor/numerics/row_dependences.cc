#include "torsor/numerics/row_dependences.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using InOrder = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<int>>;

constexpr int kLanes = 8;           ///< rows whose factors are found at once
constexpr double kShift = 1e-8;     ///< of products, so that dependent rows above do not matter
constexpr int kRefinements = 6;     ///< which take back what the shift does to the others
constexpr double kFollows = 1e-8;   ///< what may be left of a row
constexpr double kVanishes = 1e-7;  ///< a factor below it

using Lanes = std::array<double, kLanes>;
using Columns = std::vector<Lanes>;

InOrder shifted(const Sparse& products, double shift) {
  Sparse identity(products.rows(), products.rows());
  identity.setIdentity();
  return InOrder(products + shift * identity);
}

/// Finds the factors of several rows at once. Factors on independent rows alone are unique, but may grow exponentially
/// along a lattice, since those above are replaced by what they depend on; the least ones do not.
class Factors {
 public:
  Factors(const SparseRows& A, const Sparse& products)
      : A_(A),
        decomposition_(shifted(products, kShift)),
        factors_(A.rows()),
        change_(A.rows()),
        left_(A.cols()) {}

  bool regular() const { return decomposition_.info() == Eigen::Success; }
  double operator()(int row, int lane) const { return factors_[row][lane]; }

  /// Of ascending rows. False if they do not follow from rows above. Residuals are those of the rows themselves.
  bool find(std::span<const int> rows) {
    const int end = rows.back();
    std::fill_n(factors_.begin(), end + 1, Lanes{});
    for (std::size_t k = 0; k < rows.size(); ++k) factors_[rows[k]][k] = 1;
    for (int i = 0; i < kRefinements; ++i) {
      take_residual(end);
      if (largest(left_) <= 1e-2 * kFollows) return true;
      for (int row = 0; row < end; ++row) {
        Lanes sum{};
        for (SparseRows::InnerIterator entry(A_, row); entry; ++entry) {
          for (int k = 0; k < kLanes; ++k) sum[k] += entry.value() * left_[entry.col()][k];
        }
        change_[row] = sum;
      }
      solve_above(rows);
      for (int row = 0; row < end; ++row) {
        for (int k = 0; k < kLanes; ++k) factors_[row][k] -= change_[row][k];
      }
    }
    take_residual(end);
    return largest(left_) <= kFollows;
  }

 private:
  static double largest(const Columns& columns) {
    LargestAbs all;
    for (const Lanes& lanes : columns) {
      for (const double value : lanes) all.keep(value);
    }
    return all.value();
  }

  /// f^T A
  void take_residual(int end) {
    std::fill(left_.begin(), left_.end(), Lanes{});
    for (int row = 0; row <= end; ++row) {
      const Lanes& factor = factors_[row];
      if (factor == Lanes{}) continue;
      for (SparseRows::InnerIterator entry(A_, row); entry; ++entry) {
        for (int k = 0; k < kLanes; ++k) left_[entry.col()][k] += entry.value() * factor[k];
      }
    }
  }

  /// With the products of the rows above each of these.
  void solve_above(std::span<const int> rows) {
    const Sparse& L = decomposition_.matrixL().nestedExpression();
    const Eigen::VectorXd D = decomposition_.vectorD();
    const int end = rows.back();
    for (int j = 0; j < end; ++j) {
      Lanes& known = change_[j];
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (j >= rows[k]) known[k] = 0;
      }
      if (known == Lanes{}) continue;
      for (Sparse::InnerIterator entry(L, j); entry && entry.row() < end; ++entry) {
        for (int k = 0; k < kLanes; ++k) change_[entry.row()][k] -= entry.value() * known[k];
      }
    }
    for (int j = end - 1; j >= 0; --j) {
      Lanes sum;
      for (int k = 0; k < kLanes; ++k) sum[k] = change_[j][k] / D[j];
      for (Sparse::InnerIterator entry(L, j); entry && entry.row() < end; ++entry) {
        for (int k = 0; k < kLanes; ++k) sum[k] -= entry.value() * change_[entry.row()][k];
      }
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (j >= rows[k]) sum[k] = 0;
      }
      change_[j] = sum;
    }
  }

  const SparseRows& A_;
  InOrder decomposition_;
  Columns factors_, change_, left_;  ///< by rows, by rows, by columns of A
};

RowDependence dependence(int row, const Factors& factors, int lane) {
  double square = 0;
  for (int i = 0; i <= row; ++i) square += factors(i, lane) * factors(i, lane);
  const double scale = 1 / std::sqrt(square);
  RowDependence found{row, {}};
  for (int i = 0; i <= row; ++i) {
    const double factor = scale * factors(i, lane);
    if (std::abs(factor) > kVanishes) found.factors.emplace_back(i, factor);
  }
  return found;
}

}  // namespace

std::optional<std::vector<RowDependence>> row_dependences(const SparseRows& A, double zero) {
  const Sparse products = A * SparseRows(A.transpose());
  std::vector<int> dependent;
  {
    const InOrder pivots = shifted(products, -zero);
    if (pivots.info() != Eigen::Success) return std::nullopt;
    const Eigen::VectorXd D = pivots.vectorD();
    for (int row = 0; row < A.rows(); ++row) {
      if (!(D[row] > 0)) dependent.push_back(row);
    }
  }
  std::vector<RowDependence> found;
  if (dependent.empty()) return found;

  Factors factors(A, products);
  if (!factors.regular()) return std::nullopt;
  for (std::size_t first = 0; first < dependent.size(); first += kLanes) {
    const std::span<const int> some =
        std::span(dependent).subspan(first, std::min<std::size_t>(kLanes, dependent.size() - first));
    if (!factors.find(some)) return std::nullopt;
    for (std::size_t k = 0; k < some.size(); ++k) {
      found.push_back(dependence(some[k], factors, static_cast<int>(k)));
    }
  }
  return found;
}

}  // namespace torsor
