#pragma once
// A mechanism in the formulation rotationless, at random states: what tests of its equations look at.

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "testing/random_models.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/model/initial.h"
#include "torsor/tree/configuration.h"

namespace torsor::testing {

inline std::vector<double> scaled(double factor, std::vector<double> v) {
  for (double& entry : v) entry *= factor;
  return v;
}

/// Of one body from x to y: the displacement and the Cayley vector of the turn.
inline std::vector<double> increments(int D, const double* x, const double* y) {
  std::vector<double> eta;
  for (int i = 0; i < D; ++i) eta.push_back(y[i] - x[i]);
  double R[3][3] = {};  // sum of d_b d_a^T
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      for (int k = 1; k <= D; ++k) R[i][j] += y[D * k + i] * x[D * k + j];
    }
  }
  if (D == 2) R[2][2] = 1;
  const double scale = 2 / (1 + R[0][0] + R[1][1] + R[2][2]);
  if (D == 3) eta.push_back(scale * (R[2][1] - R[1][2]));
  if (D == 3) eta.push_back(scale * (R[0][2] - R[2][0]));
  eta.push_back(scale * (R[1][0] - R[0][1]));
  return eta;
}

struct State {
  std::vector<double> q, qd, x, v, angles;
};

/// A mechanism and what a step of it needs.
struct Probe {
  explicit Probe(const ModelDescription& description, int redundant = 0)
      : model(description),
        tree(make_tree(model)),
        mechanism(make_rotationless(model, condition_count(model) - redundant)),
        system(mechanism.system.get()),
        observer(mechanism.observer.get()),
        dx(system->coordinate_count()),
        x_b(dx.size()),
        w(dx.size()),
        velocity(dx.size()) {}

  State state_at(std::vector<double> q, std::vector<double> qd) {
    State s{std::move(q), std::move(qd), {}, {}, {}};
    s.x.resize(system->coordinate_count());
    s.v.resize(system->coordinate_count());
    s.angles.resize(system->angle_count());
    observer->start(model, s.q, s.qd, s.x, s.v, s.angles);
    return s;
  }
  /// Loop joints have coordinates and rates, too, but bodies are where the tree places them.
  State random_state(std::mt19937& random) {
    std::vector<double> q = initial_coordinates(model);
    const std::vector<double> shift = random_vector(model.coordinate_count(), random);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += shift[i];
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      const JointType type = model.joints()[j].type;
      const bool turns = has_twist_rates(type);
      if (model.dimension() == 2 || !turns) continue;
      double* r = &q[model.coordinate_offset(static_cast<int>(j))];
      const SO3<double> unit = normalized(SO3<double>{r[0], r[1], r[2], r[3]});
      r[0] = unit.w, r[1] = unit.x, r[2] = unit.y, r[3] = unit.z;
    }
    return state_at(q, random_vector(model.rate_count(), random));
  }

  /// The joints' increments are uniform up to `reach`.
  State state_near(const State& from, double reach, std::mt19937& random) {
    std::vector<double> q(from.q);
    retract<double>(tree, from.q, scaled(reach, random_vector(tree.rate_count, random)), q);
    return state_at(q, from.qd);
  }

  /// What a method makes of a state and unknowns: a step (kappa 1/2) or a point (kappa 1).
  ConstrainedPoint point_at(const State& s, std::span<const double> unknowns, double h, double kappa) {
    system->retract(s.x, unknowns, dx, x_b);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      w[i] = dx[i] - h * s.v[i];
      velocity[i] = kappa == 1 ? s.v[i] : dx[i] / h;
    }
    ConstrainedPoint point;
    point.time = 0.3;
    point.end_time = 0.3 + 0.5 * h;
    point.start_time = kappa == 1 ? point.end_time : 0.3 - 0.5 * h;
    point.x_a = kappa == 1 ? std::span<const double>(x_b) : std::span<const double>(s.x);
    point.x_b = x_b;
    point.angles = s.angles;
    point.w = w;
    point.velocity = velocity;
    point.velocity_gain = kappa == 1 ? 0 : 1 / h;
    point.kappa = kappa;
    point.force_gain = 0.5 * h * h;
    return point;
  }

  int width() const { return model.dimension() == 2 ? 3 : 6; }  ///< increments of a body
  int node(int body) const {
    const std::vector<int>& order = model.topology().order;
    return static_cast<int>(std::find(order.begin(), order.end(), body) - order.begin());
  }
  /// Where the increments of each node begin among the unknowns: what set_increments writes.
  std::vector<int> first_unknowns() const {
    std::vector<double> marks(system->unknown_count(), NAN);
    const std::vector<double> zero(system->coordinate_count());
    system->set_increments(zero, zero, 1, marks);
    std::vector<int> first;
    for (int at = 0; first.size() < model.bodies().size(); ++at) {
      if (std::isnan(marks[at])) continue;
      first.push_back(at);
      at += width() - 1;
    }
    return first;
  }

  Model model;
  Tree tree;
  ConstrainedMechanism mechanism;
  ConstrainedSystem* system;
  MechanismObserver* observer;
  std::vector<double> dx, x_b, w, velocity;
};

/// (u, omega) of every body from x_a to x_b, in the unknowns of a step; multipliers are random.
inline std::vector<double> random_unknowns_between(Probe& probe, const State& a, const State& b,
                                                   std::mt19937& random) {
  std::vector<double> unknowns = random_vector(probe.system->unknown_count(), random);
  const int D = probe.model.dimension(), per_body = D * (D + 1);
  const std::vector<int> first = probe.first_unknowns();
  for (std::size_t node = 0; node < first.size(); ++node) {
    const std::vector<double> eta = increments(D, &a.x[per_body * node], &b.x[per_body * node]);
    std::copy(eta.begin(), eta.end(), &unknowns[first[node]]);
  }
  return unknowns;
}

}  // namespace torsor::testing
