#pragma once
// A scalar function of time with exact first and second derivatives: the motion or effort a user prescribes.

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "torsor/base/dual.h"
#include "torsor/base/pack.h"

namespace torsor {

/// Value and the first two time derivatives. Where one jumps, the limit from the right.
template <class T>
struct JetOf {
  T value{}, rate{}, acceleration{};
};
using Jet = JetOf<double>;

/// A program and its rate at a time that is a dual number.
template <class S>
struct MovingValue {
  S value, rate;
};

/// Built by the make_ functions below, then immutable and cheap to copy. Evaluation allocates nothing.
class Program {
 public:
  Program() : Program(0.0) {}
  Program(double constant);  // NOLINT: a number is a program

  Jet evaluate(double t) const { return varies_ ? evaluate_node(t) : Jet{constant_, 0, 0}; }
  JetOf<Dual<double, 1>> evaluate(const Dual<double, 1>& t) const;
  double value(double t) const { return varies_ ? evaluate_node(t).value : constant_; }
  double jerk(double t) const;  ///< the third derivative
  /// Times at which a derivative up to the second jumps: adaptive integrators step onto them.
  std::vector<double> breakpoints() const;
  /// How many derivatives are continuous everywhere (2 = twice differentiable or better, -1 = jumps).
  int smoothness() const;
  bool is_constant() const { return !varies_; }
  bool vanishes() const { return is_constant() && value(0) == 0; }
  /// How many numbers, pieces and operations it is made of, and how deep expressions stand in one another.
  int size() const;
  int depth() const;

  struct Node;  ///< one of the kinds below; program.cc
  explicit Program(std::shared_ptr<const Node> node);
  const Node& node() const { return *node_; }

 private:
  Jet evaluate_node(double t) const;

  std::shared_ptr<const Node> node_;
  bool varies_;          ///< most programs of a model do not, and are read in every step
  double constant_ = 0;  ///< else
};

/// One in each lane of a pack.
template <int N>
class LanePrograms {
 public:
  LanePrograms() = default;
  explicit LanePrograms(std::array<Program, N> lanes) : lanes_(std::move(lanes)) {
    for (int i = 0; i < N; ++i) {
      varies_ |= !lanes_[i].is_constant();
      constant_[i] = lanes_[i].is_constant() ? lanes_[i].value(0) : 0;
      is_one_ &= &lanes_[i].node() == &lanes_[0].node();
    }
  }
  Pack<N> value(double t) const {
    if (varies_ && is_one_) return lanes_[0].value(t);
    Pack<N> values = constant_;
    for (int i = 0; varies_ && i < N; ++i) values[i] = lanes_[i].value(t);
    return values;
  }
  Pack<N> value(const Pack<N>& t) const { return value(t[0]); }  ///< lanes have all times in common
  JetOf<Pack<N>> evaluate(double t) const {
    if (is_one_) {
      const Jet jet = lanes_[0].evaluate(t);
      return {jet.value, jet.rate, jet.acceleration};
    }
    JetOf<Pack<N>> jets;
    for (int i = 0; i < N; ++i) {
      const Jet jet = lanes_[i].evaluate(t);
      jets.value[i] = jet.value;
      jets.rate[i] = jet.rate;
      jets.acceleration[i] = jet.acceleration;
    }
    return jets;
  }
  bool is_constant() const { return !varies_; }

 private:
  std::array<Program, N> lanes_;
  bool varies_ = false;
  bool is_one_ = true;  ///< copies of one program, which is then read once for all lanes
  Pack<N> constant_;
};
template <class S>
struct ProgramType {
  using type = Program;
};
template <int N>
struct ProgramType<Pack<N>> {
  using type = LanePrograms<N>;
};
template <class S>
using ProgramOf = typename ProgramType<S>::type;

/// Lanes have all times in common.
template <int N>
MovingValue<Pack<N>> along(const LanePrograms<N>& programs, const Pack<N>& t) {
  if (programs.is_constant()) return {programs.value(t), Pack<N>(0.0)};
  const JetOf<Pack<N>> y = programs.evaluate(t[0]);
  return {y.value, y.rate};
}
inline MovingValue<double> along(const Program& program, double t) {
  const Jet y = program.evaluate(t);
  return {y.value, y.rate};
}
/// Taylor's formula: a dual number has no square of what it differs by, one of dual numbers no cube.
template <class T, int N>
MovingValue<Dual<T, N>> along(const Program& program, const Dual<T, N>& t) {
  using S = Dual<T, N>;
  const double now = value_of(t);
  const Jet y = program.evaluate(now);
  const S later = t - now;
  if (is_zero(later) || program.is_constant()) return {S(y.value), S(y.rate)};
  const double jerk = std::same_as<T, double> ? 0 : program.jerk(now);
  return {y.value + later * (y.rate + 0.5 * y.acceleration * later),
          y.rate + later * (y.acceleration + 0.5 * jerk * later)};
}

// Each maker throws ModelError whose key path starts with `key`.

/// Rises linearly from 0 at t = 0 to `peak` at `rise`, falls linearly to 0 at `end`, 0 elsewhere.
/// 0 <= rise <= end, 0 < end; where two of them meet the value jumps.
Program make_hat(double peak, double rise, double end, const std::string& key = "hat");
/// Straight lines through (t, value), constant before the first and after the last; times strictly increase.
Program make_table(std::vector<std::pair<double, double>> rows, const std::string& key = "table");
/// Uhlar-Betsch (79)-(80): starts at rest, blends to the rate `rate` over [0, t1] by a polynomial of order 9
/// in the rate, keeps it until t2, and comes to rest over [t2, t3]. 0 < t1 <= t2 < t3.
Program make_rest_to_rest(double t1, double t2, double t3, double rate,
                          const std::string& key = "rest_to_rest");
/// An expression in t, pi, e, and other programs by name. Throws ModelError with the position of the fault.
Program make_expression(const std::string& text, std::vector<std::pair<std::string, Program>> named,
                        const std::string& key = "expression");

}  // namespace torsor
