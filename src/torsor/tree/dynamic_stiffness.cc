#include "torsor/tree/dynamic_stiffness.h"

#include <algorithm>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

Mat3<Complex> as_complex(const Mat3<double>& m) {
  return {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz};
}
Wrench<Complex> as_complex(const Wrench<double>& F) {
  const auto& [m, f] = F;
  return {{m.x, m.y, m.z}, {f.x, f.y, f.z}};
}

}  // namespace

DynamicStiffness::DynamicStiffness(const Tree& tree, std::vector<double> stiffness,
                                   std::vector<double> damping, int count)
    : stiffness_(std::move(stiffness)),
      damping_(std::move(damping)),
      factors_(count, {std::vector<Wrench<Complex>>(tree.rate_count),
                       std::vector<Wrench<Complex>>(tree.rate_count), std::vector<Complex>(tree.rate_count)}),
      X_W_(tree.size()),
      J_(tree.rate_count),
      M_(tree.size()),
      V_(tree.size()),
      V_rate_(tree.size()),
      w_(tree.size()),
      W_(tree.size()),
      I_(tree.size()),
      F_(tree.size()),
      A_(tree.size()) {}

void DynamicStiffness::set_tensions(const Tree& tree, std::span<const double> v, std::span<const double> a) {
  V_rate_[0] = {{}, -tree.gravity};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    Twist<double> relative, relative_rate;
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      relative += v[k] * J_[k];
      relative_rate += a[k] * J_[k];
    }
    V_[i] = V_[node.parent] + relative;
    V_rate_[i] = V_rate_[node.parent] + relative_rate + bracket(V_[node.parent], relative);
    w_[i] = M_[i] * V_rate_[i] - coadjoint(V_[i], M_[i] * V_[i]);
    W_[i] = w_[i];
  }
  for (int i = tree.size() - 1; i > 0; --i) W_[tree.nodes[i].parent] += W_[i];
}

void DynamicStiffness::factorise(const Tree& tree, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> a, std::span<const Complex> sigma) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("v", v.size(), tree.rate_count);
  require_size("a", a.size(), tree.rate_count);
  require_size("sigma", sigma.size(), factors_.size());
  node_poses<double>(tree, q, X_W_);
  spatial_joint_screws<double>(tree, X_W_, J_);
  for (int i = 1; i < tree.size(); ++i) M_[i] = to_parent(X_W_[i], tree.nodes[i].inertia);
  set_tensions(tree, v, a);
  for (std::size_t k = 0; k < sigma.size(); ++k) factorise(tree, sigma[k], factors_[k]);
}

void DynamicStiffness::set_inertia(int i, const Complex& square) {
  const Inertia<double>& M = M_[i];
  const Mat3<double> lever = hat(M.first_moment), force = hat(w_[i].force);
  const Mat3<double> moment = force * hat(com(M));
  const Complex none, m(M.mass);
  I_[i] = {as_complex(full(M.about_origin)) + square * as_complex(moment),  // (1), with w = -(c x f, f)
           as_complex(lever) - square * as_complex(force),
           as_complex(transpose(lever)),
           {m, none, none, none, m, none, none, none, m}};
}

/// I -= U L^T.
void DynamicStiffness::subtract(Blocks& I, const Wrench<Complex>& U, const Wrench<Complex>& L) {
  I.A = I.A - outer(U.moment, L.moment);
  I.B = I.B - outer(U.moment, L.force);
  I.C = I.C - outer(U.force, L.moment);
  I.D = I.D - outer(U.force, L.force);
}

void DynamicStiffness::factorise(const Tree& tree, const Complex& sigma, Factors& factors) {
  const Complex square = sigma * sigma;
  for (int i = 1; i < tree.size(); ++i) set_inertia(i, square);
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    Blocks& I = I_[i];
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      const auto& [w, v] = J_[k];
      const Wrench<Complex> U{I.A * w + I.B * v, I.C * w + I.D * v};
      const Wrench<Complex> L = Wrench<Complex>{transpose_times(I.A, w) + transpose_times(I.C, v),
                                                transpose_times(I.B, w) + transpose_times(I.D, v)} -
                                square * as_complex(coadjoint(J_[k], W_[i]));
      factors.U[k] = U;
      factors.L[k] = L;
      Complex D = dot(J_[k], L) + damping_[k] * sigma + stiffness_[k] * square;  // (2)
      if (!tree.armature.empty()) D += tree.armature[k];
      factors.D_inverse[k] = 1.0 / D;
      subtract(I, factors.D_inverse[k] * U, L);
    }
    if (node.parent == 0) continue;
    Blocks& parent = I_[node.parent];
    parent = {parent.A + I.A, parent.B + I.B, parent.C + I.C, parent.D + I.D};
  }
}

void DynamicStiffness::multiply_by_mass(const Tree& tree, std::span<Complex> x) {
  A_[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const int end = node.v + rate_count(node.joint);
    A_[i] = A_[node.parent];
    for (int k = node.v; k < end; ++k) A_[i] += x[k] * J_[k];
    F_[i] = M_[i] * A_[i];
  }
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      const Complex rotor = tree.armature.empty() ? Complex() : tree.armature[k] * x[k];
      x[k] = dot(J_[k], F_[i]) + rotor;
    }
    if (node.parent != 0) F_[node.parent] += F_[i];
  }
}

void DynamicStiffness::solve(const Tree& tree, int factor, std::span<Complex> x) {
  require_size("x", x.size(), tree.rate_count);
  const auto& [U, L, D_inverse] = factors_[factor];
  multiply_by_mass(tree, x);
  std::fill(F_.begin(), F_.end(), Wrench<Complex>{});
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNode& node = tree.nodes[i];
    Wrench<Complex> p = F_[i];
    const int end = node.v + rate_count(node.joint);
    for (int k = node.v; k < end; ++k) {
      x[k] -= dot(J_[k], p);
      p += (D_inverse[k] * x[k]) * U[k];
    }
    if (node.parent != 0) F_[node.parent] += p;
  }
  A_[0] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    A_[i] = A_[node.parent];
    for (int k = node.v + rate_count(node.joint) - 1; k >= node.v; --k) {
      x[k] = D_inverse[k] * (x[k] - dot(A_[i], L[k]));
      A_[i] += x[k] * J_[k];
    }
  }
}

}  // namespace torsor
