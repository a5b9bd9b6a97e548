#include "torsor/formulation/rotationless/weak_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/constraints.h"

namespace torsor {
namespace {

/// Rows of each block: all stages of a body's coordinates, of the constraints inside it and of its joint's;
/// before the bodies a block for the loops, so that it is eliminated last.
std::vector<int> block_sizes(const KktPattern& pattern, int stages, int coordinates, int internal,
                             int loop_rank) {
  std::vector<int> sizes;
  if (loop_rank > 0) sizes.push_back(stages * loop_rank);
  for (const KktPattern::Node& node : pattern.nodes) {
    sizes.push_back(stages * (coordinates + internal + node.multipliers));
  }
  return sizes;
}

std::vector<std::pair<int, int>> block_couplings(const KktPattern& pattern, int loop_rank) {
  const int first = loop_rank > 0 ? 1 : 0;
  std::vector<std::pair<int, int>> couplings;
  for (std::size_t node = 0; node < pattern.nodes.size(); ++node) {
    if (pattern.nodes[node].parent >= 0) {
      couplings.emplace_back(pattern.nodes[node].parent + first, static_cast<int>(node) + first);
    }
  }
  for (const auto& [a, b] : pattern.couplings) couplings.emplace_back(a + first, b + first);
  for (const std::vector<int>& bodies : pattern.border) {
    for (int body : bodies) couplings.emplace_back(0, body + first);
  }
  return couplings;
}

/// Pairs of bodies whose forces and coordinates meet, sorted.
std::vector<std::pair<int, int>> coupled_bodies(const KktPattern& pattern) {
  std::vector<std::pair<int, int>> pairs;
  const auto couple = [&](int a, int b) {
    pairs.emplace_back(a, b);
    pairs.emplace_back(b, a);
  };
  for (std::size_t i = 0; i < pattern.nodes.size(); ++i) {
    const int node = static_cast<int>(i);
    pairs.emplace_back(node, node);
    if (pattern.nodes[i].parent >= 0) couple(pattern.nodes[i].parent, node);
  }
  for (const auto& [a, b] : pattern.couplings) couple(a, b);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Coordinates of the form as those of the system.
template <int D>
void expand(std::span<const double> x_form, std::span<double> x) {
  if constexpr (D == 2) {
    constexpr int X = FormBody<D>::X;
    const double* from = x_form.data();
    for (double* to = x.data(); to < x.data() + x.size(); to += kCoordinates<D>, from += X) {
      std::copy_n(from, X, to);
      to[4] = -from[3];
      to[5] = from[2];
    }
  } else {
    std::copy(x_form.begin(), x_form.end(), x.begin());
  }
}

}  // namespace

template <int D>
RotationlessWeakForm<D>::RotationlessWeakForm(const RotationlessWork<D>& system, const GalerkinBasis& basis)
    : mechanism_(system.mechanism),
      loop_basis_(system.basis),
      source_count_(system.book.sources.size()),
      basis_(basis),
      acting_(system),
      screw_pairs_(system.screw_pairs),
      couplings_(coupled_bodies(system.pattern), mechanism_.ground),
      matrix_(block_sizes(system.pattern, basis.stages(), X, kInternal, mechanism_.loop_rank),
              block_couplings(system.pattern, mechanism_.loop_rank)),
      gathered_(matrix_.size()),
      x_form_(static_cast<std::size_t>(X) * mechanism_.ground),
      x_(mechanism_.coordinate_count()),
      rate_(x_.size()),
      zero_(x_.size()),
      g_(system.unknown_count()),
      at_(mechanism_.ground + 1, ground_directors<D>()),
      slope_(mechanism_.ground + 1),
      end_(at_) {
  for (const auto& node : system.pattern.nodes) {
    first_row_.push_back(row_count_);
    row_count_ += kInternal + node.multipliers;
  }
  first_row_.push_back(row_count_);

  const int stages = basis_.stages(), n = mechanism_.ground, multipliers = multiplier_count();
  const auto multiplier_place = [&](int stage, int multiplier) {
    return stages * coordinate_count() + stage * multipliers + multiplier;
  };
  for (int k = 0; k < stages; ++k) {
    for (int i = 0; i < mechanism_.loop_rank; ++i) place_of_.push_back(multiplier_place(k, row_count_ + i));
  }
  for (int node = 0; node < n; ++node) {
    for (int k = 0; k < stages; ++k) {
      for (int i = 0; i < X; ++i) place_of_.push_back(k * coordinate_count() + X * node + i);
    }
    for (int k = 0; k < stages; ++k) {
      for (int row = first_row_[node]; row < first_row_[node + 1]; ++row) {
        place_of_.push_back(multiplier_place(k, row));
      }
    }
  }
}

template <int D>
void RotationlessWeakForm<D>::embed(std::span<const double> x, std::span<const double> v,
                                    std::span<double> x_form, std::span<double> v_form) const {
  for (int node = 0; node < mechanism_.ground; ++node) {
    std::copy_n(&x[kCoordinates<D> * node], X, &x_form[X * node]);
    std::copy_n(&v[kCoordinates<D> * node], X, &v_form[X * node]);
  }
}

template <int D>
void RotationlessWeakForm<D>::project(std::span<const double> x_form, std::span<const double> v_form,
                                      std::span<double> x, std::span<double> v) const {
  expand<D>(x_form, x);
  expand<D>(v_form, v);
}

template <int D>
void RotationlessWeakForm<D>::place(const WeakStep& step, std::span<const double> unknowns,
                                    const GalerkinBasis::Point& at) {
  const std::size_t n = x_form_.size();
  const auto sum = [&](const std::vector<double>& factors, std::size_t i) {
    double total = 0;
    for (int k = 0; k < basis_.stages(); ++k) total += factors[k] * unknowns[k * n + i];
    return total;
  };
  for (std::size_t i = 0; i < n; ++i) x_form_[i] = step.x_0[i] + sum(at.integral, i);
  expand<D>(x_form_, x_);
  for (std::size_t i = 0; i < n; ++i) x_form_[i] = sum(at.value, i);
  expand<D>(x_form_, rate_);
  load_configuration(x_, at_);
  load_configuration(rate_, slope_);
  for (double& rate : rate_) rate /= step.h;
}

template <int D>
ConstrainedPoint RotationlessWeakForm<D>::force_point(const WeakStep& step,
                                                      const GalerkinBasis::Point& at) const {
  ConstrainedPoint point;
  point.time = point.end_time = step.time + at.s * step.h;
  point.x_a = point.x_b = x_;
  point.angles = step.angles;
  point.w = zero_;
  point.velocity = rate_;
  point.kappa = 1;
  point.force_gain = 1;
  point.stretched = true;
  return point;
}

template <int D>
void RotationlessWeakForm<D>::evaluate_forces(const ConstrainedPoint& point) {
  acting_.push_all(mechanism_, point, {});
  for (int node = 0; node < mechanism_.ground; ++node) {
    NodeForce<D>& on = acting_.forces[node];
    const std::array<VecD<D>, D> arms = spin_arms(at_[node]);
    for (int k = 0; k < D; ++k) on.on_directors[k] += spun(on.moment, arms[k]);
    if constexpr (D == 2) on.on_directors[0] -= perp(on.on_directors[1]);
  }
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_multiplier(int row, Use&& use) const {
  if (row < row_count_ || mechanism_.loop_rank == mechanism_.loop_count) return use(row, 1.0);
  const double* factors = &loop_basis_[static_cast<std::size_t>(row - row_count_) * mechanism_.loop_rank];
  for (int i = 0; i < mechanism_.loop_rank; ++i) use(row_count_ + i, factors[i]);
}

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
  push_gradient(screw.angle, screw_pairs_[rows.screw], at, -screw.pitch, gradient);
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
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_value(const WeakStep& step, Use&& use) {
  expand<D>(step.x_b, x_);
  load_configuration(x_, end_);
  const auto use_joint = [&](const PlacedRows<D>& rows, int first) {
    set_constraints(mechanism_, rows, end_, step.angles, g_);
    for (int i = 0; i < rows.count(); ++i) use(first + i, g_[rows.unknown + i]);
  };
  for (int node = 0; node < mechanism_.ground; ++node) {
    int row = first_row_[node];
    const auto& d = end_[node].d;
    for (int i = 0; i < kFree; ++i) {
      for (int j = i; j < kFree; ++j) use(row++, i == j ? 0.5 * (dot(d[i], d[i]) - 1) : dot(d[i], d[j]));
    }
    use_joint(mechanism_.tree_rows[node], row);
  }
  for (const PlacedRows<D>& rows : mechanism_.loop_rows) use_joint(rows, row_count_ + rows.border);
}

template <int D>
void RotationlessWeakForm<D>::residual(const WeakStep& step, std::span<const double> unknowns,
                                       std::span<double> r) {
  const int stages = basis_.stages(), n = coordinate_count(), multipliers = multiplier_count();
  std::fill(r.begin(), r.end(), 0.0);
  const std::span<double> of_rows = r.subspan(static_cast<std::size_t>(stages) * n);
  const std::span<const double> forces = unknowns.subspan(static_cast<std::size_t>(stages) * n);
  for (int j = 0; j < stages; ++j) {
    for (int node = 0; node < mechanism_.ground; ++node) {
      for (int i = 0; i < X; ++i) {
        const int at = X * node + i;
        double w = -step.h * basis_.b(j) * step.v_0[at];
        for (int k = 0; k < stages; ++k) w += basis_.A(j, k) * unknowns[k * n + at];
        r[j * n + at] = mass(node, i) * w;
      }
    }
  }
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    place(step, unknowns, at);
    evaluate_forces(force_point(step, at));
    for (int j = 0; j < stages; ++j) {
      const double factor = step.h * step.h * at.weight * at.value[j];
      for (int node = 0; node < mechanism_.ground; ++node) {
        double* out = &r[j * n + X * node];
        const NodeForce<D>& on = acting_.forces[node];
        for (int i = 0; i < D; ++i) {
          out[i] += factor * on.force[i];
          for (int k = 0; k < kFree; ++k) out[D * (k + 1) + i] += factor * on.on_directors[k][i];
        }
      }
    }
  }
  for (const GalerkinBasis::Point& at : basis_.constraint_rule()) {
    place(step, unknowns, at);
    place_screws(step, at);
    for_each_gradient(Rows::all, at_, [&](int row, const Gradient& gradient) {
      double lambda = 0, rate = 0;
      for_each_multiplier(row, [&](int multiplier, double factor) {
        for (int k = 0; k < stages; ++k) {
          lambda += factor * at.value[k] * forces[k * multipliers + multiplier];
        }
      });
      const auto act = [&](int node, const std::array<double, X>& by) {
        if (!is_body(node)) return;
        const Directors<D>& slope = slope_[node];
        for (int i = 0; i < D; ++i) {
          rate += by[i] * slope.phi[i];
          for (int k = 0; k < kFree; ++k) rate += by[D * (k + 1) + i] * slope.d[k][i];
        }
        for (int j = 0; j < stages; ++j) {
          const double factor = at.weight * at.value[j] * lambda;
          for (int i = 0; i < X; ++i) r[j * n + X * node + i] += factor * by[i];
        }
      };
      act(gradient.child, gradient.by_child);
      act(gradient.parent, gradient.by_parent);
      for_each_multiplier(row, [&](int multiplier, double factor) {
        for (int j = 1; j < stages; ++j) {
          of_rows[j * multipliers + multiplier] += at.weight * at.value[j] * factor * rate;
        }
      });
    });
  }
  for_each_value(step, [&](int row, double value) {
    for_each_multiplier(row, [&](int multiplier, double factor) { of_rows[multiplier] += factor * value; });
  });
}

template <int D>
void RotationlessWeakForm<D>::place_screws(const WeakStep& step, const GalerkinBasis::Point& at) {
  if (screw_pairs_.empty()) return;
  const ConstrainedPoint point = force_point(step, at);
  acting_.X.load(point);
  set_screws<D>({point, mechanism_, acting_.X, {}}, screw_pairs_);
}

template <int D>
bool RotationlessWeakForm<D>::factorise(const WeakStep& step, std::span<const double> unknowns) {
  matrix_.clear();
  add_inertia();
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    place(step, unknowns, at);
    const ConstrainedPoint point = force_point(step, at);
    acting_.push_all(mechanism_, point, {});
    const PairView<D> view{point, mechanism_, acting_.X, {}};
    const WeakSink<D> sink{couplings_, at_, mechanism_.ground};
    for_each_element(acting_.elements, [&](auto& element) {
      if constexpr (requires { element.add_tangent(view, sink); }) element.add_tangent(view, sink);
    });
    spread(step.h * step.h * at.weight, step.h * at.weight, at);
  }
  for (const GalerkinBasis::Point& at : basis_.constraint_rule()) {
    place(step, unknowns, at);
    place_screws(step, at);
    add_constraint_tangent(unknowns, at);
    spread(at.weight, 0, at);
    put_gradients(at);
  }
  expand<D>(step.x_b, x_);
  load_configuration(x_, end_);
  put_end_gradients();
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
void RotationlessWeakForm<D>::add_flows(const WeakStep& step, std::span<const double> unknowns,
                                        std::span<double> z) {
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    place(step, unknowns, at);
    const ConstrainedPoint point = force_point(step, at);
    acting_.add_flows(mechanism_, point, {}, step.h * at.weight, split_flows(z, source_count_));
  }
}

template <int D>
double RotationlessWeakForm<D>::correct(std::span<const double> change, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] -= change[i];
  return size(change);
}

template <int D>
double RotationlessWeakForm<D>::size(std::span<const double> unknowns) const {
  double largest = 0;
  const int count = basis_.stages() * coordinate_count();
  for (int i = 0; i < count; ++i) {
    keep_largest(largest, std::abs(unknowns[i]) / (i % X < D ? mechanism_.length : 1));
  }
  return largest;
}

template <int D>
double RotationlessWeakForm<D>::rounding(std::span<const double> x) const {
  double farthest = mechanism_.length;
  for (std::size_t at = 0; at < x.size(); at += X) {
    for (int i = 0; i < D; ++i) keep_largest(farthest, std::abs(x[at + i]));
  }
  return std::numeric_limits<double>::epsilon() * farthest / mechanism_.length;
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
  const WeakSink<D> sink{couplings_, at_, mechanism_.ground};
  const auto add_joint = [&](const PlacedRows<D>& rows, int row) {
    if (rows.coincident) row += D;
    for (const Product<D>& product : mechanism_.products_of(rows)) sink.product(product, force_of(row++));
    if (rows.screw < 0) return;
    const Screw<D>& screw = mechanism_.screws[rows.screw];
    sink.product(screw.advance, force_of(row));
    sink.measure(screw.angle, screw_pairs_[rows.screw], -screw.pitch * force_of(row), 0, 0);
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
}

template <int D>
void RotationlessWeakForm<D>::add_inertia() {
  for (int node = 0; node < mechanism_.ground; ++node) {
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
  for (auto& coupling : couplings_.all) {
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
      index = stage * mechanism_.loop_rank + multiplier - row_count_;
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

template class RotationlessWeakForm<2>;
template class RotationlessWeakForm<3>;

}  // namespace torsor
