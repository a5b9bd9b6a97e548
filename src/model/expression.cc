#include "model/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/catalogue.h"
#include "model/jet_math.h"

namespace torsor {
namespace {

using Code = Expression::Code;
using Instruction = Expression::Instruction;

constexpr std::size_t kLongestText = 4096;
constexpr int kDeepestNesting = 48;    ///< of parentheses, signs and powers
constexpr int kStack = 64;             ///< jets that an evaluation may hold
constexpr std::size_t kPrograms = 16;  ///< named programs of one expression
constexpr int kDeepestPrograms = 8;    ///< expressions named within expressions
constexpr int kLargestSize = 20000;    ///< operations of an expression with all that it names

struct Function {
  Code code;
  int arguments;
};
const Catalogue<Function>& functions() {
  static const Catalogue<Function> table({{"sin", {Code::sin, 1}},
                                          {"cos", {Code::cos, 1}},
                                          {"tan", {Code::tan, 1}},
                                          {"asin", {Code::asin, 1}},
                                          {"acos", {Code::acos, 1}},
                                          {"atan", {Code::atan, 1}},
                                          {"atan2", {Code::atan2, 2}},
                                          {"sinh", {Code::sinh, 1}},
                                          {"cosh", {Code::cosh, 1}},
                                          {"tanh", {Code::tanh, 1}},
                                          {"exp", {Code::exp, 1}},
                                          {"log", {Code::log, 1}},
                                          {"sqrt", {Code::sqrt, 1}},
                                          {"abs", {Code::abs, 1}},
                                          {"min", {Code::min, 2}},
                                          {"max", {Code::max, 2}}});
  return table;
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(const std::string& text) {
  return !text.empty() && starts_name(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return starts_name(c) || is_digit(c); });
}

/// Recursive descent along the grammar of the header; each rule appends its postfix code.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& names, const std::string& key)
      : text_(text), names_(names), key_(key), used_(names.size(), false) {}

  std::vector<Instruction> parse() {
    sum();
    next();
    if (at_ < text_.size()) fail("an operator or the end");
    return std::move(code_);
  }
  bool used(std::size_t name) const { return used_[name]; }

 private:
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& expected) {
    next();
    const bool end = at_ >= text_.size();
    fail_at(at_, expected, end ? "the end" : in_quotes(text_.substr(at_, starts_name(text_[at_]) ? 16 : 1)));
  }
  [[noreturn]] void fail_at(std::size_t position, const std::string& expected, const std::string& found) {
    throw ModelError(key_, fmt::format("{} at character {}", expected, position + 1), found);
  }

  /// `pops` operands are replaced by one.
  void emit(const Instruction& instruction, int pops) {
    held_ += 1 - pops;
    if (held_ > kStack) fail_at(at_, fmt::format("at most {} operands that wait", kStack), "more");
    code_.push_back(instruction);
  }

  void sum() {
    product();
    for (;;) {
      if (take('+')) {
        product();
        emit({Code::add}, 2);
      } else if (take('-')) {
        product();
        emit({Code::subtract}, 2);
      } else {
        return;
      }
    }
  }

  void product() {
    factor();
    for (;;) {
      if (take('*')) {
        factor();
        emit({Code::multiply}, 2);
      } else if (take('/')) {
        factor();
        emit({Code::divide}, 2);
      } else {
        return;
      }
    }
  }

  void factor() {
    if (++nesting_ > kDeepestNesting) {
      fail_at(at_, fmt::format("at most {} levels of nesting", kDeepestNesting), "more");
    }
    if (take('-')) {
      factor();
      emit({Code::negate}, 1);
    } else if (take('+')) {
      factor();
    } else {
      atom();
      if (take('^')) {
        factor();
        emit({Code::power}, 2);
      }
    }
    --nesting_;
  }

  void atom() {
    const char c = next();
    if (is_digit(c) || c == '.') {
      number();
    } else if (starts_name(c)) {
      name();
    } else if (take('(')) {
      sum();
      if (!take(')')) fail("')'");
    } else {
      fail("a number, a name or '('");
    }
  }

  void number() {
    double value = 0;
    const char* first = text_.data() + at_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a number within the range of double precision");
    if (error != std::errc()) fail("a number");
    at_ += last - first;
    emit({Code::number, value}, 0);
  }

  void name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word = text_.substr(start, at_ - start);
    if (const Function* function = functions().find(word)) return call(word, *function);
    if (word == "t") return emit({Code::time}, 0);
    if (word == "pi") return emit({Code::number, std::numbers::pi}, 0);
    if (word == "e") return emit({Code::number, std::numbers::e}, 0);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != word) continue;
      used_[i] = true;
      return emit({Code::program, 0, static_cast<int>(i)}, 0);
    }
    std::vector<std::string> known = names_;
    for (const std::string& function : functions().names()) known.push_back(function);
    known.insert(known.end(), {"pi"});
    fail_at(start, "t, pi, e, a function or a named program", did_you_mean(word, known));
  }

  void call(const std::string& word, const Function& function) {
    if (!take('(')) fail(fmt::format("'(' after {}", word));
    for (int i = 0; i < function.arguments; ++i) {
      if (i > 0 && !take(',')) fail(fmt::format("',' and {} arguments of {}", function.arguments, word));
      sum();
    }
    if (!take(')')) fail(fmt::format("')' after the arguments of {}", word));
    emit({function.code}, function.arguments);
  }

  const std::string& text_;
  const std::vector<std::string>& names_;
  const std::string& key_;
  std::vector<bool> used_;
  std::vector<Instruction> code_;
  std::size_t at_ = 0;
  int nesting_ = 0, held_ = 0;
};

void check_names(const std::vector<std::string>& names, const std::string& key) {
  if (names.size() > kPrograms) {
    throw ModelError(key, fmt::format("at most {} named programs", kPrograms), std::to_string(names.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (!is_name(name))
      throw ModelError(key, "a name of letters, digits and _ for a program", in_quotes(name));
    if (name == "t" || name == "pi" || name == "e" || functions().find(name)) {
      throw ModelError(key, "a name that has no meaning yet for a program", in_quotes(name));
    }
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw ModelError(key, "each name once", in_quotes(name) + " twice");
    }
  }
}

Jet binary(Code code, const Jet& a, const Jet& b) {
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

Jet unary(Code code, const Jet& u) {
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
  if (text.size() > kLongestText) {
    throw ModelError(key, fmt::format("at most {} characters", kLongestText), std::to_string(text.size()));
  }
  std::vector<std::string> names;
  for (auto& [name, program] : named) {
    names.push_back(name);
    size_ = std::min(size_ + program.size(), kLargestSize + 1);
    depth_ = std::max(depth_, program.depth() + 1);
    programs_.push_back(std::move(program));
  }
  check_names(names, key);
  Parser parser(text, names, key);
  code_ = parser.parse();
  size_ += static_cast<int>(code_.size());
  if (size_ > kLargestSize || depth_ > kDeepestPrograms) {
    throw ModelError(key,
                     fmt::format("at most {} operations and {} expressions within one another", kLargestSize,
                                 kDeepestPrograms),
                     "more");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!parser.used(i))
      throw ModelError(key, "a use of every named program", in_quotes(names[i]) + " unused");
  }
  const double start = evaluate(0).value;
  if (!std::isfinite(start))
    throw ModelError(key, "a finite value at t = 0", std::isnan(start) ? "nan" : fmt::format("{}", start));
}

Jet Expression::evaluate(double t) const {
  // Each named program once, however often it is used: nested expressions cost a sum, not a product.
  std::array<Jet, kPrograms> named;
  for (std::size_t i = 0; i < programs_.size(); ++i) named[i] = programs_[i].evaluate(t);
  std::array<Jet, kStack> stack;
  int top = -1;
  for (const Instruction& instruction : code_) {
    const Code code = instruction.code;
    if (code == Code::number) {
      stack[++top] = {instruction.number, 0, 0};
    } else if (code == Code::time) {
      stack[++top] = {t, 1, 0};
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
