#include "torsor/numerics/order_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// How far points of a straight part may lie from their line, in natural logarithms; the narrow bound is
/// tried first.
constexpr double kStraight[] = {0.05, 0.2};
constexpr double kLeastOrder = 0.3;  ///< below, errors do not shrink with the step but scatter

struct Window {
  std::size_t first = 0, count = 0;
  LineFit line;
};

/// The longest window of at least `least` points on a line; of several the straightest.
std::optional<Window> longest(std::span<const double> x, std::span<const double> y, std::size_t least,
                              double straight) {
  for (std::size_t count = x.size(); count >= least; --count) {
    std::optional<Window> best;
    for (std::size_t first = 0; first + count <= x.size(); ++first) {
      const LineFit line = fit_line(x.subspan(first, count), y.subspan(first, count));
      if (line.slope < kLeastOrder || line.deviation > straight) continue;
      if (!best || line.deviation < best->line.deviation) best = Window{first, count, line};
    }
    if (best) return best;
  }
  return std::nullopt;
}

}  // namespace

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
  const double n = static_cast<double>(x.size());
  if (x.empty()) return {};
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  LineFit line;
  if (xx > 0) line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.deviation = larger(line.deviation, std::abs(y[i] - line.intercept - line.slope * x[i]));
  }
  return line;
}

double OrderFit::error_at(double step) const { return coefficient * std::pow(step, order.value_or(0)); }

OrderFit fit_order(std::span<const double> steps, std::span<const double> errors,
                   std::span<const double> floors) {
  std::vector<std::size_t> by_step(steps.size());
  std::iota(by_step.begin(), by_step.end(), std::size_t{0});
  std::sort(by_step.begin(), by_step.end(),
            [&](std::size_t a, std::size_t b) { return steps[a] > steps[b]; });
  std::vector<double> x, y;
  std::size_t finite = 0;
  for (const std::size_t i : by_step) {
    if (!(std::isfinite(errors[i]) && errors[i] >= 0)) continue;
    ++finite;
    if (!(errors[i] > floors[i])) continue;
    x.push_back(std::log(steps[i]));
    y.push_back(std::log(errors[i]));
  }
  // Past the smallest of them, errors no longer shrink.
  const auto falling = std::min_element(y.begin(), y.end()) - y.begin() + (y.empty() ? 0 : 1);
  x.resize(falling);
  y.resize(falling);
  OrderFit fit;
  fit.at_floor = finite > 0 && x.empty();
  std::optional<Window> window;
  for (const double straight : kStraight) {
    if (!window) window = longest(x, y, 3, straight);
  }
  if (x.size() == 2) window = longest(x, y, 2, INFINITY);
  if (!window) return fit;
  fit.order = window->line.slope;
  fit.coefficient = std::exp(window->line.intercept);
  fit.points = static_cast<int>(window->count);
  return fit;
}

}  // namespace torsor
