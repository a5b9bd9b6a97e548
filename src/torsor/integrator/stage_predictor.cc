#include "torsor/integrator/stage_predictor.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/numerics/gauss_tableau.h"

namespace torsor {

StagePredictor::StagePredictor(const std::vector<double>& nodes, int rates)
    : nodes_(nodes),
      stages_(static_cast<int>(nodes.size())),
      rates_(rates),
      last_(stages_ * rates),
      before_(stages_ * rates),
      one_weights_(stages_ * stages_),
      both_weights_(2 * stages_ * stages_),
      all_nodes_(2 * stages_),
      at_(stages_) {}

/// Times in units of the last step, from its start.
void StagePredictor::set_weights(double h) {
  if (h == weights_for_[0] && last_h_ == weights_for_[1] && before_h_ == weights_for_[2]) return;
  for (int i = 0; i < stages_; ++i) {
    all_nodes_[i] = nodes_[i];
    all_nodes_[stages_ + i] = (nodes_[i] - 1) * (history_ > 1 ? before_h_ / last_h_ : 1);
    at_[i] = 1 + nodes_[i] * h / last_h_;
  }
  set_extrapolation(all_nodes_.data(), stages_, at_.data(), stages_, one_weights_.data());
  set_extrapolation(all_nodes_.data(), 2 * stages_, at_.data(), stages_, both_weights_.data());
  weights_for_[0] = h;
  weights_for_[1] = last_h_;
  weights_for_[2] = before_h_;
}

double StagePredictor::extended(const std::vector<double>& weights, bool both, int stage, int rate) const {
  const double* row = weights.data() + stage * stages_ * (both ? 2 : 1);
  double sum = 0;
  for (int j = 0; j < stages_; ++j) sum += row[j] * last_[j * rates_ + rate];
  if (!both) return sum;
  for (int j = 0; j < stages_; ++j) sum += row[stages_ + j] * before_[j * rates_ + rate];
  return sum;
}

void StagePredictor::predict(double h, std::span<double> A) {
  if (history_ == 0) {
    std::fill(A.begin(), A.end(), 0.0);
    return;
  }
  set_weights(h);
  const bool both = both_ && history_ > 1;
  for (int i = 0; i < stages_; ++i) {
    for (int k = 0; k < rates_; ++k) {
      A[i * rates_ + k] = extended(both ? both_weights_ : one_weights_, both, i, k);
    }
  }
}

void StagePredictor::remember(double h, std::span<const double> A) {
  if (history_ > 1) {
    set_weights(h);
    LargestAbs one, both;
    for (int i = 0; i < stages_; ++i) {
      for (int k = 0; k < rates_; ++k) {
        const double a = A[i * rates_ + k];
        one.keep(a - extended(one_weights_, false, i, k));
        both.keep(a - extended(both_weights_, true, i, k));
      }
    }
    both_ = both.value() < one.value();
  }
  before_.swap(last_);
  before_h_ = last_h_;
  std::copy(A.begin(), A.end(), last_.begin());
  last_h_ = h;
  history_ = std::min(history_ + 1, 2);
}

}  // namespace torsor
