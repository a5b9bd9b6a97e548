#pragma once
// What the elements do in a step: work of sources, dissipation of dampers.

#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {

template <int D>
double Rotationless<D>::effort_speed(const typename Elements::Effort& effort,
                                     const ConstrainedPoint& point) const {
  if (effort.kind == Elements::Effort::Kind::coordinate) {
    return rate(effort.measure, pair_of(effort.measure, point), left_, velocity_);
  }
  const VecD<D> axis = lever(effort.spin.axes[0], left_);
  if (effort.kind == Elements::Effort::Kind::force) return dot(axis, value(effort.at, velocity_));
  if constexpr (D == 3) return dot(axis, spin_rate(effort.spin.child) - spin_rate(effort.spin.parent));
  return 0;
}

template <int D>
void Rotationless<D>::add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                                std::span<double> z) {
  load_pair(point);
  const double per_force = 1 / point.force_gain;
  for (const typename Elements::Effort& effort : elements_.efforts) {
    const double tau = per_force * scaled_effort(effort, point, unknowns);
    z[effort.source_flow] += h * tau * effort_speed(effort, point);
  }
  for (const typename Elements::Load& load : elements_.loads) {
    double power = 0;
    if (load.is_force) {
      power = dot(load_vector(load, point.time), value(load.at, velocity_));
    } else if constexpr (D == 2) {
      power = load.components[2].value(point.time) * spin_rate(load.at.node);
    } else {
      power = dot(load_vector(load, point.time), spin_rate(load.at.node));
    }
    z[load.source_flow] += h * power;
  }
  for (std::size_t t = 0; t < elements_.tendons.size(); ++t) {
    const int flow = elements_.tendons[t].damper_flow;
    if (flow < 0) continue;
    const TendonPair pair = tendon_pair(t, point);
    z[flow] += h * (pair.tension - pair.elastic) * pair.rate;
  }
  for (const typename Elements::Spring& spring : elements_.springs) {
    if (spring.damping == 0) continue;
    const double speed = rate(spring.measure, pair_of(spring.measure, point), left_, velocity_);
    z[spring.damper_flow] += h * spring.damping * speed * speed;
  }
  add_spin_flows(h, z);
  add_control_flows(point, h, z);
}

template <int D>
void Rotationless<D>::add_spin_flows(double h, std::span<double> z) {
  if constexpr (D == 3) {
    for (const typename Elements::SpinDamper& damper : elements_.spin_dampers) {
      const Vec3<double> relative = spin_rate(damper.spin.child) - spin_rate(damper.spin.parent);
      for (int i = 0; i < 3; ++i) {
        const double speed = dot(lever(damper.spin.axes[i], left_), relative);
        z[damper.damper_flow] += h * damper.damping[i] * speed * speed;
      }
    }
    for (const typename Elements::EulerSpring& spring : elements_.euler_springs) {
      const Vec3<double> relative = spin_rate(spring.spin.child) - spin_rate(spring.spin.parent);
      z[spring.source_flow] -= h * dot(euler_moment(spring), relative);
    }
  }
}

}  // namespace torsor
