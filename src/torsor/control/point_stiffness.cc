#include "torsor/control/point_stiffness.h"

#include <Eigen/Dense>

#include "torsor/base/norm.h"

namespace torsor {

std::optional<PointStiffness> point_stiffness(const Eigen::MatrixXd& J, const Eigen::MatrixXd& K) {
  constexpr double kRank = 1e-9;  // of the largest singular value
  if (J.cols() < J.rows()) return std::nullopt;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  const Eigen::Index d = J.rows(), n = J.cols();
  if (!(sigma[d - 1] > kRank * sigma[0])) return std::nullopt;
  const Eigen::MatrixXd inverse =
      svd.matrixV().leftCols(d) * sigma.cwiseInverse().asDiagonal() * svd.matrixU().transpose();
  Eigen::MatrixXd settled = K * inverse;
  if (n > d) {
    // Motions that leave the point alone settle where the energy is least.
    const Eigen::MatrixXd Z = svd.matrixV().rightCols(n - d);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> inner(Z.transpose() * K * Z);
    const double scale = max_abs(K);
    Eigen::VectorXd weights(n - d);
    for (Eigen::Index i = 0; i < n - d; ++i) {
      const double value = inner.eigenvalues()[i];
      weights[i] = std::abs(value) > 1e-12 * scale ? 1 / value : 0;
    }
    const Eigen::MatrixXd modes = Z * inner.eigenvectors();
    settled -= K * modes * weights.asDiagonal() * (modes.transpose() * settled);
  }
  PointStiffness result;
  result.stiffness = inverse.transpose() * settled;
  result.stiffness = (0.5 * (result.stiffness + result.stiffness.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(result.stiffness);
  result.semi_axes = axes.eigenvalues();
  result.directions = axes.eigenvectors();
  return result;
}

}  // namespace torsor
