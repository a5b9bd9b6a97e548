#pragma once
// Christoffel symbols of the first kind of a tree.

#include <span>
#include <vector>

#include "torsor/tree/rate_runs.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// What the symbols mean. With e_j the motion along rate j and <x, y> = x^T M y,
///   Gamma_ijk = <e_i, nabla_{e_k} e_j>,   M qdd + c = Q,   c_i = sum_jk Gamma_ijk qd_j qd_k,         (85)
/// the connection being that of the kinetic energy. For joints with one rate (revolute, prismatic, helical,
/// and what is composed of them) the rates are derivatives of coordinates, and these are Christoffel's
///   Gamma_ijk = 1/2 (d_k M_ij + d_j M_ik - d_i M_jk) = Gamma_ikj.
/// The rates of a spherical, planar or free node are not: their motions do not commute, and with
/// [e_j, e_k] = c^l_jk e_l inside one node the symbols are those of the body-fixed frame (Koszul's formula),
///   Gamma_ijk - Gamma_ikj = -M_il c^l_jk.
/// For all of them alike Gamma_ijk + Gamma_jik = d_k M_ij, the derivative along the body-fixed increment, so
/// that C_ij = sum_k Gamma_ijk qd_k makes Mdot - 2 C skew and C qd = c.
///
/// Arrays are n x n x n, n = tree.rate_count, entry (i, j, k) at (i n + j) n + k.
struct ChristoffelWorkspace {
  explicit ChristoffelWorkspace(const Tree& tree);

  RateRuns runs;
  std::vector<int> node_of;  ///< by rate
  std::vector<Pose<double>> X_WN;
  std::vector<Twist<double>> J;            ///< spatial screws
  std::vector<Inertia<double>> composite;  ///< spatial inertia of all that a node carries
};

/// By three brackets, Müller (86).
void christoffel_symbols(const Tree& tree, ChristoffelWorkspace& workspace, std::span<const double> q,
                         std::span<double> Gamma);

/// By Binet's inertia tensor, Müller (87): one product instead of three.
void binet_christoffel_symbols(const Tree& tree, ChristoffelWorkspace& workspace, std::span<const double> q,
                               std::span<double> Gamma);

/// C_ij = sum_k Gamma_ijk qd_k, row-major.
void contract_christoffel(std::span<const double> Gamma, std::span<const double> qd, std::span<double> C);

}  // namespace torsor
