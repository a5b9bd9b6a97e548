#pragma once
// The laws every Lie group keeps, over double, dual numbers and packs. A group joins by a struct G that names
// its Element<S>, Algebra<S>, Covector<S> and `dimension`, makes the last two from coordinates, and forwards
// the verbs (see lie/group_laws_test.cc); then `expect_group_laws<G>()` is one line. A derivative is checked
// against dual numbers run through the group's own exp, product and log, which share no code with it.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "torsor/base/dual.h"
#include "torsor/base/norm.h"
#include "torsor/base/pack.h"

namespace torsor {

template <class S, std::size_t N>
double largest(const std::array<S, N>& a) {
  double result = 0;
  for (const S& x : a) keep_largest(result, std::abs(x));
  return result;
}
/// |a - b| relative to the larger of 1 and |b|, which also catches NaN.
template <std::size_t N>
double distance(const std::array<double, N>& a, const std::array<double, N>& b) {
  std::array<double, N> difference;
  for (std::size_t i = 0; i < N; ++i) difference[i] = a[i] - b[i];
  return largest(difference) / larger(1.0, largest(b));
}
template <class T, int M, std::size_t N>
std::array<T, N> tangents(const std::array<Dual<T, M>, N>& a) {
  std::array<T, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = a[i].tangent[0];
  return result;
}

/// Seeded samples of a group: algebra elements of given rotation angle, generic covectors and group elements.
template <class G>
class GroupSamples {
 public:
  using Algebra = typename G::template Algebra<double>;
  using Element = typename G::template Element<double>;
  using Coordinates = std::array<double, G::dimension>;

  Coordinates coordinates() {
    Coordinates result;
    for (double& x : result) x = normal_(random_);
    return result;
  }
  Algebra algebra(double angle) {
    Coordinates x = coordinates();
    double length = 0;
    for (int i = 0; i < G::rotations; ++i) length = std::hypot(length, x[i]);
    for (int i = 0; i < G::rotations; ++i) x[i] *= angle / length;
    return G::algebra(x);
  }
  Algebra algebra() { return algebra(std::uniform_real_distribution<double>(0, 3)(random_)); }
  Element element() { return G::exp(algebra()); }
  auto covector() { return G::covector(coordinates()); }

 private:
  std::mt19937_64 random_{20};
  std::normal_distribution<double> normal_;
};

/// Where small-angle code breaks, and both sides of every seam.
inline std::vector<double> critical_angles() {
  const double pi = std::numbers::pi;
  return {0,   1e-160, 1e-12, 1e-8, 1e-6, 1e-4, 1e-3, 0.01,      0.1, 0.4,
          0.5, 1,      2,     2.6,  2.7,  3,    3.1,  pi - 1e-9, pi};
}

/// x + eps v.
template <class G, class T>
auto perturbed(const std::array<T, G::dimension>& x, const std::array<T, G::dimension>& v) {
  std::array<Dual<T, 1>, G::dimension> result;
  for (int i = 0; i < G::dimension; ++i) result[i] = {x[i], {v[i]}};
  return G::algebra(result);
}
template <class G, class T>
auto lifted(const std::array<T, G::dimension>& x) {
  return perturbed<G>(x, std::array<T, G::dimension>{});
}

template <class G>
void expect_group_axioms() {
  GroupSamples<G> sample;
  for (int i = 0; i < 200; ++i) {
    const auto a = sample.element(), b = sample.element(), c = sample.element();
    EXPECT_LT(distance(G::flat((a * b) * c), G::flat(a * (b * c))), 4e-15);  // measured 1.1e-15
    EXPECT_LT(distance(G::flat(a * inverse(a)), G::flat(G::exp(0.0 * G::log(a)))),
              4e-15);  // measured 1.6e-15
    EXPECT_LT(distance(G::flat(inverse(a * b)), G::flat(inverse(b) * inverse(a))),
              4e-15);  // measured 1.5e-15
  }
}

template <class G>
void expect_exp_and_log_invert() {
  GroupSamples<G> sample;
  for (double angle : critical_angles()) {
    SCOPED_TRACE(angle);
    for (int i = 0; i < 100; ++i) {
      const auto x = sample.algebra(angle);
      const auto g = G::exp(x);
      const auto back = G::log(g);
      EXPECT_LT(distance(G::flat(G::exp(back)), G::flat(g)), 4e-15);  // measured 1.3e-15
      // At a half turn x and the screw of angle -pi are the same element: rounding picks one.
      const auto expected = G::flat(x), found = G::flat(back);
      double error = 0, cosine = 0;
      for (int k = 0; k < G::dimension; ++k) error = larger(error, std::abs(found[k] - expected[k]));
      for (int k = 0; k < G::rotations; ++k) cosine += found[k] * expected[k];
      if (angle == std::numbers::pi && cosine < 0) continue;
      EXPECT_LE(error, 4e-15 * largest(expected));  // measured 5e-16
    }
  }
}

template <class G>
void expect_one_parameter_subgroups() {
  GroupSamples<G> sample;
  for (double angle : critical_angles()) {
    SCOPED_TRACE(angle);
    const auto x = sample.algebra(angle);
    for (double s : {-0.7, 0.3, 1.9})
      EXPECT_LT(distance(G::flat(G::exp((1 + s) * x)), G::flat(G::exp(x) * G::exp(s * x))),
                4e-15);                                                            // measured 1.2e-15
    EXPECT_LT(distance(G::flat(G::exp(-x)), G::flat(inverse(G::exp(x)))), 4e-15);  // measured 8e-16
  }
}

template <class G>
void expect_adjoint_laws() {
  GroupSamples<G> sample;
  for (int i = 0; i < 200; ++i) {
    const auto a = sample.element(), b = sample.element();
    const auto x = sample.algebra(), v = sample.algebra(), w = sample.algebra();
    const auto f = sample.covector();
    EXPECT_LT(distance(G::flat(G::Ad(a * b, v)), G::flat(G::Ad(a, G::Ad(b, v)))), 1e-14);  // measured 2.1e-15
    EXPECT_LT(distance(G::flat(G::Ad_inv(a, G::Ad(a, v))), G::flat(v)), 1e-14);            // measured 1.6e-15
    EXPECT_LT(distance(G::flat(a * G::exp(x) * inverse(a)), G::flat(G::exp(G::Ad(a, x)))),
              1e-14);  // measured 1.6e-15
    EXPECT_LT(distance(G::flat(G::Ad(a, G::ad(x, v))), G::flat(G::ad(G::Ad(a, x), G::Ad(a, v)))),
              1e-14);  // measured 1.7e-15
    EXPECT_LT(distance(G::flat(G::ad(x, G::ad(v, w)) + G::ad(v, G::ad(w, x)) + G::ad(w, G::ad(x, v))),
                       G::flat(0.0 * x)),
              4e-14);                                                               // measured 5.3e-15
    EXPECT_NEAR(G::pair(G::Ad(a, v), f), G::pair(v, G::Ad_dual(a, f)), 4e-14);      // measured 5.3e-15
    EXPECT_NEAR(G::pair(G::Ad(a, v), G::Ad_inv_dual(a, f)), G::pair(v, f), 4e-14);  // measured 7.1e-15
    EXPECT_NEAR(G::pair(G::ad(x, v), f), G::pair(v, G::ad_dual(x, f)), 4e-14);      // measured 3.6e-15

    auto term = v, series = v;  // Ad(exp x) = exp(ad x)
    for (int k = 1; k < 40; ++k) {
      term = (1.0 / k) * G::ad(x, term);
      series = series + term;
    }
    EXPECT_LT(distance(G::flat(G::Ad(G::exp(x), v)), G::flat(series)), 1e-14);  // measured 2e-15
  }
}

/// Both trivialisations of the differential of a map `chart` from the algebra to the group.
template <class G, class Chart, class Differential>
void expect_differential(const typename G::template Algebra<double>& x,
                         const typename G::template Algebra<double>& v, const Chart& chart,
                         const Differential& differential) {
  const auto moved = chart(perturbed<G>(G::flat(x), G::flat(v))), still = chart(lifted<G>(G::flat(x)));
  const auto spatial = tangents(G::flat(G::log(moved * inverse(still))));
  const auto body = tangents(G::flat(G::log(inverse(still) * moved)));
  EXPECT_LT(distance(G::flat(differential(x, v)), spatial), 1e-14);  // measured 1.4e-15
  EXPECT_LT(distance(G::flat(differential(-x, v)), body), 1e-14);    // measured 1.2e-15
}

template <class G>
void expect_dexp_laws() {
  GroupSamples<G> sample;
  const auto exp = [](const auto& x) { return G::exp(x); };
  const auto dexp = [](const auto& x, const auto& v) { return G::dexp(x, v); };
  for (double angle : critical_angles()) {
    SCOPED_TRACE(angle);
    for (int i = 0; i < 20; ++i) {
      const auto x = sample.algebra(angle), v = sample.algebra(), d = sample.algebra();
      expect_differential<G>(x, v, exp, dexp);
      EXPECT_LT(distance(G::flat(G::dexp_inv(x, G::dexp(x, v))), G::flat(v)), 1e-14);  // measured 1.2e-15
      EXPECT_LT(distance(G::flat(G::dexp(x, G::dexp_inv(x, v))), G::flat(v)), 1e-14);  // measured 1.1e-15

      const auto moved = perturbed<G>(G::flat(x), G::flat(d)), fixed = lifted<G>(G::flat(v));
      EXPECT_LT(distance(G::flat(G::d_dexp(x, v, d)), tangents(G::flat(G::dexp(moved, fixed)))),
                1e-14);  // measured 1e-15
      EXPECT_LT(distance(G::flat(G::d_dexp_inv(x, v, d)), tangents(G::flat(G::dexp_inv(moved, fixed)))),
                1e-14);  // measured 8e-16

      // d_dexp once more as a second derivative of exp, by nested dual numbers.
      const auto base = G::flat(moved);
      const auto twice = G::exp(perturbed<G>(base, G::flat(fixed))) * inverse(G::exp(lifted<G>(base)));
      EXPECT_LT(distance(G::flat(G::d_dexp(x, v, d)), tangents(tangents(G::flat(G::log(twice))))),
                1e-13);  // measured 3.8e-15
    }
  }
}

template <class G>
void expect_cayley_laws() {
  GroupSamples<G> sample;
  const auto cay = [](const auto& x) { return G::cay(x); };
  const auto dcay = [](const auto& x, const auto& v) { return G::dcay(x, v); };
  for (double size : {0.0, 1e-12, 1e-6, 0.1, 1.0, 3.0, 8.0}) {
    SCOPED_TRACE(size);
    for (int i = 0; i < 20; ++i) {
      const auto x = sample.algebra(size), v = sample.algebra();
      EXPECT_LT(distance(G::flat(G::cay_inv(G::cay(x))), G::flat(x)), 2e-14);          // measured 3e-16
      EXPECT_LT(distance(G::flat(G::cay(-x)), G::flat(inverse(G::cay(x)))), 4e-15);    // measured 9e-16
      EXPECT_LT(distance(G::flat(G::dcay_inv(x, G::dcay(x, v))), G::flat(v)), 1e-14);  // measured 7e-16
      EXPECT_LT(distance(G::flat(G::dcay(x, G::dcay_inv(x, v))), G::flat(v)), 1e-14);  // measured 8e-16
      expect_differential<G>(x, v, cay, dcay);
    }
  }
  const auto x = sample.algebra(1.0);  // cay and exp agree to second order
  EXPECT_LT(distance(G::flat(G::cay(1e-4 * x)), G::flat(G::exp(1e-4 * x))), 1e-12);  // measured 1.2e-13
}

template <class G>
void expect_packs_agree() {
  using P = Pack<4>;
  GroupSamples<G> sample;
  const std::vector<double> angles = critical_angles();
  for (std::size_t first = 0; first + 4 <= angles.size(); ++first) {
    std::array<P, G::dimension> x, v;
    for (int lane = 0; lane < 4; ++lane) {
      const auto one = G::flat(sample.algebra(angles[first + lane])), other = G::flat(sample.algebra());
      for (int i = 0; i < G::dimension; ++i) x[i][lane] = one[i], v[i][lane] = other[i];
    }
    const auto lane_of = [](const auto& packed, int lane) {
      std::array<double, std::tuple_size_v<std::decay_t<decltype(packed)>>> result;
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = packed[i][lane];
      return result;
    };
    const auto X = G::algebra(x), V = G::algebra(v);
    const auto g = G::exp(X);
    for (int lane = 0; lane < 4; ++lane) {
      const auto x1 = G::algebra(lane_of(x, lane)), v1 = G::algebra(lane_of(v, lane));
      const auto g1 = G::exp(x1);
      EXPECT_LT(distance(lane_of(G::flat(g), lane), G::flat(g1)), 2e-15);  // measured 6e-16
      if (angles[first + lane] < std::numbers::pi) {
        EXPECT_LT(distance(lane_of(G::flat(G::log(g)), lane), G::flat(G::log(g1))), 4e-15);  // measured 4e-16
      }
      EXPECT_LT(distance(lane_of(G::flat(G::dexp(X, V)), lane), G::flat(G::dexp(x1, v1))),
                2e-15);  // measured 5e-16
      EXPECT_LT(distance(lane_of(G::flat(G::dexp_inv(X, V)), lane), G::flat(G::dexp_inv(x1, v1))),
                2e-15);  // measured 4e-16
      EXPECT_LT(distance(lane_of(G::flat(G::Ad(g, V)), lane), G::flat(G::Ad(g1, v1))),
                4e-15);                                                                    // measured 9e-16
      EXPECT_LT(distance(lane_of(G::flat(G::cay(X)), lane), G::flat(G::cay(x1))), 2e-15);  // measured 2e-16
    }
  }
}

template <class G>
void expect_group_laws() {
  expect_group_axioms<G>();
  expect_exp_and_log_invert<G>();
  expect_one_parameter_subgroups<G>();
  expect_adjoint_laws<G>();
  expect_dexp_laws<G>();
  expect_cayley_laws<G>();
  expect_packs_agree<G>();
}

}  // namespace torsor
