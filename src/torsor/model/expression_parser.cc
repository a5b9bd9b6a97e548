#include "torsor/model/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>

#include "torsor/base/catalogue.h"

namespace torsor {
namespace {

using Code = Expression::Code;
using Instruction = Expression::Instruction;

constexpr std::size_t kLongestText = 4096;
constexpr int kDeepestNesting = 48;  ///< of parentheses, signs and powers

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
    if (at_ >= text_.size()) fail_at(at_, expected, "the end");
    std::size_t end = std::min(at_ + (starts_name(text_[at_]) ? 16 : 1), text_.size());
    while (end < text_.size() && continues_character(text_[end])) ++end;
    fail_at(at_, expected, in_quotes(text_.substr(at_, end - at_)));
  }
  [[noreturn]] void fail_at(std::size_t position, const std::string& expected, const std::string& found) {
    const auto later = std::count_if(text_.begin(), text_.begin() + position, continues_character);
    throw ModelError(key_, fmt::format("{} at character {}", expected, position - later + 1), found);
  }

  /// `pops` operands are replaced by one.
  void emit(const Instruction& instruction, int pops) {
    held_ += 1 - pops;
    if (held_ > kLargestStack)
      fail_at(at_, fmt::format("at most {} operands that wait", kLargestStack), "more");
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
  if (names.size() > kMostPrograms) {
    throw ModelError(key, fmt::format("at most {} named programs", kMostPrograms),
                     std::to_string(names.size()));
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

}  // namespace

std::vector<Expression::Instruction> parse_expression(const std::string& text,
                                                      const std::vector<std::string>& names,
                                                      const std::string& key) {
  if (text.size() > kLongestText) {
    throw ModelError(key, fmt::format("at most {} characters", kLongestText), std::to_string(text.size()));
  }
  check_names(names, key);
  Parser parser(text, names, key);
  std::vector<Instruction> code = parser.parse();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!parser.used(i))
      throw ModelError(key, "a use of every named program", in_quotes(names[i]) + " unused");
  }
  return code;
}

}  // namespace torsor
