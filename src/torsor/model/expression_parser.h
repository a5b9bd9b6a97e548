#pragma once
// From the text of an expression to its postfix code.

#include <string>
#include <vector>

#include "torsor/model/expression.h"

namespace torsor {

inline constexpr int kLargestStack = 64;          ///< jets that an evaluation may hold
inline constexpr std::size_t kMostPrograms = 16;  ///< named programs of one expression

/// The grammar is in expression.h. Throws ModelError that names the position, what was expected there and
/// what was found; also where one of the names is not used.
std::vector<Expression::Instruction> parse_expression(const std::string& text,
                                                      const std::vector<std::string>& names,
                                                      const std::string& key);

}  // namespace torsor
