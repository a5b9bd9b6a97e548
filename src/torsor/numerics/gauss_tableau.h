#pragma once
// The Gauss-Legendre methods: collocation at the zeros of Legendre's polynomials, for any number of stages.

#include <vector>

#include "torsor/base/complex.h"

namespace torsor {

inline constexpr int kMostGaussStages = 10;

/// With W_ik = P_k(c_i), normalised shifted Legendre polynomials at their zeros c_i,
///   A = W X W^-1,   W^-1 = W^T diag(b)                                                              (1)
///   X = tridiagonal: X_11 = 1/2, X_k+1,k = -X_k,k+1 = 1 / (2 sqrt(4 k^2 - 1))                       (2)
/// (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.5): no sum that cancels, so that the
/// coefficients are right to rounding for every s. They are kept as
///   a_ij = L_ij b_j,   L_ij + L_ji = 1 to the last bit                                              (3)
/// so that b_i a_ij + b_j a_ji = b_i b_j, on which quadratic invariants rest, holds for the rounded numbers
/// too: an error there would be the same in every step, and add up. Eigenvalues come with their
/// eigenvectors, one of each pair of conjugates: A = Re sum of w_k lambda_k r_k l_k^T with w_k = 2 for pairs
/// and 1 for the real one.
struct GaussTableau {
  explicit GaussTableau(int stages);

  std::vector<double> lean;  ///< L, row by row
  std::vector<double> b, c;
  std::vector<double> d;  ///< b^T A^-1: what a step adds, from the increments of its stages

  struct Mode {
    Complex lambda;
    std::vector<Complex> right, left;  ///< left^T right = 1; right is scaled by w
  };
  std::vector<Mode> modes;
};

/// Row by row, the values at the points `at` of Lagrange's polynomials through `nodes`.
void set_extrapolation(const double* nodes, int node_count, const double* at, int at_count, double* weights);

}  // namespace torsor
