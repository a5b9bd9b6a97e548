#include "torsor/formulation/rotationless/null_space_joint.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

constexpr int kMostIterations = 20;
/// Newton squares its corrections: after one whose square is this share of the increments nothing but their
/// rounding is left.
constexpr double kRounding = 1e-17;

/// S A of (1), A = diag(1, dcay^-1(omega)).
template <int D>
void put_in_chart(const Row<D>& S, const SpinD<D>& omega, double* row) {
  std::copy_n(S.begin(), kWidth<D>, row);
  if constexpr (D == 2) {
    row[2] = cayley_rate(omega, S[2]);
  } else {
    const Vec3<double> turned = cayley_rate(-omega, Vec3<double>{S[3], S[4], S[5]});
    for (int i = 0; i < 3; ++i) row[3 + i] = turned[i];
  }
}

}  // namespace

template <int D>
NullSpaceJoint<D>::NullSpaceJoint(const JointRows<D>& rows, const std::vector<Measure<D>>& coordinates,
                                  double length)
    : rows_(&rows), coordinates_(&coordinates), length_(length), freedom_(W - rows.count()) {}

template <int D>
void NullSpaceJoint<D>::place(const Configuration<D>& start, std::span<const double> angles) {
  double* g = start_values_.data();
  if (rows_->coincident) {
    const VecD<D> gap = value_at(rows_->child_point, start) + value_at(rows_->parent_point, start);
    for (int i = 0; i < D; ++i) *g++ = gap[i];
  }
  for (const Product<D>& product : rows_->products) *g++ = value_at(product, start);
  if (rows_->screw) {
    screw_angle_ = angles[rows_->screw->angle.angle];
    *g = value_at(rows_->screw->advance, start) -
         rows_->screw->pitch * value_at(rows_->screw->angle, start, screw_angle_);
  }
  for (int k = 0; k < freedom_; ++k) {
    if (coordinates_->empty()) {  // spherical: turns; free: all
      const int i = W - freedom_ + k;
      S_[k] = {};
      S_[k][i] = i < D ? 1 / length_ : 1;
      continue;
    }
    const Measure<D>& measure = (*coordinates_)[k];
    const bool is_angle = measure.angle >= 0;
    const double value = is_angle ? value_at(measure, start, angles[measure.angle]) : 0;
    S_[k] = end_gradient(measure, value, start).child;
    for (double& entry : S_[k]) entry /= is_angle ? 1 : length_;
  }
}

template <int D>
void NullSpaceJoint<D>::freedoms(const Row<D>& eta, double* s) const {
  for (int k = 0; k < freedom_; ++k) {
    s[k] = 0;
    for (int i = 0; i < W; ++i) s[k] += S_[k][i] * eta[i];
  }
}

template <int D>
double NullSpaceJoint<D>::size_of(const Row<D>& eta) const {
  double largest = 0;
  for (int i = 0; i < W; ++i) keep_largest(largest, std::abs(i < D ? eta[i] / length_ : eta[i]));
  return largest;
}

template <int D>
void NullSpaceJoint<D>::set_gradients(const Configuration<D>& X, const PairRow<D>& screw) {
  PairRow<D>* row = gradients_.data();
  if (rows_->coincident) {
    const VecD<D> c = lever(rows_->child_point, X), p = lever(rows_->parent_point, X);
    for (int i = 0; i < D; ++i) {
      VecD<D> unit{};
      unit[i] = 1;
      *row = {};
      add_force<D>(1, c, unit, row->child.data());
      add_force<D>(-1, p, unit, row++->parent.data());
    }
  }
  for (const Product<D>& product : rows_->products) {
    *row = {};
    add_gradient(product, X, 1.0, *row++);
  }
  if (!rows_->screw) return;
  *row = {};
  add_gradient(rows_->screw->advance, X, 1.0, *row);
  add_scaled(-rows_->screw->pitch, screw, *row);
}

template <int D>
void NullSpaceJoint<D>::place_child(StepPair<D>& pair, const Row<D>& eta) const {
  const int node = rows_->child;
  const Directors<D>& a = pair.start[node];
  Directors<D>&b = pair.end[node], &m = pair.middle[node], &d = pair.change[node];
  for (int i = 0; i < D; ++i) d.phi[i] = eta[i];
  const SpinD<D> omega = spin_of<D>(eta.data());
  for (int k = 0; k < D; ++k) d.d[k] = cayley_increment(omega, a.d[k]);
  b.phi = a.phi + d.phi;
  m.phi = a.phi + 0.5 * d.phi;
  for (int k = 0; k < D; ++k) b.d[k] = a.d[k] + d.d[k];
  for (int k = 0; k < D; ++k) m.d[k] = a.d[k] + 0.5 * d.d[k];
}

template <int D>
MeasuredPair NullSpaceJoint<D>::screw_pair(const StepPair<D>& pair) const {
  return measured_pair(rows_->screw->angle, pair.start, pair.end, screw_angle_, 0.5);
}

template <int D>
bool NullSpaceJoint<D>::move(StepPair<D>& pair, const double* s, Row<D>& eta) {
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    place_child(pair, eta);
    Row<D> step;
    freedoms(eta, step.data());
    for (int k = 0; k < freedom_; ++k) step[k] -= s[k];
    double* g = step.data() + freedom_;
    std::copy_n(start_values_.begin(), W - freedom_, g);
    if (rows_->coincident) {
      const VecD<D> gap =
          value_at(rows_->child_point, pair.change) + value_at(rows_->parent_point, pair.change);
      for (int i = 0; i < D; ++i) *g++ += gap[i];
    }
    for (const Product<D>& product : rows_->products) *g++ += rate_at(product, pair.middle, pair.change);
    PairRow<D> screw;
    if (rows_->screw) {
      const MeasuredPair angles = screw_pair(pair);
      *g += rate_at(rows_->screw->advance, pair.middle, pair.change) -
            rows_->screw->pitch * rate_at(rows_->screw->angle, angles, pair.middle, pair.change);
      screw = end_gradient(rows_->screw->angle, angles.b, pair.end);
    }
    set_gradients(pair.end, screw);
    const SpinD<D> omega = spin_of<D>(eta.data());
    for (int k = 0; k < freedom_; ++k) put_in_chart<D>(S_[k], omega, right_.row(k));
    for (int k = freedom_; k < W; ++k) {
      std::copy_n(gradients_[k - freedom_].child.begin(), W, right_.row(k));
      parent_right_[k - freedom_] = gradients_[k - freedom_].parent;
    }
    if (!right_.factorise()) return false;
    right_.solve(step.data());
    for (int i = 0; i < D; ++i) eta[i] -= step[i];
    set_spin<D>(omega - cayley_rate(omega, spin_of<D>(step.data())), eta.data());
    const double correction = size_of(step);
    if (!std::isfinite(correction)) return false;
    if (correction * correction <= kRounding * size_of(eta)) {
      place_child(pair, eta);
      return true;
    }
  }
  return false;
}

template <int D>
bool NullSpaceJoint<D>::set_left(const StepPair<D>& pair) {
  PairRow<D> screw;
  if (rows_->screw) screw = discrete_gradient(rows_->screw->angle, screw_pair(pair), pair.middle);
  set_gradients(pair.middle, screw);
  for (int i = 0; i < W; ++i) {
    double* row = left_.row(i);
    for (int k = 0; k < freedom_; ++k) row[k] = S_[k][i];
    for (int k = freedom_; k < W; ++k) row[k] = gradients_[k - freedom_].child[i];
  }
  for (int k = 0; k < W - freedom_; ++k) parent_left_[k] = gradients_[k].parent;
  return left_.factorise();
}

template <int D>
void NullSpaceJoint<D>::project(double* r_c, double* r_p) const {
  left_.solve(r_c);
  for (int k = freedom_; k < W; ++k) {
    r_c[k] = -r_c[k];
    if (!r_p) continue;
    for (int i = 0; i < W; ++i) r_p[i] += parent_left_[k - freedom_][i] * r_c[k];
  }
}

template <int D>
void NullSpaceJoint<D>::set_null_spaces() {
  T_r = {};
  for (int i = 0; i < W; ++i) {
    Row<D> z{}, h{};
    z[i] = h[i] = 1;
    T_l[i] = {};
    project(z.data(), T_l[i].data());
    std::copy_n(z.begin(), freedom_, N_l[i].begin());
    right_.solve(h.data());
    for (int a = 0; a < W; ++a) {
      if (i < freedom_) {
        N_r[a][i] = h[a];
      } else {
        for (int b = 0; b < W; ++b) T_r[a][b] -= h[a] * parent_right_[i - freedom_][b];
      }
    }
  }
}

template class NullSpaceJoint<2>;
template class NullSpaceJoint<3>;

}  // namespace torsor
