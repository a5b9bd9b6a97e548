#include "torsor/study/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr std::size_t kMostClasses = 64, kLeastInClass = 8;

/// Where each class ends, in samples that are sorted by x. Equal values are never parted.
std::vector<std::size_t> class_ends(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  std::vector<std::size_t> levels;
  for (std::size_t i = 1; i <= n; ++i) {
    if (i == n || sorted[i] != sorted[i - 1]) levels.push_back(i);
  }
  const std::size_t wanted = std::clamp<std::size_t>(n / kLeastInClass, 1, kMostClasses);
  if (levels.size() <= wanted) return levels;
  std::vector<std::size_t> ends;
  for (const std::size_t level : levels) {
    if (level == n || level * wanted >= (ends.size() + 1) * n) ends.push_back(level);
  }
  return ends;
}

}  // namespace

double first_order_index(std::span<const double> x, std::span<const double> y) {
  require_size("y", y.size(), x.size());
  const std::size_t n = x.size();
  if (n < 2 * kLeastInClass) return 0;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = x[order[i]];
  const std::vector<std::size_t> ends = class_ends(sorted);
  if (ends.size() < 2 || ends.size() + 1 >= n) return 0;

  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
  double total = 0, between = 0;
  for (const double value : y) total += (value - mean) * (value - mean);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += y[order[i]] - mean;
    between += sum * sum / static_cast<double>(end - begin);
    begin = end;
  }
  // A sum that is all rounding has no shares.
  if (!(total > 1e-24 * static_cast<double>(n) * mean * mean)) return 0;
  const double classes = static_cast<double>(ends.size());
  const double noise = (total - between) / (static_cast<double>(n) - classes);  // variance within classes
  return std::clamp((between - (classes - 1) * noise) / total, 0.0, 1.0);
}

}  // namespace torsor
