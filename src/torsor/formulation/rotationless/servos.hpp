#pragma once
// Servos beyond the step itself: rates of outputs, and what a check sees: how outputs answer to efforts, and
// how they move.

#include <Eigen/Core>
#include <cmath>

#include "torsor/formulation/rotationless/orientation_target.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/lie/so3.h"
#include "torsor/numerics/rank.h"

namespace torsor {

/// S_ss - S_sl S_ll^-1 S_ls over the independent loop rows, with the sign of outputs by efforts.
template <int D>
std::vector<double> Rotationless<D>::held_schur() const {
  const int n = kkt_.border_size(), servos = n - loop_count_;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> S(kkt_.schur().data(), n, n);
  RowMajor map = S.bottomRightCorner(servos, servos);
  if (loop_count_ > 0) {
    const Eigen::MatrixXd loops = S.topLeftCorner(loop_count_, loop_count_);
    map -=
        S.bottomLeftCorner(servos, loop_count_) * least_squares(loops, S.topRightCorner(loop_count_, servos));
  }
  return {map.data(), map.data() + map.size()};
}

/// Of the border's rows of servos on the right: force^2 / mass + moment^2 / inertia, body by body. The
/// inertia is taken as alike about all axes: a scale is wanted.
template <int D>
std::vector<double> Rotationless<D>::free_mobilities() {
  std::vector<double> mobilities;
  for (int row = loop_count_; row < kkt_.border_size(); ++row) {
    double total = 0;
    for (int node : pattern_.border[row]) {
      const double* entry = border_entry(false, row, node);
      double force = 0, moment = 0, inertia = 0;
      for (int i = 0; i < D; ++i) force += entry[i] * entry[i];
      for (int i = D; i < kWidth<D>; ++i) moment += entry[i] * entry[i];
      for (double E : frames_.E[node]) inertia += E;
      total += force / frames_.mass[node];
      if (inertia > 0) total += moment / inertia;
    }
    mobilities.push_back(total);
  }
  return mobilities;
}

template <int D>
ServoMaps Rotationless<D>::servo_maps(double t, std::span<const double> x, std::span<const double> angles) {
  const std::vector<double> zero(coordinate_count());
  const ConstrainedPoint point = state_point(t, x, zero, angles);
  const std::vector<double> no_unknowns(unknown_count());
  std::fill(bare_w_.begin(), bare_w_.end(), 0.0);
  residual(point, no_unknowns, scratch_accelerations_);
  ServoMaps maps;
  if (!factorise_bare(t)) return {};
  maps.outputs_by_efforts = held_schur();
  if (!factorise_bare(t, ServoSide::outputs, ServoSide::outputs)) return {};
  maps.outputs = held_schur();
  maps.free_outputs = free_mobilities();
  if (!factorise_bare(t, ServoSide::efforts, ServoSide::efforts)) return {};
  maps.efforts = held_schur();
  maps.free_efforts = free_mobilities();
  return maps;
}

/// Of the right configuration and the velocities.
template <int D>
double Rotationless<D>::output_rate_error(const typename Elements::Output& output, double t,
                                          std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (output.kind == Elements::Output::Kind::orientation) {
      const Arm<D>& a = output.axes[output.component];
      const AxisJet b = target_axis(output.programs, (output.component + 1) % 3, t);
      return dot(lever(a, velocity_), b.value) + dot(lever(a, right_), b.rate);
    }
  }
  const double target = output.programs[0].evaluate(t).rate;
  if (output.kind == Elements::Output::Kind::component) {
    return value(output.point, velocity_)[output.component] - target;
  }
  const double last = output.measure.angle < 0 ? 0 : angles[output.measure.angle];
  const MeasuredPair pair = measured_pair(output.measure, right_, right_, last, 1.0);
  return rate(output.measure, pair, right_, velocity_) - target;
}

/// With the twists eta of the bodies, v -> P eta:
///   P^T M (P eta - v) = B mu - G^T nu,   G P eta = 0,   C P eta = y'. (1)
template <int D>
void Rotationless<D>::lead_rates(double t, std::span<const double> x, std::span<const double> angles,
                                 std::span<double> v, std::span<double> z) {
  if (elements_.outputs.empty()) return;
  const ConstrainedPoint point = state_point(t, x, v, angles);
  load_pair(point);
  set_screws(point);
  for (std::size_t i = 0; i < elements_.efforts.size(); ++i) {
    const typename Elements::Effort& effort = elements_.efforts[i];
    if (effort.kind == Elements::Effort::Kind::coordinate) effort_pairs_[i] = pair_of(effort.measure, point);
  }
  const std::span<double> r = scratch_accelerations_;
  set_momenta(r);
  w_ = velocity_;
  std::fill(velocity_.begin(), velocity_.end(), Directors<D>{});
  for (std::size_t j = 0; j < elements_.outputs.size(); ++j) {
    r[servo_unknown(static_cast<int>(j))] = output_rate_error(elements_.outputs[j], t, angles);
  }
  if (!factorise_bare(t)) return;
  if (loop_rank_ < loop_count_) keep_rank(loop_rank_);
  if (!kkt_.factorise_border()) return;
  solve(r);
  set_rates(r, v);
  load(v, velocity_);
  double energy = 0;
  for (int node = 0; node < ground_; ++node) {
    const auto book = [&](double mass, const VecD<D>& before, VecD<D>& velocity) {
      const VecD<D> change = velocity - before;
      velocity = 0.5 * (before + velocity);
      energy += mass * dot(change, velocity);
    };
    book(frames_.mass[node], w_[node].phi, velocity_[node].phi);
    for (int k = 0; k < D; ++k) book(frames_.E[node][k], w_[node].d[k], velocity_[node].d[k]);
  }
  // What the joints' impulses do, of h^4, is booked with the last of the efforts.
  int flow = 0;
  for (const typename Elements::Effort& effort : elements_.efforts) {
    if (effort.servo < 0) continue;
    const double work = -r[servo_unknown(effort.servo)] * effort_speed(effort, point);
    z[effort.source_flow] += work;
    energy -= work;
    flow = effort.source_flow;
  }
  z[flow] += energy;
}

template <int D>
std::vector<OutputMotion> Rotationless<D>::outputs(double t, std::span<const double> x,
                                                   std::span<const double> v,
                                                   std::span<const double> angles) {
  load(x, right_);
  load(v, velocity_);
  std::vector<OutputMotion> motions;
  for (const typename Elements::Output& output : elements_.outputs) {
    const Jet target = output.programs[0].evaluate(t);
    OutputMotion motion{output.key, OutputMotion::Kind::length, 0, 0, target.value, target.rate};
    if (output.kind == Elements::Output::Kind::component) {
      motion.value = value(output.point, right_)[output.component];
    } else if (output.kind == Elements::Output::Kind::coordinate) {
      const double last = output.measure.angle < 0 ? 0 : angles[output.measure.angle];
      if (output.measure.angle >= 0) motion.kind = OutputMotion::Kind::angle;
      motion.value = value(output.measure, right_, last);
    } else if constexpr (D == 3) {
      Mat3<double> turn;  // from the target to the body, in axes of the target
      double* entry = &turn.xx;
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> b = target_axis(output.programs, i, t).value;
        for (int j = 0; j < 3; ++j) *entry++ = dot(b, lever(output.axes[j], right_));
      }
      motion.value = log(so3_from_matrix(turn))[(output.component + 2) % 3];
      motion.target = motion.target_rate = 0;
      motion.kind = OutputMotion::Kind::turn;
    }
    motion.rate = motion.target_rate + output_rate_error(output, t, angles);
    motions.push_back(motion);
  }
  return motions;
}

template <int D>
double Rotationless<D>::output_acceleration_error(const typename Elements::Output& output, double t,
                                                  std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (output.kind == Elements::Output::Kind::orientation) {
      const Arm<D>& a = output.axes[output.component];
      const AxisJet b = target_axis(output.programs, (output.component + 1) % 3, t);
      return dot(lever(a, w_), b.value) + 2 * dot(lever(a, velocity_), b.rate) +
             dot(lever(a, right_), b.acceleration);
    }
  }
  const double target = output.programs[0].evaluate(t).acceleration;
  if (output.kind == Elements::Output::Kind::component) {
    return value(output.point, w_)[output.component] - target;
  }
  return coordinate_acceleration(output.measure, angles) - target;
}

template <int D>
double Rotationless<D>::output_error(const typename Elements::Output& output, double t,
                                     std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (output.kind == Elements::Output::Kind::orientation) {
      return dot(lever(output.axes[output.component], right_),
                 target_axis(output.programs, (output.component + 1) % 3, t).value);
    }
  }
  const double target = output.programs[0].value(t);
  if (output.kind == Elements::Output::Kind::component) {
    return value(output.point, right_)[output.component] - target;
  }
  const double last = output.measure.angle < 0 ? 0 : angles[output.measure.angle];
  return value(output.measure, right_, last) - target;
}

}  // namespace torsor
