#include "tree/forward_dynamics_derivatives.h"

#include <algorithm>

#include "tree/forward_dynamics.hpp"

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
/// outward.
void solve_mass_matrix(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w) {
  const auto& f = w.forward;
  std::fill(w.bias.begin(), w.bias.end(), Wrench<Pack8>{});
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      eliminate_effort<decltype(motion)>(node, f.U.data() + node.v, f.D_inverse.data() + node.v, w.bias[i],
                                         w.solution.data() + node.v);
    });
    if (node.parent != 0) w.bias[node.parent] += to_parent(f.X_PN[i], w.bias[i]);
  }
  w.acceleration[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      Twist<Pack8> A = to_child(f.X_PN[i], w.acceleration[node.parent]);
      release<decltype(motion)>(node, f.U.data() + node.v, f.D_inverse.data() + node.v, A,
                                w.solution.data() + node.v);
      w.acceleration[i] = A;
    });
  }
}

/// Up to here a product with M^-1 costs less than two sweeps for every eight columns, though it grows with
/// n^3: 26 us against 34 at 36 degrees of freedom, 76 against 88 at 64.
constexpr int kProductPays = 96;

/// Replaces `matrix` by -inverse matrix.
void multiply_by_inverse(int n, std::span<const double> inverse, ForwardDynamicsDerivativesWorkspace& w,
                         std::span<double> matrix) {
  const int packs = (n + kLanes - 1) / kLanes;
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < packs * kLanes; ++c)
      w.product[k * packs + c / kLanes][c % kLanes] = c < n ? matrix[k * n + c] : 0;
  }
  const auto store = [&](int i, int p, const Pack8& sum) {
    for (int c = p * kLanes; c < std::min(n, (p + 1) * kLanes); ++c) matrix[i * n + c] = -sum[c % kLanes];
  };
  constexpr int kRows = 4;  // at a time: they share what is read of the product and hide each other's latency
  for (int i = 0; i < n; i += kRows) {
    const double* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = inverse.data() + std::min(i + r, n - 1) * n;
    for (int p = 0; p < packs; ++p) {
      Pack8 sum[kRows];
      for (int k = 0; k < n; ++k) {
        const Pack8 column = w.product[k * packs + p];
        for (int r = 0; r < kRows; ++r) sum[r] += rows[r][k] * column;
      }
      for (int r = 0; r < std::min(kRows, n - i); ++r) store(i + r, p, sum[r]);
    }
  }
}

/// Replaces the n columns of `matrix` by sign * M^-1 matrix, eight columns at a time.
void apply_inverse(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w, double sign,
                   std::span<double> matrix) {
  const int n = tree.rate_count;
  for (int first = 0; first < n; first += kLanes) {
    const int lanes = std::min(kLanes, n - first);
    for (int i = 0; i < n; ++i) {
      Pack8 row;
      for (int k = 0; k < lanes; ++k) row[k] = sign * matrix[i * n + first + k];
      w.solution[i] = row;
    }
    solve_mass_matrix(tree, w);
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
      bias(tree.size()),
      acceleration(tree.size()),
      solution(tree.rate_count),
      product(tree.rate_count <= kProductPays ? tree.rate_count * ((tree.rate_count + kLanes - 1) / kLanes)
                                              : 0) {}

void forward_dynamics_derivatives(const Tree& tree, ForwardDynamicsDerivativesWorkspace& w,
                                  std::span<const double> q, std::span<const double> qd,
                                  std::span<const double> effort, std::span<double> qdd,
                                  std::span<double> by_q, std::span<double> by_qd,
                                  std::span<double> by_effort) {
  const int n = tree.rate_count;
  forward_dynamics<double>(tree, w.forward, q, qd, effort, {}, qdd);
  inverse_dynamics_derivatives<double>(tree, w.inverse, q, qd, qdd, w.effort, by_q, by_qd);
  std::fill(by_effort.begin(), by_effort.end(), 0.0);
  for (int i = 0; i < n; ++i) by_effort[i * n + i] = 1;
  apply_inverse(tree, w, 1, by_effort);
  for (const std::span<double> matrix : {by_q, by_qd}) {
    if (n <= kProductPays) {
      multiply_by_inverse(n, by_effort, w, matrix);
    } else {
      apply_inverse(tree, w, -1, matrix);
    }
  }
}

}  // namespace torsor
