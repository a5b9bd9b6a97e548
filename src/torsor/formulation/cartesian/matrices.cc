#include "torsor/formulation/cartesian/matrices.h"

namespace torsor {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Matrix2d matrix_of(const Vec2<double>& A) {
  Eigen::Matrix2d m;
  m << A.x, -A.y, A.y, A.x;
  return m;
}
Eigen::Vector2d perp_of(const Eigen::Vector2d& a) { return {-a.y(), a.x()}; }

}  // namespace

Vector CartesianMatrices::relative(const Vector& x) const {
  Vector at_joints(x.size());  // x_0: all links drawn into the joints on the ground that carry them
  for (int i = 0; i < count(); ++i) {
    const CartesianLink& link = links_[i];
    if (link.parent < 0) {
      at_joints.segment<2>(2 * i) << link.joint.x, link.joint.y;
    } else {
      at_joints.segment<2>(2 * i) = at_joints.segment<2>(2 * link.parent);
    }
  }
  return inverse_J() * (x - at_joints);
}

Matrix CartesianMatrices::J() const {
  Matrix J = Matrix::Identity(2 * count(), 2 * count());
  for (int i = 0; i < count(); ++i) {
    for (int branch = i; links_[branch].parent >= 0; branch = links_[branch].parent) {
      J.block<2, 2>(2 * i, 2 * links_[branch].parent) =
          Eigen::Matrix2d::Identity() + matrix_of(links_[branch].beyond);
    }
  }
  return J;
}

Matrix CartesianMatrices::inverse_J() const {
  Matrix T = Matrix::Identity(2 * count(), 2 * count());
  for (int i = 0; i < count(); ++i) {
    const int p = links_[i].parent;
    if (p < 0) continue;
    T.block<2, 2>(2 * i, 2 * p) -= Eigen::Matrix2d::Identity();
    T.middleRows<2>(2 * i) -= matrix_of(links_[i].beyond) * T.middleRows<2>(2 * p);
  }
  return T;
}

Matrix CartesianMatrices::J_tcp(int link, const Vec2<double>& A) const {
  Matrix J_tcp = Matrix::Zero(2, 2 * count());
  J_tcp.block<2, 2>(0, 2 * link) = matrix_of(A);
  for (int branch = link; links_[branch].parent >= 0; branch = links_[branch].parent) {
    J_tcp.block<2, 2>(0, 2 * links_[branch].parent) =
        Eigen::Matrix2d::Identity() + matrix_of(links_[branch].beyond);
  }
  return J_tcp;
}

Matrix CartesianMatrices::D() const {
  Matrix D = Matrix::Identity(count(), count());
  for (int i = 0; i < count(); ++i) {
    if (links_[i].parent >= 0) D(i, links_[i].parent) = -1;
  }
  return D;
}

Matrix CartesianMatrices::G(const Vector& x) const {
  const Matrix T = inverse_J();
  const Vector xi = relative(x);
  Matrix G(count(), 2 * count());
  for (int i = 0; i < count(); ++i) {
    G.row(i) = xi.segment<2>(2 * i).transpose() * T.middleRows<2>(2 * i);
  }
  return G;
}

Matrix CartesianMatrices::M() const {
  const Matrix T = inverse_J();
  Matrix M = Matrix::Zero(2 * count(), 2 * count());
  for (int i = 0; i < count(); ++i) {
    const CartesianLink& link = links_[i];
    M.block<2, 2>(2 * i, 2 * i) += link.mass * Eigen::Matrix2d::Identity();
    M += link.inertia / (link.length * link.length) * T.middleRows<2>(2 * i).transpose() *
         T.middleRows<2>(2 * i);
  }
  return M;
}

Matrix CartesianMatrices::B(const Vector& x) const {
  const Matrix T = inverse_J();
  const Vector xi = relative(x);
  Matrix absolute(count(), 2 * count());  // of phi by x
  for (int i = 0; i < count(); ++i) {
    const double square = links_[i].length * links_[i].length;
    absolute.row(i) = perp_of(xi.segment<2>(2 * i)).transpose() * T.middleRows<2>(2 * i) / square;
  }
  return (D() * absolute).transpose();
}

Matrix CartesianMatrices::H(const Vector& x) const {
  const Vector xi = relative(x);
  Matrix turns = Matrix::Zero(2 * count(), 2 * count());
  for (int i = 0; i < count(); ++i) {
    turns.block<2, 1>(2 * i, 2 * i) = xi.segment<2>(2 * i);
    turns.block<2, 1>(2 * i, 2 * i + 1) = perp_of(xi.segment<2>(2 * i));
  }
  return inverse_J().transpose() * turns;
}

}  // namespace torsor
