#include "torsor/control/point_stiffness.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "testing/random_models.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937& random) {
  const std::vector<double> entries = random_vector(rows * columns, random);
  return Eigen::Map<const Eigen::MatrixXd>(entries.data(), rows, columns);
}

TEST(PointStiffness, IsTheInverseOfTheComplianceOfRegularSprings) {
  std::mt19937 random(1);
  for (int n = 2; n <= 7; ++n) {
    for (int d = 2; d <= std::min(n, 3); ++d) {
      const Eigen::MatrixXd J = random_matrix(d, n, random), root = random_matrix(n, n, random);
      const Eigen::MatrixXd K = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
      const auto found = point_stiffness(matrix(J), matrix(K));
      ASSERT_TRUE(found);
      const Eigen::MatrixXd stiffness = eigen(found->stiffness), directions = eigen(found->directions);
      const Eigen::Map<const Eigen::VectorXd> semi_axes(found->semi_axes.data(), d);
      const Eigen::MatrixXd expected = (J * K.inverse() * J.transpose()).inverse();
      EXPECT_LE((stiffness - expected).norm(), 1e-11 * expected.norm());  // measured 5e-13
      EXPECT_LE((directions * semi_axes.asDiagonal() * directions.transpose() - stiffness).norm(),
                1e-13 * expected.norm());
      if (n > d) continue;
      const Eigen::MatrixXd inverse = J.inverse();
      EXPECT_LE((stiffness - inverse.transpose() * K * inverse).norm(), 1e-12 * expected.norm());
    }
  }
}

TEST(PointStiffness, LooseCoordinatesCostNothingAndStuckPointsHaveNone) {
  Eigen::MatrixXd J(2, 3), K = Eigen::MatrixXd::Zero(3, 3);
  J << 1, 0, 1, 0, 1, 0;
  K.diagonal() << 4, 9, 0;  // the third moves the point along x for nothing
  const auto loose = point_stiffness(matrix(J), matrix(K));
  ASSERT_TRUE(loose);
  EXPECT_NEAR(loose->semi_axes[0], 0, 1e-14);
  EXPECT_NEAR(loose->semi_axes[1], 9, 1e-14);
  J.row(1).setZero();
  EXPECT_FALSE(point_stiffness(matrix(J), matrix(K)));
  EXPECT_FALSE(point_stiffness(Matrix(2, 1), Matrix(1, 1)));
}

}  // namespace
}  // namespace torsor
