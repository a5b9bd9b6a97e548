// The tangents of the weak form: the exact one, of all stages together, and the mean one.

#include "torsor/formulation/rotationless/weak_form.h"

namespace torsor {

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_joint_gradient(const PlacedRows<D>& rows, int first, Rows which,
                                                      const Configuration<D>& at, Use&& use) const {
  int row = first;
  if (rows.coincident && which == Rows::curved) row += D;
  if (rows.coincident && which == Rows::all) {
    for (int i = 0; i < D; ++i) {
      VecD<D> unit{};
      unit[i] = 1;
      Gradient gradient{rows.child, rows.parent};
      gradient(rows.child_point, unit);
      gradient(rows.parent_point, unit);
      use(row++, gradient);
    }
  }
  const auto product_gradient = [&](const Product<D>& product) {
    Gradient gradient{rows.child, rows.parent};
    push_gradient(product, at, 1.0, gradient);
    return gradient;
  };
  for (const Product<D>& product : mechanism_.products_of(rows)) use(row++, product_gradient(product));
  if (rows.screw < 0) return;
  const Screw<D>& screw = mechanism_.screws[rows.screw];
  Gradient gradient = product_gradient(screw.advance);
  push_gradient(screw.angle, row_pairs_[rows.screw], at, -screw.pitch, gradient);
  use(row, gradient);
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_gradient(Rows which, const Configuration<D>& at, Use&& use) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    int row = first_row_[node];
    for (int i = 0; i < kFree; ++i) {
      for (int j = i; j < kFree; ++j) {
        Gradient gradient{node, mechanism_.ground};
        for (int c = 0; c < D; ++c) {
          gradient.by_child[D * (i + 1) + c] = at[node].d[j][c];
          gradient.by_child[D * (j + 1) + c] = at[node].d[i][c];
        }
        use(row++, gradient);
      }
    }
    for_each_joint_gradient(mechanism_.tree_rows[node], row, which, at, use);
  }
  for (const PlacedRows<D>& rows : mechanism_.loop_rows) {
    for_each_joint_gradient(rows, row_count_ + rows.border, which, at, use);
  }
  for (const CouplingRow<D>& row : mechanism_.couplings) {  // a gradient for each term, which add up
    const MeasuredPair* pair = &row_pairs_[mechanism_.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism_.terms_of(row)) {
      Gradient gradient{coordinate.child, coordinate.parent};
      push_gradient(coordinate, *pair++, at, factor, gradient);
      use(row_count_ + row.border, gradient);
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::add_constraint_tangent(std::span<const double> unknowns,
                                                     const GalerkinBasis::Point& at) {
  const int stages = basis_.stages(), multipliers = multiplier_count();
  const double* forces = unknowns.data() + static_cast<std::size_t>(stages) * coordinate_count();
  const auto force_of = [&](int row) {
    double lambda = 0;
    for_each_multiplier(row, [&](int multiplier, double factor) {
      for (int k = 0; k < stages; ++k) lambda += factor * at.value[k] * forces[k * multipliers + multiplier];
    });
    return lambda;
  };
  const WeakSink<D> sink{couplings_, at_, mechanism_.ground};
  const auto add_joint = [&](const PlacedRows<D>& rows, int row) {
    if (rows.coincident) row += D;
    for (const Product<D>& product : mechanism_.products_of(rows)) sink.product(product, force_of(row++));
    if (rows.screw < 0) return;
    const Screw<D>& screw = mechanism_.screws[rows.screw];
    sink.product(screw.advance, force_of(row));
    sink.measure(screw.angle, row_pairs_[rows.screw], -screw.pitch * force_of(row), 0, 0);
  };
  for (int node = 0; node < mechanism_.ground; ++node) {
    auto& block = couplings_.at(node, node, false);
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
    add_joint(mechanism_.tree_rows[node], row);
  }
  for (const PlacedRows<D>& rows : mechanism_.loop_rows) add_joint(rows, row_count_ + rows.border);
  for (const CouplingRow<D>& row : mechanism_.couplings) {
    const MeasuredPair* pair = &row_pairs_[mechanism_.screws.size() + row.first_term];
    const double force = force_of(row_count_ + row.border);
    for (const auto& [coordinate, factor, joint] : mechanism_.terms_of(row)) {
      sink.measure(coordinate, *pair++, factor * force, 0, 0);
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::spread(double factor, double rate_factor, const GalerkinBasis::Point& at) {
  for (auto& coupling : couplings_.all) {
    const RowBlock block = matrix_.block(first_block_ + coupling.row, first_block_ + coupling.column);
    for (int j = 0; j < basis_.stages(); ++j) {
      for (int k = 0; k < basis_.stages(); ++k) {
        const double by_x = factor * at.value[j] * at.integral[k];
        const double by_rate = rate_factor * at.value[j] * at.value[k];
        for (int i = 0; i < X; ++i) {
          for (int c = 0; c < X; ++c) {
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

template <int D>
void RotationlessWeakForm<D>::put_gradient(BlockElimination& matrix, int stages, int row,
                                           const Gradient& gradient, double factor, int stage, bool as_row,
                                           int by_stage) {
  const int child = gradient.child;
  for_each_multiplier(row, [&](int multiplier, double share) {
    int owner = 0, index = 0;  // the block of the multiplier, and its place there
    if (row >= row_count_) {
      index = stage * mechanism_.loop_rank + multiplier - row_count_;
    } else {
      owner = first_block_ + child;
      const int count = first_row_[child + 1] - first_row_[child];
      index = stages * X + stage * count + multiplier - first_row_[child];
    }
    const auto put = [&](int node, const std::array<double, X>& by) {
      if (node == mechanism_.ground) return;
      const int body = first_block_ + node;
      const RowBlock block = as_row ? matrix.block(owner, body) : matrix.block(body, owner);
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
        put_gradient(matrix_, stages, row, gradient, factor, k, false, j);
        if (j > 0) put_gradient(matrix_, stages, row, gradient, factor, j, true, k);
      }
    }
  });
  // Gradients are linear in x: d(G(x) dx/ds) by x is G(dx/ds), where the ground stands still.
  for_each_gradient(Rows::curved, slope_, [&](int row, const Gradient& gradient) {
    for (int j = 1; j < stages; ++j) {
      for (int k = 0; k < stages; ++k) {
        const double factor = at.weight * at.value[j] * at.integral[k];
        put_gradient(matrix_, stages, row, gradient, factor, j, true, k);
      }
    }
  });
}

template <int D>
bool RotationlessWeakForm<D>::factorise(const WeakStep& step, std::span<const double> unknowns) {
  matrix_.clear();
  for (int node = 0; node < mechanism_.ground; ++node) {
    const RowBlock block = matrix_.block(first_block_ + node, first_block_ + node);
    for (int j = 0; j < basis_.stages(); ++j) {
      for (int k = 0; k < basis_.stages(); ++k) {
        for (int i = 0; i < X; ++i) block(X * j + i, X * k + i) += basis_.A(j, k) * mass(node, i);
      }
    }
  }
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    const ConstrainedPoint point = force_point(step, unknowns, at);
    acting_.push_all(mechanism_, point, {});
    const PairView<D> view{point, mechanism_, acting_.X, {}};
    const WeakSink<D> sink{couplings_, acting_.X.left, mechanism_.ground};
    for_each_element(acting_.elements, [&](auto& element) {
      if constexpr (requires { element.add_tangent(view, sink); }) element.add_tangent(view, sink);
    });
    spread(step.h * step.h * at.weight, step.h * at.weight, at);
  }
  for (const GalerkinBasis::Point& at : basis_.constraint_rule()) {
    place(step, unknowns, at);
    add_constraint_tangent(unknowns, at);
    spread(at.weight, 0, at);
    put_gradients(at);
  }
  load_form<D>(step.x_b, end_);
  for_each_gradient(Rows::all, end_, [&](int row, const Gradient& gradient) {
    put_gradient(matrix_, basis_.stages(), row, gradient, 1, 0, true, 0);
  });
  matrix_.factorise();
  return true;
}

template <int D>
void RotationlessWeakForm<D>::solve(std::span<double> r) {
  for (std::size_t i = 0; i < gathered_.size(); ++i) gathered_[i] = r[place_of_[i]];
  matrix_.solve(gathered_);
  for (std::size_t i = 0; i < gathered_.size(); ++i) r[place_of_[i]] = gathered_[i];
}

template <int D>
void RotationlessWeakForm<D>::factorise_mean(const WeakStep& step, std::span<const double> unknowns) {
  place(step, unknowns, basis_.middle());
  mean_.clear();
  for (int node = 0; node < mechanism_.ground; ++node) {
    const RowBlock block = mean_.block(first_block_ + node, first_block_ + node);
    for (int i = 0; i < X; ++i) block(i, i) = masses_[X * node + i];
  }
  for_each_gradient(Rows::all, at_, [&](int row, const Gradient& gradient) {
    put_gradient(mean_, 1, row, gradient, 1, 0, true, 0);
    put_gradient(mean_, 1, row, gradient, 1, 0, false, 0);
  });
  mean_.factorise();
}

template <int D>
void RotationlessWeakForm<D>::solve_mean(std::span<double> r) {
  const int stages = basis_.stages(), n = coordinate_count(), multipliers = multiplier_count();
  double* c = r.data() + static_cast<std::size_t>(stages) * n;
  for (std::size_t i = 0; i < packed_.size(); ++i) {  // the right side of (3)
    const int place = mean_place_of_[i];
    const bool row = place >= n;
    const double* from = row ? c + place - n : &r[place];
    Pack<kMostStages> x;
    for (int j = 0; j < stages; ++j)
      x += (row ? by_rate_ : by_residual_)[j] * from[j * (row ? multipliers : n)];
    packed_[i] = x;
  }
  mean_.solve(std::span(packed_));
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    const int place = mean_place_of_[i];
    if (place < n) {
      for (int k = 0; k < stages; ++k) r[k * n + place] = packed_[i][k];
    } else {
      Pack<kMostStages> lambda;
      for (int k = 0; k < stages; ++k) lambda += by_mu_[k] * packed_[i][k];
      for (int j = 0; j < stages; ++j) c[j * multipliers + place - n] = lambda[j];
    }
  }
}

template class RotationlessWeakForm<2>;
template class RotationlessWeakForm<3>;

}  // namespace torsor
