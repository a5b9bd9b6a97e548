// The analytic first derivatives, evaluated in dual numbers: eight directions a sweep, exact to rounding, 3 n
// / 8 sweeps of O(n depth).

#include "torsor/tree/second_derivatives.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics_derivatives.hpp"

namespace torsor {
namespace {

constexpr int kLanes = 8;

/// Sweeps over all directions of `variables`, eight at a time; `prepare` makes the state of it, `store(k,
/// lane)` takes the derivatives by variable k out of a lane.
template <class Prepare, class Store>
void for_each_direction(const Tree& tree, SecondDerivativesWorkspace& w, std::vector<Dual8>& variables,
                        const Prepare& prepare, const Store& store) {
  const int n = tree.rate_count;
  for (int first = 0; first < n; first += kLanes) {
    const int end = std::min(n, first + kLanes);
    for (int k = first; k < end; ++k) variables[k].tangent[k - first] = 1.0;
    prepare();
    inverse_dynamics_derivatives<Dual8>(tree, w.first, w.q, w.qd, w.qdd, w.effort, w.by_q, w.by_qd);
    for (int k = first; k < end; ++k) {
      store(k, k - first);
      variables[k].tangent[k - first] = 0.0;
    }
  }
}

}  // namespace

SecondDerivativesWorkspace::SecondDerivativesWorkspace(const Tree& tree)
    : first(tree),
      q0(tree.coordinate_count),
      increment(tree.rate_count),
      q(tree.coordinate_count),
      qd(tree.rate_count),
      qdd(tree.rate_count),
      effort(tree.rate_count),
      by_q(tree.rate_count * tree.rate_count),
      by_qd(tree.rate_count * tree.rate_count) {}

void inverse_dynamics_second_derivatives(const Tree& tree, SecondDerivativesWorkspace& w,
                                         std::span<const double> q, std::span<const double> qd,
                                         std::span<const double> qdd,
                                         const InverseDynamicsSecondDerivatives& result) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("by_q_q", result.by_q_q.size(), tree.matrix_size() * tree.rate_count);
  require_size("by_q_qd", result.by_q_qd.size(), tree.matrix_size() * tree.rate_count);
  require_size("by_qd_qd", result.by_qd_qd.size(), tree.matrix_size() * tree.rate_count);
  require_size("by_q_qdd", result.by_q_qdd.size(), tree.matrix_size() * tree.rate_count);
  const int n = tree.rate_count;
  std::copy(q.begin(), q.end(), w.q0.begin());
  std::copy(qd.begin(), qd.end(), w.qd.begin());
  std::copy(qdd.begin(), qdd.end(), w.qdd.begin());

  for_each_direction(
      tree, w, w.increment, [&] { retract<Dual8>(tree, w.q0, w.increment, w.q); },
      [&](int k, int lane) {
        for (int ij = 0; ij < n * n; ++ij) {
          const int i = ij / n, j = ij % n;
          result.by_q_q[ij * n + k] = w.by_q[ij].tangent[lane];
          result.by_q_qd[(i * n + k) * n + j] = w.by_qd[ij].tangent[lane];
        }
      });
  std::copy(q.begin(), q.end(), w.q.begin());
  const auto nothing = [] {};
  for_each_direction(tree, w, w.qd, nothing, [&](int k, int lane) {
    for (int ij = 0; ij < n * n; ++ij) result.by_qd_qd[ij * n + k] = w.by_qd[ij].tangent[lane];
  });
  for_each_direction(tree, w, w.qdd, nothing, [&](int k, int lane) {
    for (int ij = 0; ij < n * n; ++ij) result.by_q_qdd[ij * n + k] = w.by_q[ij].tangent[lane];
  });

  // D_k D_j and D_j D_k differ by a bracket inside a node; their mean is the Hessian in the increments.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) {
        double &jk = result.by_q_q[(i * n + j) * n + k], &kj = result.by_q_q[(i * n + k) * n + j];
        jk = kj = 0.5 * (jk + kj);
      }
    }
  }
}

}  // namespace torsor
