#include "torsor/formulation/rotationless/weak_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/rotationless_probe.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::Probe, testing::State;

/// A weak form with a step of length h; unknowns are random numbers up to `size`.
struct Trial {
  Trial(const ModelDescription& description, int m, double h, double size)
      : probe(description), basis(m, m + 1, m + 2), random(7) {
    const std::vector<double> q = initial_coordinates(probe.model);
    state = probe.state_at(q, initial_rates(probe.model, q));
    form = probe.system->make_weak_form(basis);
    const int n = form->coordinate_count();
    count = static_cast<std::size_t>(basis.stages()) * (n + form->multiplier_count());
    x_0.resize(n);
    v_0.resize(n);
    x_b.resize(n);
    form->embed(state.x, state.v, x_0, v_0);
    step = {0.1, h, x_0, v_0, state.angles, x_b};
    unknowns = testing::scaled(size, random_vector(static_cast<int>(count), random));
    residual(unknowns, 0);
  }
  std::vector<double> direction() { return random_vector(static_cast<int>(count), random); }
  std::vector<double> residual(const std::vector<double>& direction, double shift) {
    std::vector<double> at = unknowns, r(count);
    for (std::size_t i = 0; i < count; ++i) at[i] += shift * direction[i];
    for (std::size_t i = 0; i < x_b.size(); ++i) x_b[i] = x_0[i] + at[i];
    form->residual(step, at, r);
    return r;
  }
  /// By central differences.
  std::vector<double> derivative(const std::vector<double>& d) {
    constexpr double e = 1e-4;
    const auto a1 = residual(d, e), b1 = residual(d, -e), a2 = residual(d, 2 * e), b2 = residual(d, -2 * e);
    std::vector<double> change(count);
    for (std::size_t i = 0; i < count; ++i) {
      change[i] = (8 * (a1[i] - b1[i]) - (a2[i] - b2[i])) / (12 * e);
    }
    residual(d, 0);
    return change;
  }

  Probe probe;
  GalerkinBasis basis;
  std::mt19937 random;
  State state;
  std::unique_ptr<WeakForm> form;
  std::size_t count;
  std::vector<double> x_0, v_0, x_b, unknowns;
  WeakStep step;
};

double distance(const std::vector<double>& a, const std::vector<double>& b, std::size_t count) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) worst = larger(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// Largest entry of K^-1 (dr/du . d) - d for random directions d.
double tangent_error(const ModelDescription& description, int m) {
  Trial trial(description, m, 0.02, 0.02);
  double worst = 0;
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> d = trial.direction();
    std::vector<double> change = trial.derivative(d);
    trial.form->factorise(trial.step, trial.unknowns);
    trial.form->solve(change);
    worst = larger(worst, distance(change, d, trial.count));
  }
  return worst;
}

/// The same of the mean tangent, in the coordinates: what an iteration leaves of their error.
double mean_tangent_error(const ModelDescription& description, int m, double h, double size) {
  Trial trial(description, m, h, size);
  double worst = 0;
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> d = trial.direction();
    std::vector<double> change = trial.derivative(d);
    trial.form->factorise_mean(trial.step, trial.unknowns);
    trial.form->solve_mean(change);
    worst = larger(worst, distance(change, d, trial.basis.stages() * trial.x_0.size()));
  }
  return worst;
}

/// Screws are not quadratic: their constraint is curved along the step.
ModelDescription all_joints_but_screws() {
  ModelDescription d = reference::all_joints();
  for (Joint& joint : d.joints) {
    if (joint.type != JointType::helical) continue;
    joint.type = JointType::revolute;
    joint.pitch = {};
  }
  return d;
}

TEST(WeakForm, TangentIsTheDerivativeOfTheResidual) {
  for (int m = 1; m <= 3; ++m) {
    SCOPED_TRACE(m);
    EXPECT_LE(tangent_error(reference::three_link_arm_with_tendons(), m), 1e-7);
    EXPECT_LE(tangent_error(reference::spherical_chain(3), m), 1e-7);
    EXPECT_LE(tangent_error(reference::free_tree(), m), 1e-7);
    EXPECT_LE(tangent_error(all_joints_but_screws(), m), 1e-6);
    EXPECT_LE(tangent_error(reference::four_bar(0.5, 1.5, 1, 1.2), m), 1e-3);  // nearly singular: 5e-5
  }
}

TEST(WeakForm, TangentOfDampersLoadsAndScrewsIsNear) {
  for (int m = 1; m <= 3; ++m) {
    SCOPED_TRACE(m);
    EXPECT_LE(tangent_error(reference::driven_arm(), m), 1e-3);  // measured 1.1e-4
    EXPECT_LE(tangent_error(reference::all_joints(), m), 0.05);  // measured 8e-3
    EXPECT_LE(tangent_error(reference::all_elements(), m), 0.05);
  }
}

/// Where nothing moves gradients do not change: both tangents are the same but for h^2 times stiffness.
TEST(WeakForm, MeanTangentIsExactAtRest) {
  for (int m = 1; m <= 3; ++m) {
    SCOPED_TRACE(m);
    for (const ModelDescription& d : {reference::three_link_arm_with_tendons(), reference::spherical_chain(3),
                                      reference::free_tree(), all_joints_but_screws()}) {
      Trial trial(d, m, 1e-6, 0);
      std::vector<double> exact = trial.direction(), mean = exact;
      trial.form->factorise(trial.step, trial.unknowns);
      trial.form->factorise_mean(trial.step, trial.unknowns);
      trial.form->solve(exact);
      trial.form->solve_mean(mean);
      EXPECT_LE(distance(exact, mean, trial.count), 1e-12 * max_abs(exact));  // measured 2e-14
    }
  }
}

TEST(WeakForm, MeanTangentErrsByTheTurnsOfAStep) {
  for (int m = 1; m <= 3; ++m) {
    SCOPED_TRACE(m);
    for (const ModelDescription& d :
         {reference::three_link_arm_with_tendons(), reference::spherical_chain(3)}) {
      const double one = mean_tangent_error(d, m, 1e-3, 1e-2), half = mean_tangent_error(d, m, 1e-3, 5e-3);
      EXPECT_LE(one, 1);                 // measured 0.47
      EXPECT_NEAR(one / half, 2, 0.02);  // measured 2.003
    }
  }
}

TEST(WeakForm, ValuesOfConstraintsCanBeDropped) {
  Trial trial(reference::three_link_arm_with_tendons(), 2, 0.02, 0.02);
  const std::vector<double> whole = trial.residual(trial.unknowns, 0);
  std::vector<double> r = whole;
  trial.form->drop_values(r);
  const std::size_t first = trial.basis.stages() * trial.x_0.size(), rows = trial.form->multiplier_count();
  for (std::size_t i = 0; i < r.size(); ++i) {
    EXPECT_EQ(r[i], i >= first && i < first + rows ? 0 : whole[i]);
  }
}

}  // namespace
}  // namespace torsor
