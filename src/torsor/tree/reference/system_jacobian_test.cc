// J = A X against recursive twists and spatial screws.

#include "torsor/tree/reference/system_jacobian.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

double largest(const Twist<double>& V) { return larger(norm(V.angular), norm(V.linear)); }

struct SystemJacobianOf : ::testing::TestWithParam<Representation> {
  SystemJacobianOf() { forward_kinematics<double>(tree, q, qd, X_WN, V_N); }

  std::mt19937 generator{7};
  Tree tree = make_tree(Model(random_tree(60, 3)));
  std::vector<double> q = random_configuration(tree, generator);
  std::vector<double> qd = random_vector(tree.rate_count, generator);
  std::vector<Pose<double>> X_WN{std::vector<Pose<double>>(tree.size())};
  std::vector<Twist<double>> V_N{std::vector<Twist<double>>(tree.size())};
};

TEST_P(SystemJacobianOf, IsTheProductOfItsFactors) {
  const SystemJacobian factors = system_jacobian(tree, GetParam(), X_WN);
  const Eigen::MatrixXd J = factors.A * factors.X;
  std::vector<Twist<double>> screws(tree.rate_count), columns(tree.rate_count);
  spatial_joint_screws<double>(tree, X_WN, screws);
  const Eigen::VectorXd V = J * Eigen::Map<const Eigen::VectorXd>(qd.data(), tree.rate_count);
  double worst = 0;
  for (int i = 1; i < tree.size(); ++i) {
    const auto difference = [&](const auto& column, const Twist<double>& expected) {
      const Twist<double> got{{column(6 * i - 6), column(6 * i - 5), column(6 * i - 4)},
                              {column(6 * i - 3), column(6 * i - 2), column(6 * i - 1)}};
      return largest(got - expected) / (1 + largest(expected));
    };
    worst = larger(worst, difference(V, represent(GetParam(), X_WN[i], V_N[i])));
    convert_columns<double>(Representation::spatial, GetParam(), X_WN[i], screws, columns);
    for (int j = 1; j < tree.size(); ++j) {
      const TreeNode& node = tree.nodes[j];
      for (int k = node.v; k < node.v + rate_count(node.joint); ++k) {
        const Twist<double> expected = is_ancestor(tree, j, i) ? columns[k] : Twist<double>{};
        worst = larger(worst, difference(J.col(k), expected));
      }
    }
  }
  EXPECT_LT(worst, 1e-13) << worst;  // measured 9e-15
}

TEST_P(SystemJacobianOf, HasATransportWhoseInverseKnowsParentsOnly) {
  const SystemJacobian factors = system_jacobian(tree, GetParam(), X_WN);
  const Eigen::MatrixXd product = inverse_transport(tree, GetParam(), X_WN) * factors.A;
  const auto error = (product - Eigen::MatrixXd::Identity(product.rows(), product.cols())).eval();
  EXPECT_LT(max_abs(error), 1e-12) << max_abs(error);  // measured 7.6e-14
}

INSTANTIATE_TEST_SUITE_P(All, SystemJacobianOf, ::testing::ValuesIn(kRepresentations),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace torsor
