#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/formulation/rotationless/joint.h"
#include "torsor/formulation/rotationless/near_angle.h"
#include "torsor/lie/pack_series.h"

namespace torsor {
namespace {

template <int D, class S>
void add_sums(const Measure<D, S>& measure, const Configuration<D, S>& X, const std::type_identity_t<S>& sine,
              const std::type_identity_t<S>& cosine, PairRow<D, S>& row) {
  for (const Product<D, S>& product : measure.sine) add_gradient(product, X, sine, row);
  for (const Product<D, S>& product : measure.cosine) add_gradient(product, X, cosine, row);
  if (measure.displacement) add_gradient(*measure.displacement, X, 1.0, row);
}

}  // namespace

double counted_on(double angle, double last) {
  const double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((last - angle) / turn);
}

template <int D, class S>
S value_at(const Measure<D, S>& measure, const Configuration<D, S>& X, const std::type_identity_t<S>& last) {
  if (measure.displacement) return value_at(*measure.displacement, X);
  return counted_on(angle_of(sum(measure.sine, X), sum(measure.cosine, X)), last);  // (1)
}

template <int D, class S>
S near_value_at(const Measure<D, S>& measure, const Configuration<D, S>& X,
                const std::type_identity_t<S>& last) {
  if (measure.displacement) return value_at(*measure.displacement, X);
  return counted_on(near_atan2(sum(measure.sine, X), sum(measure.cosine, X)), last);
}

template <int D, class S>
MeasuredPairOf<S> measured_pair(const Measure<D, S>& measure, const Configuration<D, S>& X_a,
                                const Configuration<D, S>& X_b, const std::type_identity_t<S>& last,
                                double kappa) {
  MeasuredPairOf<S> pair;
  pair.a = value_at(measure, X_a, last);
  pair.b = value_at(measure, X_b, pair.a);
  if (measure.displacement) return pair;
  const S half = 0.5 * (pair.b - pair.a), mean = 0.5 * (pair.a + pair.b);
  const S f = over_sine(half), df = over_sine_slope(half);
  S s, c;
  sincos(mean, s, c);
  pair.sine = f * c;  // (2)
  pair.cosine = -f * s;
  pair.d_sine = kappa * (df * c - f * s);
  pair.d_cosine = -kappa * (df * s + f * c);
  return pair;
}

template <int D, class S>
PairRow<D, S> discrete_gradient(const Measure<D, S>& measure, const MeasuredPairOf<S>& pair,
                                const Configuration<D, S>& left) {
  PairRow<D, S> row;
  add_sums(measure, left, pair.sine, pair.cosine, row);
  return row;
}

template <int D, class S>
PairRow<D, S> end_gradient(const Measure<D, S>& measure, const std::type_identity_t<S>& b,
                           const Configuration<D, S>& right) {
  PairRow<D, S> row;
  if (measure.displacement) {
    add_sums(measure, right, 0, 0, row);
    return row;
  }
  // (c grad s - s grad c) / (s^2 + c^2): not one while constraints do not hold.
  const S s = sum(measure.sine, right), c = sum(measure.cosine, right);
  using std::sqrt;
  const S shrink = 1 / sqrt(s * s + c * c);
  S sine, cosine;
  sincos(S(b), sine, cosine);
  add_sums(measure, right, shrink * cosine, -shrink * sine, row);
  return row;
}

template <int D, class S>
S rate_at(const Measure<D, S>& measure, const MeasuredPairOf<S>& pair, const Configuration<D, S>& left,
          const Configuration<D, S>& V) {
  if (measure.displacement) return rate_at(*measure.displacement, left, V);
  S total(0.0);
  for (const Product<D, S>& product : measure.sine) total += pair.sine * rate_at(product, left, V);
  for (const Product<D, S>& product : measure.cosine) total += pair.cosine * rate_at(product, left, V);
  return total;
}

template <int D, class S>
S increment_of(const Measure<D, S>& measure, const Configuration<D, S>& X, const Configuration<D, S>& dX) {
  const auto change = [&](const Product<D, S>& product) {
    return rate_at(product, X, dX) + curvature(product, dX);
  };
  if (measure.displacement) return change(*measure.displacement);
  const S s = sum(measure.sine, X), c = sum(measure.cosine, X);
  S ds(0.0), dc(0.0);
  for (const Product<D, S>& product : measure.sine) ds += change(product);
  for (const Product<D, S>& product : measure.cosine) dc += change(product);
  return angle_of(c * ds - s * dc, s * (s + ds) + c * (c + dc));
}

template <int D, class S>
void add_tangent(TreeKkt<kWidth<D>, S>& K, int ground, const Measure<D, S>& measure,
                 const MeasuredPairOf<S>& pair, const Configuration<D, S>& left,
                 const Configuration<D, S>& right, double kappa, const std::type_identity_t<S>& effort,
                 const std::type_identity_t<S>& d_effort) {
  for (const Product<D, S>& product : measure.sine) {
    add_tangent(K, ground, product, left, right, kappa * effort * pair.sine);
  }
  for (const Product<D, S>& product : measure.cosine) {
    add_tangent(K, ground, product, left, right, kappa * effort * pair.cosine);
  }
  if (measure.displacement) {
    add_tangent(K, ground, *measure.displacement, left, right, kappa * effort);
    if (may_skip(d_effort == 0.0)) return;
  }
  // By the value b: through the effort, and through the weights of (2).
  PairRow<D, S> by_value;
  add_sums(measure, left, d_effort * pair.sine + effort * pair.d_sine,
           d_effort * pair.cosine + effort * pair.d_cosine, by_value);
  if (measure.displacement) {
    for (S& entry : by_value.child) entry *= d_effort;
    for (S& entry : by_value.parent) entry *= d_effort;
  }
  add_outer(K, ground, measure.child, measure.parent, by_value, end_gradient(measure, pair.b, right));
}

template double value_at(const Measure<2>&, const Configuration<2>&, const double&);
template double value_at(const Measure<3>&, const Configuration<3>&, const double&);
template double near_value_at(const Measure<2>&, const Configuration<2>&, const double&);
template double near_value_at(const Measure<3>&, const Configuration<3>&, const double&);
template MeasuredPair measured_pair(const Measure<2>&, const Configuration<2>&, const Configuration<2>&,
                                    const double&, double);
template MeasuredPair measured_pair(const Measure<3>&, const Configuration<3>&, const Configuration<3>&,
                                    const double&, double);
template PairRow<2> discrete_gradient(const Measure<2>&, const MeasuredPair&, const Configuration<2>&);
template PairRow<3> discrete_gradient(const Measure<3>&, const MeasuredPair&, const Configuration<3>&);
template PairRow<2> end_gradient(const Measure<2>&, const double&, const Configuration<2>&);
template PairRow<3> end_gradient(const Measure<3>&, const double&, const Configuration<3>&);
template double rate_at(const Measure<2>&, const MeasuredPair&, const Configuration<2>&,
                        const Configuration<2>&);
template double rate_at(const Measure<3>&, const MeasuredPair&, const Configuration<3>&,
                        const Configuration<3>&);
template double increment_of(const Measure<2>&, const Configuration<2>&, const Configuration<2>&);
template double increment_of(const Measure<3>&, const Configuration<3>&, const Configuration<3>&);
template void add_tangent(BodyKkt<2>&, int, const Measure<2>&, const MeasuredPair&, const Configuration<2>&,
                          const Configuration<2>&, double, const double&, const double&);
template void add_tangent(BodyKkt<3>&, int, const Measure<3>&, const MeasuredPair&, const Configuration<3>&,
                          const Configuration<3>&, double, const double&, const double&);

template Pack<4> value_at(const Measure<2, Pack<4>>&, const Configuration<2, Pack<4>>&, const Pack<4>&);
template Pack<4> value_at(const Measure<3, Pack<4>>&, const Configuration<3, Pack<4>>&, const Pack<4>&);
template Pack<4> near_value_at(const Measure<2, Pack<4>>&, const Configuration<2, Pack<4>>&, const Pack<4>&);
template Pack<4> near_value_at(const Measure<3, Pack<4>>&, const Configuration<3, Pack<4>>&, const Pack<4>&);
template MeasuredPairOf<Pack<4>> measured_pair(const Measure<2, Pack<4>>&, const Configuration<2, Pack<4>>&,
                                               const Configuration<2, Pack<4>>&, const Pack<4>&, double);
template MeasuredPairOf<Pack<4>> measured_pair(const Measure<3, Pack<4>>&, const Configuration<3, Pack<4>>&,
                                               const Configuration<3, Pack<4>>&, const Pack<4>&, double);
template PairRow<2, Pack<4>> discrete_gradient(const Measure<2, Pack<4>>&, const MeasuredPairOf<Pack<4>>&,
                                               const Configuration<2, Pack<4>>&);
template PairRow<3, Pack<4>> discrete_gradient(const Measure<3, Pack<4>>&, const MeasuredPairOf<Pack<4>>&,
                                               const Configuration<3, Pack<4>>&);
template PairRow<2, Pack<4>> end_gradient(const Measure<2, Pack<4>>&, const Pack<4>&,
                                          const Configuration<2, Pack<4>>&);
template PairRow<3, Pack<4>> end_gradient(const Measure<3, Pack<4>>&, const Pack<4>&,
                                          const Configuration<3, Pack<4>>&);
template Pack<4> rate_at(const Measure<2, Pack<4>>&, const MeasuredPairOf<Pack<4>>&,
                         const Configuration<2, Pack<4>>&, const Configuration<2, Pack<4>>&);
template Pack<4> rate_at(const Measure<3, Pack<4>>&, const MeasuredPairOf<Pack<4>>&,
                         const Configuration<3, Pack<4>>&, const Configuration<3, Pack<4>>&);
template Pack<4> increment_of(const Measure<2, Pack<4>>&, const Configuration<2, Pack<4>>&,
                              const Configuration<2, Pack<4>>&);
template Pack<4> increment_of(const Measure<3, Pack<4>>&, const Configuration<3, Pack<4>>&,
                              const Configuration<3, Pack<4>>&);
template void add_tangent(BodyKkt<2, Pack<4>>&, int, const Measure<2, Pack<4>>&,
                          const MeasuredPairOf<Pack<4>>&, const Configuration<2, Pack<4>>&,
                          const Configuration<2, Pack<4>>&, double, const Pack<4>&, const Pack<4>&);
template void add_tangent(BodyKkt<3, Pack<4>>&, int, const Measure<3, Pack<4>>&,
                          const MeasuredPairOf<Pack<4>>&, const Configuration<3, Pack<4>>&,
                          const Configuration<3, Pack<4>>&, double, const Pack<4>&, const Pack<4>&);

template Pack<8> value_at(const Measure<2, Pack<8>>&, const Configuration<2, Pack<8>>&, const Pack<8>&);
template Pack<8> value_at(const Measure<3, Pack<8>>&, const Configuration<3, Pack<8>>&, const Pack<8>&);
template Pack<8> near_value_at(const Measure<2, Pack<8>>&, const Configuration<2, Pack<8>>&, const Pack<8>&);
template Pack<8> near_value_at(const Measure<3, Pack<8>>&, const Configuration<3, Pack<8>>&, const Pack<8>&);
template MeasuredPairOf<Pack<8>> measured_pair(const Measure<2, Pack<8>>&, const Configuration<2, Pack<8>>&,
                                               const Configuration<2, Pack<8>>&, const Pack<8>&, double);
template MeasuredPairOf<Pack<8>> measured_pair(const Measure<3, Pack<8>>&, const Configuration<3, Pack<8>>&,
                                               const Configuration<3, Pack<8>>&, const Pack<8>&, double);
template PairRow<2, Pack<8>> discrete_gradient(const Measure<2, Pack<8>>&, const MeasuredPairOf<Pack<8>>&,
                                               const Configuration<2, Pack<8>>&);
template PairRow<3, Pack<8>> discrete_gradient(const Measure<3, Pack<8>>&, const MeasuredPairOf<Pack<8>>&,
                                               const Configuration<3, Pack<8>>&);
template PairRow<2, Pack<8>> end_gradient(const Measure<2, Pack<8>>&, const Pack<8>&,
                                          const Configuration<2, Pack<8>>&);
template PairRow<3, Pack<8>> end_gradient(const Measure<3, Pack<8>>&, const Pack<8>&,
                                          const Configuration<3, Pack<8>>&);
template Pack<8> rate_at(const Measure<2, Pack<8>>&, const MeasuredPairOf<Pack<8>>&,
                         const Configuration<2, Pack<8>>&, const Configuration<2, Pack<8>>&);
template Pack<8> rate_at(const Measure<3, Pack<8>>&, const MeasuredPairOf<Pack<8>>&,
                         const Configuration<3, Pack<8>>&, const Configuration<3, Pack<8>>&);
template Pack<8> increment_of(const Measure<2, Pack<8>>&, const Configuration<2, Pack<8>>&,
                              const Configuration<2, Pack<8>>&);
template Pack<8> increment_of(const Measure<3, Pack<8>>&, const Configuration<3, Pack<8>>&,
                              const Configuration<3, Pack<8>>&);
template void add_tangent(BodyKkt<2, Pack<8>>&, int, const Measure<2, Pack<8>>&,
                          const MeasuredPairOf<Pack<8>>&, const Configuration<2, Pack<8>>&,
                          const Configuration<2, Pack<8>>&, double, const Pack<8>&, const Pack<8>&);
template void add_tangent(BodyKkt<3, Pack<8>>&, int, const Measure<3, Pack<8>>&,
                          const MeasuredPairOf<Pack<8>>&, const Configuration<3, Pack<8>>&,
                          const Configuration<3, Pack<8>>&, double, const Pack<8>&, const Pack<8>&);

}  // namespace torsor
