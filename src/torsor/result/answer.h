#pragma once
// What verbs that ask a question of a model answer with.

#include <string>

#include "torsor/base/vec.h"
#include "torsor/model/model.h"

namespace torsor {

/// A text for people, or one JSON object.
struct Answer {
  std::string text;
  bool fell_short = false;  ///< what was asked is impossible, and the text says why
};

std::string number_text(double x);               ///< nine digits; what rounding leaves of zero is 0
std::string vector_text(const Vec3<double>& v);  ///< in brackets

}  // namespace torsor
