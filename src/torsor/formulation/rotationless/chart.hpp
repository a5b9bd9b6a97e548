#pragma once
// The chart in which a step has its unknowns: increments of the bodies that keep directors orthonormal.

#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {

template <int D>
void Rotationless<D>::retract(std::span<const double> x_a, std::span<const double> unknowns,
                              std::span<double> dx, std::span<double> x_b) const {
  for (int node = 0; node < ground_; ++node) {
    const double* eta = &unknowns[kkt_.offset(node)];
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    for (int i = 0; i < D; ++i) dx[at + i] = eta[i];
    const SpinD<D> omega = spin_of<D>(eta);
    for (int k = 1; k <= D; ++k) {
      VecD<D> d;
      for (int i = 0; i < D; ++i) d[i] = x_a[at + D * k + i];
      const VecD<D> change = cayley_increment(omega, d);
      for (int i = 0; i < D; ++i) dx[at + D * k + i] = change[i];
    }
    for (std::size_t i = at; i < at + kCoordinates<D>; ++i) x_b[i] = x_a[i] + dx[i];
  }
}

template <int D>
void Rotationless<D>::set_increments(std::span<const double> x, std::span<const double> v, double h,
                                     std::span<double> unknowns) const {
  for (int node = 0; node < ground_; ++node) {
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    double* eta = &unknowns[kkt_.offset(node)];
    for (int i = 0; i < D; ++i) eta[i] = h * v[at + i];
    SpinD<D> omega{};  // half the sum of d x d', in the plane of both directors
    for (int k = 1; k <= D; ++k) {
      VecD<D> d, rate;
      for (int i = 0; i < D; ++i) {
        d[i] = x[at + D * k + i];
        rate[i] = v[at + D * k + i];
      }
      omega += moment_of(d, rate);
    }
    set_spin<D>(0.5 * h * omega, eta);
  }
}

template <int D>
double Rotationless<D>::correct(std::span<const double> step, std::span<double> unknowns) const {
  for (int node = 0; node < ground_; ++node) {
    const int at = kkt_.offset(node), next = node + 1 < ground_ ? kkt_.offset(node + 1) : kkt_.size();
    double* eta = &unknowns[at];
    const double* change = &step[at];
    for (int i = 0; i < D; ++i) eta[i] -= change[i];
    const SpinD<D> omega = spin_of<D>(eta);
    set_spin<D>(omega - cayley_rate(omega, spin_of<D>(change)), eta);
    for (int i = at + kWidth<D>; i < next; ++i) unknowns[i] -= step[i];
  }
  for (std::size_t i = kkt_.size(); i < unknowns.size(); ++i) unknowns[i] -= step[i];
  drop_idle_multipliers(unknowns.subspan(kkt_.size()));
  return size(step);
}

/// Steps have no part that acts on nothing, but a guess from steps with other null spaces has, and it would
/// grow from step to step.
template <int D>
void Rotationless<D>::drop_idle_multipliers(std::span<double> border) const {
  if (loop_rank_ < loop_count_) border_rank_.remove_null(border.first(loop_count_), loop_rank_);
}

template <int D>
double Rotationless<D>::size(std::span<const double> unknowns) const {
  double largest = 0;
  const auto book = [&](double value) { keep_largest(largest, std::abs(value)); };
  for (int node = 0; node < ground_; ++node) {
    const double* eta = &unknowns[kkt_.offset(node)];
    for (int i = 0; i < D; ++i) book(eta[i] / length_);
    for (int i = D; i < kWidth<D>; ++i) book(eta[i]);
  }
  return largest;
}

template <int D>
double Rotationless<D>::rounding(std::span<const double> x) const {
  double farthest = length_;
  for (std::size_t at = 0; at < x.size(); at += kCoordinates<D>) {
    for (int i = 0; i < D; ++i) farthest = larger(farthest, std::abs(x[at + i]));
  }
  return std::numeric_limits<double>::epsilon() * farthest / length_;
}

template <int D>
void Rotationless<D>::settle(std::span<double> x, std::span<double> angles) const {
  for (int node = 0; node < ground_; ++node) {
    double* at = &x[static_cast<std::size_t>(kCoordinates<D>) * node + D];
    // d_i -= (d_j . d_i - delta) d_j / 2 leaves a second power of rounding.
    double gram[D][D];
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) {
        gram[i][j] = i == j ? -1 : 0;
        for (int k = 0; k < D; ++k) gram[i][j] += at[D * i + k] * at[D * j + k];
      }
    }
    double change[D * D];
    for (int i = 0; i < D; ++i) {
      for (int k = 0; k < D; ++k) {
        change[D * i + k] = 0;
        for (int j = 0; j < D; ++j) change[D * i + k] += 0.5 * gram[i][j] * at[D * j + k];
      }
    }
    for (int i = 0; i < D * D; ++i) at[i] -= change[i];
  }
  if (angles.empty()) return;
  load(x, counted_);
  const auto count = [&](const Measure<D>& measure) {
    if (measure.angle >= 0) angles[measure.angle] = value(measure, counted_, angles[measure.angle]);
  };
  for (const auto& coordinates : joints_.coordinates) {
    for (const Measure<D>& measure : coordinates) count(measure);
  }
  for (const Measure<D>& measure : joints_.body_angles) count(measure);
}

}  // namespace torsor
