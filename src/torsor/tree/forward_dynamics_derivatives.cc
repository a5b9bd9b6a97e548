#include "torsor/tree/forward_dynamics_derivatives.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/forward_dynamics.hpp"

namespace torsor {
namespace {

constexpr int kLanes = 8;

/// What eliminate() does to the wrench, with the inertia's part already known.
template <class Motion>
void eliminate_effort([[maybe_unused]] const TreeNode& node, const Wrench<double>* U, const double* D_inverse,
                      Wrench<Pack8>& p, Pack8* effort_then_u) {
  const auto absorb = [&](int j, const Pack8& along_axis) {
    effort_then_u[j] -= along_axis;
    p += (D_inverse[j] * effort_then_u[j]) * U[j];
  };
  if constexpr (std::is_same_v<Motion, HelicalMotion>) {
    absorb(0, p.moment.z + node.pitch * p.force.z);
  } else {
    [&]<int... j>(std::integer_sequence<int, j...>) { (absorb(j, component<Motion::axes[j]>(p)), ...); }
    (std::make_integer_sequence<int, static_cast<int>(Motion::axes.size())>{});
  }
}

/// M x = right-hand sides in w.solution, with the factors that forward_dynamics left: one sweep inward, one
/// outward. Right-hand sides must vanish from node `end` on; there the solution is not computed.
void solve_mass_matrix(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w, int end) {
  const auto& f = w.forward;
  std::fill(w.bias.begin(), w.bias.begin() + end, Wrench<Pack8>{});
  for (int i = end - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      eliminate_effort<decltype(motion)>(node, f.U.data() + node.v, f.D_inverse.data() + node.v, w.bias[i],
                                         w.solution.data() + node.v);
    });
    if (node.parent != 0) w.bias[node.parent] += to_parent(f.X_PN[i], w.bias[i]);
  }
  w.acceleration[0] = {};
  for (int i = 1; i < end; ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      Twist<Pack8> A = to_child(f.X_PN[i], w.acceleration[node.parent]);
      release<decltype(motion)>(node, f.U.data() + node.v, f.D_inverse.data() + node.v, A,
                                w.solution.data() + node.v);
      w.acceleration[i] = A;
    });
  }
}

/// M^-1, eight columns at a time. Columns are solved for only as far out as their own joints: the rest is
/// known by symmetry.
void set_inverse(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w, std::span<double> inverse) {
  const int n = tree.rate_count;
  for (int first = 0; first < n; first += kLanes) {
    const int lanes = std::min(kLanes, n - first);
    std::fill(w.solution.begin(), w.solution.end(), Pack8());
    int last_node = 0;
    for (int k = 0; k < lanes; ++k) {
      w.solution[first + k][k] = 1;
      last_node = std::max(last_node, w.node_of[first + k]);
    }
    solve_mass_matrix(tree, w, last_node + 1);
    for (int i = 0; i < n; ++i) {
      if (w.node_of[i] > last_node) continue;
      for (int k = 0; k < lanes; ++k)
        inverse[(first + k) * n + i] = inverse[i * n + first + k] = w.solution[i][k];
    }
  }
}

/// Up to here a product with M^-1 costs less than two sweeps for every eight columns, though it grows with
/// n^3: the derivatives take 19 us instead of 31 at 36 degrees of freedom, 55 instead of 79 at 64.
constexpr int kProductPays = 96;

/// Replaces `matrix` by -inverse matrix.
void multiply_by_inverse(int n, std::span<const double> inverse, ForwardDynamicsDerivativesWorkspace& w,
                         std::span<double> matrix) {
  const int packs = (n + kLanes - 1) / kLanes;
  for (int k = 0; k < n; ++k)
    std::copy_n(matrix.data() + k * n, n, &w.product[k * packs][0]);  // padding stays zero
  constexpr int kRows = 4;  // at a time: they share what is read of the product and hide each other's latency
  for (int i = 0; i < n; i += kRows) {
    const double* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = inverse.data() + std::min(i + r, n - 1) * n;
    for (int p = 0; p < packs; ++p) {
      Pack8 sum[kRows];
      for (int k = 0; k < n; ++k) {
        const Pack8 column = w.product[k * packs + p];
        for (int r = 0; r < kRows; ++r) sum[r] -= rows[r][k] * column;
      }
      const int first = p * kLanes, lanes = std::min(kLanes, n - first);
      for (int r = 0; r < std::min(kRows, n - i); ++r)
        std::copy_n(&sum[r][0], lanes, &matrix[(i + r) * n + first]);
    }
  }
}

/// Replaces the n columns of `matrix` by -M^-1 matrix, eight columns at a time.
void apply_inverse(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w, std::span<double> matrix) {
  const int n = tree.rate_count;
  for (int first = 0; first < n; first += kLanes) {
    const int lanes = std::min(kLanes, n - first);
    for (int i = 0; i < n; ++i) {
      Pack8 row;
      for (int k = 0; k < lanes; ++k) row[k] = -matrix[i * n + first + k];
      w.solution[i] = row;
    }
    solve_mass_matrix(tree, w, tree.size());
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < lanes; ++k) matrix[i * n + first + k] = w.solution[i][k];
    }
  }
}

}  // namespace

ForwardDynamicsDerivativesWorkspace::ForwardDynamicsDerivativesWorkspace(const Tree& tree)
    : forward(tree),
      inverse(tree),
      effort(tree.rate_count),
      node_of(tree.rate_count),
      bias(tree.size()),
      acceleration(tree.size()),
      solution(tree.rate_count),
      product(tree.rate_count <= kProductPays ? tree.rate_count * ((tree.rate_count + kLanes - 1) / kLanes)
                                              : 0) {
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    std::fill_n(node_of.begin() + node.v, rate_count(node.joint), i);
  }
}

void forward_dynamics_derivatives(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w,
                                  std::span<const double> q, std::span<const double> qd,
                                  std::span<const double> effort, std::span<double> qdd,
                                  std::span<double> by_q, std::span<double> by_qd,
                                  std::span<double> by_effort) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("by_q", by_q.size(), tree.matrix_size());
  require_size("by_qd", by_qd.size(), tree.matrix_size());
  require_size("by_effort", by_effort.size(), tree.matrix_size());
  const int n = tree.rate_count;
  forward_dynamics<double>(tree, w.forward, q, qd, effort, {}, qdd);
  inverse_dynamics_derivatives<double>(tree, w.inverse, q, qd, qdd, w.effort, by_q, by_qd);
  set_inverse(tree, w, by_effort);
  for (const std::span<double> matrix : {by_q, by_qd}) {
    if (n <= kProductPays) {
      multiply_by_inverse(n, by_effort, w, matrix);
    } else {
      apply_inverse(tree, w, matrix);
    }
  }
}

}  // namespace torsor
