#pragma once
// A segment of a tendon that goes round a circle, a cylinder or a sphere on a body (model/wrap_law.h), in
// directors. With the centre c and the axes e_k of what it goes round, its length L is a function of
//   pi = ((p - c) . e_k, (q - c) . e_k),
// the ends in that frame, which are quadratic in the coordinates and do not change in a common motion. So, with
// d pi = pi_b - pi_a, pi_m the mean, and the gradients of pi at the middle of the step,
//   g = grad L(pi_m) + (L_b - L_a - grad L(pi_m) . d pi) / |d pi|^2 d pi                                 (1)
// is a discrete gradient that keeps momenta, and g . d pi = L_b - L_a exactly (Gonzalez 1996).

#include <array>

#include "torsor/base/dual.h"
#include "torsor/formulation/elements/element.h"
#include "torsor/model/wrap_law.h"

namespace torsor {

template <int D>
struct WrappedSegment {
  static constexpr int kEnds = 2 * D;      ///< entries of pi
  static constexpr int kArms = D + 3;      ///< p, q, c, e_1 ..
  static constexpr double kSmooth = 1e-5;  ///< below it, relative to L, the third power of |d pi| is rounding
  static constexpr double kKinked = 1e-8;  ///< likewise the second, where it begins or ceases to wrap
  using Ends = std::array<double, kEnds>;
  using Slopes = std::array<double, kEnds * kEnds>;  ///< row-major

  WrapLaw law;
  std::size_t segment = 0;                ///< of the path
  std::array<std::size_t, kArms> arms{};  ///< among those of the measure

  /// p - c, q - c and the axes at a configuration.
  struct Place {
    VecD<D> u{}, v{};
    std::array<VecD<D>, D> e{};

    Ends ends() const {
      Ends pi;
      for (int k = 0; k < D; ++k) {
        pi[k] = dot(u, e[k]);
        pi[D + k] = dot(v, e[k]);
      }
      return pi;
    }
    /// The gradient of entry j of pi by arm i.
    VecD<D> gradient(int j, int i) const {
      const int k = j % D;
      const bool of_p = j < D;
      if (i < 2) return of_p == (i == 0) ? e[k] : VecD<D>{};
      if (i == 2) return -e[k];
      return i == 3 + k ? (of_p ? u : v) : VecD<D>{};
    }
    VecD<D> gradient(const Ends& g, int i) const {
      VecD<D> sum{};
      for (int j = 0; j < kEnds; ++j) sum += g[j] * gradient(j, i);
      return sum;
    }
  };
  struct Length {
    double value = 0;
    Ends gradient{};
    bool wraps = false;
  };
  /// The pull along a gradient at `left`, which moves by the share with b; it changes by the slopes with pi at
  /// `right`, and the length with the gradient there.
  struct Pull {
    Ends g{}, g_right{};
    Slopes slopes{};
    Place left, right;
    double share = 0;
  };

  Place a{}, b{};  ///< of the last set
  Ends pi_a{}, pi_b{};
  Length at_a{}, at_b{}, middle{};
  double kappa = 0.5;

  template <class ValueOf>
  Place place(ValueOf&& value_of) const {
    Place found;
    const VecD<D> c = value_of(arms[2]);
    found.u = value_of(arms[0]) - c;
    found.v = value_of(arms[1]) - c;
    for (int k = 0; k < D; ++k) found.e[k] = value_of(arms[3 + k]);
    return found;
  }
  static Place blend(const Place& a, const Place& b, double way) {
    Place found{(1 - way) * a.u + way * b.u, (1 - way) * a.v + way * b.v, {}};
    for (int k = 0; k < D; ++k) found.e[k] = (1 - way) * a.e[k] + way * b.e[k];
    return found;
  }
  template <class S>
  WrappedLength<S> evaluate(const std::array<S, kEnds>& pi) const {
    Vec3<S> P{}, Q{};
    for (int k = 0; k < D; ++k) {
      P[k] = pi[k];
      Q[k] = pi[D + k];
    }
    return wrapped_length(law, P, Q);
  }
  Length length(const Ends& pi) const {
    const WrappedLength<double> found = evaluate<double>(pi);
    Length result{found.length, {}, found.wraps};
    for (int k = 0; k < D; ++k) {
      result.gradient[k] = found.by_P[k];
      result.gradient[D + k] = found.by_Q[k];
    }
    return result;
  }
  Slopes curvature(const Ends& pi) const {
    using S = Dual<double, kEnds>;
    std::array<S, kEnds> at;
    for (int j = 0; j < kEnds; ++j) at[j] = S::variable(pi[j], j);
    const WrappedLength<S> found = evaluate<S>(at);
    Slopes H;
    for (int i = 0; i < kEnds; ++i) {
      const S& g = i < D ? found.by_P[i] : found.by_Q[i - D];
      for (int j = 0; j < kEnds; ++j) H[kEnds * i + j] = g.tangent[j];
    }
    return H;
  }
  Ends between(const Ends& x, const Ends& y, double way) const {
    Ends found;
    for (int j = 0; j < kEnds; ++j) found[j] = (1 - way) * x[j] + way * y[j];
    return found;
  }

  /// Adds the lengths at both ends.
  template <class Start, class End>
  void set(Start&& start, End&& end, double share, double& l_a, double& l_b) {
    a = place(start);
    b = place(end);
    kappa = share;
    pi_a = a.ends();
    pi_b = b.ends();
    at_a = length(pi_a);
    at_b = length(pi_b);
    middle = length(between(pi_a, pi_b, kappa));
    l_a += at_a.value;
    l_b += at_b.value;
  }

  /// (1): d pi, its square, 0 where it is too short to tell, and the factor of d pi.
  struct Correction {
    Ends d{};
    double square = 0, factor = 0;
  };
  Correction correction() const {
    Correction c;
    double change = at_b.value - at_a.value;
    for (int j = 0; j < kEnds; ++j) {
      c.d[j] = pi_b[j] - pi_a[j];
      c.square += c.d[j] * c.d[j];
      change -= middle.gradient[j] * c.d[j];
    }
    const bool smooth = at_a.wraps == at_b.wraps && at_a.wraps == middle.wraps;
    const double least = (smooth ? kSmooth : kKinked) * at_b.value;
    if (c.square <= least * least) c.square = 0;
    if (c.square > 0) c.factor = change / c.square;
    return c;
  }
  Ends discrete_gradient() const {
    const Correction c = correction();
    Ends g = middle.gradient;
    for (int j = 0; j < kEnds; ++j) g[j] += c.factor * c.d[j];
    return g;
  }
  Place left() const { return blend(a, b, kappa); }

  Pull discrete() const {
    const Correction c = correction();
    Pull pull{discrete_gradient(), at_b.gradient, curvature(between(pi_a, pi_b, kappa)), left(), b, kappa};
    for (double& slope : pull.slopes) slope *= kappa;
    if (c.square == 0) return pull;
    Ends by_end;  // of the factor
    for (int j = 0; j < kEnds; ++j) {
      double sum = at_b.gradient[j] - middle.gradient[j] - 2 * c.factor * c.d[j];
      for (int i = 0; i < kEnds; ++i) sum -= c.d[i] * pull.slopes[kEnds * i + j];
      by_end[j] = sum / c.square;
    }
    for (int i = 0; i < kEnds; ++i) {
      pull.slopes[kEnds * i + i] += c.factor;
      for (int j = 0; j < kEnds; ++j) pull.slopes[kEnds * i + j] += c.d[i] * by_end[j];
    }
    return pull;
  }
  /// Or the gradient of the length on the way from a to b.
  Pull on_way(double way) const {
    const Place at = blend(a, b, way);
    const Ends pi = at.ends(), g = length(pi).gradient;
    Pull pull{g, g, curvature(pi), at, at, way};
    for (double& slope : pull.slopes) slope *= way;
    return pull;
  }
  double length_on_way(double way) const { return length(blend(a, b, way).ends()).value; }

  /// Hands the discrete gradient to `use(arm, n)`.
  template <class Use>
  void for_each_gradient(Use&& use) const {
    const Ends g = discrete_gradient();
    const Place at = left();
    for (int i = 0; i < kArms; ++i) use(arms[i], at.gradient(g, i));
  }
  /// The derivative of `tension` times the pull, by two arms: `add(on, by, H)`.
  template <class Add>
  void add_by_place(const Pull& pull, double tension, Add&& add) const {
    // By pi at b.
    for (int by = 0; by < kArms; ++by) {
      std::array<VecD<D>, kEnds> change{};
      for (int i = 0; i < kEnds; ++i) {
        for (int j = 0; j < kEnds; ++j) {
          change[i] += pull.slopes[kEnds * i + j] * pull.right.gradient(j, by);
        }
      }
      for (int on = 0; on < kArms; ++on) {
        SquareD<D> H{};
        for (int i = 0; i < kEnds; ++i) {
          const VecD<D> n = tension * pull.left.gradient(i, on);
          for (int k = 0; k < D; ++k) {
            for (int l = 0; l < D; ++l) H[D * k + l] += n[k] * change[i][l];
          }
        }
        add(arms[on], arms[by], H);
      }
    }
    // By the gradients of pi on the left.
    const auto add_both = [&](int on, int by, double factor) {
      SquareD<D> H{};
      for (int k = 0; k < D; ++k) H[D * k + k] = tension * pull.share * factor;
      add(arms[on], arms[by], H);
      add(arms[by], arms[on], H);
    };
    for (int k = 0; k < D; ++k) {
      add_both(0, 3 + k, pull.g[k]);
      add_both(1, 3 + k, pull.g[D + k]);
      add_both(2, 3 + k, -pull.g[k] - pull.g[D + k]);
    }
  }
};

}  // namespace torsor
