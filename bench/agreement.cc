#include "bench/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor::bench {
namespace {

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double scale = 0, worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!std::isfinite(a[k])) return std::numeric_limits<double>::infinity();
    scale = std::max(scale, std::abs(b[k]));
    worst = std::max(worst, std::abs(a[k] - b[k]));
  }
  return worst / scale;
}

}  // namespace

double disagreement(std::span<const Contender> contenders, Algorithm algorithm, int states) {
  const Contender* reference = nullptr;
  double worst = 0;
  for (const Contender& contender : contenders) {
    if (contender.algorithm != algorithm) continue;
    if (!reference) reference = &contender;
    for (int i = 0; i < states; ++i)
      worst = std::max(worst, relative_difference(contender.result(i), reference->result(i)));
  }
  return worst;
}

}  // namespace torsor::bench
