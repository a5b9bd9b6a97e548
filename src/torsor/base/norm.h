#pragma once
// The largest of many numbers, none of which hides one that is not a number: std::max forgets a NaN, or all
// that came before it, and so does Eigen's maxCoeff. Every norm, error and verdict is taken by these.

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace torsor {

/// Not a number where either is none.
constexpr double larger(double a, double b) { return a < b || b != b ? b : a; }
constexpr double smaller(double a, double b) { return b < a || b != b ? b : a; }
constexpr double larger(std::initializer_list<double> values) {
  double largest = *values.begin();
  for (const double value : values) largest = larger(largest, value);
  return largest;
}
/// For folds; what is empty takes the first value.
constexpr void keep_largest(double& largest, double value) { largest = larger(largest, value); }
constexpr void keep_largest(std::optional<double>& largest, double value) {
  largest = largest ? larger(*largest, value) : value;
}

/// The largest |x| of a fold, 0 of nothing. Without their sign, the bits of numbers are ordered as the numbers
/// are, and those of a NaN lie above those of infinity: this costs no more than a maximum that forgets it, and
/// in a fold of few numbers a fraction of keep_largest(), which waits for two comparisons a number.
class LargestAbs {
 public:
  constexpr void keep(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value) & kWithoutSign;
    bits_ = bits_ < bits ? bits : bits_;
  }
  constexpr double value() const { return std::bit_cast<double>(bits_); }

 private:
  static constexpr std::int64_t kWithoutSign = 0x7fffffffffffffff;
  std::int64_t bits_ = 0;
};

/// max |x_i|, likewise.
inline double max_abs(std::span<const double> x) {
  LargestAbs largest;
  for (const double value : x) largest.keep(value);
  return largest.value();
}
/// Of a matrix of Eigen, or an expression of such.
template <class Matrix>
requires requires(const Matrix& m) { m.eval().coeff(m.rows(), m.cols()); }
double max_abs(const Matrix& matrix) {
  using std::abs;  // of complex numbers, too
  const auto& entries = matrix.eval();
  double largest = 0;
  for (long j = 0; j < entries.cols(); ++j)
    for (long i = 0; i < entries.rows(); ++i) keep_largest(largest, abs(entries.coeff(i, j)));
  return largest;
}

}  // namespace torsor
