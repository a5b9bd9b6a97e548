#include "torsor/formulation/rotationless/work_pattern.h"

#include <algorithm>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// From so many rows of loops on the sparse way is quicker: 0.6 of a dense border's time, 0.13 at 160 rows.
constexpr int kSparseFrom = 40;
/// Elimination along the tree takes so many products of blocks a body where tendons join neighbours alone: nothing
/// to gain. Products of the sparse way cost more, for it copies the matrix and its blocks are smaller.
constexpr int kFewProducts = 16;
constexpr double kDearer = 1.5;

/// Whether every body by itself resists any acceleration, as sparse loops need it.
template <int D>
bool is_massive(const NodeFrames<D>& frames) {
  for (int node = 0; node < frames.ground; ++node) {
    double least = frames.mass[node];
    for (int k = 0; k < D; ++k) {  // the inertia about an axis is the sum of the other directors'
      double about = 0;
      for (int other = 0; other < D; ++other) about += D == 2 || other != k ? frames.E[node][other] : 0;
      least = smaller(least, about);
    }
    if (!(least > 0)) return false;
  }
  return true;
}

template <int D>
std::vector<double> row_units(const RotationlessMechanism<D>& mechanism, std::span<const PlacedRows<D>> all) {
  std::vector<double> units;
  for (const PlacedRows<D>& rows : all) {
    if (rows.coincident) units.insert(units.end(), D, mechanism.length);
    for (const Product<D>& product : mechanism.products_of(rows)) {
      units.push_back(product.child.t != 0 ? mechanism.length : 1);
    }
    if (rows.screw >= 0) units.push_back(mechanism.length);
  }
  return units;
}

/// All pairs of bodies whose part of the matrix need not vanish.
template <int D>
std::vector<std::pair<int, int>> stiff_pairs(const RotationlessWork<D>& work) {
  const RotationlessMechanism<D>& mechanism = work.mechanism;
  const int ground = mechanism.ground;
  std::vector<std::pair<int, int>> pairs;
  const auto couple = [&](int a, int b) {
    if (a != b && a != ground && b != ground) pairs.emplace_back(a, b);
  };
  for (const auto* all : {&mechanism.tree_rows, &mechanism.loop_rows}) {
    for (const PlacedRows<D>& rows : *all) {  // of points that coincide, each body's part is its own affair
      if (rows.product_count > 0 || rows.screw >= 0) couple(rows.child, rows.parent);
    }
  }
  for (const CoupledCoordinate<D>& term : mechanism.terms) {
    couple(term.coordinate.child, term.coordinate.parent);
  }
  for_each_element(work.elements, [&](const auto& element) {
    if constexpr (requires { element.couple(couple); }) element.couple(couple);
    if constexpr (requires { element.joint; }) {
      if (element.joint < 0) return;
      const JointRows<D>& rows = mechanism.joints.rows[element.joint];
      couple(rows.child, rows.parent);
    }
  });
  return pairs;
}

template <int D>
void make_sparse(const RotationlessWork<D>& work, KktPattern& pattern) {
  const RotationlessMechanism<D>& mechanism = work.mechanism;
  const int ground = mechanism.ground;
  for (const auto* all : {&mechanism.tree_rows, &mechanism.loop_rows}) {
    const std::vector<double> units = row_units<D>(mechanism, *all);
    pattern.units.insert(pattern.units.end(), units.begin(), units.end());
  }
  for (const PlacedRows<D>& rows : mechanism.loop_rows) {
    const auto body = [&](int node) { return node == ground ? -1 : node; };
    pattern.sparse_loops.push_back({{body(rows.child), body(rows.parent)}, rows.count()});
  }
  pattern.redundant = mechanism.loop_count - mechanism.loop_rank;
}

}  // namespace

template <int D>
std::vector<double> loop_units(const RotationlessMechanism<D>& mechanism) {
  std::vector<double> units = row_units<D>(mechanism, mechanism.loop_rows);
  for (const CouplingRow<D>& row : mechanism.couplings) {
    double unit = 0;
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      keep_largest(unit, std::abs(factor) * (coordinate.displacement ? mechanism.length : 1));
    }
    units.push_back(unit);
  }
  return units;
}

template <int D>
KktPattern make_pattern(const RotationlessWork<D>& work) {
  const RotationlessMechanism<D>& mechanism = work.mechanism;
  const int ground = mechanism.ground;
  KktPattern pattern;
  pattern.stiff = stiff_pairs(work);
  for (const PlacedRows<D>& rows : mechanism.tree_rows) {
    pattern.nodes.push_back({.parent = rows.parent == ground ? -1 : rows.parent,
                             .multipliers = rows.count(),
                             .pinned = rows.coincident,
                             .loose = !pattern.is_stiff(rows.child, rows.parent)});
  }
  const auto couple = [&](int a, int b) {
    if (a != b && a != ground && b != ground) pattern.couplings.emplace_back(a, b);
  };
  for_each_element(work.elements, [&](const auto& element) {
    if constexpr (requires { element.couple(couple); }) element.couple(couple);
  });
  const auto touch = [&](std::vector<int>& bodies, int node) {
    if (node == ground || std::find(bodies.begin(), bodies.end(), node) != bodies.end()) return;
    bodies.push_back(node);
  };
  for (const PlacedRows<D>& rows : mechanism.loop_rows) {
    if (pattern.is_stiff(rows.child, rows.parent)) couple(rows.child, rows.parent);
    for (int row = 0; row < rows.count(); ++row) {
      touch(pattern.border.emplace_back(), rows.child);
      touch(pattern.border.back(), rows.parent);
    }
  }
  for (const CouplingRow<D>& row : mechanism.couplings) {
    std::vector<int>& bodies = pattern.border.emplace_back();
    for (const CoupledCoordinate<D>& term : mechanism.terms_of(row)) {
      touch(bodies, term.coordinate.child);
      touch(bodies, term.coordinate.parent);
    }
  }
  if (work.outputs.empty() && mechanism.couplings.empty() && is_massive(mechanism.frames)) {
    const std::size_t products = tree_product_count(pattern);
    if (mechanism.loop_count >= kSparseFrom || products > kFewProducts * pattern.nodes.size()) {
      make_sparse(work, pattern);
      pattern.sparse =
          mechanism.loop_count >= kSparseFrom ||
          kDearer * SparseKkt<kWidth<D>>(make_sparse_pattern(pattern)).product_count() < products;
    }
  }
  const std::size_t first = pattern.border.size();
  for (const ServoOutput<D>& output : work.outputs) {
    touch(pattern.border.emplace_back(), output.child());
    touch(pattern.border.back(), output.parent(ground));
  }
  work.for_each_servo_effort([&](const auto& effort) {
    effort.for_each_node([&](int node) {
      for (int j = 0; j < work.shares.output_count(); ++j) {
        const bool own = work.shares.redundant() ? work.shares.has(effort.servo, j) : effort.servo == j;
        if (own) touch(pattern.border[first + j], node);
      }
    });
  });
  return pattern;
}

template std::vector<double> loop_units(const RotationlessMechanism<2>&);
template std::vector<double> loop_units(const RotationlessMechanism<3>&);
template KktPattern make_pattern(const RotationlessWork<2>&);
template KktPattern make_pattern(const RotationlessWork<3>&);

}  // namespace torsor
