#include "torsor/formulation/rotationless/null_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/numerics/elimination.h"

namespace torsor {

template <int D>
NullSpace<D>::NullSpace(Rotationless<D>& full)
    : full_(full),
      work_(full.work()),
      mechanism_(work_.mechanism),
      border_(work_.kkt.border_size()),
      pair_{work_.X.start, work_.X.start, work_.X.start, Configuration<D>(mechanism_.ground + 1)},
      eta_(mechanism_.ground),
      full_unknowns_(full.unknown_count()),
      full_r_(full.unknown_count()),
      swept_(mechanism_.ground),
      reached_(mechanism_.ground),
      lu_([&] {
        for (const auto& rows : mechanism_.tree_rows) {
          const JointRows<D>& joint = mechanism_.joints.rows[rows.joint];
          joints_.emplace_back(joint, mechanism_.joints.coordinates[rows.joint], mechanism_.length);
          first_.push_back(freedom_);
          freedom_ += joints_.back().freedom();
        }
        return freedom_;
      }()),
      y_(static_cast<std::size_t>(freedom_) * border_),
      z_(y_.size()),
      schur_(static_cast<std::size_t>(border_) * border_),
      border_lu_(border_) {
  use_all_blocks(work_);
  std::vector<std::pair<int, int>> couplings = work_.pattern.couplings;
  for (int node = 0; node < mechanism_.ground; ++node) {
    if (joints_[node].parent() != mechanism_.ground) couplings.emplace_back(joints_[node].parent(), node);
  }
  neighbours_ = eliminated_neighbours(mechanism_.ground, couplings);
}

template <int D>
void NullSpace<D>::retract(std::span<const double> x_a, std::span<const double> unknowns,
                           std::span<double> dx, std::span<double> x_b) const {
  load_configuration(x_a, pair_.start);
  for (int node = 0; node < mechanism_.ground; ++node) {
    Row<D>& eta = eta_[node];
    if (!joints_[node].move(pair_, unknowns.data() + first_[node], eta)) {
      std::fill(dx.begin(), dx.end(), std::numeric_limits<double>::quiet_NaN());
      std::copy(dx.begin(), dx.end(), x_b.begin());
      for (Row<D>& guess : eta_) guess = {};
      return;
    }
    std::copy_n(eta.begin(), W, &full_unknowns_[mechanism_.offset[node]]);
  }
  full_.retract(x_a, full_unknowns_, dx, x_b);
}

template <int D>
void NullSpace<D>::set_increments(std::span<const double> x, std::span<const double> v, double h,
                                  std::span<double> unknowns) const {
  full_.set_increments(x, v, h, full_unknowns_);
  for (int node = 0; node < mechanism_.ground; ++node) {
    std::copy_n(&full_unknowns_[mechanism_.offset[node]], W, eta_[node].begin());
    joints_[node].freedoms(eta_[node], unknowns.data() + first_[node]);
  }
}

template <int D>
double NullSpace<D>::begin_step(double time, std::span<const double> x, std::span<const double> v,
                                std::span<const double> angles) {
  load_configuration(x, pair_.start);
  for (NullSpaceJoint<D>& joint : joints_) joint.place(pair_.start, angles);
  if (mechanism_.loop_rank == mechanism_.loop_count) {
    if (work_.shares.redundant()) full_.begin_step(time, x, v, angles);
    return mechanism_.loop_count > 0 ? border_lu_.pivot_ratio() : 1;
  }
  const double least = full_.begin_step(time, x, v, angles);
  const int rank = border_ - mechanism_.loop_count + mechanism_.loop_rank;
  border_lu_.set_basis(std::span(work_.basis).first(static_cast<std::size_t>(border_) * rank), rank);
  return least;
}

template <int D>
std::span<const double> NullSpace<D>::with_border(std::span<const double> unknowns) const {
  std::copy_n(unknowns.begin() + freedom_, border_, full_unknowns_.begin() + mechanism_.tree_size);
  return full_unknowns_;
}

template <int D>
void NullSpace<D>::residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                            std::span<double> r) {
  for (int node = 0; node < mechanism_.ground; ++node) {
    std::fill_n(full_unknowns_.data() + mechanism_.offset[node] + W, W - joints_[node].freedom(), 0.0);
  }
  full_.residual(point, with_border(unknowns), full_r_);
  for (int node = mechanism_.ground; node-- > 0;) {
    NullSpaceJoint<D>& joint = joints_[node];
    double* at = &full_r_[mechanism_.offset[node]];
    if (!joint.set_left(pair_)) {
      std::fill(r.begin(), r.end(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    joint.project(
        at, joint.parent() != mechanism_.ground ? &full_r_[mechanism_.offset[joint.parent()]] : nullptr);
    std::copy_n(at, joint.freedom(), r.data() + first_[node]);
    std::copy_n(at + joint.freedom(), W - joint.freedom(),
                full_unknowns_.data() + mechanism_.offset[node] + W);
  }
  std::copy_n(full_r_.begin() + mechanism_.tree_size, border_, r.begin() + freedom_);
}

/// Hands the first `rows` rows r_a that have been put on nodes up to `last` down the tree, P^T r, and each
/// freedom's part of them to `put(node, freedom, row, part)`.
template <int D>
template <class Put>
void NullSpace<D>::sweep(int last, int rows, bool left, Put&& put) {
  for (int a = last; a >= 0; --a) {
    if (!reached_[a]) continue;
    reached_[a] = false;
    const NullSpaceJoint<D>& joint = joints_[a];
    const Block &N = left ? joint.N_l : joint.N_r, &T = left ? joint.T_l : joint.T_r;
    for (int k = 0; k < rows; ++k) {
      const Row<D>& r = swept_[a][k];
      for (int i = 0; i < joint.freedom(); ++i) {
        double sum = 0;
        for (int j = 0; j < W; ++j) sum += N[j][i] * r[j];
        put(a, i, k, sum);
      }
    }
    const int p = joint.parent();
    if (p == mechanism_.ground) continue;
    reach(p, rows);
    for (int k = 0; k < rows; ++k) {
      Row<D> sum = swept_[p][k];
      for (int j = 0; j < W; ++j) {
        for (int i = 0; i < W; ++i) sum[i] += T[j][i] * swept_[a][k][j];
      }
      swept_[p][k] = sum;
    }
  }
}

template <int D>
void NullSpace<D>::reach(int node, int freedom) {
  if (!reached_[node]) std::fill_n(swept_[node].begin(), freedom, Row<D>{});
  reached_[node] = true;
}

/// M(s_a, s_c) for all a up to c, from the column c of K, in which all later bodies are composed.
template <int D>
void NullSpace<D>::reduce_columns(int c) {
  const int freedom = joints_[c].freedom();
  const auto start_at = [&](int a) {
    const BlockView K = node_block<D>(work_.kkt, a, c);
    reach(a, freedom);
    for (int k = 0; k < freedom; ++k) {
      for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) swept_[a][k][i] += K(i, j) * joints_[c].N_r[j][k];
      }
    }
  };
  start_at(c);
  for (int a : neighbours_[c]) start_at(a);
  sweep(c, freedom, true,
        [&](int a, int i, int k, double sum) { entry(first_[a] + i, first_[c] + k) = sum; });
}

/// M(s_c, s_b) for all b before c, likewise.
template <int D>
void NullSpace<D>::reduce_rows(int c) {
  const int freedom = joints_[c].freedom();
  const auto start_at = [&](int b) {
    const BlockView K = node_block<D>(work_.kkt, c, b);
    reach(b, freedom);
    for (int k = 0; k < freedom; ++k) {
      for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) swept_[b][k][j] += K(i, j) * joints_[c].N_l[i][k];
      }
    }
  };
  start_at(c);
  for (int b : neighbours_[c]) start_at(b);
  sweep(c, freedom, false,
        [&](int b, int i, int k, double sum) { entry(first_[c] + k, first_[b] + i) = sum; });
}

/// dy_c = T_r dy_p in every row, T_l^T of row c to row p.
template <int D>
void NullSpace<D>::compose(int c) {
  const NullSpaceJoint<D>& joint = joints_[c];
  const int p = joint.parent();
  if (p == mechanism_.ground) return;
  const auto add_column = [&](const BlockView& from, const BlockView& to) {
    for (int i = 0; i < W; ++i) {
      for (int k = 0; k < W; ++k) {
        for (int j = 0; j < W; ++j) to(i, j) += from(i, k) * joint.T_r[k][j];
      }
    }
  };
  const auto add_row = [&](const BlockView& from, const BlockView& to) {
    for (int k = 0; k < W; ++k) {
      for (int i = 0; i < W; ++i) {
        for (int j = 0; j < W; ++j) to(i, j) += joint.T_l[k][i] * from(k, j);
      }
    }
  };
  BodyKkt<D>& K = work_.kkt;
  // The column first, that of row c itself into K_cp, which then goes up with the row.
  add_column(K.pivot(c), K.block(c, p));
  for (int a : neighbours_[c]) add_column(K.block(a, c), node_block<D>(K, a, p));
  for (int b : neighbours_[c]) add_row(K.block(c, b), node_block<D>(K, p, b));
}

template <int D>
void NullSpace<D>::reduce_border() {
  const auto reduce = [&](int index, bool left, double* out) {
    const std::vector<int>& bodies = work_.pattern.border[index];
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const int place = static_cast<int>(k);
      const double* from = left ? work_.kkt.border_left(index, place) : work_.kkt.border_right(index, place);
      std::copy_n(from, W, swept_[bodies[k]][0].begin());
      reached_[bodies[k]] = true;
    }
    std::fill_n(out, freedom_, 0.0);
    sweep(mechanism_.ground - 1, 1, left, [&](int a, int i, int, double sum) { out[first_[a] + i] = sum; });
  };
  for (int index = 0; index < border_; ++index) {
    const std::size_t at = static_cast<std::size_t>(index) * freedom_;
    reduce(index, true, y_.data() + at);
    reduce(index, false, z_.data() + at);
  }
}

template <int D>
bool NullSpace<D>::factorise_border() {
  for (int j = 0; j < border_; ++j) {
    const std::span<double> column = std::span(y_).subspan(static_cast<std::size_t>(j) * freedom_, freedom_);
    lu_.solve(column);
    for (int i = 0; i < border_; ++i) {
      const double* row = z_.data() + static_cast<std::size_t>(i) * freedom_;
      double sum = work_.kkt.corner(i, j);
      for (int k = 0; k < freedom_; ++k) sum -= row[k] * column[k];
      schur_[static_cast<std::size_t>(i) * border_ + j] = sum;
    }
  }
  return border_lu_.factorise(schur_);
}

template <int D>
bool NullSpace<D>::factorise(const ConstrainedPoint& point, std::span<const double> unknowns) {
  if (!turns_are_short(work_, full_unknowns_)) return false;
  // Forces in the joints, which the projection has found, turn with the bodies: they are part of K.
  push_constraints<D>(work_, mechanism_.tree_rows, full_unknowns_);
  assemble(work_, point, with_border(unknowns));
  for (NullSpaceJoint<D>& joint : joints_) joint.set_null_spaces();
  reduce_border();
  std::fill(lu_.matrix().begin(), lu_.matrix().end(), 0.0);
  for (int node = mechanism_.ground; node-- > 0;) {
    reduce_columns(node);
    reduce_rows(node);
    compose(node);
  }
  lu_.factorise();
  for (int k = 0; k < freedom_; ++k) {
    const double pivot = entry(k, k);
    if (pivot == 0 || !std::isfinite(pivot)) return false;
  }
  return factorise_border();
}

template <int D>
void NullSpace<D>::solve(std::span<double> r) {
  const std::span<double> s = r.first(freedom_), nu = r.subspan(freedom_);
  lu_.solve(s);
  for (int i = 0; i < border_; ++i) {
    const double* row = z_.data() + static_cast<std::size_t>(i) * freedom_;
    for (int k = 0; k < freedom_; ++k) nu[i] -= row[k] * s[k];
  }
  border_lu_.solve(nu);
  for (int i = 0; i < border_; ++i) {
    const double* column = y_.data() + static_cast<std::size_t>(i) * freedom_;
    for (int k = 0; k < freedom_; ++k) s[k] -= column[k] * nu[i];
  }
}

template <int D>
void NullSpace<D>::correct(std::span<const double> step, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < step.size(); ++i) unknowns[i] -= step[i];
  drop_idle_multipliers(work_, unknowns);
}

template <int D>
double NullSpace<D>::size(std::span<const double> unknowns) const {
  const double largest = max_abs(unknowns.first(freedom_));
  if (!work_.shares.redundant()) return largest;
  return larger(largest, work_.shares.size(unknowns.subspan(freedom_ + mechanism_.loop_count)));
}

template <int D>
bool NullSpace<D>::accelerate(double t, std::span<const double> x, std::span<const double> v,
                              std::span<const double> angles, std::span<double> unknowns,
                              std::span<double> a) {
  if (!full_.accelerate(t, x, v, angles, full_unknowns_, a)) return false;
  for (int node = 0; node < mechanism_.ground; ++node) {
    Row<D> eta;
    std::copy_n(&full_unknowns_[mechanism_.offset[node]], W, eta.begin());
    joints_[node].freedoms(eta, unknowns.data() + first_[node]);
  }
  std::copy_n(full_unknowns_.begin() + mechanism_.tree_size, border_, unknowns.begin() + freedom_);
  return true;
}

template <int D>
void NullSpace<D>::add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                             std::span<double> z) {
  full_.add_flows(point, with_border(unknowns), h, z);
}

template class NullSpace<2>;
template class NullSpace<3>;

std::unique_ptr<ConstrainedSystem> make_null_space(ConstrainedSystem& rotationless) {
  if (auto* planar = dynamic_cast<Rotationless<2>*>(&rotationless))
    return std::make_unique<NullSpace<2>>(*planar);
  return std::make_unique<NullSpace<3>>(dynamic_cast<Rotationless<3>&>(rotationless));
}

}  // namespace torsor
