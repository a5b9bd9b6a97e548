#pragma once
// A mechanism in directors, as every method on it reads it: bodies, the constraints of joints, and where their
// unknowns are. Built once, then constant.

#include <cstring>
#include <span>
#include <vector>

#include "torsor/formulation/rotationless/joint.h"

namespace torsor {

/// The constraints of a joint, small enough that a long chain streams through the cache.
template <int D, class S = double>
struct PlacedRows {
  int joint, child, parent;
  int unknown;  ///< first multiplier in the vector of unknowns
  int border;   ///< first border row of a loop joint; -1 in the tree
  bool coincident;
  int first_product, product_count;     ///< among all products
  int screw;                            ///< among the screws; -1: none
  Arm<D, S> child_point, parent_point;  ///< the latter negated

  int count() const { return (coincident ? D : 0) + product_count + (screw >= 0 ? 1 : 0); }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.joint, s.child, s.parent, s.unknown, s.border, s.coincident, s.first_product,
                    s.product_count, s.screw, s.child_point, s.parent_point);
  }
};

/// A coordinate in a coupling.
template <int D, class S = double>
struct CoupledCoordinate {
  Measure<D, S> coordinate;
  S factor;
  int joint;  ///< of the model
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coordinate, s.factor, s.joint);
  }
};
/// One coupling: a row of the border, beside those of loop joints.
template <int D, class S = double>
struct CouplingRow {
  int first_term, term_count;  ///< among all terms
  S offset, largest_factor;
  int unknown;  ///< its multiplier in the vector of unknowns
  int border;   ///< its row of the border
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.first_term, s.term_count, s.offset, s.largest_factor, s.unknown, s.border);
  }
};

/// Multipliers of the spanning tree's joints stand beside the body that they carry; those of loop joints,
/// couplings and servo efforts form the border (tree_kkt.h).
template <int D, class S = double>
struct RotationlessMechanism {
  /// `loop_rank`: independent constraints among those of the loop joints and couplings.
  RotationlessMechanism(const Model& model, int loop_rank) requires std::same_as<S, double>;
  RotationlessMechanism() requires(!std::same_as<S, double>) = default;  ///< to be filled lane by lane

  NodeFrames<D, S> frames;
  RotationlessJoints<D, S> joints;
  int ground = 0;
  VecD<D, S> gravity{};
  S length;                           ///< of the mechanism: the longest lever [m]
  int loop_rank = 0, loop_count = 0;  ///< independent rows, and rows, of loop joints and couplings
  std::vector<int> offset;            ///< by node: of its increments among the unknowns
  int tree_size = 0;                  ///< unknowns before the border
  std::vector<PlacedRows<D, S>> tree_rows, loop_rows;  ///< the former by node
  std::vector<Product<D, S>> products;                 ///< of their rows
  std::vector<Screw<D, S>> screws;
  std::vector<CouplingRow<D, S>> couplings;
  std::vector<CoupledCoordinate<D, S>> terms;  ///< of the couplings
  std::vector<Mat3<double>> R_DK;              ///< by joint: the child's joint frame among its directors

  std::span<const Product<D, S>> products_of(const PlacedRows<D, S>& rows) const {
    return std::span(products).subspan(rows.first_product, rows.product_count);
  }
  std::span<const CoupledCoordinate<D, S>> terms_of(const CouplingRow<D, S>& row) const {
    return std::span(terms).subspan(row.first_term, row.term_count);
  }
  /// Coordinates with rotors stand behind the bodies'.
  int first_rotor() const { return kCoordinates<D> * ground; }
  int coordinate_count() const { return first_rotor() + static_cast<int>(joints.rotors.size()); }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.frames, s.joints, s.ground, s.gravity, s.length, s.loop_rank, s.loop_count, s.offset,
                    s.tree_size, s.tree_rows, s.loop_rows, s.products, s.screws, s.couplings, s.terms);
  }
};

/// The coordinates or rates of one body.
template <int D, class S>
[[gnu::always_inline]] inline void load_body(std::span<const std::type_identity_t<S>> x, std::size_t node,
                                             Directors<D, S>& body) {
  const S* from = x.data() + kCoordinates<D> * node;
  if constexpr (kHasLanes<S>) {  // register by register, without a call
    for (int i = 0; i < D; ++i) body.phi[i] = from[i];
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < D; ++i) body.d[k][i] = from[D * (k + 1) + i];
    }
  } else {
    static_assert(sizeof body == kCoordinates<D> * sizeof(S));
    std::memcpy(static_cast<void*>(&body), from, sizeof body);
  }
}
/// Those of all, as configurations; the ground stays as it is.
template <int D, class S>
void load_configuration(std::span<const std::type_identity_t<S>> x, Configuration<D, S>& X) {
  for (std::size_t node = 0; node + 1 < X.size(); ++node) load_body(x, node, X[node]);
}

/// The Omega with d_i' = Omega x d_i for the directors and their rates. In a step, with the directors on the
/// left, it is the Cayley vector over h.
template <int D, class S>
SpinD<D, S> spin_rate(const Directors<D, S>& body, const Directors<D, S>& rate) {
  const std::array<VecD<D, S>, D> arms = spin_arms(body);
  SpinD<D, S> spin{};
  for (int k = 0; k < D; ++k) spin += moment_of(arms[k], rate.d[k]);
  return spin;
}

/// Hands each coordinate with a rotor and its place to `use`.
template <int D, class S, class Use>
void for_each_rotor(const RotationlessMechanism<D, S>& mechanism, Use&& use) {
  std::size_t at = mechanism.first_rotor();
  for (const Rotor<D, S>& rotor : mechanism.joints.rotors) use(rotor, at++);
}

template <int D, class S>
S rotor_energy(const RotationlessMechanism<D, S>& mechanism, std::span<const std::type_identity_t<S>> v) {
  S twice(0.0);
  for_each_rotor(mechanism,
                 [&](const Rotor<D, S>& rotor, std::size_t at) { twice += rotor.mass * v[at] * v[at]; });
  return 0.5 * twice;
}

/// Twice that of a body whose coordinates have these rates.
template <int D, class S>
S twice_kinetic_energy(const NodeFrames<D, S>& frames, int node, const Directors<D, S>& velocity) {
  S twice = frames.mass[node] * dot(velocity.phi, velocity.phi);
  for (int i = 0; i < D; ++i) twice += frames.E[node][i] * dot(velocity.d[i], velocity.d[i]);
  return twice;
}

/// The directors at joints' coordinates q and rates qd, consistent with the loops, and all angles, which start
/// with the turns of q.
template <int D>
void start_directors(const Model& model, const RotationlessMechanism<D>& mechanism, std::span<const double> q,
                     std::span<const double> qd, std::span<double> x, std::span<double> v,
                     std::span<double> angles);

}  // namespace torsor
