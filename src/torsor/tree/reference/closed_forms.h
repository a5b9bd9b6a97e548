#pragma once
// The motion equations of a tree in closed form: system matrices, for analysis and as a reference for the
// recursions. Dense, O(N^2) storage in the number N of nodes: nothing for a control loop. Of the bodies alone:
// rotors of joints (armature.h) are left out.

#include <Eigen/Core>
#include <span>

#include "torsor/tree/tree.h"

namespace torsor {

/// Body-fixed system matrices of Müller (111), (112), (9), (82). Node i > 0 owns the six rows from 6 (i - 1),
/// (angular, linear) in its own frame; the ground has none. "i carries l" below includes l = i.
struct SystemMatrices {
  Eigen::MatrixXd A;  ///< block (l, i): Ad of the pose of i in l if i carries l, else 0; (24) of part one
  Eigen::MatrixXd X;  ///< constant screws of the joints, one column for each rate
  Eigen::MatrixXd J;  ///< system Jacobian A X, (112)
  Eigen::VectorXd V;  ///< twists J qd, (111)
  Eigen::MatrixXd a;  ///< blocks ad of the joint twists X_i qd_i, (9)
  Eigen::MatrixXd b;  ///< blocks ad of the twists V_i, (82)
  Eigen::MatrixXd M;  ///< blocks of inertia
  Eigen::VectorXd U;  ///< minus the acceleration of gravity, seen from each node
};

SystemMatrices system_matrices(const Tree& tree, std::span<const double> q, std::span<const double> qd);

/// Rate of J along qd. Müller's -A a J, (8), holds for joints with one rate; the screws of one node do not
/// depend on its own coordinates, so that in general Jdot = -A a (J - X). Both give the same Jdot qd.
Eigen::MatrixXd jacobian_rate(const SystemMatrices&);
/// System acceleration J qdd - A a V, (10), without gravity.
Eigen::VectorXd system_acceleration(const SystemMatrices&, const Eigen::VectorXd& qdd);

/// J^T M J, (81).
Eigen::MatrixXd closed_form_mass_matrix(const SystemMatrices&);
/// C = -J^T (M A a + b^T M) J, (84). C qd are the velocity-dependent efforts, but C is not the matrix of the
/// Christoffel symbols: Mdot - 2 C is not skew, only qd^T (Mdot - 2 C) qd = 0. Where passivity is wanted take
/// the contraction of christoffel.h.
Eigen::MatrixXd jourdain_coriolis_matrix(const SystemMatrices&);
/// Efforts that hold the tree at rest.
Eigen::VectorXd closed_form_gravity_forces(const SystemMatrices&);
/// Euler-Jourdain: Newton and Euler's equations of all nodes projected onto their motion, (78). `applied` are
/// wrenches on the nodes in their own frames, stacked like V, or empty.
Eigen::VectorXd euler_jourdain_efforts(const SystemMatrices&, const Eigen::VectorXd& qdd,
                                       const Eigen::VectorXd& applied = {});

}  // namespace torsor
