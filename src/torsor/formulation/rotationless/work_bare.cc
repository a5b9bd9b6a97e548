// At a state: the rank of loops, efforts of servos, multipliers.

#include <algorithm>

#include "torsor/formulation/rotationless/work.h"

namespace torsor {
namespace {

constexpr double kSingular = 1e-13;  ///< below it, a pivot of the loops over the largest is rounding
constexpr double kShift = 1e-6;  ///< of TreeKkt::make_least over what a body of the mean mass makes of a row

}  // namespace

template <int D>
void set_efforts(RotationlessWork<D>& work, const PairView<D>& view) {
  for (Effort<D>& effort : std::get<std::vector<Effort<D>>>(work.elements)) effort.set(view);
  for (TendonEffort<D>& effort : std::get<std::vector<TendonEffort<D>>>(work.elements)) effort.set(view);
}

template <int D>
bool set_servo_shares(RotationlessWork<D>& work, const PairView<D>& view) {
  if (!work.shares.redundant()) return true;
  set_efforts(work, view);
  assemble_bare(work);
  for (int row = work.mechanism.loop_count; row < work.kkt.border_size(); ++row) {
    work.kkt.corner(row, row) = 1;
  }
  if (!work.kkt.factorise_bare() || !factorise_bare_border(work)) return false;
  const std::span<double> r = work.r;
  for (std::size_t j = 0; j < work.outputs.size(); ++j) {
    std::fill(r.begin(), r.end(), 0.0);
    const auto add = [&](int node, const Row<D>& row) {
      if (node == work.mechanism.ground) return;
      for (int k = 0; k < kWidth<D>; ++k) r[work.mechanism.offset[node] + k] += row[k];
    };
    const PairRow<D> row = work.outputs[j].gradient(work.X.right, view.point.end_time);
    add(work.outputs[j].child(), row.child);
    add(work.outputs[j].parent(work.mechanism.ground), row.parent);
    work.kkt.solve(r.first(work.kkt.size()), r.subspan(work.kkt.size()));
    work.for_each_servo_effort([&](const auto& effort) {
      const int output = static_cast<int>(j);
      if (!work.shares.is_shared(effort.servo) || !work.shares.has(effort.servo, output)) return;
      double share = 0;
      effort.for_each_row(work.X.left, [&](int node, const Row<D>& on) {
        if (node == work.mechanism.ground) return;
        for (int k = 0; k < kWidth<D>; ++k) share += on[k] * r[work.mechanism.offset[node] + k];
      });
      work.shares.set(effort.servo, output, share);
    });
  }
  return true;
}

template <int D>
bool factorise_bare_border(RotationlessWork<D>& work) {
  if (!work.kkt.sparse() && work.mechanism.loop_rank < work.mechanism.loop_count) {
    keep_rank(work, work.mechanism.loop_rank);
  }
  return work.kkt.factorise_border();
}

template <int D>
int keep_rank(RotationlessWork<D>& work, int loop_rank) {
  const int loops = work.mechanism.loop_count, border = work.kkt.border_size(), servos = border - loops;
  for (int i = 0; i < loops; ++i) {
    for (int j = 0; j < loops; ++j) work.scratch[i * loops + j] = work.kkt.schur()[i * border + j];
  }
  work.border_rank.decompose(std::span(work.scratch).first(loops * loops), -1);
  if (loop_rank < 0) loop_rank = work.border_rank.rank(kSingular);
  const std::span<const double> independent = work.border_rank.basis(loop_rank);
  const int rank = loop_rank + servos;
  std::fill(work.basis.begin(), work.basis.end(), 0.0);
  for (int i = 0; i < loops; ++i) {
    for (int j = 0; j < loop_rank; ++j) work.basis[i * rank + j] = independent[i * loop_rank + j];
  }
  for (int i = 0; i < servos; ++i) work.basis[(loops + i) * rank + loop_rank + i] = 1;
  work.kkt.set_border_basis(std::span(work.basis).first(static_cast<std::size_t>(border) * rank), rank);
  return loop_rank;
}

template <int D>
bool factorise_loops(RotationlessWork<D>& work, bool& usable) {
  usable = factorise_bare_border(work);
  if (usable && work.kkt.border_pivot_ratio() > kSingular) return true;
  if (work.kkt.sparse()) {
    usable = work.kkt.factorise_what_is_independent();
    return false;
  }
  const int rank = keep_rank(work, -1);
  usable = work.kkt.factorise_border();
  return usable && rank == work.mechanism.loop_rank;
}

template <int D>
void drop_idle_multipliers(const RotationlessWork<D>& work, std::span<double> unknowns) {
  const int loops = work.mechanism.loop_count, rank = work.mechanism.loop_rank;
  if (rank == loops) return;
  const std::size_t nodes = unknowns.size() - work.kkt.border_size();
  if (work.kkt.sparse()) return work.kkt.sparse()->drop_idle(unknowns.first(nodes), unknowns.subspan(nodes));
  work.border_rank.remove_null(unknowns.subspan(nodes, loops), rank);
}

template <int D>
void make_multipliers_least(RotationlessWork<D>& work, std::span<double> unknowns) {
  const NodeFrames<D>& frames = work.mechanism.frames;
  const double length = work.mechanism.length;
  double mass = 0;
  for (int node = 0; node < frames.ground; ++node) mass += frames.mass[node] / frames.ground;
  const std::size_t nodes = work.kkt.size();
  work.kkt.make_least(kShift / (mass * length * length), unknowns.first(nodes), unknowns.subspan(nodes));
}

template bool set_servo_shares(RotationlessWork<2>&, const PairView<2>&);
template bool set_servo_shares(RotationlessWork<3>&, const PairView<3>&);
template void set_efforts(RotationlessWork<2>&, const PairView<2>&);
template void set_efforts(RotationlessWork<3>&, const PairView<3>&);
template bool factorise_bare_border(RotationlessWork<2>&);
template bool factorise_bare_border(RotationlessWork<3>&);
template int keep_rank(RotationlessWork<2>&, int);
template bool factorise_loops(RotationlessWork<2>&, bool&);
template int keep_rank(RotationlessWork<3>&, int);
template bool factorise_loops(RotationlessWork<3>&, bool&);
template void drop_idle_multipliers(const RotationlessWork<2>&, std::span<double>);
template void drop_idle_multipliers(const RotationlessWork<3>&, std::span<double>);
template void make_multipliers_least(RotationlessWork<2>&, std::span<double>);
template void make_multipliers_least(RotationlessWork<3>&, std::span<double>);

}  // namespace torsor
