#include "torsor/model/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/model/expression_parser.h"
#include "torsor/model/jet_math.h"

namespace torsor {
namespace {

using Code = Expression::Code;
using Instruction = Expression::Instruction;

constexpr int kDeepestPrograms = 8;  ///< expressions named within expressions
constexpr int kLargestSize = 20000;  ///< operations of an expression with all that it names

template <class T>
JetOf<T> binary(Code code, const JetOf<T>& a, const JetOf<T>& b) {
  switch (code) {
    case Code::add:
      return a + b;
    case Code::subtract:
      return a - b;
    case Code::multiply:
      return a * b;
    case Code::divide:
      return a / b;
    case Code::power:
      return pow(a, b);
    case Code::atan2:
      return atan2(a, b);
    case Code::min:
      return min(a, b);
    default:
      return max(a, b);
  }
}

template <class T>
JetOf<T> unary(Code code, const JetOf<T>& u) {
  switch (code) {
    case Code::negate:
      return -u;
    case Code::sin:
      return sin(u);
    case Code::cos:
      return cos(u);
    case Code::tan:
      return tan(u);
    case Code::asin:
      return asin(u);
    case Code::acos:
      return acos(u);
    case Code::atan:
      return atan(u);
    case Code::sinh:
      return sinh(u);
    case Code::cosh:
      return cosh(u);
    case Code::tanh:
      return tanh(u);
    case Code::exp:
      return exp(u);
    case Code::log:
      return log(u);
    case Code::sqrt:
      return sqrt(u);
    default:
      return abs(u);
  }
}

bool is_binary(Code code) {
  return (code >= Code::add && code <= Code::power) || code == Code::atan2 || code == Code::min ||
         code == Code::max;
}

}  // namespace

Expression::Expression(const std::string& text, std::vector<std::pair<std::string, Program>> named,
                       const std::string& key) {
  std::vector<std::string> names;
  for (auto& [name, program] : named) {
    names.push_back(name);
    size_ = std::min(size_ + program.size(), kLargestSize + 1);
    depth_ = std::max(depth_, program.depth() + 1);
    programs_.push_back(std::move(program));
  }
  code_ = parse_expression(text, names, key);
  size_ += static_cast<int>(code_.size());
  if (size_ > kLargestSize || depth_ > kDeepestPrograms) {
    throw ModelError(key,
                     fmt::format("at most {} operations and {} expressions within one another", kLargestSize,
                                 kDeepestPrograms),
                     "more");
  }
  const double start = evaluate(0.0).value;
  if (!std::isfinite(start)) {
    throw ModelError(key, "a finite value at t = 0", std::isnan(start) ? "nan" : fmt::format("{}", start));
  }
}

template <class T>
JetOf<T> Expression::evaluate(const T& t) const {
  // Each named program once, however often it is used: nested expressions cost a sum, not a product.
  std::array<JetOf<T>, kMostPrograms> named;
  for (std::size_t i = 0; i < programs_.size(); ++i) named[i] = programs_[i].evaluate(t);
  std::array<JetOf<T>, kLargestStack> stack;
  int top = -1;
  for (const Instruction& instruction : code_) {
    const Code code = instruction.code;
    if (code == Code::number) {
      stack[++top] = {T(instruction.number), T(0.0), T(0.0)};
    } else if (code == Code::time) {
      stack[++top] = {t, T(1.0), T(0.0)};
    } else if (code == Code::program) {
      stack[++top] = named[instruction.program];
    } else if (is_binary(code)) {
      --top;
      stack[top] = binary(code, stack[top], stack[top + 1]);
    } else {
      stack[top] = unary(code, stack[top]);
    }
  }
  return stack[0];
}
template Jet Expression::evaluate(const double&) const;
template JetOf<Dual<double, 1>> Expression::evaluate(const Dual<double, 1>&) const;

std::vector<double> Expression::breakpoints() const {
  std::vector<double> times;
  for (const Program& program : programs_) {
    const std::vector<double> more = program.breakpoints();
    times.insert(times.end(), more.begin(), more.end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

int Expression::smoothness() const {
  int least = 2;
  for (const Program& program : programs_) least = std::min(least, program.smoothness());
  const bool kinked = std::any_of(code_.begin(), code_.end(), [](const Instruction& instruction) {
    return instruction.code == Code::abs || instruction.code == Code::min || instruction.code == Code::max;
  });
  return kinked && !is_constant() ? std::min(least, 0) : least;
}

bool Expression::is_constant() const {
  const auto moves = [this](const Instruction& instruction) {
    return instruction.code == Code::time ||
           (instruction.code == Code::program && !programs_[instruction.program].is_constant());
  };
  return std::none_of(code_.begin(), code_.end(), moves);
}

}  // namespace torsor
