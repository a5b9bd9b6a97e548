#include "testing/loop_references.h"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "testing/gragg_bulirsch_stoer.h"

namespace torsor::testing {
namespace {

using Real = ReducedLoop::Real;
using Plane = std::complex<Real>;
constexpr Plane kTurn{0, 1};  // a quarter turn

/// An angle and a place as functions of the crank's angle: value, first and second derivative.
struct Angle {
  Real value = 0, first = 0, second = 0;
};
struct Place {
  Plane value, first, second;
};

Place operator+(const Place& a, const Place& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
Place operator-(const Place& a, const Place& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
/// The vector `local`, fixed on a body of that angle.
Place turned(const Plane& local, const Angle& angle) {
  const Plane z = local * std::polar(Real(1), angle.value);
  return {z, kTurn * angle.first * z, (kTurn * angle.second - angle.first * angle.first) * z};
}

/// Two bars on P and Q that meet in a pin: p e(alpha) + P = q e(beta) + Q.
struct Dyad {
  Angle at_P, at_Q;
};
/// side: +1 if the pin lies left of the way from P to Q, -1 if right.
Dyad dyad(const Place& P, Real p, const Place& Q, Real q, int side) {
  const Place way = Q - P;
  const Real distance = std::abs(way.value);
  Dyad d;
  d.at_P.value =
      std::arg(way.value) + side * std::acos((p * p + distance * distance - q * q) / (2 * p * distance));
  const Plane a = std::polar(p, d.at_P.value), b = a - way.value;
  d.at_Q.value = std::arg(b);
  // i a alpha' - i b beta' = right, which the components across a and b resolve.
  const auto resolve = [&](const Plane& right) {
    const Real area = std::imag(std::conj(a) * b);
    return std::array{std::real(std::conj(b) * right) / area, std::real(std::conj(a) * right) / area};
  };
  const auto [a1, b1] = resolve(way.first);
  const auto [a2, b2] = resolve(way.second + a1 * a1 * a - b1 * b1 * b);
  d.at_P = {d.at_P.value, a1, a2};
  d.at_Q = {d.at_Q.value, b1, b2};
  return d;
}

/// Adds up M, M'/2, V, V' body by body.
class Sum {
 public:
  explicit Sum(Real gravity) : gravity_(gravity) {}
  void add_body(Real mass, Real inertia, const Place& com, const Angle& angle) {
    sum_.inertia += mass * std::norm(com.first) + inertia * angle.first * angle.first;
    sum_.half_inertia_slope +=
        mass * std::real(std::conj(com.first) * com.second) + inertia * angle.first * angle.second;
    sum_.potential += mass * gravity_ * com.value.imag();
    sum_.potential_slope += mass * gravity_ * com.first.imag();
  }
  void add_spring(Real stiffness, Real rest, const Place& span) {
    const Real length = std::abs(span.value), stretch = length - rest;
    sum_.potential += stiffness * stretch * stretch / 2;
    sum_.potential_slope += stiffness * stretch * std::real(std::conj(span.value) * span.first) / length;
  }
  const ReducedLoop::Terms& terms() const { return sum_; }

 private:
  Real gravity_;
  ReducedLoop::Terms sum_{};
};

Place fixed(Real x, Real y) { return {{x, y}, 0, 0}; }

}  // namespace

CrankState advance(const ReducedLoop& loop, const CrankState& start, double time, int basic_steps) {
  using State = std::array<Real, 2>;
  const auto rate = [&](Real, const State& y) -> State {
    const ReducedLoop::Terms terms = loop.terms(y[0]);
    return {y[1],
            (loop.effort - terms.potential_slope - terms.half_inertia_slope * y[1] * y[1]) / terms.inertia};
  };
  const State end = gragg_bulirsch_stoer<Real, State>(rate, {start.angle, start.rate}, 0, time, basic_steps);
  return {static_cast<double>(end[0]), static_cast<double>(end[1])};
}

double energy(const ReducedLoop& loop, const CrankState& state) {
  const ReducedLoop::Terms terms = loop.terms(state.angle);
  return static_cast<double>(terms.inertia * state.rate * state.rate / 2 + terms.potential);
}

ReducedLoop four_bar_loop() {
  return {[](Real a) {
    const Angle crank{a, 1, 0};
    const Place pin = turned(0.5L, crank), pivot = fixed(1.5L, 0);
    const Dyad bars = dyad(pin, 1.5L, pivot, 1, +1);
    Sum sum(9.81L);
    sum.add_body(1, 0.0208L, turned(0.25L, crank), crank);
    sum.add_body(3, 0.5625L, pin + turned(0.75L, bars.at_P), bars.at_P);
    sum.add_body(2, 0.1667L, pivot + turned(0.5L, bars.at_Q), bars.at_Q);
    return sum.terms();
  }};
}

ReducedLoop slider_crank_loop() {
  return {[](Real a) {
    const Angle crank{a, 1, 0};
    const Place pin = turned(0.3L, crank);
    // The rod's end stays on the x axis: pin.y + 0.5 sin(rod) = 0, differentiated twice.
    Angle rod{std::asin(-pin.value.imag() / 0.5L), 0, 0};
    const Real across = 0.5L * std::cos(rod.value);
    rod.first = -pin.first.imag() / across;
    rod.second = (-pin.second.imag() + 0.5L * std::sin(rod.value) * rod.first * rod.first) / across;
    Sum sum(9.81L);
    sum.add_body(1, 0.0075L, turned(0.15L, crank), crank);
    sum.add_body(2, 0.5L / 12, pin + turned(0.25L, rod), rod);
    sum.add_body(0.5L, 0.001L, pin + turned(0.5L, rod), {});
    return sum.terms();
  }};
}

ReducedLoop n_four_bar_loop(int n) {
  return {[n](Real a) -> ReducedLoop::Terms {
    const Real inertia = (n + 1) / 3.0L + n;           // posts about their feet, bars as points
    const Real moment = 9.81L * ((n + 1) / 2.0L + n);  // m g s of all
    return {inertia, 0, moment * std::sin(a), moment * std::cos(a)};
  }};
}

/// Lengths and letters as in Hairer and Wanner: d, rr, ss, e, zt, zf, u.
ReducedLoop andrews_loop() {
  return {[](Real beta) {
            const Angle K1{beta, 1, 0};
            const Place pin = turned(0.007L, K1);
            const Place A = fixed(-0.06934L, -0.00227L), B = fixed(-0.03635L, 0.03273L),
                        C = fixed(0.014L, 0.072L);
            const Real quarter = std::numbers::pi_v<Real> / 2;
            // Bars that lie along -x or -y of their body: the body's angle is the bar's plus a half or a
            // quarter turn.
            const Dyad dF = dyad(pin, 0.028L, B, 0.035L, +1);
            const Angle K2{dF.at_P.value - 2 * quarter, dF.at_P.first, dF.at_P.second};
            const Angle K3{dF.at_Q.value + quarter, dF.at_Q.first, dF.at_Q.second};
            const Place F = B + turned({0, -0.035L}, K3);
            const Dyad dE = dyad(A, 0.04L, F, 0.02L, +1);
            const Angle K5 = dE.at_P;
            const Angle K4{dE.at_Q.value - quarter, dE.at_Q.first, dE.at_Q.second};  // F to E is +y
            const Dyad dH = dyad(A, 0.04L, F, 0.02L, -1);
            const Angle K7{dH.at_P.value + quarter, dH.at_P.first, dH.at_P.second};
            const Angle K6{dH.at_Q.value - 2 * quarter, dH.at_Q.first, dH.at_Q.second};  // F to H is -x
            Sum sum(0);
            sum.add_body(0.04325L, 2.194e-6L, turned(0.00092L, K1), K1);
            sum.add_body(0.00365L, 4.410e-7L, pin + turned(-0.0115L, K2), K2);
            sum.add_body(0.02373L, 5.255e-6L, B + turned({0.01043L, -0.01874L}, K3), K3);
            sum.add_body(0.00706L, 5.667e-7L, F + turned({0, 0.02L - 0.00579L}, K4), K4);
            sum.add_body(0.07050L, 1.169e-5L, A + turned({0.02308L, 0.00916L}, K5), K5);
            sum.add_body(0.00706L, 5.667e-7L, F + turned(0.00579L - 0.02L, K6), K6);
            sum.add_body(0.05498L, 1.912e-5L, A + turned({-0.00449L, -0.01228L}, K7), K7);
            sum.add_spring(4530, 0.07785L, B + turned({0.02L, -0.018L}, K3) - C);
            return sum.terms();
          },
          0.033L};
}

}  // namespace torsor::testing
