#include "torsor/study/step_density.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace torsor {
namespace {

constexpr double kLeastBend = 0.01;   ///< of the largest: quiet parts are not trusted to stay so
constexpr double kWorthwhile = 0.85;  ///< of the number of equal steps
constexpr long kLeastSteps = 16;      ///< of a span
constexpr long kMostSpans = 64;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<double> step_density(const BendProfile& bend, int order) {
  const double most = bend.empty() ? 0 : *std::max_element(bend.begin(), bend.end());
  std::vector<double> density(std::max<std::size_t>(bend.size(), 1), 1.0);
  if (!(most > 0) || !std::isfinite(most)) return density;
  const double p = order;
  std::vector<double> loss(bend.size());
  for (std::size_t i = 0; i < bend.size(); ++i) {
    // A part is as restless as its neighbours: steps are changed before they have to be.
    double b = bend[i];
    if (i > 0) b = std::max(b, bend[i - 1]);
    if (i + 1 < bend.size()) b = std::max(b, bend[i + 1]);
    loss[i] = std::pow(std::max(b / most, kLeastBend), 0.5 * p);
    density[i] = std::pow(loss[i], 1 / (p + 1));  // (1)
  }
  const double even = std::pow(mean_of(loss), 1 / p), spread = std::pow(mean_of(density), (p + 1) / p);
  if (spread > kWorthwhile * even) return std::vector<double>(1, 1.0);
  const double scale = 1 / mean_of(density);
  for (double& d : density) d *= scale;
  return density;
}

std::vector<StepSpan> spread_steps(const std::vector<double>& density, double duration, long steps) {
  const long spans = density.size() < 2 ? 1 : std::clamp(steps / kLeastSteps, 1L, kMostSpans);
  if (spans == 1) return {{duration, std::max(steps, 1L)}};
  const long each = std::max(1L, std::lround(static_cast<double>(steps) / static_cast<double>(spans)));
  std::vector<StepSpan> all;
  // Spans end where the sum of the density has reached equal parts of its whole.
  const double part = duration / static_cast<double>(density.size());
  const double whole = static_cast<double>(density.size());
  double sum = 0;
  std::size_t at = 0;
  for (long k = 1; k < spans; ++k) {
    const double wanted = whole * static_cast<double>(k) / static_cast<double>(spans);
    while (at + 1 < density.size() && sum + density[at] < wanted) sum += density[at++];
    all.push_back({part * (static_cast<double>(at) + (wanted - sum) / density[at]), each});
  }
  all.push_back({duration, each});
  return all;
}

}  // namespace torsor
