// The symbols couple three joints of one way to the ground. In the spatial representation the sum over bodies
// in (86) and (87) is the composite inertia of the last of the three, I. With s the nearer to the ground and
// r the farther of j and k (s = k if they share a node),
//   Gamma_ijk = 1/2 (J_k . I [J_i, J_j] + J_j . I [J_i, J_k] + J_i . I [J_s, J_r]).                     (86)
// The third bracket of the printed (86) is of (i, j), a slip. A point x of the body has d_k d_j x = hat(J_s)
// hat(J_r) x, hence Gamma_ijk = int (hat(J_i) x) . (hat(J_s) hat(J_r) x) dm, or with hat(J) x = w x x + v,
// Binet's tensor E = int x x^T dm and first moment h,
//   Gamma_ijk = w_s . (E (w_r x w_i) + (w_r x h) x v_i + v_r x (w_i x h) + m v_r x v_i),                (87)
// which in the centre of mass (h = 0) is Müller's form.

#include "torsor/tree/christoffel.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

/// Fills Gamma with symbol(I, i, j, k, s, r) for all triples on one way to the ground.
template <class Symbol>
void for_each_triple(const Tree& tree, ChristoffelWorkspace& w, std::span<const double> q,
                     std::span<double> Gamma, const Symbol& symbol) {
  const int n = tree.rate_count;
  node_poses<double>(tree, q, w.X_WN);
  spatial_joint_screws<double>(tree, w.X_WN, w.J);
  for (int i = 1; i < tree.size(); ++i) w.composite[i] = to_parent(w.X_WN[i], tree.nodes[i].inertia);
  std::fill(Gamma.begin(), Gamma.end(), 0.0);
  for (int d = tree.size() - 1; d > 0; --d) {
    const TreeNode& node = tree.nodes[d];
    const Inertia<double>& I = w.composite[d];
    if (node.parent != 0) w.composite[node.parent] = w.composite[node.parent] + I;

    const RateRun own{node.v, node.v + rate_count(node.joint)};
    const auto on = [&](std::span<const RateRun> runs, const auto& f) {
      for (const RateRun& run : runs) {
        for (int r = run.first; r < run.end; ++r) f(r);
      }
    };
    const auto put = [&](int i, int j, int k) {
      const bool k_first = w.node_of[k] <= w.node_of[j];
      Gamma[(i * n + j) * n + k] =
          symbol(I, w.J[i], w.J[j], w.J[k], w.J[k_first ? k : j], w.J[k_first ? j : k]);
    };
    const auto all = w.runs.of(d), before = w.runs.of(node.parent);
    for (int o = own.first; o < own.end; ++o) {
      on(all, [&](int x) { on(all, [&](int y) { put(o, x, y); }); });
      on(before, [&](int x) { on(all, [&](int y) { put(x, o, y); }); });
      on(before, [&](int x) { on(before, [&](int y) { put(x, y, o); }); });
    }
  }
  for (const auto& [i, j, k, value] : tree.armature_symbols) Gamma[(i * n + j) * n + k] += value;
}

}  // namespace

ChristoffelWorkspace::ChristoffelWorkspace(const Tree& tree)
    : runs(tree), node_of(tree.rate_count), X_WN(tree.size()), J(tree.rate_count), composite(tree.size()) {
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    for (int r = node.v; r < node.v + rate_count(node.joint); ++r) node_of[r] = i;
  }
}

void christoffel_symbols(const Tree& tree, ChristoffelWorkspace& workspace, std::span<const double> q,
                         std::span<double> Gamma) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("Gamma", Gamma.size(), tree.matrix_size() * tree.rate_count);
  for_each_triple(
      tree, workspace, q, Gamma,
      [](const auto& I, const auto& J_i, const auto& J_j, const auto& J_k, const auto& J_s, const auto& J_r) {
        return 0.5 * (dot(bracket(J_i, J_j), I * J_k) + dot(bracket(J_i, J_k), I * J_j) +
                      dot(bracket(J_s, J_r), I * J_i));  // (86)
      });
}

void binet_christoffel_symbols(const Tree& tree, ChristoffelWorkspace& workspace, std::span<const double> q,
                               std::span<double> Gamma) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("Gamma", Gamma.size(), tree.matrix_size() * tree.rate_count);
  for_each_triple(
      tree, workspace, q, Gamma,
      [](const auto& I, const auto& J_i, const auto&, const auto&, const auto& J_s, const auto& J_r) {
        const Vec3<double>&w_i = J_i.angular, &w_r = J_r.angular, &h = I.first_moment;
        const Vec3<double>&v_i = J_i.linear, &v_r = J_r.linear;
        return dot(J_s.angular, euler_tensor(I.about_origin) * cross(w_r, w_i) + cross(cross(w_r, h), v_i) +
                                    cross(v_r, cross(w_i, h)) + I.mass * cross(v_r, v_i));  // (87)
      });
}

void contract_christoffel(std::span<const double> Gamma, std::span<const double> qd, std::span<double> C) {
  const std::size_t n = qd.size();
  require_size("Gamma", Gamma.size(), n * n * n);
  require_size("C", C.size(), n * n);
  for (std::size_t row = 0; row < n * n; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += Gamma[row * n + k] * qd[k];
    C[row] = sum;
  }
}

}  // namespace torsor
