#include "torsor/formulation/rotationless/null_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/count_allocations.h"
#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

/// A mechanism, its reduction, and one step of length h from its initial state.
struct Probe {
  Probe(const ModelDescription& description, double step, int redundant = 0)
      : model(description),
        mechanism(make_rotationless(model, model.topology().loop_constraints - redundant)),
        full(mechanism.system.get()),
        reduced(make_null_space(*full)),
        h(step) {
    for (std::vector<double>* of : {&x, &v, &dx, &x_b, &w, &velocity}) of->resize(full->coordinate_count());
    angles.resize(full->angle_count());
    const std::vector<double> q = initial_coordinates(model);
    mechanism.observer->start(model, q, initial_rates(model, q), x, v, angles);
    reduced->begin_step(0.3, x, v, angles);
  }

  std::vector<double> first_guess() const {
    std::vector<double> unknowns(reduced->unknown_count());
    reduced->set_increments(x, v, h, unknowns);
    return unknowns;
  }
  ConstrainedPoint point_at(std::span<const double> unknowns) {
    reduced->retract(x, unknowns, dx, x_b);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      w[i] = dx[i] - h * v[i];
      velocity[i] = dx[i] / h;
    }
    ConstrainedPoint point;
    point.time = 0.3 + 0.5 * h;
    point.end_time = 0.3 + h;
    point.x_a = x;
    point.x_b = x_b;
    point.angles = angles;
    point.w = w;
    point.velocity = velocity;
    point.velocity_gain = 1 / h;
    point.kappa = 0.5;
    point.force_gain = 0.5 * h * h;
    return point;
  }
  std::vector<double> residual(std::span<const double> unknowns) {
    std::vector<double> r(unknowns.size());
    reduced->residual(point_at(unknowns), unknowns, r);
    return r;
  }
  /// Corrections of Newton's method, each with a fresh tangent; the unknowns become those of the step.
  std::vector<double> newton(std::vector<double>& unknowns, int iterations) {
    std::vector<double> sizes;
    for (int i = 0; i < iterations; ++i) {
      std::vector<double> r = residual(unknowns);
      EXPECT_TRUE(reduced->factorise(point_at(unknowns), unknowns));
      reduced->solve(r);
      reduced->correct(r, unknowns);
      sizes.push_back(reduced->size(r));
    }
    return sizes;
  }

  Model model;
  ConstrainedMechanism mechanism;
  ConstrainedSystem* full;
  std::unique_ptr<ConstrainedSystem> reduced;
  double h;
  std::vector<double> x, v, angles, dx, x_b, w, velocity;
};

ModelDescription falling(ModelDescription description) {
  description.gravity = {1, -2, -9};
  return description;
}
ModelDescription with_elements(ModelDescription description, unsigned seed) {
  add_every_element(description, seed);
  for (Drag& drag : description.drag) drag.quadratic = 0;  // |v| v has a kink at rest, where these start
  return description;
}

struct Case {
  const char* name;
  ModelDescription description;
  int redundant = 0;
};

std::vector<Case> cases() {
  return {{"all joints", reference::all_joints()},
          {"all elements", reference::all_elements()},
          {"planar arm with tendons", reference::driven_arm()},
          {"spherical chain", reference::spherical_chain(5)},
          {"planar tree", with_elements(random_planar_tree(8, 3), 4)},
          {"spatial tree", with_elements(random_tree(9, 5), 6)},
          {"Bricard's loop", falling(reference::bricard()), 1}};
}

TEST(NullSpace, UnknownsAreTheFreedomsOfTheTreeAndTheBorder) {
  EXPECT_EQ(Probe(reference::spherical_chain(5), 0.01).reduced->unknown_count(), 15);
  EXPECT_EQ(Probe(reference::spherical_chain(5), 0.01).full->unknown_count(), 45);
  EXPECT_EQ(Probe(reference::three_link_arm(), 0.01).reduced->unknown_count(), 3);
  EXPECT_EQ(Probe(reference::three_link_arm(), 0.01).full->unknown_count(), 15);
  EXPECT_EQ(Probe(reference::bricard(), 0.01, 1).reduced->unknown_count(), 5 + 5);
}

TEST(NullSpace, EveryIncrementKeepsTheJointsOfTheTree) {
  for (const Case& c : cases()) {
    Probe probe(c.description, 0.01, c.redundant);
    if (!probe.model.topology().is_tree()) continue;
    std::mt19937 random(7);
    std::vector<double> unknowns = random_vector(probe.reduced->unknown_count(), random);
    for (double& s : unknowns) s *= 0.5;
    probe.point_at(unknowns);
    EXPECT_LE(probe.mechanism.observer->position_error(probe.x_b, probe.angles), 1e-13)
        << c.name;  // measured 6e-15
  }
}

TEST(NullSpace, NewtonConvergesQuadratically) {
  for (const Case& c : cases()) {
    Probe probe(c.description, 0.02, c.redundant);
    std::vector<double> unknowns = probe.first_guess();
    const std::vector<double> sizes = probe.newton(unknowns, 5);
    EXPECT_LE(sizes[4], 1e-14) << c.name << " " << sizes[0] << " " << sizes[1] << " " << sizes[2] << " "
                               << sizes[3];  // measured 4e-16
  }
}

TEST(NullSpace, TangentIsTheDerivativeOfTheResidualAtTheSolution) {
  for (const Case& c : cases()) {
    if (c.redundant > 0) continue;  // its multipliers move within their range only
    Probe probe(c.description, 0.1);
    const int n = probe.reduced->unknown_count();
    std::vector<double> unknowns = probe.first_guess();
    probe.newton(unknowns, 12);
    constexpr double e = 1e-3;
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      const auto shifted = [&](double shift) {
        std::vector<double> moved = unknowns;
        moved[i] += shift;
        return probe.residual(moved);
      };
      const auto a1 = shifted(e), b1 = shifted(-e), a2 = shifted(2 * e), b2 = shifted(-2 * e);
      std::vector<double> column(n);
      for (int k = 0; k < n; ++k) column[k] = (8 * (a1[k] - b1[k]) - (a2[k] - b2[k])) / (12 * e);
      probe.residual(unknowns);
      ASSERT_TRUE(probe.reduced->factorise(probe.point_at(unknowns), unknowns));
      probe.reduced->solve(column);
      column[i] -= 1;
      for (const double entry : column) worst = std::abs(entry) <= worst ? worst : std::abs(entry);
    }
    EXPECT_LE(worst, 1e-9) << c.name;  // measured 2e-12
  }
}

TEST(NullSpace, AllocatesNothingInAStep) {
  for (const Case& c : cases()) {
    Probe probe(c.description, 0.02, c.redundant);
    std::vector<double> unknowns = probe.first_guess(), r(unknowns.size());
    const long before = allocations;
    probe.reduced->begin_step(0.3, probe.x, probe.v, probe.angles);
    probe.reduced->set_increments(probe.x, probe.v, probe.h, unknowns);
    const ConstrainedPoint point = probe.point_at(unknowns);
    probe.reduced->residual(point, unknowns, r);
    EXPECT_TRUE(probe.reduced->factorise(point, unknowns));
    probe.reduced->solve(r);
    probe.reduced->correct(r, unknowns);
    EXPECT_EQ(allocations - before, 0) << c.name;
  }
}

/// What the reduction finds, with the multipliers of its tree, solves the full system.
TEST(NullSpace, StepIsThatOfTheFullSystem) {
  for (const Case& c : cases()) {
    Probe probe(c.description, 0.05, c.redundant);
    std::vector<double> unknowns = probe.first_guess();
    probe.newton(unknowns, 8);
    const std::vector<double> found = (probe.point_at(unknowns), probe.dx);

    ConstrainedSystem& full = *probe.full;
    std::vector<double> all(full.unknown_count()), r(all.size());
    full.begin_step(0.3, probe.x, probe.v, probe.angles);
    full.set_increments(probe.x, probe.v, probe.h, all);
    ConstrainedPoint point = probe.point_at(unknowns);
    for (int i = 0; i < 8; ++i) {
      full.retract(probe.x, all, probe.dx, probe.x_b);
      for (std::size_t k = 0; k < probe.dx.size(); ++k) {
        probe.w[k] = probe.dx[k] - probe.h * probe.v[k];
        probe.velocity[k] = probe.dx[k] / probe.h;
      }
      full.residual(point, all, r);
      ASSERT_TRUE(full.factorise(point, all));
      full.solve(r);
      full.correct(r, all);
    }
    full.retract(probe.x, all, probe.dx, probe.x_b);
    double apart = 0;
    for (std::size_t k = 0; k < found.size(); ++k) apart = larger(apart, std::abs(found[k] - probe.dx[k]));
    EXPECT_LE(apart, 1e-14) << c.name;  // measured 4e-16
  }
}

}  // namespace
}  // namespace torsor
