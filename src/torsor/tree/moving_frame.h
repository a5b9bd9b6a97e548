#pragma once
// Forward dynamics in closed form by moving frames: a second, independent route to the accelerations of a
// tree. Dense: O(n^2) storage and O(n^3) work on a chain of n rates, inherent in forming M* and factorising
// it; forward_dynamics.h is the route for speed.

#include <span>
#include <vector>

#include "torsor/tree/node_angle.h"
#include "torsor/tree/rate_runs.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// After Murakami's moving frame method as Sætran (2018) has it for chains on spherical joints, here for
/// every tree. Each node k > 0 has a frame at its centre of mass; X stacks the velocities of these centres in
/// the world and the angular velocities in their own frames, linear in the rates:
///   X' = B qd                                                                        (2.13)
///   M* qdd + N* qd = F*,  M* = B^T M B,  N* = B^T (M B' + D M B),  F* = B^T F        (2.20)
///   M = diag(m 1, J) about the centres of mass (2.19),  D = diag(0, hat(omega)) (2.15)
/// The rows of node k follow from those of its parent p, with R_k, R_p in the world, R = R_p^T R_k, s_p from
/// the parent's centre of mass to the joint, s_k from the joint to that of k, and the constant axes of the
/// joint in the frame of k, of which H_k turn and T_k slide, in its own columns:
///   B_k^rot = R^T B_p^rot + H_k
///   B_k^transl = B_p^transl - R_p hat(s_p) B_p^rot + R_k T_k - R_k hat(s_k) B_k^rot   (2.30)
///   B'_k^rot = R^T B'_p^rot - hat(H_k qd_k) R^T B_p^rot                               (2.35)
///   B'_k^transl = B'_p^transl - R_p ((hat(omega_p) hat(s_p) + hat(s_p')) B_p^rot + hat(s_p) B'_p^rot)
///                 + R_k hat(omega_k) (T_k - hat(s_k) B_k^rot) - R_k hat(s_k) B'_k^rot
/// Departures from the text, whose joints are all spherical: H_k and T_k where it has 1 and nothing, hence
/// s_p' of a joint that slides. Its (2.31) and 2.4.2 lack the transpose of R^(k/j), and the last row of
/// (2.35) has omega^(j/1) R^(j/1) where omega^(k/j) R^(k/j) must stand: B'^rot_kj = -hat(omega^(k/j))
/// B^rot_kj. That is what the recursion above sums up, since omega^(k/j) = R^T omega^(p/j) + H_k qd_k. N* is
/// not formed: (2.20) needs its product with qd only.
template <class S>
struct MovingFrameWorkspace {
  explicit MovingFrameWorkspace(const Tree& tree);

  std::vector<SineCosine<S>> angles;
  std::vector<Pose<S>> X_WN;
  std::vector<Vec3<S>> omega;  ///< in the node's frame
  RateRuns runs;               ///< the columns of a node that are not zero
  /// By rows of rate_count entries; node k > 0 owns six from 6 (k - 1): velocity, angular velocity.
  std::vector<S> B, B_rate;
  std::vector<S> M_B;   ///< six rows of M B
  std::vector<S> mass;  ///< M*, upper triangle by rows; after moving_frame_dynamics its factor T, M* = T^T T
  std::vector<S> missing;
};

/// B and its rate along qd.
template <class S>
void moving_frame_matrices(const Tree& tree, MovingFrameWorkspace<S>& workspace, std::span<const S> q,
                           std::span<const S> qd);

/// M* from B, into the workspace.
template <class S>
void moving_frame_mass_matrix(const Tree& tree, MovingFrameWorkspace<S>& workspace);

/// The accelerations that forward_dynamics gives, by (2.20) and Cholesky (3.1.1) with one step of refinement.
/// Not numbers where M* is not positive definite, as it is for every tree in which each motion moves mass.
template <class S>
void moving_frame_dynamics(const Tree& tree, MovingFrameWorkspace<S>& workspace, std::span<const S> q,
                           std::span<const S> qd, std::span<const S> effort,
                           std::span<const Wrench<S>> applied, std::span<S> qdd);

}  // namespace torsor
