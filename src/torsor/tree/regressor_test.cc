// The regressor against inverse dynamics of the same and of other bodies.

#include "torsor/tree/regressor.h"

#include <gtest/gtest.h>

#include "testing/numbers.h"
#include "testing/random_models.h"
#include "torsor/model/model.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/scalars.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

struct Regressor : ::testing::TestWithParam<unsigned> {
  ModelDescription description = random_tree(60, GetParam());
  Tree tree = make_tree(Model(description));
  int n = tree.rate_count, width = kInertialParameters * static_cast<int>(description.bodies.size());
  std::mt19937 generator{GetParam() + 1000};
  Numbers q = random_configuration(tree, generator), qd = random_vector(n, generator),
          qdd = random_vector(n, generator);

  template <class S>
  std::vector<S> regressor(const std::vector<S>& q_, const std::vector<S>& qd_, const std::vector<S>& qdd_) {
    RegressorWorkspace<S> workspace(tree);
    std::vector<S> Y(n * width, S(1e300));
    inverse_dynamics_regressor<S>(tree, workspace, q_, qd_, qdd_, Y);
    return Y;
  }
  Numbers parameters(const ModelDescription& d) {
    Numbers pi(width);
    for (std::size_t b = 0; b < d.bodies.size(); ++b) {
      set_inertial_parameters(body_inertia(d.bodies[b]),
                              std::span(pi).subspan(kInertialParameters * b, kInertialParameters));
    }
    return pi;
  }
  Numbers times(const Numbers& Y, const Numbers& pi) {
    Numbers product(n);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < width; ++c) product[r] += Y[r * width + c] * pi[c];
    }
    return product;
  }
  Numbers efforts(const ModelDescription& d) {
    const Tree other = make_tree(Model(d));
    InverseDynamicsWorkspace<double> workspace(other);
    Numbers effort(n);
    inverse_dynamics<double>(other, workspace, q, qd, qdd, {}, effort);
    return effort;
  }
};

TEST_P(Regressor, TimesTheParametersOfTheBodiesIsInverseDynamics) {
  EXPECT_LT(relative_error(times(regressor(q, qd, qdd), parameters(description)), efforts(description)),
            1e-12);  // measured 8e-15
}

TEST_P(Regressor, HoldsForBodiesItWasNotMadeFrom) {
  const Numbers Y = regressor(q, qd, qdd);
  const ModelDescription donor = random_tree(60, GetParam() + 100);
  ModelDescription other = description;
  for (std::size_t b = 0; b < other.bodies.size(); ++b) {
    other.bodies[b].mass = donor.bodies[b].mass;
    other.bodies[b].com = donor.bodies[b].com;
    other.bodies[b].inertia = donor.bodies[b].inertia;
  }
  EXPECT_LT(relative_error(times(Y, parameters(other)), efforts(other)), 1e-12);  // measured 8e-15
}

TEST_P(Regressor, OfDualNumbersCarriesTheDerivativesOfTheEfforts) {
  std::vector<Dual8> q0(q.begin(), q.end()), increment(n), q1(q.size()), qd1(n), qdd1(n), effort(n);
  for (int k = 0; k < n; ++k) {
    const Numbers x = random_vector(24, generator);
    qd1[k] = qd[k];
    qdd1[k] = qdd[k];
    for (int lane = 0; lane < 8; ++lane) {
      increment[k].tangent[lane] = x[lane];
      qd1[k].tangent[lane] = x[8 + lane];
      qdd1[k].tangent[lane] = x[16 + lane];
    }
  }
  retract<Dual8>(tree, q0, increment, q1);
  InverseDynamicsWorkspace<Dual8> workspace(tree);
  inverse_dynamics<Dual8>(tree, workspace, q1, qd1, qdd1, {}, effort);
  const std::vector<Dual8> Y = regressor(q1, qd1, qdd1);
  const Numbers pi = parameters(description);
  Numbers by_regressor, expected;
  for (int r = 0; r < n; ++r) {
    Dual8 sum(0.0);
    for (int c = 0; c < width; ++c) sum += Y[r * width + c] * pi[c];
    for (int lane = 0; lane < 8; ++lane) {
      by_regressor.push_back(sum.tangent[lane]);
      expected.push_back(effort[r].tangent[lane]);
    }
  }
  EXPECT_LT(relative_error(by_regressor, expected), 1e-12);  // measured 9e-15
}

INSTANTIATE_TEST_SUITE_P(Seeds, Regressor, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace torsor
