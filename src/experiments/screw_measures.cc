#include "experiments/screw_measures.h"

#include <cmath>
#include <random>

#include "experiments/measures.h"
#include "torsor/base/norm.h"
#include "torsor/tree/christoffel.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/reference/closed_forms.h"
#include "torsor/tree/reference/inverse_dynamics_forms.h"
#include "torsor/tree/time_derivatives.h"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
constexpr int kStates = 20;

struct ScrewState {
  const Tree& tree;
  Numbers q, qd, qdd, qddd, qdddd;
};

Numbers random_numbers(int size, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Numbers numbers(size);
  for (double& x : numbers) x = uniform(generator);
  return numbers;
}

double relative_difference(const Numbers& a, const Numbers& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = larger(difference, std::abs(a[i] - b[i]));
    size = larger(size, std::abs(b[i]));
  }
  return difference / size;
}

Measure at_random_states(int run, const std::function<double(const ScrewState&)>& difference) {
  return [=](Outcomes all) {
    const Tree tree = make_tree(*finished(all, run).model);
    std::mt19937 generator(2018);
    double most = 0;
    for (int i = 0; i < kStates; ++i) {
      Numbers neutral(tree.coordinate_count), q(tree.coordinate_count);
      set_neutral(tree, neutral);
      retract<double>(tree, neutral, random_numbers(tree.rate_count, generator), q);
      const auto rates = [&] { return random_numbers(tree.rate_count, generator); };
      const Numbers qd = rates(), qdd = rates(), qddd = rates(), qdddd = rates();
      most = larger(most, difference({tree, q, qd, qdd, qddd, qdddd}));
    }
    return most;
  };
}

Numbers efforts(const Tree& tree, const Numbers& q, const Numbers& qd, const Numbers& qdd) {
  InverseDynamicsWorkspace<double> workspace(tree);
  Numbers effort(tree.rate_count);
  inverse_dynamics<double>(tree, workspace, q, qd, qdd, {}, effort);
  return effort;
}
Numbers efforts(const ScrewState& s) { return efforts(s.tree, s.q, s.qd, s.qdd); }

Numbers velocity_terms(const ScrewState& s) {
  const Numbers rest(s.tree.rate_count);
  Numbers moving = efforts(s.tree, s.q, s.qd, rest);
  const Numbers still = efforts(s.tree, s.q, rest, rest);
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] -= still[i];
  return moving;
}

template <Representation form>
double difference_in(const ScrewState& s) {
  InverseDynamicsFormWorkspace<double> workspace(s.tree);
  Numbers effort(s.tree.rate_count);
  inverse_dynamics_in<form, double>(s.tree, workspace, s.q, s.qd, s.qdd, {}, effort);
  return relative_difference(effort, efforts(s));
}

Numbers entries_of(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }
Eigen::VectorXd vector_of(const Numbers& n) {
  return Eigen::Map<const Eigen::VectorXd>(n.data(), static_cast<long>(n.size()));
}

/// Efforts along the motion q + t qd + .. + t^4/24 qdddd.
Numbers efforts_at(const ScrewState& s, double t) {
  Numbers q = s.q, qd = s.qd, qdd = s.qdd;
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] += t * (s.qd[i] + t * (s.qdd[i] / 2 + t * (s.qddd[i] / 6 + t * s.qdddd[i] / 24)));
    qd[i] += t * (s.qdd[i] + t * (s.qddd[i] / 2 + t * s.qdddd[i] / 6));
    qdd[i] += t * (s.qddd[i] + t * s.qdddd[i] / 2);
  }
  return efforts(s.tree, q, qd, qdd);
}

/// Central differences of order 8.
Numbers differences(const ScrewState& s, int derivative) {
  constexpr double kStep = 0.02;
  constexpr double kFirst[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr double kSecond[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  Numbers sum(s.tree.rate_count);
  for (int k = 0; k <= 4; ++k) {
    const Numbers after = efforts_at(s, k * kStep), before = efforts_at(s, -k * kStep);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (derivative == 1) sum[i] += kFirst[k] * (after[i] - before[i]) / kStep;
      if (derivative == 2) {
        sum[i] += kSecond[k] * (k == 0 ? after[i] : after[i] + before[i]) / (kStep * kStep);
      }
    }
  }
  return sum;
}

double rate_difference(const ScrewState& s, int derivative) {
  InverseDynamicsRatesWorkspace workspace(s.tree);
  const std::size_t n = s.qd.size();
  Numbers Q(n), rate(n), acceleration(n);
  inverse_dynamics_rates(s.tree, workspace, s.q, s.qd, s.qdd, s.qddd, s.qdddd, Q, rate, acceleration);
  return relative_difference(derivative == 1 ? rate : acceleration, differences(s, derivative));
}

Numbers symbols(const ScrewState& s, decltype(christoffel_symbols)* form) {
  ChristoffelWorkspace workspace(s.tree);
  const std::size_t n = s.qd.size();
  Numbers Gamma(n * n * n);
  form(s.tree, workspace, s.q, Gamma);
  return Gamma;
}

}  // namespace

Measure form_difference(int run, Representation form) {
  switch (form) {
    case Representation::spatial:
      return at_random_states(run, difference_in<Representation::spatial>);
    case Representation::hybrid:
      return at_random_states(run, difference_in<Representation::hybrid>);
    case Representation::mixed:
      return at_random_states(run, difference_in<Representation::mixed>);
    case Representation::body:
      break;
  }
  return at_random_states(run, [](const ScrewState&) { return 0.0; });
}

Measure projection_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) {
    const SystemMatrices matrices = system_matrices(s.tree, s.q, s.qd);
    return relative_difference(entries_of(euler_jourdain_efforts(matrices, vector_of(s.qdd))), efforts(s));
  });
}

Measure mass_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) {
    MassMatrixWorkspace<double> workspace(s.tree);
    Numbers M(s.qd.size() * s.qd.size());
    mass_matrix<double>(s.tree, workspace, s.q, M);
    const Eigen::MatrixXd closed = closed_form_mass_matrix(system_matrices(s.tree, s.q, s.qd));
    return relative_difference(Numbers(closed.data(), closed.data() + closed.size()), M);
  });
}

Measure christoffel_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) {
    return relative_difference(symbols(s, christoffel_symbols), symbols(s, binet_christoffel_symbols));
  });
}

Measure velocity_term_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) {
    const std::size_t n = s.qd.size();
    Numbers C(n * n), product(n);
    contract_christoffel(symbols(s, christoffel_symbols), s.qd, C);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) product[i] += C[i * n + j] * s.qd[j];
    }
    return relative_difference(product, velocity_terms(s));
  });
}

Measure jourdain_velocity_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) {
    const Eigen::VectorXd terms =
        jourdain_coriolis_matrix(system_matrices(s.tree, s.q, s.qd)) * vector_of(s.qd);
    return relative_difference(entries_of(terms), velocity_terms(s));
  });
}

Measure effort_rate_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) { return rate_difference(s, 1); });
}
Measure effort_acceleration_difference(int run) {
  return at_random_states(run, [](const ScrewState& s) { return rate_difference(s, 2); });
}

}  // namespace torsor
