// Velocities of a state, and what they make of accelerations.

#include <algorithm>

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

template <int D>
void set_bare_accelerations(RotationlessWork<D>& work, std::span<const double> angles) {
  // d'' = alpha x d + Omega x d': the second part is known.
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const SpinD<D> spin = spin_rate(work.X.left[node], work.X.velocity[node]);
    double* out = &work.bare_w[static_cast<std::size_t>(kCoordinates<D>) * node];
    std::fill_n(out, D, 0.0);
    for (int k = 0; k < D; ++k) {
      const VecD<D> bend = spun(spin, work.X.velocity[node].d[k]);
      for (int i = 0; i < D; ++i) out[D * (k + 1) + i] = bend[i];
    }
  }
  if (work.mechanism.joints.rotors.empty()) return;
  load_configuration(work.bare_w, work.X.w);
  for_each_rotor(work.mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    work.bare_w[at] =
        coordinate_acceleration(rotor.coordinate, work.X.left, work.X.velocity, work.X.w, angles);
  });
}

template <int D>
double rotor_rate(const RotationlessWork<D>& work, const Rotor<D>& rotor, std::span<const double> eta,
                  double sign) {
  const PairRow<D> gradient = rotor_gradient(work, rotor);
  double rate = 0;
  const auto add = [&](int node, const Row<D>& row) {
    if (node == work.mechanism.ground) return;
    for (int i = 0; i < kWidth<D>; ++i) rate += sign * row[i] * eta[work.mechanism.offset[node] + i];
  };
  add(rotor.coordinate.child, gradient.child);
  add(rotor.coordinate.parent, gradient.parent);
  return rate;
}

template <int D>
void set_momenta(RotationlessWork<D>& work, std::span<const double> v, std::span<double> r) {
  const NodeFrames<D>& frames = work.mechanism.frames;
  std::fill(r.begin(), r.end(), 0.0);
  for (int node = 0; node < frames.ground; ++node) {
    NodeForce<D>& on = work.forces[node];
    const Directors<D>& velocity = work.X.velocity[node];
    on.force = -frames.mass[node] * velocity.phi;
    for (int k = 0; k < D; ++k) on.on_directors[k] = -frames.E[node][k] * velocity.d[k];
    on.moment = SpinD<D>{};
  }
  for_each_rotor(work.mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    const MeasuredPair pair = measured_pair(rotor.coordinate, work.X.left, work.X.left, 0.0, 1.0);
    push_gradient(rotor.coordinate, pair, work.X.left, -rotor.mass * v[at], ForceSink<D>{work.forces});
  });
  collect(work, r);
}

template <int D>
void set_rates(const RotationlessWork<D>& work, std::span<const double> r, std::span<double> v) {
  for (int node = 0; node < work.mechanism.ground; ++node) {
    const double* eta = &r[work.mechanism.offset[node]];
    double* out = &v[static_cast<std::size_t>(kCoordinates<D>) * node];
    for (int i = 0; i < D; ++i) *out++ = -eta[i];
    const SpinD<D> turn = spin_of<D>(eta);
    for (int k = 0; k < D; ++k) {
      const VecD<D> rate = -1.0 * spun(turn, work.X.right[node].d[k]);
      for (int i = 0; i < D; ++i) *out++ = rate[i];
    }
  }
  for_each_rotor(work.mechanism,
                 [&](const Rotor<D>& rotor, std::size_t at) { v[at] = rotor_rate(work, rotor, r, -1); });
}

template void set_bare_accelerations(RotationlessWork<2>&, std::span<const double>);
template void set_bare_accelerations(RotationlessWork<3>&, std::span<const double>);
template double rotor_rate(const RotationlessWork<2>&, const Rotor<2>&, std::span<const double>, double);
template double rotor_rate(const RotationlessWork<3>&, const Rotor<3>&, std::span<const double>, double);
template void set_momenta(RotationlessWork<2>&, std::span<const double>, std::span<double>);
template void set_momenta(RotationlessWork<3>&, std::span<const double>, std::span<double>);
template void set_rates(const RotationlessWork<2>&, std::span<const double>, std::span<double>);
template void set_rates(const RotationlessWork<3>&, std::span<const double>, std::span<double>);

}  // namespace torsor
