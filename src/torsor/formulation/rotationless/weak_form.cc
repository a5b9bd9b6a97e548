#include "torsor/formulation/rotationless/weak_form.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"

namespace torsor {
namespace {

/// Rows of each block: all stages of a body's coordinates, of the constraints inside it and of its joint's;
/// before the bodies a block for the loops, so that it is eliminated last.
std::vector<BlockElimination::Node> block_sizes(const KktPattern& pattern, int stages, int coordinates,
                                                int internal, int loop_rank) {
  std::vector<BlockElimination::Node> sizes;
  if (loop_rank > 0) sizes.push_back({stages * loop_rank, stages * loop_rank});
  for (const KktPattern::Node& node : pattern.nodes) {
    sizes.push_back({stages * (coordinates + internal + node.multipliers), stages * coordinates});
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

/// y += factor times block k of x.
void add_scaled(double factor, std::span<const double> x, int k, std::span<double> y) {
  const double* from = x.data() + k * y.size();
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * from[i];
}

/// A body's start + sum over the stages of factors times unknowns.
template <std::size_t X>
std::array<double, X> combined(std::array<double, X> start, const std::vector<double>& factors,
                               const WeakStep& step, std::span<const double> unknowns, int node) {
  const double* p = &unknowns[X * node];
  for (const double factor : factors) {
    for (std::size_t i = 0; i < X; ++i) start[i] += factor * p[i];
    p += step.x_0.size();
  }
  return start;
}
template <int D>
auto position(const WeakStep& step, std::span<const double> unknowns, const GalerkinBasis::Point& at,
              int node) {
  constexpr std::size_t X = FormBody<D>::X;
  std::array<double, X> start;
  std::copy_n(&step.x_0[X * node], X, start.begin());
  return combined<X>(start, at.integral, step, unknowns, node);
}

}  // namespace

template <int D>
RotationlessWeakForm<D>::RotationlessWeakForm(const RotationlessWork<D>& system, const GalerkinBasis& basis)
    : mechanism_(system.mechanism),
      loop_basis_(system.basis),
      source_count_(system.book.work_count()),
      basis_(basis),
      acting_(system),
      row_pairs_(system.row_pairs),
      first_block_(mechanism_.loop_rank > 0 ? 1 : 0),
      couplings_(coupled_bodies(system.pattern), mechanism_.ground),
      matrix_(block_sizes(system.pattern, basis.stages(), X, kInternal, mechanism_.loop_rank),
              block_couplings(system.pattern, mechanism_.loop_rank)),
      mean_(block_sizes(system.pattern, 1, X, kInternal, mechanism_.loop_rank),
            block_couplings(system.pattern, mechanism_.loop_rank)),
      gathered_(matrix_.size()),
      x_(mechanism_.coordinate_count()),
      rate_(x_.size()),
      zero_(x_.size()),
      g_(system.unknown_count()),
      packed_(mean_.size()),
      on_(mechanism_.ground + 1),
      row_lambda_(g_.size()),
      at_(mechanism_.ground + 1, ground_directors<D>()),
      slope_(mechanism_.ground + 1),
      end_(at_) {
  for (const auto& node : system.pattern.nodes) {
    first_row_.push_back(row_count_);
    row_count_ += kInternal + node.multipliers;
  }
  first_row_.push_back(row_count_);

  const int stages = basis_.stages(), n = mechanism_.ground, multipliers = multiplier_count();
  assert(stages <= kMostStages);
  for (int j = 0; j < stages; ++j) {
    for (int k = 0; k < stages; ++k) {
      by_residual_[k][j] = basis_.inverse_A(j, k);
      by_mu_[k][j] = (2 * j + 1) * basis_.A(j, k);
    }
    by_rate_[j][j] = 2 * j + 1;
  }
  lambda_.resize(multipliers);
  rates_.resize(multipliers);
  for (int node = 0; node < n; ++node) {
    for (int i = 0; i < X; ++i) masses_.push_back(mass(node, i));
  }
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
  for (int i = 0; i < mechanism_.loop_rank; ++i)
    mean_place_of_.push_back(coordinate_count() + row_count_ + i);
  for (int node = 0; node < n; ++node) {
    for (int i = 0; i < X; ++i) mean_place_of_.push_back(X * node + i);
    for (int row = first_row_[node]; row < first_row_[node + 1]; ++row) {
      mean_place_of_.push_back(coordinate_count() + row);
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
  for (int node = 0; node < mechanism_.ground; ++node) {
    FormBody<D>::expand(&x_form[X * node], &x[kCoordinates<D> * node]);
    FormBody<D>::expand(&v_form[X * node], &v[kCoordinates<D> * node]);
  }
}

template <int D>
ConstrainedPoint RotationlessWeakForm<D>::force_point(const WeakStep& step, std::span<const double> unknowns,
                                                      const GalerkinBasis::Point& at) {
  const double rate = 1 / step.h;
  for (int node = 0; node < mechanism_.ground; ++node) {
    FormBody<D>::expand(position<D>(step, unknowns, at, node).data(), &x_[kCoordinates<D> * node]);
    std::array<double, X> slope = combined<X>({}, at.value, step, unknowns, node);
    for (double& value : slope) value *= rate;
    FormBody<D>::expand(slope.data(), &rate_[kCoordinates<D> * node]);
  }
  ConstrainedPoint point;
  point.time = point.start_time = point.end_time = step.time + at.s * step.h;
  point.x_a = point.x_b = x_;
  point.angles = step.angles;
  point.w = zero_;
  point.velocity = rate_;
  point.kappa = 1;
  point.force_gain = 1;
  point.stretched = true;
  point.z = step.z;
  point.begin = step.time;
  point.step = step.h;
  return point;
}

template <int D>
void RotationlessWeakForm<D>::place(const WeakStep& step, std::span<const double> unknowns,
                                    const GalerkinBasis::Point& at) {
  for (int node = 0; node < mechanism_.ground; ++node) {
    at_[node] = FormBody<D>::directors(position<D>(step, unknowns, at, node).data());
    slope_[node] = FormBody<D>::directors(combined<X>({}, at.value, step, unknowns, node).data());
  }
  if (row_pairs_.empty()) return;
  const ConstrainedPoint point = force_point(step, unknowns, at);
  acting_.X.load(point);
  set_row_pairs<D>({point, mechanism_, acting_.X, {}}, row_pairs_);
}

template <int D>
void RotationlessWeakForm<D>::set_forces(const ConstrainedPoint& point) {
  acting_.push_all(mechanism_, point, {});
  for (int node = 0; node < mechanism_.ground; ++node) {
    NodeForce<D>& on = acting_.forces[node];
    if (on.moment != SpinD<D>{}) {
      const std::array<VecD<D>, D> arms = spin_arms(acting_.X.left[node]);
      for (int k = 0; k < D; ++k) on.on_directors[k] += spun(on.moment, arms[k]);
    }
    if constexpr (D == 2) on.on_directors[0] -= perp(on.on_directors[1]);
    for (int i = 0; i < D; ++i) {
      on_[node][i] = on.force[i];
      for (int k = 0; k < kFree; ++k) on_[node][D * (k + 1) + i] = on.on_directors[k][i];
    }
  }
}

/// Forces and rates of the constraints inside a body.
template <int D>
void RotationlessWeakForm<D>::add_internal_reactions(int node) {
  int row = first_row_[node];
  const auto &d = at_[node].d, &u = slope_[node].d;
  double* on = on_[node].data();
  for (int i = 0; i < kFree; ++i) {
    for (int j = i; j < kFree; ++j, ++row) {
      for (int c = 0; c < D; ++c) {
        on[D * (i + 1) + c] += lambda_[row] * d[j][c];
        if (i != j) on[D * (j + 1) + c] += lambda_[row] * d[i][c];
      }
      rates_[row] = i == j ? dot(d[i], u[i]) : dot(d[j], u[i]) + dot(d[i], u[j]);
    }
  }
}

/// Calls `use(i, rate)` for each row of a joint.
template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_rate(const PlacedRows<D>& rows, Use&& use) const {
  int i = 0;
  if (rows.coincident) {
    const VecD<D> rate = value_at(rows.child_point, slope_) + value_at(rows.parent_point, slope_);
    for (; i < D; ++i) use(i, rate[i]);
  }
  for (const Product<D>& product : mechanism_.products_of(rows)) use(i++, rate_at(product, at_, slope_));
  if (rows.screw < 0) return;
  const Screw<D>& screw = mechanism_.screws[rows.screw];
  use(i, rate_at(screw.advance, at_, slope_) -
             screw.pitch * rate_at(screw.angle, row_pairs_[rows.screw], at_, slope_));
}

template <int D>
void RotationlessWeakForm<D>::set_reactions(std::span<const double> multipliers,
                                            const GalerkinBasis::Point& at) {
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int k = 0; k < basis_.stages(); ++k) add_scaled(at.value[k], multipliers, k, lambda_);
  std::fill(on_.begin(), on_.end(), std::array<double, X>{});
  const auto sink = [&](const Arm<D>& arm, const VecD<D>& force) {
    FormBody<D>::add_to(on_[arm.node], arm, force);
  };
  for (int node = 0; node < mechanism_.ground; ++node) {
    add_internal_reactions(node);
    const PlacedRows<D>& rows = mechanism_.tree_rows[node];
    const int first = first_row_[node] + kInternal;
    std::copy_n(lambda_.begin() + first, rows.count(), row_lambda_.begin() + rows.unknown);
    push_rows(mechanism_, rows, row_pairs_, at_, row_lambda_, sink);
    for_each_rate(rows, [&](int i, double rate) { rates_[first + i] = rate; });
  }
  std::fill(rates_.begin() + row_count_, rates_.end(), 0.0);
  for (const PlacedRows<D>& rows : mechanism_.loop_rows) {
    for_each_rate(rows, [&](int i, double rate) {
      double& force = row_lambda_[rows.unknown + i] = 0;
      for_each_multiplier(row_count_ + rows.border + i, [&](int multiplier, double factor) {
        force += factor * lambda_[multiplier];
        rates_[multiplier] += factor * rate;
      });
    });
    push_rows(mechanism_, rows, row_pairs_, at_, row_lambda_, sink);
  }
  for (const CouplingRow<D>& row : mechanism_.couplings) {
    double rate = 0, force = 0;
    const MeasuredPair* pair = &row_pairs_[mechanism_.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism_.terms_of(row)) {
      rate += factor * rate_at(coordinate, *pair++, at_, slope_);
    }
    for_each_multiplier(row_count_ + row.border, [&](int multiplier, double factor) {
      force += factor * lambda_[multiplier];
      rates_[multiplier] += factor * rate;
    });
    push_coupling(mechanism_, row, row_pairs_, at_, force, sink);
  }
}

template <int D>
template <class Use>
void RotationlessWeakForm<D>::for_each_value(const WeakStep& step, Use&& use) {
  load_form<D>(step.x_b, end_);
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
  for (const CouplingRow<D>& row : mechanism_.couplings) {
    use(row_count_ + row.border, coupling_error(mechanism_, row, end_, step.angles));
  }
}

template <int D>
void RotationlessWeakForm<D>::residual(const WeakStep& step, std::span<const double> unknowns,
                                       std::span<double> r) {
  const int stages = basis_.stages();
  const std::size_t n = masses_.size(), multipliers = lambda_.size();
  const std::span<double> of_rows = r.subspan(stages * n);
  const std::span<const double> forces = unknowns.subspan(stages * n);
  for (int j = 0; j < stages; ++j) {
    const std::span<double> out = r.subspan(j * n, n);
    for (std::size_t i = 0; i < n; ++i) out[i] = -step.h * basis_.b(j) * step.v_0[i];
    for (int k = 0; k < stages; ++k) add_scaled(basis_.A(j, k), unknowns, k, out);
    for (std::size_t i = 0; i < n; ++i) out[i] *= masses_[i];
  }
  const std::span<const double> on(on_.front().data(), n);
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    set_forces(force_point(step, unknowns, at));
    for (int j = 0; j < stages; ++j) {
      add_scaled(step.h * step.h * at.weight * at.value[j], on, 0, r.subspan(j * n, n));
    }
  }
  std::fill(of_rows.begin(), of_rows.end(), 0.0);
  for (const GalerkinBasis::Point& at : basis_.constraint_rule()) {
    place(step, unknowns, at);
    set_reactions(forces, at);
    for (int j = 0; j < stages; ++j) {
      const double factor = at.weight * at.value[j];
      add_scaled(factor, on, 0, r.subspan(j * n, n));
      if (j > 0) add_scaled(factor, rates_, 0, of_rows.subspan(j * multipliers, multipliers));
    }
  }
  for_each_value(step, [&](int row, double value) {
    for_each_multiplier(row, [&](int multiplier, double factor) { of_rows[multiplier] += factor * value; });
  });
}

template <int D>
void RotationlessWeakForm<D>::add_flows(const WeakStep& step, std::span<const double> unknowns,
                                        std::span<double> z) {
  for (const GalerkinBasis::Point& at : basis_.force_rule()) {
    const ConstrainedPoint point = force_point(step, unknowns, at);
    acting_.add_flows(mechanism_, point, {}, step.h * at.weight, split_flows(z, source_count_));
  }
}

template <int D>
void RotationlessWeakForm<D>::correct(std::span<const double> change, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] -= change[i];
}

template <int D>
double RotationlessWeakForm<D>::size(std::span<const double> unknowns) const {
  LargestAbs farthest, largest;  // of positions and of directors
  const int count = basis_.stages() * coordinate_count();
  for (int at = 0; at < count; at += X) {
    for (int i = 0; i < D; ++i) farthest.keep(unknowns[at + i]);
    for (int i = D; i < X; ++i) largest.keep(unknowns[at + i]);
  }
  return larger(farthest.value() / mechanism_.length, largest.value());
}

template <int D>
double RotationlessWeakForm<D>::rounding(std::span<const double> x) const {
  double farthest = mechanism_.length;
  for (std::size_t at = 0; at < x.size(); at += X) {
    for (int i = 0; i < D; ++i) keep_largest(farthest, std::abs(x[at + i]));
  }
  return std::numeric_limits<double>::epsilon() * farthest / mechanism_.length;
}

template class RotationlessWeakForm<2>;
template class RotationlessWeakForm<3>;

}  // namespace torsor
