#pragma once
// The mass matrix of a tree with springs and dampers in its joints and tensions in its bodies, at complex
// rates: factored in O(n).

#include <span>
#include <vector>

#include "torsor/base/complex.h"
#include "torsor/tree/articulated_inertia.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// P = M + sigma C + sigma^2 K for several factors sigma; P/sigma^2 is the dynamic stiffness at the rate
/// 1/sigma. C and the one part of K are diagonal, by rate: joints with dampers and springs. The other part of
/// K are tensions: with the wrench W_k = -(c x f, f) summed over all that joint k carries, f = m (g - a) the
/// forces at the centres of mass, dot(J_k, W_k) = effort_k changes with small displacements xi of the bodies
/// by
///   dot(J_k, dW_k) + dot(bracket(xi_k, J_k), W_k),   dW = -((phi x c + u) x f, 0) of each body       (1)
/// if the forces stay as they are. That goes along the tree like inertia, so that all goes into the recursion
/// of spatial_forward_dynamics.h, with 6x6 matrices that are no longer symmetric: U = I J, L = I^T J +
/// sigma^2 g,
///   D_k = dot(L_k, J_k) + sigma c_k + sigma^2 k_k,   I -= U_k L_k^T / D_k                            (2)
class DynamicStiffness {
 public:
  DynamicStiffness(const Tree& tree, std::vector<double> stiffness, std::vector<double> damping, int count);

  /// At a state with its accelerations.
  void factorise(const Tree& tree, std::span<const double> q, std::span<const double> v,
                 std::span<const double> a, std::span<const Complex> sigma);
  /// x becomes P^-1 M x with the k-th of the factors.
  void solve(const Tree& tree, int k, std::span<Complex> x);

 private:
  /// (moment, force) = [A, B; C, D] (angular, linear).
  struct Blocks {
    Mat3<Complex> A, B, C, D;
  };
  struct Factors {
    std::vector<Wrench<Complex>> U, L;  ///< by rate
    std::vector<Complex> D_inverse;     ///< by rate
  };
  void set_tensions(const Tree& tree, std::span<const double> v, std::span<const double> a);
  static void subtract(Blocks& I, const Wrench<Complex>& U, const Wrench<Complex>& L);
  void set_inertia(int node, const Complex& square);
  void factorise(const Tree& tree, const Complex& sigma, Factors& factors);
  void multiply_by_mass(const Tree& tree, std::span<Complex> x);

  std::vector<double> stiffness_, damping_;  ///< by rate
  std::vector<Factors> factors_;
  std::vector<Pose<double>> X_W_;
  std::vector<Twist<double>> J_;           ///< by rate
  std::vector<Inertia<double>> M_;         ///< of each node, about the world's origin
  std::vector<Twist<double>> V_, V_rate_;  ///< spatial; the ground accelerates against gravity
  std::vector<Wrench<double>> w_, W_;      ///< inertia and weight of each node; with all that it carries
  std::vector<Blocks> I_;
  std::vector<Wrench<Complex>> F_;
  std::vector<Twist<Complex>> A_;
};

}  // namespace torsor
