#pragma once
// Articulated bodies in body-fixed frames (Featherstone; Müller 4.1), with material accelerations as in
// inverse_dynamics.hpp. A joint with several axes is eliminated one axis after the other: the same rank-one
// step for every joint type, and no small matrix to invert.

#include <algorithm>
#include <type_traits>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/node_angles.hpp"
#include "torsor/tree/node_motion.hpp"

namespace torsor {

template <class S>
ForwardDynamicsWorkspace<S>::ForwardDynamicsWorkspace(int nodes, int rates)
    : angles(nodes),
      X_PN(nodes),
      omega(nodes),
      bias_acceleration(nodes),
      inertia(nodes),
      bias(nodes),
      acceleration(nodes),
      U(rates),
      D_inverse(rates) {}

template <int k, class S>
inline const S& component(const Wrench<S>& F) {
  if constexpr (k < 3) {
    return F.moment[k];
  } else {
    return F.force[k - 3];
  }
}
template <int k, class S>
inline S& component(Twist<S>& V) {
  if constexpr (k < 3) {
    return V.angular[k];
  } else {
    return V.linear[k - 3];
  }
}

/// Inertias of the rotors on the axes of a joint; without any no code is left of them.
struct NoRotor {
  const NoRotor& operator[](int) const { return *this; }
};
template <class S>
inline const S& with_rotor(const S& D, NoRotor) {
  return D;
}
template <class S, class T>
inline S with_rotor(const S& D, const T& rotor) {
  return D + rotor;
}

/// Lets axis `k` of a joint yield: stores U, 1/D and u for the way back, and takes what yields out of I and
/// p, if they are felt any further.
template <int k, Remains remains, bool felt, class S, class Rotor>
inline void eliminate_axis(ArticulatedInertia<S>& I, Wrench<S>& p, const S& effort, const Rotor& rotor,
                           Wrench<S>& U, S& D_inverse, S& u) {
  U = column<k>(I);
  D_inverse = 1.0 / with_rotor(component<k>(U), rotor);
  u = effort - component<k>(p);
  if constexpr (felt) {
    subtract_yielding<remains>(I, U, D_inverse);
    p += (D_inverse * u) * U;
  }
}

/// Eliminates all axes of a motion, the first one first. What they leave may be `felt` by a parent; the ground feels nothing.
template <class Motion, Remains remains, bool felt, class S, class T, class Rotors>
inline void eliminate([[maybe_unused]] const TreeNodeOf<T>& node, ArticulatedInertia<S>& I, Wrench<S>& p,
                      const S* effort, const Rotors& rotors, Wrench<S>* U, S* D_inverse, S* u) {
  if constexpr (std::is_same_v<Motion, HelicalMotion>) {
    const S pitch(node.pitch);
    const Wrench<S> slide = column<5>(I);
    U[0] = column<2>(I) + pitch * slide;
    D_inverse[0] = 1.0 / with_rotor(U[0].moment.z + pitch * U[0].force.z, rotors[0]);
    u[0] = effort[0] - (p.moment.z + pitch * p.force.z);
    if constexpr (felt) {
      subtract_yielding<Remains::all>(I, U[0], D_inverse[0]);
      p += (D_inverse[0] * u[0]) * U[0];
    }
  } else if constexpr (std::is_same_v<Motion, RevoluteMotion>) {
    eliminate_axis<2, remains, felt>(I, p, effort[0], rotors[0], U[0], D_inverse[0], u[0]);
  } else {
    constexpr std::size_t axes = Motion::axes.size();
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      (eliminate_axis<Motion::axes[j], Remains::all, (felt || j + 1 != axes)>(I, p, effort[j], rotors[j],
                                                                              U[j], D_inverse[j], u[j]),
       ...);
    }
    (std::make_index_sequence<axes>{});
  }
}

/// Through a joint whose rotors resist all of it is felt.
template <class Motion, bool rotors>
inline constexpr Remains what_remains = rotors                                    ? Remains::all
                                        : std::is_same_v<Motion, RevoluteMotion>  ? Remains::all_but_z_turn
                                        : std::is_same_v<Motion, SphericalMotion> ? Remains::linear
                                        : std::is_same_v<Motion, FreeMotion>      ? Remains::nothing
                                                                                  : Remains::all;

/// Turns u into the acceleration of axis k, and adds it to that of the node, so far as if the axis were
/// locked.
template <int k, class F, class S>
inline void release_axis(const Wrench<F>& U, const F& D_inverse, Twist<S>& A, S& u_then_qdd) {
  u_then_qdd = D_inverse * (u_then_qdd - dot(A, U));
  component<k>(A) += u_then_qdd;
}

/// Releases all axes of a motion, the last one first.
template <class Motion, class F, class S, class T>
inline void release([[maybe_unused]] const TreeNodeOf<T>& node, const Wrench<F>* U, const F* D_inverse,
                    Twist<S>& A, S* u_then_qdd) {
  constexpr int last = static_cast<int>(Motion::axes.size()) - 1;
  [&]<int... j>(std::integer_sequence<int, j...>) {
    (release_axis<Motion::axes[last - j]>(U[last - j], D_inverse[last - j], A, u_then_qdd[last - j]), ...);
  }
  (std::make_integer_sequence<int, last + 1>{});
  if constexpr (std::is_same_v<Motion, HelicalMotion>) A.linear.z += node.pitch * u_then_qdd[0];
}

/// Articulated bodies from the leaves to the ground, which leave U, 1/D and, in qdd, u.
template <bool rotors, class S, class T>
inline void articulate_bodies(const TreeOf<T>& tree, ForwardDynamicsWorkspace<S>& workspace, const S* effort,
                              S* qdd) {
  auto* const X_PN = workspace.X_PN.data();
  auto* const c = workspace.bias_acceleration.data();
  auto* const inertia = workspace.inertia.data();
  auto* const bias = workspace.bias.data();
  auto* const U = workspace.U.data();
  auto* const D_inverse = workspace.D_inverse.data();
  for (int i = tree.size() - 1; i > 0; --i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      using Motion = decltype(motion);
      constexpr Remains remains = what_remains<Motion, rotors>;
      ArticulatedInertia<S> I = inertia[i];
      Wrench<S> p = bias[i];
      const int v = node.v;
      const auto yield = [&](auto felt) {
        constexpr bool above = decltype(felt)::value;
        if constexpr (rotors) {
          const T* const own = tree.armature.data() + v;
          eliminate<Motion, remains, above>(node, I, p, effort + v, own, U + v, D_inverse + v, qdd + v);
        } else {
          eliminate<Motion, remains, above>(node, I, p, effort + v, NoRotor{}, U + v, D_inverse + v, qdd + v);
        }
      };
      if (node.parent == 0) return yield(std::false_type{});
      yield(std::true_type{});
      if constexpr (remains != Remains::nothing) {
        p += I * c[i];
        inertia[node.parent] += to_parent<remains>(X_PN[i], I);
      }
      bias[node.parent] += to_parent(X_PN[i], p);
    });
  }
}

/// Apart from the other sweep: inlined beside it, both get slower.
template <class S, class T>
[[gnu::noinline]] void articulate_with_rotors(const TreeOf<T>& tree, ForwardDynamicsWorkspace<S>& workspace,
                                              std::span<const S> qd, std::span<const S> effort,
                                              std::span<S> qdd) {
  std::copy(effort.begin(), effort.end(), qdd.begin());
  add_rotor_bias(tree, qd, -1.0, qdd);
  articulate_bodies<true, S>(tree, workspace, qdd.data(), qdd.data());
}

template <class S, class T>
void forward_dynamics(const TreeOf<T>& tree, ForwardDynamicsWorkspace<S>& workspace, std::span<const S> q,
                      std::span<const S> qd, std::span<const S> effort, std::span<const Wrench<S>> applied,
                      std::span<S> qdd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("effort", effort.size(), tree.rate_count);
  require_size_or_none("applied", applied.size(), tree.size());
  require_size("qdd", qdd.size(), tree.rate_count);
  auto* const X_PN = workspace.X_PN.data();
  auto* const omega = workspace.omega.data();
  auto* const c = workspace.bias_acceleration.data();
  auto* const inertia = workspace.inertia.data();
  auto* const bias = workspace.bias.data();
  auto* const acceleration = workspace.acceleration.data();
  auto* const U = workspace.U.data();
  auto* const D_inverse = workspace.D_inverse.data();
  node_angles(tree, q, std::span(workspace.angles));
  const int n = tree.size();
  omega[0] = {};
  acceleration[0] = {{}, as_scalar<S>(-tree.gravity)};

  for (int i = 1; i < n; ++i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<S> X = motion.pose(node, workspace.angles[i], q.data() + node.q);
      Vec3<S> w{};
      Twist<S> drift{};
      if (node.parent != 0) {
        const Vec3<S>& omega_P = omega[node.parent];
        w = transpose_times(X.R, omega_P);
        drift.linear = transpose_times(X.R, cross(omega_P, cross(omega_P, X.p)));
      }
      motion.add_velocity(node, qd.data() + node.v, w, drift.angular, drift.linear);
      const Inertia<T>& I = node.inertia;
      bias[i] = {cross(w, I.about_origin * w), cross(w, cross(w, I.first_moment))};
      inertia[i] = articulated<S>(I);
      X_PN[i] = X;
      omega[i] = w;
      c[i] = drift;
    });
  }
  if (!applied.empty()) {
    for (int i = 1; i < n; ++i) bias[i] -= applied[i];
  }

  if (tree.armature.empty()) {
    articulate_bodies<false>(tree, workspace, effort.data(), qdd.data());
  } else {
    articulate_with_rotors(tree, workspace, qd, effort, qdd);
  }

  for (int i = 1; i < n; ++i) {
    const TreeNodeOf<T>& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      Twist<S> A = to_child(X_PN[i], acceleration[node.parent]) + c[i];
      release<decltype(motion)>(node, U + node.v, D_inverse + node.v, A, qdd.data() + node.v);
      acceleration[i] = A;
    });
  }
}

}  // namespace torsor
