#pragma once
// Arithmetic in t as users write it, compiled once into a postfix program on jets.

#include <string>
#include <utility>
#include <vector>

#include "torsor/model/program.h"

namespace torsor {

/// Grammar (`^` binds tightest and to the right, so -2^2 = -4 and 2^-1 = 1/2):
///   sum     = product { (+|-) product }
///   product = factor { (*|/) factor }
///   factor  = (-|+) factor | atom [ ^ factor ]
///   atom    = number | t | pi | e | NAME | FUNCTION ( sum {, sum} ) | ( sum )
/// Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs min max. NAME is one of the
/// named programs. Text, nesting and named programs are bounded, so that hostile input costs little.
class Expression {
 public:
  enum class Code : unsigned char {
    number,
    time,
    program,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt,
    abs,
    atan2,
    min,
    max
  };
  struct Instruction {
    Code code;
    double number = 0;  ///< of Code::number
    int program = 0;    ///< index of Code::program
  };

  /// Throws ModelError that names the position, what was expected there and what was found; also where a
  /// named program is not used, and where the value at t = 0 is not finite.
  Expression(const std::string& text, std::vector<std::pair<std::string, Program>> named,
             const std::string& key);

  template <class T>
  JetOf<T> evaluate(const T& t) const;      ///< over double, or a dual number of it
  std::vector<double> breakpoints() const;  ///< of the named programs
  int smoothness() const;                   ///< the least of the named programs; abs, min and max give 0
  bool is_constant() const;
  int size() const { return size_; }
  int depth() const { return depth_; }

 private:
  std::vector<Instruction> code_;
  std::vector<Program> programs_;
  int size_ = 0, depth_ = 1;
};

}  // namespace torsor
