#pragma once
// The equations of motion linearised about a state, with eigenvalues and modes.

#include <complex>
#include <span>
#include <vector>

#include "torsor/numerics/matrix.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/scalars.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// For motions q exp(x), qd + y, effort + u next to one through (q, qd, effort), to first order
///   d/dt (x, y) = A (x, y) + B u,   A = [-ad_qd  1; dqdd/dq  dqdd/dqd],   B = [0; M^-1].
/// ad_qd is the bracket inside each node: increments are body-fixed, so that in a spherical, planar or free
/// node they turn against the reference; for all other joints, and about rest, it vanishes.
struct Linearisation {
  explicit Linearisation(const Tree& tree);

  Matrix A;                 ///< 2 n x 2 n
  Matrix B;                 ///< 2 n x n
  std::vector<double> qdd;  ///< of the reference; zero with qd = 0 means that it is an equilibrium
};

struct LinearisationWorkspace {
  explicit LinearisationWorkspace(const Tree& tree);

  ForwardDynamicsWorkspace<Dual8> forward;
  std::vector<Dual8> q0, increment, q, qd, effort, qdd;
};

void linearise(const Tree& tree, LinearisationWorkspace& workspace, std::span<const double> q,
               std::span<const double> qd, std::span<const double> effort, Linearisation& result);

/// A solution shape exp(eigenvalue t) of d/dt z = A z.
struct Mode {
  std::complex<double> eigenvalue;  ///< [1/s], imaginary part >= 0: of a conjugate pair only one is listed
  double frequency;                 ///< |imaginary part| / 2 pi [Hz]
  double damping_ratio;             ///< -Re / |eigenvalue|; 0 for a mode at rest
  std::vector<std::complex<double>> shape;  ///< of unit length
};

/// Modes of a square matrix, the slowest |eigenvalue| first. With feedback u = -K z it is that of A - B K. A
/// matrix without a full set of eigenvectors, such as that of a body free to drift, repeats some shapes.
std::vector<Mode> modes(const Matrix& A);

}  // namespace torsor
