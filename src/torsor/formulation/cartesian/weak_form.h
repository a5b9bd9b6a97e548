#pragma once
// The formulation cartesian on polynomials of time.

#include "torsor/formulation/cartesian/embedding.h"
#include "torsor/formulation/rotationless/weak_form.h"

namespace torsor {

/// x_R = T x + const (embedding.h) takes polynomials into polynomials. Of the constraints of Rotationless all
/// but |d| = 1 hold for these by themselves, and their multipliers take up what T^T leaves out of its
/// equations: its solution from an embedded start is the embedded solution. In x alone the mass matrix (34)
/// is full; in the directors every body meets its neighbours only.
class CartesianWeakForm final : public RotationlessWeakForm<2> {
 public:
  CartesianWeakForm(const CartesianEmbedding& embedding, const RotationlessWork<2>& full,
                    const GalerkinBasis& basis);

  void embed(std::span<const double> x, std::span<const double> v, std::span<double> x_form,
             std::span<double> v_form) const override;
  /// Rounding takes rates out of the image of T, along M^-1 G^T, where it costs no energy; back goes the
  /// shortest way in the metric of the masses, and so costs none either.
  void project(std::span<const double> x_form, std::span<const double> v_form, std::span<double> x,
               std::span<double> v) const override;

 private:
  static constexpr int kRows = 2;  ///< of a joint

  const CartesianEmbedding& embedding_;
  BlockElimination metric_;  ///< masses with the gradients of the joints, all constant
  mutable std::vector<double> x_R_, v_R_, nearest_, v_joined_;
};

}  // namespace torsor
