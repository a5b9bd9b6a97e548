#pragma once
// The tangent of a weak form. Forces that follow bodies (loads, compensation of weights) are taken as fixed:
// Newton's method pays for that with a few iterations, the solution does not.

#include <algorithm>
#include <cmath>

#include "torsor/formulation/rotationless/weak_form.h"
#include "torsor/lie/series.h"

namespace torsor {

template <int D>
typename RotationlessWeakForm<D>::Matrix& RotationlessWeakForm<D>::coupling(int row, int column,
                                                                            bool by_rate) {
  const auto begin = couplings_.begin() + coupling_begin_[row];
  const auto end = couplings_.begin() + coupling_begin_[row + 1];
  const auto found =
      std::lower_bound(begin, end, column, [](const Coupling& c, int node) { return c.column < node; });
  return by_rate ? found->by_rate : found->by_x;
}

/// A_on^T H A_by with the matrices of the arms.
template <int D>
void RotationlessWeakForm<D>::add_arms(const Arm<D>& on, const Arm<D>& by, const Square& H, bool by_rate) {
  if (!is_body(on.node) || !is_body(by.node)) return;
  Matrix& block = coupling(on.node, by.node, by_rate);
  std::array<std::array<double, X>, D> right{};  // H A_by, by rows
  for (int i = 0; i < D; ++i) {
    VecD<D> row;
    for (int j = 0; j < D; ++j) row[j] = H[D * i + j];
    add_to(right[i], by, row);
  }
  for (int c = 0; c < X; ++c) {
    VecD<D> column;
    for (int i = 0; i < D; ++i) column[i] = right[i][c];
    std::array<double, X> left{};
    add_to(left, on, column);
    for (int i = 0; i < X; ++i) block[X * i + c] += left[i];
  }
}

template <int D>
void RotationlessWeakForm<D>::add_outer(const Gradient& on, const Gradient& by, double factor, bool by_rate) {
  const auto add = [&](int row, const std::array<double, X>& left, int column,
                       const std::array<double, X>& right) {
    if (!is_body(row) || !is_body(column)) return;
    Matrix& block = coupling(row, column, by_rate);
    for (int i = 0; i < X; ++i) {
      for (int j = 0; j < X; ++j) block[X * i + j] += factor * left[i] * right[j];
    }
  };
  add(on.child, on.by_child, by.child, by.by_child);
  add(on.child, on.by_child, by.parent, by.by_parent);
  add(on.parent, on.by_parent, by.child, by.by_child);
  add(on.parent, on.by_parent, by.parent, by.by_parent);
}

/// `factor` times its second derivative.
template <int D>
void RotationlessWeakForm<D>::add_product(const Product<D>& product, double factor) {
  Square H{};
  for (int i = 0; i < D; ++i) H[D * i + i] = factor * product.weight;
  for (const Arm<D>* arm : {&product.child, &product.parent}) {
    add_arms(*arm, product.axis, H, false);
    add_arms(product.axis, *arm, H, false);
  }
}

template <int D>
typename RotationlessWeakForm<D>::Gradient RotationlessWeakForm<D>::gradient(const Measure<D>& measure,
                                                                             double sine,
                                                                             double cosine) const {
  Gradient gradient{measure.child, measure.parent};
  const auto add = [&](const Arm<D>& arm, const VecD<D>& force) { gradient.add(arm, force); };
  for (const Product<D>& product : measure.sine) push_gradient(product, at_, sine, add);
  for (const Product<D>& product : measure.cosine) push_gradient(product, at_, cosine, add);
  if (measure.displacement) push_gradient(*measure.displacement, at_, 1.0, add);
  return gradient;
}

/// Of `effort` times the gradient, with the derivatives of the effort by the coordinate and its rate.
template <int D>
void RotationlessWeakForm<D>::add_measure(const Measure<D>& measure, const MeasuredPair& pair, double effort,
                                          double stiffness, double damping) {
  const Gradient along = gradient(measure, pair.sine, pair.cosine);
  add_outer(along, along, stiffness, false);
  add_outer(along, along, damping, true);
  for (const Product<D>& product : measure.sine) add_product(product, effort * pair.sine);
  for (const Product<D>& product : measure.cosine) add_product(product, effort * pair.cosine);
  if (measure.displacement) return add_product(*measure.displacement, effort);
  add_outer(gradient(measure, pair.d_sine, pair.d_cosine), along, effort, false);
}

template <int D>
void RotationlessWeakForm<D>::add_tendons(const ConstrainedPoint& point) {
  for (std::size_t t = 0; t < system_.elements_.tendons.size(); ++t) {
    const std::vector<Arm<D>>& path = system_.elements_.tendons[t].path;
    const typename System::TendonPair& pair = system_.tendon_pairs_[t];
    const bool slack = system_.elements_.tendons[t].tension_only && pair.tension == 0;
    const double damping = slack ? 0 : system_.elements_.tendons[t].damping;
    const auto direction = [&](std::size_t i) {  // of segment i
      const std::size_t first = system_.elements_.tendons[t].first_segment;
      return system_.pair_segment(system_.stretches_[first + i], point.kappa);
    };
    const auto pull = [&](std::size_t via) {
      VecD<D> n{};
      if (via > 0) n += direction(via - 1).n;
      if (via + 1 < path.size()) n -= direction(via).n;
      return n;
    };
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const auto [n, n_right, turning] = direction(i);
      Square H;
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) H[D * a + b] = pair.tension * turning * ((a == b) - n[a] * n[b]);
      }
      add_arms(path[i], path[i], H, false);
      add_arms(path[i + 1], path[i + 1], H, false);
      for (double& entry : H) entry = -entry;
      add_arms(path[i], path[i + 1], H, false);
      add_arms(path[i + 1], path[i], H, false);
    }
    for (std::size_t a = 0; a < path.size(); ++a) {
      const VecD<D> n_a = pull(a);
      for (std::size_t b = 0; b < path.size(); ++b) {
        const VecD<D> n_b = pull(b);
        Square by_length, by_rate;
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) {
            by_length[D * i + j] = pair.d_elastic * n_a[i] * n_b[j];
            by_rate[D * i + j] = damping * n_a[i] * n_b[j];
          }
        }
        add_arms(path[a], path[b], by_length, false);
        add_arms(path[a], path[b], by_rate, true);
      }
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::add_springs(const ConstrainedPoint& point) {
  for (std::size_t i = 0; i < system_.elements_.springs.size(); ++i) {
    const typename Elements::Spring& spring = system_.elements_.springs[i];
    const MeasuredPair& pair = system_.spring_pairs_[i];
    add_measure(spring.measure, pair, system_.spring_effort(spring, pair),
                spring.compensation_flow >= 0 ? 0 : spring.stiffness, spring.damping);
  }
  for (const typename Elements::LogSpring& spring : system_.elements_.log_springs) {
    if (spring.compensation_flow >= 0) continue;
    const double angle = system_.log_angle(spring, at_);
    const double slope = System::log_spring_slope(spring.stiffness, angle, angle);
    Gradient along{spring.trace[0].child.node, spring.trace[0].axis.node};
    for (const Product<D>& product : spring.trace) {
      add_product(product, slope);
      push_gradient(product, at_, 1.0,
                    [&](const Arm<D>& arm, const VecD<D>& force) { along.add(arm, force); });
    }
    // As in rotationless_tangent.hpp: d slope / d w, w = 1 + 2 cos angle.
    const double from = std::max(angle, 1e-3);
    const double by_angle = -0.5 * spring.stiffness * over_sine_slope(from);
    add_outer(along, along, by_angle / (-2 * std::sin(from)), false);
  }
  for (std::size_t i = 0; i < system_.elements_.efforts.size(); ++i) {
    const typename Elements::Effort& effort = system_.elements_.efforts[i];
    if (effort.kind != Elements::Effort::Kind::coordinate) continue;
    add_measure(effort.measure, system_.effort_pairs_[i], -system_.scaled_effort(effort, point, {}), 0, 0);
  }
}

/// Moments about axes by the spin of child and parent: damping by their rates, springs by small turns.
template <int D>
void RotationlessWeakForm<D>::add_spins() {
  if constexpr (D == 3) {
    const auto add = [&](const typename Elements::Spin& spin, const VecD<D>& axis, double factor,
                         bool by_rate) {
      Gradient about{spin.child, spin.parent};
      const auto turn = [&](int node, double sign, std::array<double, X>& by) {
        if (!is_body(node)) return;
        const auto arms = spin_arms(at_[node]);
        for (int k = 0; k < D; ++k) {
          const VecD<D> force = sign * spun(axis, arms[k]);
          for (int i = 0; i < D; ++i) by[D * (k + 1) + i] = force[i];
        }
      };
      turn(spin.child, 1, about.by_child);
      turn(spin.parent, -1, about.by_parent);
      add_outer(about, about, factor, by_rate);
    };
    for (const typename Elements::SpinDamper& damper : system_.elements_.spin_dampers) {
      for (int i = 0; i < 3; ++i) add(damper.spin, lever(damper.spin.axes[i], at_), damper.damping[i], true);
    }
    for (const typename Elements::EulerSpring& spring : system_.elements_.euler_springs) {
      if (spring.compensation_flow >= 0) continue;
      for (int i = 0; i < 3; ++i)
        add(spring.spin, lever(spring.rest_axes[i], at_), spring.stiffness[i], false);
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::add_controllers(const ConstrainedPoint& point) {
  for (std::size_t i = 0; i < system_.elements_.coordinate_holds.size(); ++i) {
    const typename Elements::CoordinateHold& hold = system_.elements_.coordinate_holds[i];
    const MeasuredPair& pair = system_.hold_pairs_[i];
    add_measure(hold.measure, pair, system_.hold_effort(hold, pair, point.time), hold.stiffness,
                hold.damping);
  }
  for (const typename Elements::PointHold& hold : system_.elements_.point_holds) {
    Square stiffness{}, damping{};
    for (int i = 0; i < D; ++i) {
      stiffness[D * i + i] = hold.stiffness[i];
      damping[D * i + i] = hold.damping[i];
    }
    add_arms(hold.point, hold.point, stiffness, false);
    add_arms(hold.point, hold.point, damping, true);
  }
}

template <int D>
void RotationlessWeakForm<D>::add_force_tangent(const ConstrainedPoint& point) {
  add_tendons(point);
  add_springs(point);
  add_spins();
  add_controllers(point);
}

template <int D>
void RotationlessWeakForm<D>::add_constraint_tangent(std::span<const double> unknowns,
                                                     const GalerkinBasis::Point& at) {
  const int stages = basis_.stages(), multipliers = multiplier_count();
  const double* forces = &unknowns[static_cast<std::size_t>(stages) * coordinate_count()];
  const auto force_of = [&](int row) {
    double lambda = 0;
    for_each_multiplier(row, [&](int multiplier, double factor) {
      for (int k = 0; k < stages; ++k) lambda += factor * at.value[k] * forces[k * multipliers + multiplier];
    });
    return lambda;
  };
  const auto add_joint = [&](const PlacedRows& rows, int row) {
    if (rows.coincident) row += D;
    for (const Product<D>& product : system_.products(rows)) add_product(product, force_of(row++));
    if (rows.screw < 0) return;
    const auto& [screw, pair] = system_.screws_[rows.screw];
    add_product(screw.advance, force_of(row));
    add_measure(screw.angle, pair, -screw.pitch * force_of(row), 0, 0);
  };
  for (int node = 0; node < system_.ground_; ++node) {
    Matrix& block = coupling(node, node, false);
    int row = first_row_[node];
    for (int i = 1; i <= kFree; ++i) {
      for (int j = i; j <= kFree; ++j) {
        const double lambda = force_of(row++);
        for (int c = 0; c < D; ++c) {
          block[X * (D * i + c) + D * j + c] += lambda;
          if (i != j) block[X * (D * j + c) + D * i + c] += lambda;
        }
      }
    }
    add_joint(system_.tree_rows_[node], row);
  }
  for (const PlacedRows& rows : system_.loop_rows_) add_joint(rows, row_count_ + rows.border);
}

template <int D>
void RotationlessWeakForm<D>::add_inertia() {
  for (int node = 0; node < system_.ground_; ++node) {
    const ColumnBlock block = matrix_.block(block_of(node), block_of(node));
    for (int j = 0; j < basis_.stages(); ++j) {
      for (int k = 0; k < basis_.stages(); ++k) {
        for (int i = 0; i < X; ++i) block(X * j + i, X * k + i) += basis_.A(j, k) * mass(node, i);
      }
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::spread(double factor, double rate_factor, const GalerkinBasis::Point& at) {
  for (Coupling& coupling : couplings_) {
    const ColumnBlock block = matrix_.block(block_of(coupling.row), block_of(coupling.column));
    for (int j = 0; j < basis_.stages(); ++j) {
      for (int k = 0; k < basis_.stages(); ++k) {
        const double by_x = factor * at.value[j] * at.integral[k];
        const double by_rate = rate_factor * at.value[j] * at.value[k];
        for (int c = 0; c < X; ++c) {
          for (int i = 0; i < X; ++i) {
            block(X * j + i, X * k + c) +=
                by_x * coupling.by_x[X * i + c] + by_rate * coupling.by_rate[X * i + c];
          }
        }
      }
    }
    coupling.by_x.fill(0);
    coupling.by_rate.fill(0);
  }
}

/// Adds a gradient to a row (a constraint's) or a column (a multiplier's) of stage `stage`, against the
/// coordinates of stage `by_stage`.
template <int D>
void RotationlessWeakForm<D>::put_gradient(int row, const Gradient& gradient, double factor, int stage,
                                           bool as_row, int by_stage) {
  const int stages = basis_.stages(), child = gradient.child;
  for_each_multiplier(row, [&](int multiplier, double share) {
    int owner = 0, index = 0;  // the block of the multiplier, and its place there
    if (row >= row_count_) {
      index = stage * system_.loop_rank_ + multiplier - row_count_;
    } else {
      owner = block_of(child);
      const int count = first_row_[child + 1] - first_row_[child];
      index = stages * X + stage * count + multiplier - first_row_[child];
    }
    const auto put = [&](int node, const std::array<double, X>& by) {
      if (!is_body(node)) return;
      const int body = block_of(node);
      const ColumnBlock block = as_row ? matrix_.block(owner, body) : matrix_.block(body, owner);
      for (int i = 0; i < X; ++i) {
        const int at = X * by_stage + i;
        (as_row ? block(index, at) : block(at, index)) += share * factor * by[i];
      }
    };
    put(child, gradient.by_child);
    put(gradient.parent, gradient.by_parent);
  });
}

template <int D>
void RotationlessWeakForm<D>::put_gradients(const GalerkinBasis::Point& at) {
  const int stages = basis_.stages();
  for_each_gradient(Rows::all, at_, [&](int row, const Gradient& gradient) {
    for (int j = 0; j < stages; ++j) {
      for (int k = 0; k < stages; ++k) {
        const double factor = at.weight * at.value[j] * at.value[k];
        put_gradient(row, gradient, factor, k, false, j);
        if (j > 0) put_gradient(row, gradient, factor, j, true, k);
      }
    }
  });
  // Gradients are linear in x: d(G(x) dx/ds) by x is G(dx/ds), where the ground stands still.
  for_each_gradient(Rows::curved, slope_, [&](int row, const Gradient& gradient) {
    for (int j = 1; j < stages; ++j) {
      for (int k = 0; k < stages; ++k) {
        put_gradient(row, gradient, at.weight * at.value[j] * at.integral[k], j, true, k);
      }
    }
  });
}

template <int D>
void RotationlessWeakForm<D>::put_end_gradients() {
  for_each_gradient(Rows::all, end_,
                    [&](int row, const Gradient& gradient) { put_gradient(row, gradient, 1, 0, true, 0); });
}

}  // namespace torsor
