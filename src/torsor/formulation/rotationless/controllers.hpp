#pragma once
// Control laws on directors. Virtual springs act by discrete gradients, so that with fixed targets the ledger
// shows what they store and what they take to rounding; compensations are the discrete gradients of weights
// and tendons themselves, backwards, on the bodies of the chain whose joints bear them.

#include <algorithm>

#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/formulation/rotationless/tangent.hpp"

namespace torsor {

/// Against the coordinate: k (q - target) + c (q' - target').
template <int D>
double Rotationless<D>::hold_effort(const typename Elements::CoordinateHold& hold, const MeasuredPair& pair,
                                    double t) const {
  const Jet target = hold.target.evaluate(t);
  return hold.stiffness * (0.5 * (pair.a + pair.b) - target.value) +
         hold.damping * (rate(hold.measure, pair, left_, velocity_) - target.rate);
}

/// Likewise of a point: its discrete gradient is linear, k (x_a + x_b)/2.
template <int D>
VecD<D> Rotationless<D>::hold_force(const typename Elements::PointHold& hold, double t) const {
  const VecD<D> x = value(hold.point, left_), v = value(hold.point, velocity_);
  VecD<D> force;
  for (int i = 0; i < D; ++i) {
    const Jet target = hold.target[i].evaluate(t);
    force[i] = hold.stiffness[i] * (x[i] - target.value) + hold.damping[i] * (v[i] - target.rate);
  }
  return force;
}

/// The elastic part of what a tendon adds to the left side at one point of its path.
template <int D>
VecD<D> Rotationless<D>::carried_pull(const typename Elements::CarriedTendon& carried,
                                      std::size_t via) const {
  const typename Elements::Tendon& tendon = elements_.tendons[carried.tendon];
  const auto along = [&](std::size_t i) { return pair_segment(stretches_[tendon.first_segment + i], 0.5).n; };
  VecD<D> direction{};
  if (via > 0) direction += along(via - 1);
  if (via + 1 < tendon.path.size()) direction -= along(via);
  return tendon_pairs_[carried.tendon].elastic * direction;
}

/// A force at a place, as the body that carries that place takes it.
template <int D>
void Rotationless<D>::push_carried(int carrier, const VecD<D>& place, const VecD<D>& force) {
  forces_[carrier].force += force;
  forces_[carrier].moment += moment_of(place - left_[carrier].phi, force);
}
template <int D>
double Rotationless<D>::carried_power(int carrier, const VecD<D>& place, const VecD<D>& force) const {
  const SpinD<D> moment = moment_of(place - left_[carrier].phi, force), spin = spin_rate(carrier);
  const double turning = [&] {
    if constexpr (D == 2) {
      return moment * spin;
    } else {
      return dot(moment, spin);
    }
  }();
  return dot(force, velocity_[carrier].phi) + turning;
}

template <int D>
void Rotationless<D>::push_controllers(const ConstrainedPoint& point) {
  const auto push_arm = [this](const Arm<D>& arm, const VecD<D>& force) { push(arm, force); };
  const double sigma = point.force_gain;
  for (std::size_t i = 0; i < elements_.coordinate_holds.size(); ++i) {
    const typename Elements::CoordinateHold& hold = elements_.coordinate_holds[i];
    const MeasuredPair& pair = hold_pairs_[i] = pair_of(hold.measure, point);
    push_gradient(hold.measure, pair, left_, sigma * hold_effort(hold, pair, point.time), push_arm);
  }
  for (const typename Elements::PointHold& hold : elements_.point_holds) {
    push(hold.point, sigma * hold_force(hold, point.time));
  }
  for (const typename Elements::CarriedWeight& weight : elements_.carried_weights) {
    push_carried(weight.carrier, left_[weight.node].phi, (sigma * frames_.mass[weight.node]) * gravity_);
  }
  for (const typename Elements::CarriedTendon& carried : elements_.carried_tendons) {
    const std::vector<Arm<D>>& path = elements_.tendons[carried.tendon].path;
    for (std::size_t via = 0; via < path.size(); ++via) {
      if (carried.carriers[via] == ground_) continue;
      push_carried(carried.carriers[via], value(path[via], left_), -sigma * carried_pull(carried, via));
    }
  }
}

/// What the virtual damper takes counts as dissipated; work is done by the virtual spring, by the damper at a
/// target that moves, and by compensation.
template <int D>
void Rotationless<D>::add_control_flows(const ConstrainedPoint& point, double h, std::span<double> z) {
  const auto book = [&](double elastic, double damping, double speed, const Jet& target, int source,
                        int damper) {
    const double slip = speed - target.rate;
    z[source] -= h * (elastic * speed + damping * slip * target.rate);
    if (damper >= 0) z[damper] += h * damping * slip * slip;
  };
  for (const typename Elements::CoordinateHold& hold : elements_.coordinate_holds) {
    const MeasuredPair pair = pair_of(hold.measure, point);
    const Jet target = hold.target.evaluate(point.time);
    book(hold.stiffness * (0.5 * (pair.a + pair.b) - target.value), hold.damping,
         rate(hold.measure, pair, left_, velocity_), target, hold.source_flow, hold.damper_flow);
  }
  for (const typename Elements::PointHold& hold : elements_.point_holds) {
    const VecD<D> x = value(hold.point, left_), v = value(hold.point, velocity_);
    for (int i = 0; i < D; ++i) {
      const Jet target = hold.target[i].evaluate(point.time);
      book(hold.stiffness[i] * (x[i] - target.value), hold.damping[i], v[i], target, hold.source_flow,
           hold.damper_flow);
    }
  }
  add_compensation_flows(point, h, z);
}

template <int D>
void Rotationless<D>::add_compensation_flows(const ConstrainedPoint& point, double h, std::span<double> z) {
  for (const typename Elements::CarriedWeight& weight : elements_.carried_weights) {
    const VecD<D> force = frames_.mass[weight.node] * gravity_;
    z[weight.source_flow] -= h * carried_power(weight.carrier, left_[weight.node].phi, force);
  }
  for (const typename Elements::CarriedTendon& carried : elements_.carried_tendons) {
    const typename Elements::Tendon& tendon = elements_.tendons[carried.tendon];
    tendon_pairs_[carried.tendon] = tendon_pair(carried.tendon, point);
    for (std::size_t via = 0; via < tendon.path.size(); ++via) {
      if (carried.carriers[via] == ground_) continue;
      z[carried.source_flow] += h * carried_power(carried.carriers[via], value(tendon.path[via], left_),
                                                  carried_pull(carried, via));
    }
  }
  for (const typename Elements::Spring& spring : elements_.springs) {
    if (spring.compensation_flow < 0) continue;
    const MeasuredPair pair = pair_of(spring.measure, point);
    z[spring.compensation_flow] += h * spring.stiffness * (0.5 * (pair.a + pair.b) - spring.rest) *
                                   rate(spring.measure, pair, left_, velocity_);
  }
  for (const typename Elements::LogSpring& spring : elements_.log_springs) {
    if (spring.compensation_flow < 0) continue;
    const double slope =
        log_spring_slope(spring.stiffness, log_angle(spring, start_), log_angle(spring, right_));
    for (const Product<D>& product : spring.trace) {
      z[spring.compensation_flow] += h * slope * rate(product, left_, velocity_);
    }
  }
  if constexpr (D == 3) {
    for (const typename Elements::EulerSpring& spring : elements_.euler_springs) {
      if (spring.compensation_flow < 0) continue;
      const Vec3<double> relative = spin_rate(spring.spin.child) - spin_rate(spring.spin.parent);
      z[spring.compensation_flow] += h * dot(euler_moment(spring), relative);
    }
  }
}

template <int D>
void Rotationless<D>::add_controllers(const ConstrainedPoint& point) {
  constexpr int W = kWidth<D>;
  const double sigma = point.force_gain;
  for (std::size_t i = 0; i < elements_.coordinate_holds.size(); ++i) {
    const typename Elements::CoordinateHold& hold = elements_.coordinate_holds[i];
    const double slope = hold.stiffness * point.kappa + hold.damping * point.velocity_gain;
    add_tangent(kkt_, ground_, hold.measure, hold_pairs_[i], left_, right_, point.kappa,
                sigma * hold_effort(hold, hold_pairs_[i], point.time), sigma * slope);
  }
  for (const typename Elements::PointHold& hold : elements_.point_holds) {
    const BlockView block = kkt_.pivot(hold.point.node);
    const VecD<D> lever_l = lever(hold.point, left_), lever_r = lever(hold.point, right_);
    for (int j = 0; j < W; ++j) {
      VecD<D> change = arm_column<D>(hold.point.t, lever_r, j);
      for (int i = 0; i < D; ++i) {
        change[i] *= sigma * (hold.stiffness[i] * point.kappa + hold.damping[i] * point.velocity_gain);
      }
      Row<D> force{};
      add_force<D>(hold.point.t, lever_l, change, force.data());
      for (int k = 0; k < W; ++k) block(k, j) += force[k];
    }
  }
  for (const typename Elements::CarriedWeight& weight : elements_.carried_weights) {
    add_carried_lever(weight.carrier, {weight.node, 1, {}},
                      (point.kappa * sigma * frames_.mass[weight.node]) * gravity_);
  }
  for (const typename Elements::CarriedTendon& carried : elements_.carried_tendons) {
    add_carried_tendon(carried, point);
  }
}

/// By the lever of a force on a carried place; the force has the share kappa in it.
template <int D>
void Rotationless<D>::add_carried_lever(int carrier, const Arm<D>& place, const VecD<D>& force) {
  const auto add = [&](int node, int j, const VecD<D>& motion) {
    const BlockView block = node_block<D>(kkt_, carrier, node);
    Row<D> change{};
    add_force<D>(0, motion, force, change.data());
    for (int k = D; k < kWidth<D>; ++k) block(k, j) += change[k];
  };
  const VecD<D> lever_r = lever(place, right_);
  for (int j = 0; place.node != ground_ && j < kWidth<D>; ++j) {
    add(place.node, j, arm_column<D>(place.t, lever_r, j));
  }
  for (int j = 0; j < D; ++j) add(carrier, j, arm_column<D>(-1, {}, j));
}

/// add_tendons backwards, of the elastic part alone, on the carriers.
template <int D>
void Rotationless<D>::add_carried_tendon(const typename Elements::CarriedTendon& carried,
                                         const ConstrainedPoint& point) {
  constexpr int W = kWidth<D>;
  const std::vector<Arm<D>>& path = elements_.tendons[carried.tendon].path;
  const TendonPair& pair = tendon_pairs_[carried.tendon];
  if (pair.elastic == 0 && pair.d_elastic == 0) return;
  const auto carried_lever = [&](std::size_t via) {
    return value(path[via], left_) - left_[carried.carriers[via]].phi;
  };
  std::fill_n(path_left_.begin(), path.size(), Row<D>{});
  std::fill_n(path_right_.begin(), path.size(), Row<D>{});
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const VecD<D> e_a = value(path[i + 1], start_) - value(path[i], start_);
    const VecD<D> e_b = value(path[i + 1], right_) - value(path[i], right_);
    const double s_b = norm(e_b), s = norm(e_a) + s_b;
    if (s == 0 || s_b == 0) continue;
    const VecD<D> n = (1 / s) * (e_a + e_b), n_b = (1 / s_b) * e_b;
    const double factor = -point.force_gain * pair.elastic * 2 * point.kappa / s;
    for (std::size_t a = i; a < i + 2; ++a) {
      const double sign = a == i ? -1 : 1;
      add_force<D>(path[a].t, lever(path[a], right_), sign * n_b, path_right_[a].data());
      const int on = carried.carriers[a];
      if (on == ground_) continue;
      add_force<D>(1, carried_lever(a), sign * n, path_left_[a].data());
      for (std::size_t b = i; b < i + 2; ++b) {
        const Arm<D>& by = path[b];
        if (by.node == ground_) continue;
        const BlockView block = node_block<D>(kkt_, on, by.node);
        for (int j = 0; j < W; ++j) {
          const VecD<D> q = arm_column<D>(by.t, lever(by, right_), j);
          Row<D> force{};
          add_force<D>(1, carried_lever(a), (a == b ? factor : -factor) * (q - dot(n_b, q) * n),
                       force.data());
          for (int k = 0; k < W; ++k) block(k, j) += force[k];
        }
      }
    }
  }
  const double slope = -point.force_gain * pair.d_elastic;
  for (std::size_t a = 0; a < path.size(); ++a) {
    const int on = carried.carriers[a];
    if (on == ground_) continue;
    add_carried_lever(on, path[a], -(point.kappa * point.force_gain) * carried_pull(carried, a));
    for (std::size_t b = 0; b < path.size(); ++b) {
      if (path[b].node == ground_) continue;
      const BlockView block = node_block<D>(kkt_, on, path[b].node);
      for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) block(i, j) += slope * path_left_[a][i] * path_right_[b][j];
      }
    }
  }
}

}  // namespace torsor
