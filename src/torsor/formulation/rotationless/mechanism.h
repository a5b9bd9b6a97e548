#pragma once
// A mechanism in directors, as every method on it reads it: bodies, the constraints of joints, and where their
// unknowns are. Built once, then constant.

#include <span>
#include <vector>

#include "torsor/formulation/rotationless/joint.h"

namespace torsor {

/// The constraints of a joint, small enough that a long chain streams through the cache.
template <int D>
struct PlacedRows {
  int joint, child, parent;
  int unknown;  ///< first multiplier in the vector of unknowns
  int border;   ///< first border row of a loop joint; -1 in the tree
  bool coincident;
  int first_product, product_count;  ///< among all products
  int screw;                         ///< among the screws; -1: none
  Arm<D> child_point, parent_point;  ///< the latter negated

  int count() const { return (coincident ? D : 0) + product_count + (screw >= 0 ? 1 : 0); }
};

/// A coordinate in a coupling.
template <int D>
struct CoupledCoordinate {
  Measure<D> coordinate;
  double factor;
  int joint;  ///< of the model
};
/// One coupling: a row of the border, beside those of loop joints.
template <int D>
struct CouplingRow {
  int first_term, term_count;  ///< among all terms
  double offset, largest_factor;
  int unknown;  ///< its multiplier in the vector of unknowns
  int border;   ///< its row of the border
};

/// Multipliers of the spanning tree's joints stand beside the body that they carry; those of loop joints,
/// couplings and servo efforts form the border (tree_kkt.h).
template <int D>
struct RotationlessMechanism {
  /// `loop_rank`: independent constraints among those of the loop joints and couplings.
  RotationlessMechanism(const Model& model, int loop_rank);

  NodeFrames<D> frames;
  RotationlessJoints<D> joints;
  int ground;
  VecD<D> gravity{};
  double length;                  ///< of the mechanism: the longest lever [m]
  int loop_rank, loop_count = 0;  ///< independent rows, and rows, of loop joints and couplings
  std::vector<int> offset;        ///< by node: of its increments among the unknowns
  int tree_size = 0;              ///< unknowns before the border
  std::vector<PlacedRows<D>> tree_rows, loop_rows;  ///< the former by node
  std::vector<Product<D>> products;                 ///< of their rows
  std::vector<Screw<D>> screws;
  std::vector<CouplingRow<D>> couplings;
  std::vector<CoupledCoordinate<D>> terms;  ///< of the couplings
  std::vector<Mat3<double>> R_DK;           ///< by joint: the child's joint frame among its directors

  std::span<const Product<D>> products_of(const PlacedRows<D>& rows) const {
    return std::span(products).subspan(rows.first_product, rows.product_count);
  }
  std::span<const CoupledCoordinate<D>> terms_of(const CouplingRow<D>& row) const {
    return std::span(terms).subspan(row.first_term, row.term_count);
  }
  /// Coordinates with rotors stand behind the bodies'.
  int first_rotor() const { return kCoordinates<D> * ground; }
  int coordinate_count() const { return first_rotor() + static_cast<int>(joints.rotors.size()); }
};

/// Coordinates or rates, body by body, as configurations; the ground stays as it is.
template <int D>
void load_configuration(std::span<const double> x, Configuration<D>& X) {
  const double* at = x.data();
  for (std::size_t node = 0; node + 1 < X.size(); ++node) {
    Directors<D>& body = X[node];
    for (int i = 0; i < D; ++i) body.phi[i] = *at++;
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < D; ++i) body.d[k][i] = *at++;
    }
  }
}

/// The Omega with d_i' = Omega x d_i for the directors and their rates. In a step, with the directors on the
/// left, it is the Cayley vector over h.
template <int D>
SpinD<D> spin_rate(const Directors<D>& body, const Directors<D>& rate) {
  const std::array<VecD<D>, D> arms = spin_arms(body);
  SpinD<D> spin{};
  for (int k = 0; k < D; ++k) spin += moment_of(arms[k], rate.d[k]);
  return spin;
}

/// Hands each coordinate with a rotor and its place to `use`.
template <int D, class Use>
void for_each_rotor(const RotationlessMechanism<D>& mechanism, Use&& use) {
  std::size_t at = mechanism.first_rotor();
  for (const Rotor<D>& rotor : mechanism.joints.rotors) use(rotor, at++);
}

template <int D>
double rotor_energy(const RotationlessMechanism<D>& mechanism, std::span<const double> v) {
  double twice = 0;
  for_each_rotor(mechanism,
                 [&](const Rotor<D>& rotor, std::size_t at) { twice += rotor.mass * v[at] * v[at]; });
  return 0.5 * twice;
}

/// The directors at joints' coordinates q and rates qd, consistent with the loops, and all angles, which start
/// with the turns of q.
template <int D>
void start_directors(const Model& model, const RotationlessMechanism<D>& mechanism, std::span<const double> q,
                     std::span<const double> qd, std::span<double> x, std::span<double> v,
                     std::span<double> angles);

}  // namespace torsor
