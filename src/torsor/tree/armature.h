#pragma once
// Inertia of the joints' rotors, as they turn with the rates (armature): a kinetic energy sum of a_k/2 qd_k^2
// beside that of the bodies. It stands on the diagonal of M; where the rates of a joint do not commute, as those
// of a free one, terms in qd come with it.

#include <span>

#include "torsor/base/error.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
inline S rotor_energy(const Tree& tree, std::span<const S> qd) {
  require_size("qd", qd.size(), tree.rate_count);
  S sum(0.0);
  for (std::size_t r = 0; r < tree.armature.size(); ++r) sum += 0.5 * tree.armature[r] * (qd[r] * qd[r]);
  return sum;
}

/// `sign` times the efforts Gamma qd qd of rotors.
template <class S, class T>
inline void add_rotor_bias(const TreeOf<T>& tree, std::span<const S> qd, double sign, std::span<S> effort) {
  for (const auto& [i, j, k, value] : tree.armature_symbols) effort[i] += (sign * value) * (qd[j] * qd[k]);
}
/// All efforts that rotors take: A qdd + Gamma qd qd.
template <class S>
inline void add_rotor_efforts(const Tree& tree, std::span<const S> qd, std::span<const S> qdd,
                              std::span<S> effort) {
  for (std::size_t r = 0; r < tree.armature.size(); ++r) effort[r] += tree.armature[r] * qdd[r];
  add_rotor_bias(tree, qd, 1.0, effort);
}
/// Their derivatives by qd, in a matrix over pairs of rates.
template <class S>
inline void add_rotor_efforts_by_rates(const Tree& tree, std::span<const S> qd, std::span<S> by_qd) {
  for (const auto& [i, j, k, value] : tree.armature_symbols) {
    by_qd[i * tree.rate_count + j] += value * qd[k];
    by_qd[i * tree.rate_count + k] += value * qd[j];
  }
}

/// To a mass matrix.
template <class S>
inline void add_rotor_inertia(const Tree& tree, std::span<S> M) {
  const std::size_t stride = tree.rate_count + 1;
  for (std::size_t r = 0; r < tree.armature.size(); ++r) M[r * stride] += tree.armature[r];
}

}  // namespace torsor
