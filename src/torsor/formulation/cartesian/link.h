#pragma once
// The links of a planar tree of revolute joints as centres of gravity see them (Kotyczka-Götz-Herrmann
// section 3.1, any tree, any centre of mass).

#include <vector>

#include "torsor/base/vec.h"
#include "torsor/model/model.h"

namespace torsor {

/// The scaled rotation | A.x -A.y; A.y A.x | on a vector: the product of complex numbers.
inline Vec2<double> scaled_rotation(const Vec2<double>& A, const Vec2<double>& a) {
  return {A.x * a.x - A.y * a.y, A.y * a.x + A.x * a.y};
}

/// With X_i the joint that carries link i and x_i its centre of mass, xi_i = x_i - X_i turns with the link,
/// and every vector fixed on the link is a scaled rotation of it. So
///   X_i = X_p + A_i xi_p = x_p + (A_i - I) xi_p,   p the parent of i                                (22)
/// A_i = L_p / l_p where the centre of mass of p lies between its joints (footnote 5 otherwise).
struct CartesianLink {
  int body = 0;             ///< of the model
  int parent = -1;          ///< an earlier link; -1: the ground
  Vec2<double> joint{};     ///< X_i on the ground [m]
  Vec2<double> beyond{};    ///< A_i - I
  Vec2<double> director{};  ///< of the body's first director, d_1 = director xi_i [1/m]
  double length = 0;        ///< l_i = |xi_i| [m]
  double mass = 0;          ///< [kg]
  double inertia = 0;       ///< about the centre of mass [kg m^2]
};

/// In the order of the model's topology, parents first. Throws ModelError (key simulation.formulation) where
/// these coordinates do not describe the model: not in the plane, other joints than revolute ones, loops,
/// servos, a centre of mass in its joint (it would not tell how the link has turned), and trees in which
/// rounding of x grows too much on the way to the last xi.
std::vector<CartesianLink> make_cartesian_links(const Model& model);

/// A of a point fixed on a link (in its body frame): the point is X_i + A xi_i.
Vec2<double> arm_of_point(const Model& model, const CartesianLink& link, const Vec2<double>& p_B);

}  // namespace torsor
