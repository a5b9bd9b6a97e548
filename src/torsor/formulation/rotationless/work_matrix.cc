// The matrix of a step and of a state.

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/formulation/rotationless/chart_sink.h"
#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/coupling.h"
#include "torsor/formulation/rotationless/work.h"

namespace torsor {
namespace {

constexpr double kLongestTurn = 1.6;  ///< of a body in a step [rad]
/// Nodes whose part of the matrix is cleared, filled and eliminated while it is in the cache.
constexpr int kTogether = 64;

/// Of a state.
template <int D, class S>
void add_rotors(RotationlessWork<D, S>& work) {
  for (const Rotor<D, S>& rotor : work.mechanism.joints.rotors) {
    const PairRow<D, S> right = rotor_gradient(work, rotor);
    PairRow<D, S> left;
    add_scaled(rotor.mass, right, left);
    add_outer(work.kkt, work.mechanism.ground, rotor.coordinate.child, rotor.coordinate.parent, left, right);
  }
}

/// Inertia, and with `turning` what follows from levers on the left that turn: for a force f_i on a director,
/// kappa (y x d_i) x f_i.
template <int D, class S>
void add_bodies(RotationlessWork<D, S>& work, int first, int end, double kappa, bool turning) {
  const NodeFrames<D, S>& frames = work.mechanism.frames;
  for (int node = first; node < end; ++node) {
    const BlockViewOf<S> block = work.kkt.pivot(node);
    for (int i = 0; i < D; ++i) block(i, i) += frames.mass[node];
    const auto &l = work.X.left[node].d, &r = work.X.right[node].d;
    S trace(0.0);
    for (int k = 0; k < D; ++k) {
      const S E = frames.E[node][k];
      const VecD<D, S> force = (turning ? kappa : 0.0) * work.forces[node].on_directors[k];
      trace += E * dot(l[k], r[k]) - dot(r[k], force);
      if constexpr (D == 3) {
        const Vec3<S> row = force - E * l[k];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) block(3 + i, 3 + j) += r[k][i] * row[j];
        }
      }
    }
    for (int i = D; i < kWidth<D>; ++i) block(i, i) += trace;
  }
}

template <int D>
void put_servos(RotationlessWork<D>& work, double t, ServoSide what, bool left) {
  const int ground = work.mechanism.ground;
  const double sign = left ? -1 : 1;
  const auto put = [&](int servo, int node, const Row<D>& from, double share) {
    if (node == ground) return;
    double* out = border_entry(work, left, work.mechanism.loop_count + servo, node);
    for (int k = 0; k < kWidth<D>; ++k) out[k] += sign * share * from[k];
  };
  if (what == ServoSide::efforts) {
    work.for_each_servo_effort([&](const auto& effort) {
      effort.for_each_row(work.X.left, [&](int node, const Row<D>& row) {
        if (!work.shares.redundant()) return put(effort.servo, node, row, 1);
        for (int j = 0; j < work.shares.output_count(); ++j) {
          if (work.shares.has(effort.servo, j)) put(j, node, row, work.shares.slope(effort.servo, j));
        }
      });
    });
    return;
  }
  for (std::size_t j = 0; j < work.outputs.size(); ++j) {
    const PairRow<D> row = work.outputs[j].gradient(work.X.right, t);
    put(static_cast<int>(j), work.outputs[j].child(), row.child, 1);
    put(static_cast<int>(j), work.outputs[j].parent(ground), row.parent, 1);
  }
}

template <int D, class S>
void add_rows(RotationlessWork<D, S>& work, std::span<const PlacedRows<D, S>> rows, double kappa,
              std::span<const S> unknowns) {
  put_rows<D, S>(work, rows);
  add_constraint_tangent<D, S>(work, rows, kappa, unknowns);
}

/// Bodies and their joints.
template <int D, class S>
void add_tree(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point, std::span<const S> unknowns,
              int first, int end) {
  add_bodies(work, first, end, point.kappa, true);
  add_rows<D, S>(work, std::span(work.mechanism.tree_rows).subspan(first, end - first), point.kappa,
                 unknowns);
}

/// All else.
template <int D, class S>
void add_others(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                std::span<const S> unknowns) {
  add_rows<D, S>(work, work.mechanism.loop_rows, point.kappa, unknowns);
  put_couplings(work);
  add_coupling_tangent(work, point.kappa, unknowns);
  const PairView<D, S> view = work.view(point, unknowns);
  const ChartSink<D, S> sink{work.kkt, view};
  for_each_element(work.elements, [&](auto& element) {
    if constexpr (requires { element.add_tangent(view, sink); }) element.add_tangent(view, sink);
  });
  if constexpr (std::same_as<S, double>) {
    put_servos(work, point.end_time, ServoSide::efforts, true);
    put_servos(work, point.end_time, ServoSide::outputs, false);
  }
}
template <int D, class S>
bool has_others(const RotationlessWork<D, S>& work) {
  return work.kkt.border_size() > 0 ||
         std::apply([](const auto&... lists) { return (!lists.empty() || ...); }, work.elements);
}

}  // namespace

template <int D, class S>
S* border_entry(RotationlessWork<D, S>& work, bool left, int row, int node) {
  const std::vector<int>& bodies = work.pattern.border[row];
  const int k = static_cast<int>(std::find(bodies.begin(), bodies.end(), node) - bodies.begin());
  return left ? work.kkt.border_left(row, k) : work.kkt.border_right(row, k);
}

/// As Cayley vectors. At half a turn levers on the left vanish, and with them every equation of moments:
/// unbounded vectors solve any step, and near it increments seem to converge while moments do not (a free chain
/// lost a third of its energy with a bound of 3 rad).
template <int D, class S>
MaskOf<S> turns_are_short(const RotationlessWork<D, S>& work,
                          std::span<const std::type_identity_t<S>> unknowns) {
  const double longest = 2 * std::tan(0.5 * kLongestTurn);
  MaskOf<S> are_short = all_lanes<S>();
  for (const int offset : work.mechanism.offset) {
    const S* eta = &unknowns[offset];
    S square(0.0);
    for (int i = D; i < kWidth<D>; ++i) square += eta[i] * eta[i];
    are_short = are_short & (square <= longest * longest);
  }
  return are_short;
}

template <int D, class S>
void assemble(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
              std::span<const std::type_identity_t<S>> unknowns) {
  work.kkt.clear();
  add_tree(work, point, unknowns, 0, work.mechanism.ground);
  add_others(work, point, unknowns);
}

template <int D, class S>
MaskOf<S> assemble_and_factorise(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                                 std::span<const std::type_identity_t<S>> unknowns,
                                 std::span<std::type_identity_t<S>> nodes,
                                 std::span<std::type_identity_t<S>> border) {
  if (work.kkt.sparse()) {
    assemble(work, point, unknowns);
    return work.kkt.factorise();
  }
  int cleared = work.mechanism.ground;  // from here on
  const auto clear_from = [&](int first) {
    while (cleared > first) {
      const int end = std::exchange(cleared, std::max(cleared - kTogether, 0));
      work.kkt.clear_nodes(cleared, end);
    }
  };
  work.kkt.clear_border();
  if (has_others(work)) {
    clear_from(0);
    add_others(work, point, unknowns);
  }
  work.kkt.load_border();
  MaskOf<S> regular = all_lanes<S>();
  for (int first, end = work.mechanism.ground; end > 0 && any(regular); end = first) {
    first = std::max(end - kTogether, 0);
    clear_from(work.kkt.first_neighbour(first, end));
    add_tree(work, point, unknowns, first, end);
    regular = regular & work.kkt.factorise_nodes(first, end, nodes, border);
  }
  return regular;
}

template <int D, class S>
void assemble_bare(RotationlessWork<D, S>& work) {
  work.kkt.clear();
  add_bodies(work, 0, work.mechanism.ground, 1, false);
  add_rotors(work);
  put_rows<D, S>(work, work.mechanism.tree_rows);
  put_rows<D, S>(work, work.mechanism.loop_rows);
  put_couplings(work);
}

template <int D, class S>
MaskOf<S> factorise_bare(RotationlessWork<D, S>& work, [[maybe_unused]] double t,
                         [[maybe_unused]] ServoSide left, [[maybe_unused]] ServoSide right) {
  assemble_bare(work);
  if constexpr (std::same_as<S, double>) {
    put_servos(work, t, left, true);
    put_servos(work, t, right, false);
  }
  return work.kkt.factorise_bare();
}

template void assemble(RotationlessWork<2>&, const ConstrainedPoint&, std::span<const double>);
template void assemble(RotationlessWork<3>&, const ConstrainedPoint&, std::span<const double>);
template bool assemble_and_factorise(RotationlessWork<2>&, const ConstrainedPoint&, std::span<const double>,
                                     std::span<double>, std::span<double>);
template bool turns_are_short(const RotationlessWork<2>&, std::span<const double>);
template bool assemble_and_factorise(RotationlessWork<3>&, const ConstrainedPoint&, std::span<const double>,
                                     std::span<double>, std::span<double>);
template bool turns_are_short(const RotationlessWork<3>&, std::span<const double>);
template double* border_entry(RotationlessWork<2>&, bool, int, int);
template double* border_entry(RotationlessWork<3>&, bool, int, int);
template void assemble_bare(RotationlessWork<2>&);
template void assemble_bare(RotationlessWork<3>&);
template bool factorise_bare(RotationlessWork<2>&, double, ServoSide, ServoSide);
template bool factorise_bare(RotationlessWork<3>&, double, ServoSide, ServoSide);

template Pack<4>::Mask assemble_and_factorise(RotationlessWork<2, Pack<4>>&,
                                              const ConstrainedPointOf<Pack<4>>&, std::span<const Pack<4>>,
                                              std::span<Pack<4>>, std::span<Pack<4>>);
template Pack<4>::Mask turns_are_short(const RotationlessWork<2, Pack<4>>&, std::span<const Pack<4>>);
template Pack<4>::Mask assemble_and_factorise(RotationlessWork<3, Pack<4>>&,
                                              const ConstrainedPointOf<Pack<4>>&, std::span<const Pack<4>>,
                                              std::span<Pack<4>>, std::span<Pack<4>>);
template Pack<4>::Mask turns_are_short(const RotationlessWork<3, Pack<4>>&, std::span<const Pack<4>>);
template Pack<4>* border_entry(RotationlessWork<2, Pack<4>>&, bool, int, int);
template Pack<4>* border_entry(RotationlessWork<3, Pack<4>>&, bool, int, int);
template Pack<4>::Mask factorise_bare(RotationlessWork<2, Pack<4>>&, double, ServoSide, ServoSide);
template Pack<4>::Mask factorise_bare(RotationlessWork<3, Pack<4>>&, double, ServoSide, ServoSide);

template Pack<8>::Mask assemble_and_factorise(RotationlessWork<2, Pack<8>>&,
                                              const ConstrainedPointOf<Pack<8>>&, std::span<const Pack<8>>,
                                              std::span<Pack<8>>, std::span<Pack<8>>);
template Pack<8>::Mask turns_are_short(const RotationlessWork<2, Pack<8>>&, std::span<const Pack<8>>);
template Pack<8>::Mask assemble_and_factorise(RotationlessWork<3, Pack<8>>&,
                                              const ConstrainedPointOf<Pack<8>>&, std::span<const Pack<8>>,
                                              std::span<Pack<8>>, std::span<Pack<8>>);
template Pack<8>::Mask turns_are_short(const RotationlessWork<3, Pack<8>>&, std::span<const Pack<8>>);
template Pack<8>* border_entry(RotationlessWork<2, Pack<8>>&, bool, int, int);
template Pack<8>* border_entry(RotationlessWork<3, Pack<8>>&, bool, int, int);
template Pack<8>::Mask factorise_bare(RotationlessWork<2, Pack<8>>&, double, ServoSide, ServoSide);
template Pack<8>::Mask factorise_bare(RotationlessWork<3, Pack<8>>&, double, ServoSide, ServoSide);

}  // namespace torsor
