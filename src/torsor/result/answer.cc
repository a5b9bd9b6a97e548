#include "torsor/result/answer.h"

#include <fmt/format.h>

#include <cmath>

#include "torsor/base/error.h"

namespace torsor {

std::string number_text(double x) { return fmt::format("{:.9g}", std::abs(x) < 1e-12 ? 0.0 : x); }

std::string vector_text(const Vec3<double>& v) {
  return fmt::format("({}, {}, {})", number_text(v.x), number_text(v.y), number_text(v.z));
}

void require_no_muscles(const Model& model, const std::string& verb) {
  for (const Tendon& tendon : model.tendons()) {
    if (!tendon.muscle) continue;
    throw ModelError("tendons." + tendon.name + ".muscle",
                     "a model without muscles for `torsor " + verb + "`",
                     "one, whose activation and fibre are states of its own");
  }
}

}  // namespace torsor
