#pragma once

#include "torsor/tree/energy.h"

#include "torsor/base/error.h"

namespace torsor {

template <class S>
S kinetic_energy(const Tree& tree, std::span<const Twist<S>> V_N) {
  require_size("V_N", V_N.size(), tree.size());
  S sum(0.0);
  for (int i = 1; i < tree.size(); ++i) sum += kinetic_energy(tree.nodes[i].inertia, V_N[i]);
  return sum;
}

template <class S>
S gravity_potential(const Tree& tree, std::span<const Pose<S>> X_WN) {
  require_size("X_WN", X_WN.size(), tree.size());
  S sum(0.0);
  for (int i = 1; i < tree.size(); ++i) {
    const Inertia<double>& I = tree.nodes[i].inertia;
    sum -= dot(tree.gravity, X_WN[i].R * I.first_moment + I.mass * X_WN[i].p);
  }
  return sum;
}

template <class S>
Wrench<S> momentum(const Tree& tree, std::span<const Pose<S>> X_WN, std::span<const Twist<S>> V_N) {
  require_size("X_WN", X_WN.size(), tree.size());
  require_size("V_N", V_N.size(), tree.size());
  Wrench<S> sum{};
  for (int i = 1; i < tree.size(); ++i) sum += to_parent(X_WN[i], tree.nodes[i].inertia * V_N[i]);
  return sum;
}

}  // namespace torsor
