#pragma once
// What a ledger books of a state in directors, of one mechanism or of a pack of them. The state has been loaded into the
// workspace: configuration on the right, velocities.

#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"

namespace torsor {

template <class S>
struct EnergyPartsOf {
  S kinetic{0.0}, gravity{0.0}, elastic{0.0};
};

/// With the rates v of rotors among all rates.
template <int D, class S>
EnergyPartsOf<S> loaded_energies(const RotationlessWork<D, S>& work, double t,
                                 std::span<const std::type_identity_t<S>> v,
                                 std::span<const std::type_identity_t<S>> angles) {
  const NodeFrames<D, S>& frames = work.mechanism.frames;
  EnergyPartsOf<S> parts;
  for (int node = 0; node < work.mechanism.ground; ++node) {
    parts.kinetic += 0.5 * twice_kinetic_energy(frames, node, work.X.velocity[node]);
    parts.gravity -= frames.mass[node] * dot(work.mechanism.gravity, work.X.right[node].phi);
  }
  parts.kinetic += rotor_energy<D>(work.mechanism, v);
  const StateView<D, S> state{work.X.right, angles, t, work.held};
  for_each_element(work.elements, [&](const auto& element) {
    if constexpr (requires { element.potential(state); }) parts.elastic += element.potential(state);
  });
  return parts;
}

template <int D, class S>
S loaded_position_error(RotationlessWork<D, S>& work, std::span<const std::type_identity_t<S>> angles) {
  LargestAbsOf<S> largest;
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const auto& d = work.X.right[node].d;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) largest.keep(dot(d[i], d[j]) - (i == j ? 1.0 : 0.0));
    }
  }
  for (const auto* all : {&work.mechanism.tree_rows, &work.mechanism.loop_rows}) {
    for (const PlacedRows<D, S>& rows : *all) {
      set_constraints(work.mechanism, rows, work.X.right, angles, work.scratch);
      for (int row = 0; row < rows.count(); ++row) largest.keep(work.scratch[rows.unknown + row]);
    }
  }
  for (const CouplingRow<D, S>& row : work.mechanism.couplings) {
    const S error = coupling_error(work.mechanism, row, work.X.right, angles);
    largest.keep(error / row.largest_factor);
  }
  return largest.value();
}

template <int D, class S>
S loaded_velocity_error(const RotationlessWork<D, S>& work) {
  LargestAbsOf<S> largest;
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const auto &d = work.X.right[node].d, &dd = work.X.velocity[node].d;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) largest.keep(dot(d[i], dd[j]) + dot(dd[i], d[j]));
    }
  }
  for (const auto* all : {&work.mechanism.tree_rows, &work.mechanism.loop_rows}) {
    for (const PlacedRows<D, S>& rows : *all) {
      largest.keep(constraint_rate(work.mechanism, rows, work.X.right, work.X.velocity));
    }
  }
  for (const CouplingRow<D, S>& row : work.mechanism.couplings) {
    const S rate = coupling_rate(work.mechanism, row, work.X.right, work.X.velocity);
    largest.keep(rate / row.largest_factor);
  }
  return largest.value();
}

/// Of a body in the world's axes; `spin` is its angular momentum about its centre of mass.
template <class S>
struct LoadedMotion {
  Vec3<S> com{}, velocity{}, angular_velocity{}, spin{};
};
template <int D, class S>
LoadedMotion<S> loaded_motion(const RotationlessWork<D, S>& work, int node) {
  const Directors<D, S>&now = work.X.right[node], &rate = work.X.velocity[node];
  const std::array<S, D>& E = work.mechanism.frames.E[node];
  LoadedMotion<S> motion;
  if constexpr (D == 2) {
    motion.com = {now.phi.x, now.phi.y, S(0.0)};
    motion.velocity = {rate.phi.x, rate.phi.y, S(0.0)};
    motion.angular_velocity = {S(0.0), S(0.0), spin_rate(now, rate)};
    for (int i = 0; i < 2; ++i) motion.spin.z += E[i] * moment_of(now.d[i], rate.d[i]);
  } else {
    motion.com = now.phi;
    motion.velocity = rate.phi;
    motion.angular_velocity = spin_rate(now, rate);
    for (int i = 0; i < 3; ++i) motion.spin += E[i] * cross(now.d[i], rate.d[i]);
  }
  return motion;
}

}  // namespace torsor
