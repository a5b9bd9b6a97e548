// Closed-form derivatives of Jacobian columns on random trees, against nested dual numbers.

#include "torsor/tree/jacobian_derivatives.h"
#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testing/random_models.h"
#include "torsor/base/dual.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/kinematics.hpp"

namespace torsor {
namespace {

template <int order>
struct NestedDual {
  using Type = Dual<typename NestedDual<order - 1>::Type, 1>;
};
template <>
struct NestedDual<0> {
  using Type = double;
};
template <int order>
using Nested = typename NestedDual<order>::Type;

/// The infinitesimal of the given level, counted from the outermost.
template <int order>
Nested<order> infinitesimal(int level) {
  if constexpr (order > 0) {
    if (level == 0) return Nested<order>(Nested<order - 1>(0.0), {Nested<order - 1>(1.0)});
    return Nested<order>(infinitesimal<order - 1>(level - 1));
  } else {
    return 0.0;
  }
}
/// The coefficient of all infinitesimals.
inline double top(double x) { return x; }
template <class T>
double top(const Dual<T, 1>& x) {
  return top(x.tangent[0]);
}

Twist<double> top(const Twist<double>& V) { return V; }
template <class S>
Twist<double> top(const Twist<S>& V) {
  return {{top(V.angular.x), top(V.angular.y), top(V.angular.z)},
          {top(V.linear.x), top(V.linear.y), top(V.linear.z)}};
}
double size(const Twist<double>& V) { return norm(V.angular) + norm(V.linear); }

struct RandomJacobian : ::testing::TestWithParam<unsigned> {
  Tree tree = make_tree(Model(random_tree(60, GetParam())));
  std::mt19937 generator{GetParam() + 3000};
  std::vector<double> q = random_configuration(tree, generator);
  JacobianDerivativesWorkspace workspace{tree, 3};

  RandomJacobian() { set_configuration(tree, workspace, q); }
  int draw(int count) { return std::uniform_int_distribution<int>(0, count - 1)(generator); }
  int deepest_node() const {
    std::vector<int> depth(tree.size());
    for (int i = 1; i < tree.size(); ++i) depth[i] = depth[tree.nodes[i].parent] + 1;
    return static_cast<int>(std::ranges::max_element(depth) - depth.begin());
  }
  std::vector<int> chain_rates(int node) const {
    std::vector<int> rates;
    for (int k = 0; k < tree.rate_count; ++k) {
      if (is_ancestor(tree, workspace.rate_node[k], node)) rates.push_back(k);
    }
    return rates;
  }
  /// Column by dual numbers along q exp(e_a) exp(e_b) ...: the last increment is the first derivative.
  template <int order>
  Twist<double> by_duals(Representation representation, int node, int rate,
                         const std::vector<int>& along) const {
    using S = Nested<order>;
    std::vector<S> x(q.begin(), q.end());
    for (int level = 0; level < order; ++level) {
      std::vector<S> increment(tree.rate_count);
      increment[along[level]] = infinitesimal<order>(level);
      retract<S>(tree, std::vector<S>(x), increment, x);
    }
    std::vector<Pose<S>> X_WN(tree.size());
    std::vector<Twist<S>> J(tree.rate_count);
    node_poses<S>(tree, x, X_WN);
    spatial_joint_screws<S>(tree, X_WN, J);
    return top(convert(Representation::spatial, representation, X_WN[node], J[rate]));
  }
  /// Worst error over many random multi-indices on the chain of a deep node, relative to the largest
  /// derivative.
  template <int order>
  double worst_error(Representation representation, int draws) {
    const int node = deepest_node();
    const std::vector<int> rates = chain_rates(node);
    double worst = 0, scale = 0;
    int nonzero = 0;
    for (int trial = 0; trial < draws; ++trial) {
      // Half of the multi-indices from few neighbours, so that one node is often met twice.
      const int width = trial % 2 ? static_cast<int>(rates.size()) : std::min<int>(8, rates.size());
      const int from = draw(static_cast<int>(rates.size()) - width + 1);
      // Brackets with slides mostly vanish: turns are preferred.
      const auto any_rate = [&] {
        int k = rates[from + draw(width)];
        for (int redraw = 0; redraw < 2 && norm(workspace.J[k].angular) == 0; ++redraw)
          k = rates[from + draw(width)];
        return k;
      };
      int column = any_rate();
      std::vector<int> along(order);
      std::ranges::generate(along, any_rate);
      // Most derivatives vanish; often take the innermost or the outermost for the column.
      for (int& k : along) {
        const bool outward = workspace.rate_node[k] > workspace.rate_node[column];
        if ((trial / 2 % 3 == 1 && outward) || (trial / 2 % 3 == 2 && !outward)) std::swap(k, column);
      }
      const Twist<double> closed = jacobian_derivative(tree, workspace, representation, node, column, along);
      const Twist<double> dual = by_duals<order>(representation, node, column, along);
      worst = larger(worst, size(closed - dual));
      scale = larger(scale, size(dual));
      nonzero += size(dual) > 1e-9;
    }
    EXPECT_GT(nonzero, draws / 20);
    return worst / scale;
  }
};

TEST_P(RandomJacobian, ColumnsAreTheJointScrews) {
  for (const Representation r : kRepresentations) {
    EXPECT_LT(worst_error<0>(r, 40), 1e-15);  // measured 0
  }
}
TEST_P(RandomJacobian, FirstDerivativesAreThoseOfDualNumbers) {
  for (const Representation r : kRepresentations) {
    EXPECT_LT(worst_error<1>(r, 200), 1e-13);  // measured 1e-14
  }
}
TEST_P(RandomJacobian, SecondDerivativesAreThoseOfNestedDualNumbers) {
  for (const Representation r : kRepresentations) {
    EXPECT_LT(worst_error<2>(r, 200), 1e-13);  // measured 2e-14
  }
}
TEST_P(RandomJacobian, ThirdDerivativesAreThoseOfNestedDualNumbers) {
  for (const Representation r : kRepresentations) {
    EXPECT_LT(worst_error<3>(r, 200), 1e-13);  // measured 3e-14
  }
}

/// (25) as Müller writes it, and what holds where he leaves off.
TEST_P(RandomJacobian, HybridDerivativeTakesTheLinearOrTheAngularPartOfTheScrew) {
  const int node = deepest_node();
  const auto& X = workspace.X_WN[node];
  for (const int j : chain_rates(node)) {
    for (const int k : chain_rates(node)) {
      const auto J = convert(Representation::spatial, Representation::hybrid, X, workspace.J[j]);
      const auto J_k = convert(Representation::spatial, Representation::hybrid, X, workspace.J[k]);
      const bool beyond = workspace.rate_node[k] > workspace.rate_node[j];
      const Twist<double> expected = beyond ? bracket(J, Twist<double>{{}, J_k.linear})    // (25)
                                            : bracket(Twist<double>{J_k.angular, {}}, J);  // k <= j
      const int along[] = {k};
      const auto D = jacobian_derivative(tree, workspace, Representation::hybrid, node, j, along);
      EXPECT_LT(size(D - expected) / (1 + size(D)), 1e-14);  // measured 0
    }
  }
}

TEST_P(RandomJacobian, DerivativesOffTheChainVanish) {
  for (int trial = 0; trial < 200; ++trial) {
    const int node = 1 + draw(tree.size() - 1), column = draw(tree.rate_count);
    const int along[] = {draw(tree.rate_count)};
    const bool on_chain = is_ancestor(tree, workspace.rate_node[column], node) &&
                          is_ancestor(tree, workspace.rate_node[along[0]], node);
    if (on_chain) continue;
    for (const Representation r : kRepresentations) {
      EXPECT_EQ(size(jacobian_derivative(tree, workspace, r, node, column, along)), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomJacobian, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace torsor
