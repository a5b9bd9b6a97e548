#include <cmath>
#include <numbers>

#include "torsor/formulation/rotationless/joint.h"
#include "torsor/lie/series.h"

namespace torsor {
namespace {

template <int D>
void add_sums(const Measure<D>& measure, const Configuration<D>& X, double sine, double cosine,
              PairRow<D>& row) {
  for (const Product<D>& product : measure.sine) add_gradient(product, X, sine, row);
  for (const Product<D>& product : measure.cosine) add_gradient(product, X, cosine, row);
  if (measure.displacement) add_gradient(*measure.displacement, X, 1.0, row);
}

}  // namespace

double counted_on(double angle, double last) {
  const double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((last - angle) / turn);
}

template <int D>
double value_at(const Measure<D>& measure, const Configuration<D>& X, double last) {
  if (measure.displacement) return value_at(*measure.displacement, X);
  return counted_on(std::atan2(sum(measure.sine, X), sum(measure.cosine, X)), last);  // (1)
}

template <int D>
MeasuredPair measured_pair(const Measure<D>& measure, const Configuration<D>& X_a,
                           const Configuration<D>& X_b, double last, double kappa) {
  MeasuredPair pair;
  pair.a = value_at(measure, X_a, last);
  pair.b = value_at(measure, X_b, pair.a);
  if (measure.displacement) return pair;
  const double half = 0.5 * (pair.b - pair.a), mean = 0.5 * (pair.a + pair.b);
  const double f = over_sine(half), df = over_sine_slope(half);
  const double s = std::sin(mean), c = std::cos(mean);
  pair.sine = f * c;  // (2)
  pair.cosine = -f * s;
  pair.d_sine = kappa * (df * c - f * s);
  pair.d_cosine = -kappa * (df * s + f * c);
  return pair;
}

template <int D>
PairRow<D> discrete_gradient(const Measure<D>& measure, const MeasuredPair& pair,
                             const Configuration<D>& left) {
  PairRow<D> row;
  add_sums(measure, left, pair.sine, pair.cosine, row);
  return row;
}

template <int D>
PairRow<D> end_gradient(const Measure<D>& measure, double b, const Configuration<D>& right) {
  PairRow<D> row;
  if (measure.displacement) {
    add_sums(measure, right, 0, 0, row);
    return row;
  }
  // (c grad s - s grad c) / (s^2 + c^2): not one while constraints do not hold.
  const double s = sum(measure.sine, right), c = sum(measure.cosine, right);
  const double shrink = 1 / std::sqrt(s * s + c * c);
  add_sums(measure, right, shrink * std::cos(b), -shrink * std::sin(b), row);
  return row;
}

template <int D>
double rate_at(const Measure<D>& measure, const MeasuredPair& pair, const Configuration<D>& left,
               const Configuration<D>& V) {
  if (measure.displacement) return rate_at(*measure.displacement, left, V);
  double total = 0;
  for (const Product<D>& product : measure.sine) total += pair.sine * rate_at(product, left, V);
  for (const Product<D>& product : measure.cosine) total += pair.cosine * rate_at(product, left, V);
  return total;
}

template <int D>
double increment_of(const Measure<D>& measure, const Configuration<D>& X, const Configuration<D>& dX) {
  const auto change = [&](const Product<D>& product) {
    return rate_at(product, X, dX) + curvature(product, dX);
  };
  if (measure.displacement) return change(*measure.displacement);
  const double s = sum(measure.sine, X), c = sum(measure.cosine, X);
  double ds = 0, dc = 0;
  for (const Product<D>& product : measure.sine) ds += change(product);
  for (const Product<D>& product : measure.cosine) dc += change(product);
  return std::atan2(c * ds - s * dc, s * (s + ds) + c * (c + dc));
}

template <int D>
void add_tangent(BodyKkt<D>& K, int ground, const Measure<D>& measure, const MeasuredPair& pair,
                 const Configuration<D>& left, const Configuration<D>& right, double kappa, double effort,
                 double d_effort) {
  for (const Product<D>& product : measure.sine) {
    add_tangent(K, ground, product, left, right, kappa * effort * pair.sine);
  }
  for (const Product<D>& product : measure.cosine) {
    add_tangent(K, ground, product, left, right, kappa * effort * pair.cosine);
  }
  if (measure.displacement) {
    add_tangent(K, ground, *measure.displacement, left, right, kappa * effort);
    if (d_effort == 0) return;
  }
  // By the value b: through the effort, and through the weights of (2).
  PairRow<D> by_value;
  add_sums(measure, left, d_effort * pair.sine + effort * pair.d_sine,
           d_effort * pair.cosine + effort * pair.d_cosine, by_value);
  if (measure.displacement) {
    for (double& entry : by_value.child) entry *= d_effort;
    for (double& entry : by_value.parent) entry *= d_effort;
  }
  add_outer(K, ground, measure.child, measure.parent, by_value, end_gradient(measure, pair.b, right));
}

template double value_at(const Measure<2>&, const Configuration<2>&, double);
template double value_at(const Measure<3>&, const Configuration<3>&, double);
template MeasuredPair measured_pair(const Measure<2>&, const Configuration<2>&, const Configuration<2>&,
                                    double, double);
template MeasuredPair measured_pair(const Measure<3>&, const Configuration<3>&, const Configuration<3>&,
                                    double, double);
template PairRow<2> discrete_gradient(const Measure<2>&, const MeasuredPair&, const Configuration<2>&);
template PairRow<3> discrete_gradient(const Measure<3>&, const MeasuredPair&, const Configuration<3>&);
template PairRow<2> end_gradient(const Measure<2>&, double, const Configuration<2>&);
template PairRow<3> end_gradient(const Measure<3>&, double, const Configuration<3>&);
template double rate_at(const Measure<2>&, const MeasuredPair&, const Configuration<2>&,
                        const Configuration<2>&);
template double rate_at(const Measure<3>&, const MeasuredPair&, const Configuration<3>&,
                        const Configuration<3>&);
template double increment_of(const Measure<2>&, const Configuration<2>&, const Configuration<2>&);
template double increment_of(const Measure<3>&, const Configuration<3>&, const Configuration<3>&);
template void add_tangent(BodyKkt<2>&, int, const Measure<2>&, const MeasuredPair&, const Configuration<2>&,
                          const Configuration<2>&, double, double, double);
template void add_tangent(BodyKkt<3>&, int, const Measure<3>&, const MeasuredPair&, const Configuration<3>&,
                          const Configuration<3>&, double, double, double);

}  // namespace torsor
