#pragma once
// The left side of a step: inertia, constraint forces and elements on the pair of configurations.

#include <algorithm>
#include <cmath>

#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/lie/series.h"
#include "torsor/model/joint_spring_law.h"

namespace torsor {

template <int D>
void Rotationless<D>::load(std::span<const double> x, Configuration<D>& X) const {
  const double* at = x.data();
  for (int node = 0; node < ground_; ++node) {
    Directors<D>& body = X[node];
    for (int i = 0; i < D; ++i) body.phi[i] = *at++;
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < D; ++i) body.d[k][i] = *at++;
    }
  }
}

template <int D>
void Rotationless<D>::load_pair(const ConstrainedPoint& point) {
  load(point.x_a, start_);
  load(point.x_b, right_);
  load(point.velocity, velocity_);
  load(point.w, w_);
  const double a = 1 - point.kappa, b = point.kappa;
  for (int node = 0; node < ground_; ++node) {
    left_[node].phi = a * start_[node].phi + b * right_[node].phi;
    for (int i = 0; i < D; ++i) left_[node].d[i] = a * start_[node].d[i] + b * right_[node].d[i];
  }
}

template <int D>
MeasuredPair Rotationless<D>::pair_of(const Measure<D>& measure, const ConstrainedPoint& point) const {
  const double last = measure.angle < 0 ? 0 : point.angles[measure.angle];
  MeasuredPair pair = measured_pair(measure, start_, right_, last, point.kappa);
  if (point.stretched && !measure.displacement) {
    // grad theta = (c grad s - s grad c) / (s^2 + c^2).
    const double shrink = 1 / std::hypot(sum(measure.sine, right_), sum(measure.cosine, right_));
    for (double* weight : {&pair.sine, &pair.cosine, &pair.d_sine, &pair.d_cosine}) *weight *= shrink;
  }
  return pair;
}

template <int D>
void Rotationless<D>::push_inertia(const ConstrainedPoint& point) {
  const VecD<D> weight = point.force_gain * gravity_;
  for (int node = 0; node < ground_; ++node) {
    NodeForce& on = forces_[node];
    on.force = frames_.mass[node] * (w_[node].phi - weight);
    for (int i = 0; i < D; ++i) on.on_directors[i] = frames_.E[node][i] * w_[node].d[i];
    on.moment = SpinD<D>{};
  }
}

/// Length and tension between two configurations; with the unit vectors n = (e_a + e_b) / (s_a + s_b) of the
/// segments, sum n . (e_b - e_a) = L_b - L_a without a quotient of differences. Leaves the segments in
/// stretches_.
template <int D>
typename Rotationless<D>::TendonPair Rotationless<D>::tendon_pair(std::size_t t,
                                                                  const ConstrainedPoint& point) {
  const typename Elements::Tendon& tendon = elements_.tendons[t];
  TendonPair pair;
  double a = -tendon.rest_length, b = -tendon.rest_length;
  for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
    const Arm<D>&from = tendon.path[i], &to = tendon.path[i + 1];
    Stretch& segment = stretches_[tendon.first_segment + i];
    segment.e_a = value(to, start_) - value(from, start_);
    segment.e_b = value(to, right_) - value(from, right_);
    segment.s_a = norm(segment.e_a);
    segment.s_b = norm(segment.e_b);
    const double s = segment.s_a + segment.s_b;
    a += segment.s_a;
    b += segment.s_b;
    if (tendon.damping > 0 && s > 0) {
      pair.rate += dot(segment.e_a + segment.e_b, value(to, velocity_) - value(from, velocity_)) / s;
    }
  }
  const double k = tendon.stiffness;
  double taut = 1, d_taut = 0;  // the share of the way on which it is taut
  if (!tendon.tension_only || (a >= 0 && b >= 0)) {
    pair.elastic = 0.5 * k * (a + b);
    pair.d_tension = k * point.kappa;
  } else if (a <= 0 && b <= 0) {
    return pair;
  } else {
    const double change = b - a, e_a = std::max(a, 0.0), e_b = std::max(b, 0.0);
    pair.elastic = 0.5 * k * (e_a + e_b) * ((e_b - e_a) / change);
    pair.d_tension = (k * e_b - pair.elastic) / change;
    taut = (e_a + e_b) / std::abs(change);
    d_taut = (b > a ? 1 - taut : taut) / std::abs(change);
  }
  pair.d_elastic = pair.d_tension;
  const double viscous = tendon.damping * pair.rate;
  pair.tension = pair.elastic + taut * viscous;
  pair.d_tension += tendon.damping * taut * point.velocity_gain + viscous * d_taut;
  if (tendon.tension_only && pair.tension < 0) {
    pair.tension = 0;
    pair.d_tension = 0;
  }
  return pair;
}

/// The direction of a segment's pull: that of the discrete gradient of its length.
template <int D>
typename Rotationless<D>::Segment Rotationless<D>::pair_segment(const Stretch& stretch, double kappa) const {
  const auto& [e_a, e_b, s_a, s_b] = stretch;
  const double s = s_a + s_b;
  if (s == 0) return {};
  return {(1 / s) * (e_a + e_b), (s_b > 0 ? 1 / s_b : 0.0) * e_b, s_b > 0 ? 2 * kappa / s : 0.0};
}

/// Or the gradient of its length on the way from a to b.
template <int D>
typename Rotationless<D>::Segment Rotationless<D>::segment_on_way(const Stretch& stretch, double way) const {
  const VecD<D> e = (1 - way) * stretch.e_a + way * stretch.e_b;
  const double s = norm(e);
  if (s == 0) return {};
  return {(1 / s) * e, (1 / s) * e, way / s};
}

/// The elastic tension on the way from a to b, and its derivative by the length there.
template <int D>
std::pair<double, double> Rotationless<D>::tension_on_way(const typename Elements::Tendon& tendon,
                                                          double way) const {
  double stretch = -tendon.rest_length;
  for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
    const Stretch& segment = stretches_[tendon.first_segment + i];
    stretch += norm((1 - way) * segment.e_a + way * segment.e_b);
  }
  if (tendon.tension_only && stretch <= 0) return {0, 0};
  return {tendon.stiffness * stretch, tendon.stiffness};
}

/// Hands every part of a tendon's pull to `use(tension, slope, segment)`: the tension, its derivative by the
/// lengths that the segments' rows differentiate, and the directions `segment(i)`.
template <int D>
template <class Use>
void Rotationless<D>::for_each_pull(std::size_t t, const ConstrainedPoint& point, Use&& use) const {
  const typename Elements::Tendon& tendon = elements_.tendons[t];
  const TendonPair& pair = tendon_pairs_[t];
  const Stretch* stretches = &stretches_[tendon.first_segment];
  const auto discrete = [&](std::size_t i) { return pair_segment(stretches[i], point.kappa); };
  if (point.elastic_rule.empty()) return use(pair.tension, pair.d_tension, discrete);
  if (tendon.damping > 0) use(pair.tension - pair.elastic, pair.d_tension - pair.d_elastic, discrete);
  for (const auto& [way, weight] : point.elastic_rule) {
    const auto [tension, slope] = tension_on_way(tendon, way);
    use(weight * tension, weight * way * slope,
        [&, at = way](std::size_t i) { return segment_on_way(stretches[i], at); });
  }
}

template <int D>
void Rotationless<D>::push_tendons(const ConstrainedPoint& point) {
  for (std::size_t t = 0; t < elements_.tendons.size(); ++t) {
    const std::vector<Arm<D>>& path = elements_.tendons[t].path;
    tendon_pairs_[t] = tendon_pair(t, point);
    for_each_pull(t, point, [&](double tension, double, auto&& segment) {
      if (tension == 0) return;
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const VecD<D> pull = (point.force_gain * tension) * segment(i).n;
        push(path[i + 1], pull);
        push(path[i], -pull);
      }
    });
  }
}

/// The angle from rest, by the trace w = 1 + 2 cos: 3 - w = 4 sin^2(angle / 2).
template <int D>
double Rotationless<D>::log_angle(const typename Elements::LogSpring& spring,
                                  const Configuration<D>& X) const {
  double w = 0;
  for (const Product<D>& product : spring.trace) w += value(product, X);
  return 2 * std::asin(std::sqrt(std::clamp((3 - w) / 4, 0.0, 1.0)));
}

/// (U_b - U_a) / (w_b - w_a) of U = k/2 angle^2, w = 1 + 2 cos angle, without differences:
/// -(k/2) f((b + a)/2) f((b - a)/2), f(z) = z / sin z.
template <int D>
double Rotationless<D>::log_spring_slope(double stiffness, double angle_a, double angle_b) {
  return -0.5 * stiffness * over_sine(0.5 * (angle_b + angle_a)) * over_sine(0.5 * (angle_b - angle_a));
}

/// Of the damper alone where a controller compensates the spring.
template <int D>
double Rotationless<D>::spring_effort(const typename Elements::Spring& spring,
                                      const MeasuredPair& pair) const {
  const double viscous = spring.damping * rate(spring.measure, pair, left_, velocity_);
  if (spring.compensation_flow >= 0) return viscous;
  return spring.stiffness * (0.5 * (pair.a + pair.b) - spring.rest) + viscous;
}

template <int D>
void Rotationless<D>::push_springs(const ConstrainedPoint& point) {
  const auto push_arm = [this](const Arm<D>& arm, const VecD<D>& force) { push(arm, force); };
  for (std::size_t i = 0; i < elements_.springs.size(); ++i) {
    const typename Elements::Spring& spring = elements_.springs[i];
    const MeasuredPair& pair = spring_pairs_[i] = pair_of(spring.measure, point);
    push_gradient(spring.measure, pair, left_, point.force_gain * spring_effort(spring, pair), push_arm);
  }
  for (const typename Elements::LogSpring& spring : elements_.log_springs) {
    if (spring.compensation_flow >= 0) continue;
    const double slope =
        log_spring_slope(spring.stiffness, log_angle(spring, start_), log_angle(spring, right_));
    for (const Product<D>& product : spring.trace) {
      push_gradient(product, left_, point.force_gain * slope, push_arm);
    }
  }
}

/// The Omega with d_i' = Omega x d_i for the directors on the left and the velocities of the pair. In a step
/// it is the Cayley vector over h.
template <int D>
SpinD<D> Rotationless<D>::spin_rate(int node) const {
  const std::array<VecD<D>, D> arms = spin_arms(left_[node]);
  SpinD<D> rate{};
  for (int k = 0; k < D; ++k) rate += moment_of(arms[k], velocity_[node].d[k]);
  return rate;
}

template <int D>
VecD<D> Rotationless<D>::axis_sum(const std::array<Arm<D>, 3>& axes,
                                  const std::array<double, 3>& components) const {
  VecD<D> sum{};
  for (int i = 0; i < 3; ++i) sum += components[i] * lever(axes[i], left_);
  return sum;
}

/// k (phi, theta, psi) about the axes of the rest frame, with R = Rz(psi) Ry(theta) Rx(phi) from there.
template <int D>
VecD<D> Rotationless<D>::euler_moment(const typename Elements::EulerSpring& spring) const {
  VecD<D> moment{};
  if constexpr (D == 3) {
    Mat3<double> R;
    double* entry = &R.xx;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        *entry++ = dot(lever(spring.rest_axes[i], left_), lever(spring.spin.axes[j], left_));
      }
    }
    const Vec3<double> angles = euler321_angles(R);
    for (int i = 0; i < 3; ++i) {
      moment += (spring.stiffness[i] * angles[i]) * lever(spring.rest_axes[i], left_);
    }
  }
  return moment;
}

template <int D>
VecD<D> Rotationless<D>::damper_moment(const typename Elements::SpinDamper& damper) const {
  VecD<D> moment{};
  if constexpr (D == 3) {
    const Vec3<double> relative = spin_rate(damper.spin.child) - spin_rate(damper.spin.parent);
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> axis = lever(damper.spin.axes[i], left_);
      moment += (damper.damping[i] * dot(axis, relative)) * axis;
    }
  }
  return moment;
}

template <int D>
void Rotationless<D>::push_spins(const ConstrainedPoint& point) {
  if constexpr (D == 3) {
    for (const typename Elements::SpinDamper& damper : elements_.spin_dampers) {
      push_spin(damper.spin, point.force_gain * damper_moment(damper));
    }
    for (const typename Elements::EulerSpring& spring : elements_.euler_springs) {
      if (spring.compensation_flow >= 0) continue;
      push_spin(spring.spin, point.force_gain * euler_moment(spring));
    }
  }
}

/// The force, or in space the moment, of a load; in the plane a moment is the component along z.
template <int D>
VecD<D> Rotationless<D>::load_vector(const typename Elements::Load& load, double t) const {
  return axis_sum(load.axes,
                  {load.components[0].value(t), load.components[1].value(t), load.components[2].value(t)});
}

template <int D>
void Rotationless<D>::push_loads(const ConstrainedPoint& point) {
  for (const typename Elements::Load& load : elements_.loads) {
    if (load.is_force) {
      push(load.at, -(point.force_gain * load_vector(load, point.time)));
    } else if constexpr (D == 2) {
      forces_[load.at.node].moment -= point.force_gain * load.components[2].value(point.time);
    } else {
      forces_[load.at.node].moment -= point.force_gain * load_vector(load, point.time);
    }
  }
}

template <int D>
double Rotationless<D>::scaled_effort(const typename Elements::Effort& effort, const ConstrainedPoint& point,
                                      std::span<const double> unknowns) const {
  return effort.servo >= 0 ? unknowns[servo_unknown(effort.servo)]
                           : point.force_gain * effort.program.value(point.time);
}

template <int D>
void Rotationless<D>::push_efforts(const ConstrainedPoint& point, std::span<const double> unknowns) {
  const auto push_arm = [this](const Arm<D>& arm, const VecD<D>& force) { push(arm, force); };
  for (std::size_t i = 0; i < elements_.efforts.size(); ++i) {
    const typename Elements::Effort& effort = elements_.efforts[i];
    const double tau = scaled_effort(effort, point, unknowns);
    if (effort.kind == Elements::Effort::Kind::coordinate) {
      effort_pairs_[i] = pair_of(effort.measure, point);
      push_gradient(effort.measure, effort_pairs_[i], left_, -tau, push_arm);
    } else if (effort.kind == Elements::Effort::Kind::force) {
      push(effort.at, -tau * lever(effort.spin.axes[0], left_));
    } else if constexpr (D == 3) {
      push_spin(effort.spin, -tau * lever(effort.spin.axes[0], left_));
    }
  }
}

template <int D>
void Rotationless<D>::push_elements(const ConstrainedPoint& point, std::span<const double> unknowns) {
  load_pair(point);
  forces_[ground_] = NodeForce{};
  push_inertia(point);
  push_tendons(point);
  push_springs(point);
  push_spins(point);
  push_loads(point);
  push_efforts(point, unknowns);
  push_controllers(point);
}

template <int D>
void Rotationless<D>::collect(std::span<double> r) const {
  for (int node = 0; node < ground_; ++node) {
    const NodeForce& on = forces_[node];
    double* out = &r[kkt_.offset(node)];
    for (int i = 0; i < D; ++i) out[i] = on.force[i];
    SpinD<D> moment = on.moment;
    for (int i = 0; i < D; ++i) moment += moment_of(left_[node].d[i], on.on_directors[i]);
    set_spin<D>(moment, out);
  }
}

template <int D>
void Rotationless<D>::residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                               std::span<double> r) {
  push_elements(point, unknowns);
  for (const PlacedRows& rows : tree_rows_) push_constraints(rows, point, unknowns);
  for (const PlacedRows& rows : loop_rows_) push_constraints(rows, point, unknowns);
  collect(r);
  for (const PlacedRows& rows : tree_rows_) set_constraints(rows, point.angles, r);
  for (const PlacedRows& rows : loop_rows_) set_constraints(rows, point.angles, r);
  for (std::size_t j = 0; j < elements_.outputs.size(); ++j) {
    r[servo_unknown(static_cast<int>(j))] = output_error(elements_.outputs[j], point.end_time, point.angles);
  }
}

}  // namespace torsor
