#include "torsor/formulation/joint/couplings.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

Eigen::MatrixXd matrix_of(const Model& model) {
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(model.couplings().size(), model.rate_count());
  for (std::size_t i = 0; i < model.couplings().size(); ++i) {
    for (const Coupling::Term& term : model.couplings()[i].terms) {
      C(i, model.rate_offset(term.joint) + term.coordinate) = term.factor;
    }
  }
  return C;
}

int rank_of(const Model& model) { return model.couplings().empty() ? 0 : rank(matrix_of(model)); }

}  // namespace

TreeCouplings::TreeCouplings(const Model& model)
    : couplings_(model.couplings()),
      rates_(model.rate_count()),
      rank_(rank_of(model)),
      Q_(rank_ * rates_),
      yields_(Q_.size()),
      by_row_(couplings_.size() * rank_),
      mu_(rank_),
      effort_(rank_ > 0 ? rates_ : 0),
      schur_(rank_) {
  for (const Coupling& coupling : couplings_) {
    std::vector<int>&rate = rate_of_.emplace_back(), &coordinate = coordinate_of_.emplace_back();
    for (const Coupling::Term& term : coupling.terms) {
      rate.push_back(model.rate_offset(term.joint) + term.coordinate);
      coordinate.push_back(model.coordinate_offset(term.joint) + term.coordinate);
    }
  }
  if (empty()) return;
  const Svd parts = svd(matrix_of(model));  // C = U S V^T: rows of V^T are Q, and lambda = U S^-1 mu
  for (int k = 0; k < rank_; ++k) {
    for (std::size_t i = 0; i < rates_; ++i) Q_[k * rates_ + i] = parts.V(i, k);
    for (std::size_t c = 0; c < couplings_.size(); ++c) {
      by_row_[c * rank_ + k] = parts.U(c, k) / parts.values[k];
    }
  }
}

double TreeCouplings::dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void TreeCouplings::hold(std::span<double> a) {
  for (int k = 0; k < rank_; ++k) mu_[k] = -dot(row(k), a);
  schur_.solve(mu_);
  std::fill(effort_.begin(), effort_.end(), 0.0);
  for (int k = 0; k < rank_; ++k) {
    for (std::size_t i = 0; i < rates_; ++i) {
      a[i] += mu_[k] * yields(k)[i];
      effort_[i] += mu_[k] * row(k)[i];
    }
  }
  // What rounding left along the rows would gather from step to step.
  replace_part(a, {});
}

void TreeCouplings::replace_part(std::span<double> x, std::span<const double> y) const {
  for (int k = 0; k < rank_; ++k) {
    const double change = (y.empty() ? 0 : dot(row(k), y)) - dot(row(k), x);
    for (std::size_t i = 0; i < rates_; ++i) x[i] += change * row(k)[i];
  }
}

void TreeCouplings::efforts(std::span<double> by_coupling) const {
  for (std::size_t c = 0; c < by_coupling.size(); ++c) {
    by_coupling[c] = dot(std::span(by_row_).subspan(c * rank_, rank_), mu_);
  }
}

double TreeCouplings::error(std::span<const double> q) const {
  double largest = 0;
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    double sum = -couplings_[c].offset;
    for (std::size_t i = 0; i < coordinate_of_[c].size(); ++i) {
      sum += couplings_[c].terms[i].factor * q[coordinate_of_[c][i]];
    }
    keep_largest(largest, std::abs(sum) / couplings_[c].largest_factor());
  }
  return largest;
}

double TreeCouplings::rate_error(std::span<const double> v) const {
  double largest = 0;
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < rate_of_[c].size(); ++i) {
      sum += couplings_[c].terms[i].factor * v[rate_of_[c][i]];
    }
    keep_largest(largest, std::abs(sum) / couplings_[c].largest_factor());
  }
  return largest;
}

}  // namespace torsor
