#include "bench/states.h"

#include <random>
#include <span>

#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"

namespace torsor::bench {

States random_states(const Model& model, int count) {
  const Tree tree = make_tree(model);
  InverseDynamicsWorkspace<double> workspace(tree);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random_vector = [&](int size, double scale) {
    std::vector<double> v(size);
    for (double& x : v) x = scale * uniform(random);
    return v;
  };

  States states;
  for (int i = 0; i < count; ++i) {
    std::vector<double> q = random_vector(tree.coordinate_count, 3);
    normalize(tree, q);
    states.q.push_back(q);
    states.qd.push_back(random_vector(tree.rate_count, 1));
    states.qdd.push_back(random_vector(tree.rate_count, 1));
    std::vector<double> effort(tree.rate_count);
    inverse_dynamics<double>(tree, workspace, q, states.qd.back(), states.qdd.back(), {}, effort);
    states.effort.push_back(effort);
  }
  return states;
}

}  // namespace torsor::bench
