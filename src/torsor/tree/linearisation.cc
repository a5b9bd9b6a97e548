#include "torsor/tree/linearisation.h"

#include <algorithm>
#include <cassert>
#include <numbers>

#include "torsor/base/error.h"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/node_motion.hpp"

namespace torsor {
namespace {

constexpr int kLanes = 8;

/// -ad_qd, node by node: an increment x that the reference leaves behind changes by [x, qd].
void set_turning_of_increments(const Tree& tree, std::span<const double> qd, Matrix& A) {
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      constexpr int count = static_cast<int>(motion.axes.size());
      if constexpr (count > 1) {
        const Twist<double> V = motion.twist(node, qd.data() + node.v);
        for (int k = 0; k < count; ++k) {
          std::array<double, 6> unit{}, change{};
          unit[k] = 1.0;
          const Twist<double> turned = bracket(motion.twist(node, unit.data()), V);
          // Axes of such nodes are unit axes: projection picks the components of a twist as of a wrench.
          motion.project(node, Wrench<double>{turned.angular, turned.linear}, change.data());
          for (int r = 0; r < count; ++r) A(node.v + r, node.v + k) = change[r];
        }
      }
    });
  }
}

}  // namespace

Linearisation::Linearisation(const Tree& tree)
    : A(2 * tree.rate_count, 2 * tree.rate_count),
      B(2 * tree.rate_count, tree.rate_count),
      qdd(tree.rate_count) {}

LinearisationWorkspace::LinearisationWorkspace(const Tree& tree)
    : forward(tree),
      q0(tree.coordinate_count),
      increment(tree.rate_count),
      q(tree.coordinate_count),
      qd(tree.rate_count),
      effort(tree.rate_count),
      qdd(tree.rate_count) {}

void linearise(const Tree& tree, LinearisationWorkspace& w, std::span<const double> q,
               std::span<const double> qd, std::span<const double> effort, Linearisation& result) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  const int n = tree.rate_count;
  std::copy(q.begin(), q.end(), w.q0.begin());
  std::copy(qd.begin(), qd.end(), w.qd.begin());
  std::copy(effort.begin(), effort.end(), w.effort.begin());

  std::fill_n(result.A.entries.begin(), 2 * n * n, 0.0);  // the upper rows
  for (int k = 0; k < n; ++k) result.A(k, n + k) = 1.0;
  set_turning_of_increments(tree, qd, result.A);
  std::fill_n(result.B.entries.begin(), n * n, 0.0);

  // Accelerations by q, qd and effort, eight directions a sweep.
  const auto differentiate = [&](std::vector<Dual8>& variables, Matrix& by, int column) {
    for (int first = 0; first < n; first += kLanes) {
      const int end = std::min(n, first + kLanes);
      for (int k = first; k < end; ++k) variables[k].tangent[k - first] = 1.0;
      retract<Dual8>(tree, w.q0, w.increment, w.q);
      forward_dynamics<Dual8>(tree, w.forward, w.q, w.qd, w.effort, {}, w.qdd);
      for (int k = first; k < end; ++k) {
        for (int i = 0; i < n; ++i) by(n + i, column + k) = w.qdd[i].tangent[k - first];
        variables[k].tangent[k - first] = 0.0;
      }
    }
  };
  differentiate(w.increment, result.A, 0);
  differentiate(w.qd, result.A, n);
  differentiate(w.effort, result.B, 0);
  for (int i = 0; i < n; ++i) result.qdd[i] = w.qdd[i].value;
}

std::vector<Mode> modes(const Matrix& A) {
  assert(A.rows == A.columns);
  const GeneralEigen found = general_eigen(eigen(A));
  std::vector<Mode> result;
  for (int k = 0; k < A.rows; ++k) {
    const std::complex<double> value = found.values[k];
    if (value.imag() < 0) continue;
    const double magnitude = std::abs(value);
    result.push_back({value,
                      value.imag() / (2.0 * std::numbers::pi),
                      magnitude > 0 ? -value.real() / magnitude : 0.0,
                      {found.vectors.col(k).begin(), found.vectors.col(k).end()}});
  }
  std::stable_sort(result.begin(), result.end(), [](const Mode& a, const Mode& b) {
    return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  return result;
}

}  // namespace torsor
