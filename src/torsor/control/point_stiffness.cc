#include "torsor/control/point_stiffness.h"

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"

namespace torsor {

using Eigen::MatrixXd;

std::optional<PointStiffness> point_stiffness(const Matrix& jacobian, const Matrix& stiffness) {
  constexpr double kRank = 1e-9;  // of the largest singular value
  const int d = jacobian.rows, n = jacobian.columns;
  if (n < d) return std::nullopt;
  const MatrixXd K = eigen(stiffness);
  const Svd J = svd(eigen(jacobian));
  if (!(J.values[d - 1] > kRank * J.values[0])) return std::nullopt;
  const MatrixXd scaled = J.V.leftCols(d) * J.values.cwiseInverse().asDiagonal();
  const MatrixXd inverse = product(scaled, J.U.transpose());
  MatrixXd settled = product(K, inverse);
  if (n > d) {
    // Motions that leave the point alone settle where the energy is least.
    const MatrixXd Z = J.V.rightCols(n - d);
    const SymmetricEigen inner = symmetric_eigen(product(product(Z.transpose(), K), Z));
    const double scale = max_abs(K);
    Eigen::VectorXd weights(n - d);
    for (int i = 0; i < n - d; ++i) {
      weights[i] = std::abs(inner.values[i]) > 1e-12 * scale ? 1 / inner.values[i] : 0;
    }
    const MatrixXd modes = product(Z, inner.vectors);
    const MatrixXd forces = product(K, modes) * weights.asDiagonal();
    settled -= product(forces, product(modes.transpose(), settled));
  }
  const MatrixXd whole = product(inverse.transpose(), settled);
  const MatrixXd symmetric = 0.5 * (whole + whole.transpose());
  const SymmetricEigen axes = symmetric_eigen(symmetric);
  return PointStiffness{matrix(symmetric), {axes.values.begin(), axes.values.end()}, matrix(axes.vectors)};
}

}  // namespace torsor
