#include "torsor/evaluation/independent_rates.h"

#include <algorithm>

#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

constexpr double kMuch = 0.05;   ///< of the longest column, for a choice by class
constexpr double kAsGood = 0.5;  ///< of the best pivot, for a choice by order

/// What the columns of G have beside those that are chosen.
class Elimination {
 public:
  explicit Elimination(const Eigen::MatrixXd& G) : left_(G), open_(G.cols(), true), longest_(0) {
    for (Eigen::Index c = 0; c < G.cols(); ++c) longest_ = std::max(longest_, G.col(c).norm());
  }
  /// The last column of those nearly as long as the longest in question; -1 where that is shorter than
  /// `least` of the longest of all.
  template <class Asked>
  int best(double least, Asked asked) const {
    double most = 0;
    for (Eigen::Index c = 0; c < left_.cols(); ++c) {
      if (open_[c] && asked(c)) most = std::max(most, left_.col(c).norm());
    }
    if (!(most > least * longest_)) return -1;
    for (Eigen::Index c = left_.cols(); c-- > 0;) {
      if (open_[c] && asked(c) && left_.col(c).norm() >= kAsGood * most) return static_cast<int>(c);
    }
    return -1;
  }
  void take(int column) {
    const Eigen::VectorXd direction = left_.col(column).normalized();
    open_[column] = false;
    for (int pass = 0; pass < 2; ++pass) {  // the second takes off what rounding left
      left_.noalias() -= direction * (direction.transpose() * left_).eval();
    }
  }
  bool is_open(int column) const { return open_[column]; }

 private:
  Eigen::MatrixXd left_;
  std::vector<bool> open_;
  double longest_;
};

}  // namespace

RateChoice RateClasses::choose() {
  const int columns = static_cast<int>(G.cols()), wanted = G.rows() == 0 ? 0 : rank(G);
  const int highest = of.empty() ? 0 : *std::max_element(of.begin(), of.end());
  Elimination elimination(G);
  int found = 0;
  const auto take_all = [&](double least, auto asked) {
    for (int c; found < wanted && (c = elimination.best(least, asked)) >= 0; ++found) {
      elimination.take(c);
      if (of[c] == 0) forced.push_back(c);
    }
  };
  for (int k = highest; k > 0; --k) {
    take_all(kMuch, [&](Eigen::Index c) { return of[c] == k; });
  }
  take_all(kRankTolerance, [&](Eigen::Index c) { return of[c] > 0; });
  take_all(0, [](Eigen::Index) { return true; });
  RateChoice choice;
  for (int c = 0; c < columns; ++c) {
    (elimination.is_open(c) ? choice.independent : choice.dependent).push_back(c);
  }
  return choice;
}

}  // namespace torsor
