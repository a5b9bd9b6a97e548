#pragma once
// The matrices of Kotyczka-Götz-Herrmann section 3 in closed form, dense, for planar trees of revolute joints
// with centres of mass anywhere; numbers in brackets are theirs. For study and for tests: the formulation
// itself (cartesian.h) works by recursion.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "torsor/formulation/cartesian/link.h"

namespace torsor {

/// Rows and columns are the links in their order, parents first: two of J and of everything that acts on x,
/// one of everything that acts on angles. In a tree "the joint before" is that of the parent, and the A of
/// footnote 5 belongs to the branch: to the way from the parent's joint to that of the link.
class CartesianMatrices {
 public:
  explicit CartesianMatrices(std::vector<CartesianLink> links) : links_(std::move(links)) {}

  int count() const { return static_cast<int>(links_.size()); }
  const std::vector<CartesianLink>& links() const { return links_; }

  /// xi = J^-1 (x - x_0), x_0 all centres of mass with xi = 0: joints on the ground may be anywhere.
  Eigen::VectorXd relative(const Eigen::VectorXd& x) const;
  /// x = x_0 + J xi, (22): I on the diagonal, A of the branch towards link i in the column of every link
  /// before it.
  Eigen::MatrixXd J() const;
  /// (24), (25): its rows t_i = e_i - A_i e_p + ..., that is t_i = e_i - e_p - (A_i - I) t_p with p the
  /// parent. The entry before the 1 is -A_i, where (25) has +alpha.
  Eigen::MatrixXd inverse_J() const;
  /// (23): of the point X_i + A xi_i on link i (arm_of_point).
  Eigen::MatrixXd J_tcp(int link, const Vec2<double>& A) const;
  /// (26): relative from absolute angles, all counted to the left.
  Eigen::MatrixXd D() const;
  /// (29): rows xi_i^T t_i, of (27) with its 1/2.
  Eigen::MatrixXd G(const Eigen::VectorXd& x) const;
  /// (34): diag(m_i) + sum J_i / l_i^2 t_i^T t_i. Both factors are missing in (3.32) of the thesis.
  Eigen::MatrixXd M() const;
  /// (40): B^T x' = the rates of the relative angles.
  Eigen::MatrixXd B(const Eigen::VectorXd& x) const;
  /// (48): H = J^-T diag(l_i R(phi_i)), columns t_i^T [xi_i xi_i^perp]: scaled by l_i, where (48) has l_i^2.
  /// With its columns in another order it is [G^T B_0], B = B_0 L^-2 D^T.
  Eigen::MatrixXd H(const Eigen::VectorXd& x) const;

 private:
  std::vector<CartesianLink> links_;
};

}  // namespace torsor
