#include "torsor/formulation/rotationless/weak_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/weak_tangent.hpp"

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

}  // namespace

template <int D>
RotationlessWeakForm<D>::RotationlessWeakForm(Rotationless<D>& system, const GalerkinBasis& basis)
    : system_(system),
      basis_(basis),
      matrix_(block_sizes(system.pattern_, basis.stages(), X, kInternal, system.loop_rank_),
              block_couplings(system.pattern_, system.loop_rank_)),
      gathered_(matrix_.size()),
      x_form_(static_cast<std::size_t>(X) * system.ground_),
      x_(system.coordinate_count()),
      rate_(x_.size()),
      zero_(x_.size()),
      g_(system.unknown_count()),
      at_(system.start_),
      slope_(system.ground_ + 1),
      end_(system.start_) {
  for (const auto& node : system_.pattern_.nodes) {
    first_row_.push_back(row_count_);
    row_count_ += kInternal + node.multipliers;
  }
  first_row_.push_back(row_count_);

  const int stages = basis_.stages(), n = system_.ground_, multipliers = multiplier_count();
  const auto multiplier_place = [&](int stage, int multiplier) {
    return stages * coordinate_count() + stage * multipliers + multiplier;
  };
  for (int k = 0; k < stages; ++k) {
    for (int i = 0; i < system_.loop_rank_; ++i) place_of_.push_back(multiplier_place(k, row_count_ + i));
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

  std::vector<std::pair<int, int>> pairs;
  for (int node = 0; node < n; ++node) pairs.emplace_back(node, node);
  const int first = block_of(0);
  for (const auto& [a, b] : block_couplings(system_.pattern_, system_.loop_rank_)) {
    if (a < first || b < first) continue;
    pairs.emplace_back(a - first, b - first);
    pairs.emplace_back(b - first, a - first);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [row, column] : pairs) couplings_.push_back({row, column, {}, {}});
  for (int node = 0; node <= n; ++node) {
    coupling_begin_.push_back(
        static_cast<int>(std::lower_bound(pairs.begin(), pairs.end(), std::pair(node, -1)) - pairs.begin()));
  }
}

template <int D>
void RotationlessWeakForm<D>::expand(std::span<const double> x_form, std::span<double> x) {
  if constexpr (D == 2) {
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

template <int D>
void RotationlessWeakForm<D>::embed(std::span<const double> x, std::span<const double> v,
                                    std::span<double> x_form, std::span<double> v_form) const {
  for (int node = 0; node < system_.ground_; ++node) {
    std::copy_n(&x[kCoordinates<D> * node], X, &x_form[X * node]);
    std::copy_n(&v[kCoordinates<D> * node], X, &v_form[X * node]);
  }
}

template <int D>
void RotationlessWeakForm<D>::project(std::span<const double> x_form, std::span<const double> v_form,
                                      std::span<double> x, std::span<double> v) const {
  expand(x_form, x);
  expand(v_form, v);
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
  expand(x_form_, x_);
  for (std::size_t i = 0; i < n; ++i) x_form_[i] = sum(at.value, i);
  expand(x_form_, rate_);
  system_.load(x_, at_);
  system_.load(rate_, slope_);
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
  system_.push_elements(point);
  for (int node = 0; node < system_.ground_; ++node) {
    typename System::NodeForce& on = system_.forces_[node];
    const std::array<VecD<D>, D> arms = spin_arms(at_[node]);
    for (int k = 0; k < D; ++k) on.on_directors[k] += spun(on.moment, arms[k]);
    if constexpr (D == 2) on.on_directors[0] -= perp(on.on_directors[1]);
  }
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_multiplier(int row, Use&& use) const {
  if (row < row_count_ || system_.loop_rank_ == system_.loop_count_) return use(row, 1.0);
  const double* factors = &system_.basis_[static_cast<std::size_t>(row - row_count_) * system_.loop_rank_];
  for (int i = 0; i < system_.loop_rank_; ++i) use(row_count_ + i, factors[i]);
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_joint_gradient(const PlacedRows& rows, int first, Rows which,
                                                      const Configuration<D>& at, Use&& use) const {
  int row = first;
  if (rows.coincident && which == Rows::curved) row += D;
  if (rows.coincident && which == Rows::all) {
    for (int i = 0; i < D; ++i) {
      VecD<D> unit{};
      unit[i] = 1;
      Gradient gradient{rows.child, rows.parent};
      gradient.add(rows.child_point, unit);
      gradient.add(rows.parent_point, unit);
      use(row++, gradient);
    }
  }
  const auto product_gradient = [&](const Product<D>& product) {
    Gradient gradient{rows.child, rows.parent};
    push_gradient(product, at, 1.0,
                  [&](const Arm<D>& arm, const VecD<D>& force) { gradient.add(arm, force); });
    return gradient;
  };
  for (const Product<D>& product : system_.products(rows)) use(row++, product_gradient(product));
  if (rows.screw < 0) return;
  const auto& [screw, pair] = system_.screws_[rows.screw];
  Gradient gradient = product_gradient(screw.advance);
  push_gradient(screw.angle, pair, at, -screw.pitch,
                [&](const Arm<D>& arm, const VecD<D>& force) { gradient.add(arm, force); });
  use(row, gradient);
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_gradient(Rows which, const Configuration<D>& at, Use&& use) const {
  for (int node = 0; node < system_.ground_; ++node) {
    int row = first_row_[node];
    for (int i = 0; i < kFree; ++i) {
      for (int j = i; j < kFree; ++j) {
        Gradient gradient{node, system_.ground_};
        for (int c = 0; c < D; ++c) {
          gradient.by_child[D * (i + 1) + c] = at[node].d[j][c];
          gradient.by_child[D * (j + 1) + c] = at[node].d[i][c];
        }
        use(row++, gradient);
      }
    }
    for_each_joint_gradient(system_.tree_rows_[node], row, which, at, use);
  }
  for (const PlacedRows& rows : system_.loop_rows_) {
    for_each_joint_gradient(rows, row_count_ + rows.border, which, at, use);
  }
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_value(const WeakStep& step, Use&& use) {
  expand(step.x_b, x_);
  system_.load(x_, system_.right_);
  const auto use_joint = [&](const PlacedRows& rows, int first) {
    system_.set_constraints(rows, step.angles, g_);
    for (int i = 0; i < rows.count(); ++i) use(first + i, g_[rows.unknown + i]);
  };
  for (int node = 0; node < system_.ground_; ++node) {
    int row = first_row_[node];
    const auto& d = system_.right_[node].d;
    for (int i = 0; i < kFree; ++i) {
      for (int j = i; j < kFree; ++j) use(row++, i == j ? 0.5 * (dot(d[i], d[i]) - 1) : dot(d[i], d[j]));
    }
    use_joint(system_.tree_rows_[node], row);
  }
  for (const PlacedRows& rows : system_.loop_rows_) use_joint(rows, row_count_ + rows.border);
}

template <int D>
void RotationlessWeakForm<D>::residual(const WeakStep& step, std::span<const double> unknowns,
                                       std::span<double> r) {
  const int stages = basis_.stages(), n = coordinate_count(), multipliers = multiplier_count();
  std::fill(r.begin(), r.end(), 0.0);
  const std::span<double> of_rows = r.subspan(static_cast<std::size_t>(stages) * n);
  const std::span<const double> forces = unknowns.subspan(static_cast<std::size_t>(stages) * n);
  for (int j = 0; j < stages; ++j) {
    for (int node = 0; node < system_.ground_; ++node) {
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
      for (int node = 0; node < system_.ground_; ++node) {
        double* out = &r[j * n + X * node];
        const typename System::NodeForce& on = system_.forces_[node];
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
  if (system_.screws_.empty()) return;
  const ConstrainedPoint point = force_point(step, at);
  system_.load_pair(point);
  system_.set_screws(point);
}

template <int D>
bool RotationlessWeakForm<D>::factorise(const WeakStep& step, std::span<const double> unknowns) {
  matrix_.clear();
  add_inertia();
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    place(step, unknowns, at);
    const ConstrainedPoint point = force_point(step, at);
    system_.push_elements(point);
    add_force_tangent(point);
    spread(step.h * step.h * at.weight, step.h * at.weight, at);
  }
  for (const GalerkinBasis::Point& at : basis_.constraint_rule()) {
    place(step, unknowns, at);
    place_screws(step, at);
    add_constraint_tangent(unknowns, at);
    spread(at.weight, 0, at);
    put_gradients(at);
  }
  expand(step.x_b, x_);
  system_.load(x_, end_);
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
    system_.push_elements(point);
    system_.add_flows(point, {}, step.h * at.weight, z);
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
  for (int i = 0; i < count; ++i)
    keep_largest(largest, std::abs(unknowns[i]) / (i % X < D ? system_.length_ : 1));
  return largest;
}

template <int D>
double RotationlessWeakForm<D>::rounding(std::span<const double> x) const {
  double farthest = system_.length_;
  for (std::size_t at = 0; at < x.size(); at += X) {
    for (int i = 0; i < D; ++i) farthest = larger(farthest, std::abs(x[at + i]));
  }
  return std::numeric_limits<double>::epsilon() * farthest / system_.length_;
}

template class RotationlessWeakForm<2>;
template class RotationlessWeakForm<3>;

}  // namespace torsor
