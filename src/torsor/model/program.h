#pragma once
// A scalar function of time with exact first and second derivatives: the motion or effort a user prescribes.

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torsor {

/// Value and the first two time derivatives. Where one jumps, the limit from the right.
struct Jet {
  double value = 0, rate = 0, acceleration = 0;
};

/// Built by the make_ functions below, then immutable and cheap to copy. Evaluation allocates nothing.
class Program {
 public:
  Program() : Program(0.0) {}
  Program(double constant);  // NOLINT: a number is a program

  Jet evaluate(double t) const { return varies_ ? evaluate_node(t) : Jet{constant_}; }
  double value(double t) const { return varies_ ? evaluate_node(t).value : constant_; }
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
