#include "torsor/result/answer.h"

#include <fmt/format.h>

#include <cmath>

namespace torsor {

std::string number_text(double x) { return fmt::format("{:.9g}", std::abs(x) < 1e-12 ? 0.0 : x); }

std::string vector_text(const Vec3<double>& v) {
  return fmt::format("({}, {}, {})", number_text(v.x), number_text(v.y), number_text(v.z));
}

}  // namespace torsor
