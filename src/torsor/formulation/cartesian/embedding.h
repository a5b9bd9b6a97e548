#pragma once
// Centres of mass of planar links as coordinates, and the directors of Rotationless by them.

#include <span>
#include <vector>

#include "torsor/formulation/cartesian/link.h"
#include "torsor/formulation/rotationless/mechanism.h"

namespace torsor {

/// x_R = T x + const: directors are scaled rotations of the xi_i (link.h). Keeps the xi of the last call.
class CartesianEmbedding {
 public:
  explicit CartesianEmbedding(std::vector<CartesianLink> links);

  const std::vector<CartesianLink>& links() const { return links_; }
  int count() const { return static_cast<int>(links_.size()); }
  /// The directors of all bodies at x, and their rates at v; the state of Rotationless.
  void embed(std::span<const double> x, std::span<double> x_R) const;
  void embed_rates(std::span<const double> v, std::span<double> v_R) const;
  /// The inverse on their image, of positions and of rates: the centres of mass.
  void coordinates_of(std::span<const double> x_R, std::span<double> x) const;

  /// x_b - x_a and x_b for xi_b = cay(omega_i) xi_a: increments of increments alone, with the relative rounding
  /// of the former.
  void retract(std::span<const double> x_a, std::span<const double> turns, std::span<double> dx,
               std::span<double> x_b) const;
  /// h times the rates of turning.
  void turns(std::span<const double> x, std::span<const double> v, double h, std::span<double> turns) const;
  /// a = J xi'', xi'' = alpha xi^perp + Omega xi'^perp with the turns' accelerations alpha and rates Omega.
  void accelerations(std::span<const double> x, std::span<const double> v, std::span<const double> alpha,
                     std::span<double> a) const;
  /// Corrects lengths with the joints where embed() will find them, so that rounding of one link is not handed
  /// on to the next.
  void settle(std::span<double> x) const;
  /// Largest errors of (27), as lengths |xi_i| - l_i, and of their rates.
  double length_error(std::span<const double> x) const;
  double length_rate(std::span<const double> x, std::span<const double> v) const;
  const Vec2<double>& xi(int i) const { return xi_[i]; }

 private:
  Vec2<double> joint_of(int i, std::span<const double> x, double ground) const;
  void set_relative(std::span<const double> x, double ground) const;
  void set_relative_rates(std::span<const double> x, std::span<const double> v) const;
  void put_directors(std::span<const double> x, std::span<double> x_R) const;

  std::vector<CartesianLink> links_;
  mutable std::vector<Vec2<double>> xi_, xi_rate_;
};

}  // namespace torsor
