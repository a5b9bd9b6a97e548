#include "integrator/increment_predictor.h"

#include <algorithm>
#include <cmath>

namespace torsor {

bool IncrementPredictor::predict(std::span<double> unknowns) const {
  if (known_ < 2) return false;
  for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] = cubic_ ? cubic(i) : line(i);
  return true;
}

void IncrementPredictor::remember(std::span<const double> unknowns) {
  constexpr int kAll = 4;
  if (known_ == kAll) {
    double by_line = 0, by_cubic = 0;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      by_line = std::max(by_line, std::abs(unknowns[i] - line(i)));
      by_cubic = std::max(by_cubic, std::abs(unknowns[i] - cubic(i)));
    }
    cubic_ = by_cubic < by_line;
  }
  std::rotate(past_.begin(), past_.end() - 1, past_.end());
  std::copy(unknowns.begin(), unknowns.end(), past_[0].begin());
  known_ = std::min(known_ + 1, kAll);
}

}  // namespace torsor
