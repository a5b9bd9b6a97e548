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

Errors errors(std::span<const Contender> contenders, Algorithm algorithm, const States& states) {
  std::vector<std::vector<double>> truth;
  if (algorithm == Algorithm::forward_dynamics) truth = states.qdd;
  Errors result;
  double best = std::numeric_limits<double>::infinity();
  for (const Contender& contender : contenders) {
    if (contender.algorithm != algorithm) continue;
    for (int i = static_cast<int>(truth.size()); i < states.size(); ++i) truth.push_back(contender.result(i));
    double worst = 0;
    for (int i = 0; i < states.size(); ++i)
      worst = std::max(worst, relative_difference(contender.result(i), truth[i]));
    if (contender.engine == "torsor")
      result.ours = std::max(result.ours, worst);
    else
      result.pinocchio = best = std::min(best, worst);
  }
  return result;
}

}  // namespace torsor::bench
