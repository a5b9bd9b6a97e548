#pragma once
// A sum of joint coordinates, l = sum of factor * theta_i, with the discrete gradients of its terms: their sum is one
// of l, sum of factor * Dtheta_i . (x_b - x_a) = l_b - l_a exactly.

#include "torsor/formulation/elements/element.h"

namespace torsor {

template <int D>
struct CoordinateSum {
  struct Term {
    Measure<D> coordinate;
    double factor = 0;
    int joint = 0;        ///< of the model
    MeasuredPair pair{};  ///< of the last set
  };
  std::vector<Term> terms;

  bool empty() const { return terms.empty(); }

  double value(const Configuration<D>& X, std::span<const double> angles) const {
    double length = 0;
    for (const auto& [theta, factor, joint, pair] : terms) {
      length += factor * value_at(theta, X, theta.angle < 0 ? 0 : angles[theta.angle]);
    }
    return length;
  }
  double rate_at_state(const Configuration<D>& X, const Configuration<D>& V) const {
    double rate = 0;
    for (const auto& [theta, factor, joint, pair] : terms) {
      rate += factor * rate_at(theta, measured_pair(theta, X, X, 0.0, 1.0), X, V);
    }
    return rate;
  }
  /// Adds its values at both ends and its rate.
  void set(const PairView<D>& view, double& a, double& b, double& rate) {
    for (auto& [theta, factor, joint, pair] : terms) {
      pair = view.measured(theta);
      a += factor * pair.a;
      b += factor * pair.b;
      rate += factor * rate_at(theta, pair, view.X.left, view.X.velocity);
    }
  }
  /// An effort against it; a sink that has one for each joint takes every term across its own.
  template <class Sink>
  void push(const PairView<D>& view, double effort, Sink&& sink) const {
    for (const Term& term : terms) {
      if constexpr (requires { sink.across(0); }) {
        push_gradient(term.coordinate, term.pair, view.X.left, term.factor * effort, sink.across(term.joint));
      } else {
        push_gradient(term.coordinate, term.pair, view.X.left, term.factor * effort, sink);
      }
    }
  }
  template <class Sink>
  void add_tangent(double effort, double slope, double by_rate, Sink&& sink) const {
    for (const Term& on : terms) {
      const double square = on.factor * on.factor;
      sink.measure(on.coordinate, on.pair, on.factor * effort, square * slope, square * by_rate);
      if (slope == 0 && by_rate == 0) continue;
      for (const Term& by : terms) {
        const double product = on.factor * by.factor;
        if (&on != &by)
          sink.measures(on.coordinate, on.pair, by.coordinate, by.pair, product * slope, product * by_rate);
      }
    }
  }
  /// The gradient on the left, times `scale`, body by body.
  template <class Use>
  void for_each_row(const Configuration<D>& left, double scale, Use&& use) const {
    for (const auto& [theta, factor, joint, pair] : terms) {
      PairRow<D> row;
      add_scaled(scale * factor, discrete_gradient(theta, pair, left), row);
      use(theta.child, row.child);
      use(theta.parent, row.parent);
    }
  }
  template <class Use>
  void for_each_node(Use&& use) const {
    for (const Term& term : terms) {
      use(term.coordinate.child);
      use(term.coordinate.parent);
    }
  }
  template <class Use>
  void couple(Use&& use) const {
    for_each_node([&](int a) { for_each_node([&](int b) { use(a, b); }); });
  }
};

/// On the children of joints, for elements that act across several; what acts elsewhere is not seen.
template <int D, class Across>
struct AcrossEachSink {
  const Across& of_joint;  ///< hands out the sink of a joint

  auto across(int joint) const { return of_joint(joint); }
  void operator()(const Arm<D>&, const VecD<D>&) const {}
  void turn(int, const SpinD<D>&) const {}
  void force(int, const VecD<D>&) const {}
};

}  // namespace torsor
