#include "torsor/tree/configuration.hpp"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"

#include <algorithm>
#include <cmath>

#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

bool has_quaternion(const TreeNode& node) { return components(node.joint).quaternions > 0; }

}  // namespace

double unit_length_error(const Tree& tree, std::span<const double> q) {
  require_size("q", q.size(), tree.coordinate_count);
  double worst = 0;
  for (const TreeNode& node : tree.nodes) {
    if (!has_quaternion(node)) continue;
    const SO3<double> r = quaternion_at(q.data() + node.q);
    worst = larger(worst, std::abs(std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z) - 1));
  }
  return worst;
}

void normalize(const Tree& tree, std::span<double> q) { normalize<double, double>(tree, q); }

void set_neutral(const Tree& tree, std::span<double> q) {
  require_size("q", q.size(), tree.coordinate_count);
  std::ranges::fill(q, 0.0);
  for (const TreeNode& node : tree.nodes) {
    if (has_quaternion(node)) q[node.q] = 1;
  }
}

template void retract<double>(const TreeOf<double>&, std::span<const double>, std::span<const double>,
                              std::span<double>);
template void chart_rate<double>(const TreeOf<double>&, std::span<const double>, std::span<const double>,
                                 std::span<double>);
template void configuration_difference<double>(const TreeOf<double>&, std::span<const double>,
                                               std::span<const double>, std::span<double>);

template void retract<Pack4>(const TreeOf<double>&, std::span<const Pack4>, std::span<const Pack4>,
                             std::span<Pack4>);
template void chart_rate<Pack4>(const TreeOf<double>&, std::span<const Pack4>, std::span<const Pack4>,
                                std::span<Pack4>);
template void configuration_difference<Pack4>(const TreeOf<double>&, std::span<const Pack4>,
                                              std::span<const Pack4>, std::span<Pack4>);

template void retract<Pack8>(const TreeOf<double>&, std::span<const Pack8>, std::span<const Pack8>,
                             std::span<Pack8>);
template void chart_rate<Pack8>(const TreeOf<double>&, std::span<const Pack8>, std::span<const Pack8>,
                                std::span<Pack8>);
template void configuration_difference<Pack8>(const TreeOf<double>&, std::span<const Pack8>,
                                              std::span<const Pack8>, std::span<Pack8>);

}  // namespace torsor
