#pragma once
// The exact derivative of a step's left side by the increments, and the constraint rows beside it.

#include <algorithm>
#include <cmath>

#include "torsor/base/dual.h"
#include "torsor/formulation/rotationless/orientation_target.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/lie/series.h"
#include "torsor/model/joint_spring_law.h"

namespace torsor {

/// Inertia, and with `turning` what follows from levers on the left that turn: for a force f_i on a director,
/// kappa (y x d_i) x f_i.
template <int D>
void Rotationless<D>::add_bodies(double kappa, bool turning) {
  for (int node = 0; node < ground_; ++node) {
    const BlockView block = kkt_.pivot(node);
    for (int i = 0; i < D; ++i) block(i, i) += frames_.mass[node];
    const auto &l = left_[node].d, &r = right_[node].d;
    double trace = 0;
    for (int k = 0; k < D; ++k) {
      const double E = frames_.E[node][k];
      const VecD<D> force = (turning ? kappa : 0.0) * forces_[node].on_directors[k];
      trace += E * dot(l[k], r[k]) - dot(r[k], force);
      if constexpr (D == 3) {
        const Vec3<double> row = force - E * l[k];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) += r[k][i] * row[j];
        }
      }
    }
    for (int i = D; i < kWidth<D>; ++i) block(i, i) += trace;
  }
}

/// How a point of a body with this lever moves by entry j of (u, y).
template <int D>
VecD<D> arm_column(double t, const VecD<D>& lever, int j) {
  VecD<D> unit{};
  if (j < D) {
    unit[j] = t;
    return unit;
  }
  if constexpr (D == 2) {
    return perp(lever);
  } else {
    unit[j - D] = 1;
    return cross(unit, lever);
  }
}

/// By the directions of the segments, and by the tension, which all segments share: for every two points of
/// the path the derivative of the pull at the one by the place of the other, over all parts of the pull.
template <int D>
void Rotationless<D>::add_tendons(const ConstrainedPoint& point) {
  for (std::size_t t = 0; t < elements_.tendons.size(); ++t) {
    const std::vector<Arm<D>>& path = elements_.tendons[t].path;
    const std::size_t count = path.size();
    std::fill_n(pull_by_place_.begin(), count * count, Square{});
    bool pulls = false;
    for_each_pull(t, point, [&](double tension, double slope, auto&& segment_of) {
      if (tension == 0 && slope == 0) return;
      pulls = true;
      std::fill_n(pull_.begin(), count, VecD<D>{});
      std::fill_n(lengthening_.begin(), count, VecD<D>{});
      for (std::size_t i = 0; i + 1 < count; ++i) {
        const Segment segment = segment_of(i);
        pull_[i] -= segment.n;
        pull_[i + 1] += segment.n;
        lengthening_[i] -= segment.n_right;
        lengthening_[i + 1] += segment.n_right;
        const double factor = point.force_gain * tension * segment.turning;
        for (int k = 0; k < D; ++k) {
          for (int l = 0; l < D; ++l) {
            const double turn = factor * ((k == l) - segment.n[k] * segment.n_right[l]);
            pull_by_place_[count * i + i][D * k + l] += turn;
            pull_by_place_[count * (i + 1) + i + 1][D * k + l] += turn;
            pull_by_place_[count * i + i + 1][D * k + l] -= turn;
            pull_by_place_[count * (i + 1) + i][D * k + l] -= turn;
          }
        }
      }
      for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
          for (int k = 0; k < D; ++k) {
            const double along = point.force_gain * slope * pull_[a][k];
            for (int l = 0; l < D; ++l)
              pull_by_place_[count * a + b][D * k + l] += along * lengthening_[b][l];
          }
        }
      }
    });
    if (!pulls) continue;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) add_pull(path[a], path[b], pull_by_place_[count * a + b]);
    }
  }
}

/// K += Q_on^T H Q_by, levers on the left and on the right.
template <int D>
void Rotationless<D>::add_pull(const Arm<D>& on, const Arm<D>& by, const Square& H) {
  if (on.node == ground_ || by.node == ground_) return;
  const BlockView block = node_block<D>(kkt_, on.node, by.node);
  const VecD<D> lever_on = lever(on, left_), lever_by = lever(by, right_);
  for (int j = 0; j < kWidth<D>; ++j) {
    const VecD<D> q = arm_column<D>(by.t, lever_by, j);
    VecD<D> change{};
    for (int k = 0; k < D; ++k) {
      for (int l = 0; l < D; ++l) change[k] += H[D * k + l] * q[l];
    }
    Row<D> force{};
    add_force<D>(on.t, lever_on, change, force.data());
    for (int k = 0; k < kWidth<D>; ++k) block(k, j) += force[k];
  }
}

template <int D>
void Rotationless<D>::add_springs(const ConstrainedPoint& point) {
  for (std::size_t i = 0; i < elements_.springs.size(); ++i) {
    const typename Elements::Spring& spring = elements_.springs[i];
    const MeasuredPair& pair = spring_pairs_[i];
    const double stiffness = spring.compensation_flow >= 0 ? 0 : spring.stiffness;
    const double slope = stiffness * point.kappa + spring.damping * point.velocity_gain;
    add_tangent(kkt_, ground_, spring.measure, pair, left_, right_, point.kappa,
                point.force_gain * spring_effort(spring, pair), point.force_gain * slope);
  }
  for (const typename Elements::LogSpring& spring : elements_.log_springs) {
    if (spring.compensation_flow >= 0) continue;
    const double a = log_angle(spring, start_), b = log_angle(spring, right_);
    const double force = point.force_gain * log_spring_slope(spring.stiffness, a, b);
    PairRow<D> left, right;
    for (const Product<D>& product : spring.trace) {
      add_tangent(kkt_, ground_, product, left_, right_, point.kappa * force);
      add_gradient(product, left_, 1.0, left);
      add_gradient(product, right_, 1.0, right);
    }
    // d slope / d w_b = (d slope / d b) / (-2 sin b): smooth in w_b, though both vanish with b.
    const double at = std::max(b, 1e-3), from = point.kappa == 1 ? at : a;
    const double mean = 0.5 * (at + from), half = 0.5 * (at - from);
    const double by_angle =
        -0.5 * spring.stiffness * point.kappa *
        (over_sine_slope(mean) * over_sine(half) + over_sine(mean) * over_sine_slope(half));
    const double by_trace = by_angle / (-2 * std::sin(at));
    for (double& entry : left.child) entry *= point.force_gain * by_trace;
    for (double& entry : left.parent) entry *= point.force_gain * by_trace;
    add_outer(kkt_, ground_, spring.trace[0].child.node, spring.trace[0].axis.node, left, right);
  }
}

/// `by_turn`: derivative of a moment on the child, with its reaction on the parent, by the turn of a node.
template <int D>
void Rotationless<D>::add_spin_block(const typename Elements::Spin& spin, int node,
                                     const Mat3<double>& by_turn) {
  if (node == ground_) return;
  const double* entry = &by_turn.xx;
  const auto add = [&](int on, double sign) {
    if (on == ground_) return;
    const BlockView block = node_block<D>(kkt_, on, node);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) block(D + i, D + j) += sign * entry[3 * i + j];
    }
  };
  add(spin.child, 1);
  add(spin.parent, -1);
}

template <int D>
void Rotationless<D>::add_spins(const ConstrainedPoint& point) {
  if constexpr (D == 3) {
    const double sigma = point.force_gain;
    const auto rate_by_turn = [&](int node) {
      // d Omega = gain dcay^-1(omega) y, omega = Omega / gain.
      const Vec3<double> omega = (1 / point.velocity_gain) * spin_rate(node);
      return point.velocity_gain * (Mat3<double>::identity() - 0.5 * hat(omega) + 0.25 * outer(omega, omega));
    };
    for (const typename Elements::SpinDamper& damper : elements_.spin_dampers) {
      const typename Elements::Spin& spin = damper.spin;
      const Vec3<double> relative = spin_rate(spin.child) - spin_rate(spin.parent);
      Mat3<double> by_rate{}, by_axes{};
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> b = lever(spin.axes[i], left_), b_r = lever(spin.axes[i], right_);
        const double c = sigma * damper.damping[i];
        by_rate = by_rate + c * outer(b, b);
        by_axes =
            by_axes - (c * point.kappa) * (dot(b, relative) * hat(b_r) + outer(b, cross(relative, b_r)));
      }
      if (spin.child != ground_) {
        add_spin_block(spin, spin.child, by_rate * rate_by_turn(spin.child) + by_axes);
      }
      if (spin.parent != ground_) {
        add_spin_block(spin, spin.parent, -1.0 * (by_rate * rate_by_turn(spin.parent)));
      }
    }
    add_euler_springs(point);
  }
}

template <int D>
void Rotationless<D>::add_euler_springs(const ConstrainedPoint& point) {
  if constexpr (D == 3) {
    using Turn = Dual<double, 6>;  // by the turns of child and parent
    for (const typename Elements::EulerSpring& spring : elements_.euler_springs) {
      if (spring.compensation_flow >= 0) continue;
      const auto turned = [&](const Arm<D>& arm, int first) {
        const Vec3<double> l = lever(arm, left_), r = point.kappa * lever(arm, right_);
        Vec3<Turn> axis{Turn(l.x), Turn(l.y), Turn(l.z)};
        for (int j = 0; j < 3; ++j) {
          Vec3<double> unit{};
          unit[j] = 1;
          const Vec3<double> change = cross(unit, r);
          for (int i = 0; i < 3; ++i) axis[i].tangent[first + j] = change[i];
        }
        return axis;
      };
      std::array<Vec3<Turn>, 3> rest, child;
      for (int i = 0; i < 3; ++i) rest[i] = turned(spring.rest_axes[i], 3);
      for (int i = 0; i < 3; ++i) child[i] = turned(spring.spin.axes[i], 0);
      Mat3<Turn> R;
      Turn* entry = &R.xx;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) *entry++ = dot(rest[i], child[j]);
      }
      const Vec3<Turn> angles = euler321_angles(R);
      Vec3<Turn> moment{};
      for (int i = 0; i < 3; ++i) moment += (point.force_gain * spring.stiffness[i] * angles[i]) * rest[i];
      for (int side = 0; side < 2; ++side) {
        Mat3<double> by_turn;
        double* out = &by_turn.xx;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) *out++ = moment[i].tangent[3 * side + j];
        }
        add_spin_block(spring.spin, side == 0 ? spring.spin.child : spring.spin.parent, by_turn);
      }
    }
  }
}

template <int D>
void Rotationless<D>::add_loads(const ConstrainedPoint& point) {
  for (const typename Elements::Load& load : elements_.loads) {
    if (load.axes[0].node == ground_) continue;
    for (int i = 0; i < 3; ++i) {
      const double change = -point.force_gain * point.kappa * load.components[i].value(point.time);
      if (load.is_force) {
        add_arms<D>(kkt_, ground_, load.at, lever(load.at, left_), load.axes[i], lever(load.axes[i], right_),
                    change);
      } else if constexpr (D == 3) {
        const typename Elements::Spin spin{load.at.node, ground_, {}};
        add_spin_block(spin, load.at.node, -change * hat(lever(load.axes[i], right_)));
      }
    }
  }
}

template <int D>
void Rotationless<D>::add_efforts(const ConstrainedPoint& point, std::span<const double> unknowns) {
  for (std::size_t i = 0; i < elements_.efforts.size(); ++i) {
    const typename Elements::Effort& effort = elements_.efforts[i];
    const double tau = scaled_effort(effort, point, unknowns);
    if (tau == 0) continue;
    const Arm<D>& axis = effort.spin.axes[0];
    if (effort.kind == Elements::Effort::Kind::coordinate) {
      add_tangent(kkt_, ground_, effort.measure, effort_pairs_[i], left_, right_, point.kappa, -tau, 0.0);
    } else if (effort.kind == Elements::Effort::Kind::force) {
      add_arms<D>(kkt_, ground_, effort.at, lever(effort.at, left_), axis, lever(axis, right_),
                  -tau * point.kappa);
    } else if constexpr (D == 3) {
      add_spin_block(effort.spin, effort.spin.child, (tau * point.kappa) * hat(lever(axis, right_)));
    }
  }
}

/// Adds `sign` times the direction in which an effort acts, at the left configuration, to its border row.
template <int D>
void Rotationless<D>::put_effort(std::size_t i, bool left, double sign) {
  const typename Elements::Effort& effort = elements_.efforts[i];
  PairRow<D> column;
  int child = effort.spin.child, parent = effort.spin.parent;
  if (effort.kind == Elements::Effort::Kind::coordinate) {
    column = discrete_gradient(effort.measure, effort_pairs_[i], left_);
    child = effort.measure.child;
    parent = effort.measure.parent;
  } else if (effort.kind == Elements::Effort::Kind::force) {
    add_force<D>(effort.at.t, lever(effort.at, left_), lever(effort.spin.axes[0], left_),
                 column.child.data());
  } else if constexpr (D == 3) {
    const Vec3<double> axis = lever(effort.spin.axes[0], left_);
    for (int k = 0; k < 3; ++k) {
      column.child[3 + k] = axis[k];
      column.parent[3 + k] = -axis[k];
    }
  }
  put_pair(left, loop_count_ + effort.servo, child, parent, sign, column);
}

/// Likewise the gradient of an output, at the right configuration.
template <int D>
void Rotationless<D>::put_output(std::size_t j, double t, bool left, double sign) {
  const typename Elements::Output& output = elements_.outputs[j];
  const int row = loop_count_ + static_cast<int>(j);
  PairRow<D> gradient;
  if (output.kind == Elements::Output::Kind::coordinate) {
    const double b = value(output.measure, right_, 0.0);
    gradient = end_gradient(output.measure, b, right_);
    put_pair(left, row, output.measure.child, output.measure.parent, sign, gradient);
    return;
  }
  if constexpr (D == 3) {
    if (output.kind == Elements::Output::Kind::orientation) {
      const Arm<D>& axis = output.axes[output.component];
      add_force<D>(0, lever(axis, right_), target_axis(output.programs, (output.component + 1) % 3, t).value,
                   gradient.child.data());
      put_pair(left, row, axis.node, ground_, sign, gradient);
      return;
    }
  }
  VecD<D> unit{};
  unit[output.component] = 1;
  add_force<D>(output.point.t, lever(output.point, right_), unit, gradient.child.data());
  put_pair(left, row, output.point.node, ground_, sign, gradient);
}

template <int D>
void Rotationless<D>::put_pair(bool left, int row, int child, int parent, double sign,
                               const PairRow<D>& pair) {
  const auto add = [&](int node, const Row<D>& from) {
    if (node == ground_) return;
    double* out = border_entry(left, row, node);
    for (int k = 0; k < kWidth<D>; ++k) out[k] += sign * from[k];
  };
  add(child, pair.child);
  add(parent, pair.parent);
}

/// Efforts that are unknowns as columns on the left, outputs as rows on the right; or either on both sides.
template <int D>
void Rotationless<D>::put_servos(double t, ServoSide left, ServoSide right) {
  const auto put = [&](ServoSide what, bool is_left) {
    const double sign = is_left ? -1 : 1;
    for (std::size_t i = 0; what == ServoSide::efforts && i < elements_.efforts.size(); ++i) {
      if (elements_.efforts[i].servo >= 0) put_effort(i, is_left, sign);
    }
    for (std::size_t j = 0; what == ServoSide::outputs && j < elements_.outputs.size(); ++j) {
      put_output(j, t, is_left, sign);
    }
  };
  put(left, true);
  put(right, false);
}

/// Turns of the bodies in the step, as Cayley vectors. At half a turn levers on the left vanish, and with
/// them every equation of moments: unbounded vectors solve any step, and near it increments seem to converge
/// while moments do not (a free chain lost a third of its energy with a bound of 3 rad).
template <int D>
bool Rotationless<D>::turns_are_short(std::span<const double> unknowns) const {
  const double longest = 2 * std::tan(0.5 * kLongestTurn);
  for (int node = 0; node < ground_; ++node) {
    const double* eta = &unknowns[kkt_.offset(node)];
    double square = 0;
    for (int i = D; i < kWidth<D>; ++i) square += eta[i] * eta[i];
    if (!(square <= longest * longest)) return false;
  }
  return true;
}

template <int D>
void Rotationless<D>::assemble(const ConstrainedPoint& point, std::span<const double> unknowns) {
  kkt_.clear();
  add_bodies(point.kappa, true);
  for (const PlacedRows& rows : tree_rows_) {
    put_rows(rows);
    add_constraint_tangent(rows, point.kappa, unknowns);
  }
  for (const PlacedRows& rows : loop_rows_) {
    put_rows(rows);
    add_constraint_tangent(rows, point.kappa, unknowns);
  }
  add_tendons(point);
  add_springs(point);
  add_spins(point);
  add_loads(point);
  add_efforts(point, unknowns);
  add_controllers(point);
  put_servos(point.end_time, ServoSide::efforts, ServoSide::outputs);
}

template <int D>
bool Rotationless<D>::factorise(const ConstrainedPoint& point, std::span<const double> unknowns) {
  if (!turns_are_short(unknowns)) return false;
  assemble(point, unknowns);
  return kkt_.factorise() && kkt_.factorise_border();
}

}  // namespace torsor
