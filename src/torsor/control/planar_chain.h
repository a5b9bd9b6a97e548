#pragma once
// Impedance control of a planar chain of hinged links in two sets of coordinates: relative joint angles, and
// the centres of mass of the links. Kotyczka-Götz-Herrmann, sections 3 and 5; numbers in brackets are theirs.

#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

struct PlanarLink {
  double length = 1;            ///< L_i, from joint to joint [m]
  double com_distance = 0.5;    ///< l_i > 0, from its joint to its centre of mass [m]
  double com_angle = 0;         ///< beta_i, from the line of joints to the centre of mass, footnote 5
  double mass = 1;              ///< [kg]
  double spring_stiffness = 0;  ///< of the spring along the link, (36) [N/m]
  double spring_rest = 0;       ///< [m]
  double fastening = 0;         ///< r_{i+1}, at the end of the link on its left (Götz 4.44) [m]
};

struct PlanarChain {
  std::vector<PlanarLink> links;
  Vec2<double> gravity;         ///< [m/s^2]
  double ground_fastening = 0;  ///< r_1, along +y
};

struct PlanarImpedance {
  double K[2][2], D[2][2];  ///< symmetric
  Vec2<double> target, target_rate;
  bool compensate_gravity = false, compensate_springs = false;
};

/// The centres of mass x_i or their velocities, (x_1, y_1, x_2, ..), of relative joint angles and rates.
std::vector<double> link_coordinates(const PlanarChain& chain, const std::vector<double>& angles);
std::vector<double> link_velocities(const PlanarChain& chain, const std::vector<double>& angles,
                                    const std::vector<double>& rates);

/// (44): tau = -J^T (K (x_tcp - target) + D (x_tcp' - target')) + dV/dphi, by angles.
std::vector<double> impedance_by_angles(const PlanarChain& chain, const PlanarImpedance& law,
                                        const std::vector<double>& angles, const std::vector<double>& rates);

/// (45): the forces on the centres of mass that do the same, by centres of mass alone. The inverse of J comes
/// by recursion; written out, the entry before the 1 in (25) is minus alpha.
std::vector<double> impedance_link_forces(const PlanarChain& chain, const PlanarImpedance& law,
                                          const std::vector<double>& x, const std::vector<double>& v);
/// (49): tau = D^-T diag(xi_perp)^T J^T F. With the matrix of (48), which is diag(l_i R(phi_i)) and not
/// l_i^2, a square l_i^2 of (30b) cancels against L^-2 of (46).
std::vector<double> impedance_by_links(const PlanarChain& chain, const PlanarImpedance& law,
                                       const std::vector<double>& x, const std::vector<double>& v);

}  // namespace torsor
