#include "torsor/integrator/constrained_newton.h"

#include <gtest/gtest.h>

#include <limits>

#include "testing/models.h"
#include "testing/random_elements.h"
#include "testing/rotationless_probe.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::Probe, testing::State, testing::scaled;

/// One step of the energy-momentum scheme from a state, from any guess.
struct Step {
  Step(const ModelDescription& description, double step)
      : probe(description),
        newton(probe.system->unknown_count()),
        h(step),
        unknowns(probe.system->unknown_count()) {
    const std::vector<double> q = initial_coordinates(probe.model);
    state = probe.state_at(q, initial_rates(probe.model, q));
    probe.system->set_increments(state.x, state.v, h, unknowns);
  }
  ConstrainedNewton::Report solve(std::vector<double>& guess,
                                  const ConstrainedNewtonSettings& settings = {}) {
    evaluations = 0;
    return newton.solve(*probe.system, guess, settings,
                        [&](std::span<const double> at, std::span<double> r) -> const ConstrainedPoint& {
                          ++evaluations;
                          point = probe.point_at(state, at, h, 0.5);
                          probe.system->residual(point, at, r);
                          return point;
                        });
  }
  std::vector<double> shifted(const std::vector<double>& from, double by, unsigned seed) const {
    std::mt19937 random(seed);
    std::vector<double> moved = from;
    probe.system->correct(scaled(by, random_vector(probe.system->unknown_count(), random)), moved);
    return moved;
  }

  Probe probe;
  ConstrainedNewton newton;
  double h;
  State state;
  std::vector<double> unknowns;
  ConstrainedPoint point;
  int evaluations = 0;  ///< of the last solution
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = larger(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(ConstrainedNewton, FindsTheSameSolutionFromAnyGuess) {
  for (const ModelDescription& d : {reference::all_elements(), reference::driven_arm()}) {
    SCOPED_TRACE(d.name);
    Step step(d, 0.02);
    std::vector<double> solution = step.unknowns;
    ASSERT_TRUE(step.solve(solution).converged);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::vector<double> guess = step.shifted(solution, 0.1, seed);
      const ConstrainedNewton::Report report = step.solve(guess);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(distance(guess, solution), 1e-13);  // measured 6e-16
    }
  }
}

/// Near the solution one tangent does, and every iteration gains digits.
TEST(ConstrainedNewton, KeepsItsTangentNearTheSolution) {
  Step step(reference::all_elements(), 0.02);
  std::vector<double> solution = step.unknowns;
  ASSERT_TRUE(step.solve(solution).converged);
  std::vector<double> guess = step.shifted(solution, 1e-6, 1);
  const ConstrainedNewton::Report report = step.solve(guess);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.tangents, 1);
  EXPECT_LE(report.iterations, 3);
}

/// A first correction leaves its square. Where that is nothing no residual is needed to see it; but multipliers turn
/// with the bodies, and what they are off by must be as small.
TEST(ConstrainedNewton, OneCorrectionDoesWhereItsSquareIsNothing) {
  Step step(reference::all_elements(), 0.02);
  std::vector<double> solution = step.unknowns;
  ASSERT_TRUE(step.solve(solution).converged);
  std::vector<double> near = step.shifted(solution, 1e-13, 1), far = near;
  EXPECT_TRUE(step.solve(near).converged);
  EXPECT_EQ(step.evaluations, 1);
  EXPECT_LE(distance(near, solution), 1e-15);

  for (std::size_t i = 0; i < far.size(); ++i) {
    std::vector<double> unit(far.size());
    unit[i] = 1;
    if (step.probe.system->size(unit) == 0) far[i] *= 1.1;  // a multiplier
  }
  EXPECT_TRUE(step.solve(far).converged);
  EXPECT_GE(step.evaluations, 2);
  EXPECT_LE(distance(far, solution), 1e-15);
}

/// Far away full steps would grow: the line search shortens them.
TEST(ConstrainedNewton, ComesBackFromFarAway) {
  Step step(reference::three_link_arm_with_tendons(), 0.1);
  std::vector<double> solution = step.unknowns;
  ASSERT_TRUE(step.solve(solution).converged);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::vector<double> guess = step.shifted(solution, 1.0, seed);
    EXPECT_TRUE(step.solve(guess).converged);
    EXPECT_LE(distance(guess, solution), 1e-13);  // measured 5e-16
  }
}

/// A rod on a ball joint: a spring that is as good as none holds its spin, and no inertia either.
TEST(ConstrainedNewton, SaysThatASingularStepHasNoSolution) {
  ModelDescription d = reference::heavy_top();
  d.bodies[0].inertia = {0.04, 0.04, 0, 0, 0, 0};
  d.joint_springs.push_back({"hold", 0, SpringLaw::log, {1e-300}, {}, {}});
  Step step(d, 0.01);
  std::vector<double> guess = step.unknowns;
  EXPECT_FALSE(step.solve(guess).converged);
}

TEST(ConstrainedNewton, EndsWhenIterationsDo) {
  Step step(reference::all_elements(), 0.02);
  std::vector<double> guess = step.shifted(step.unknowns, 0.1, 1);
  const ConstrainedNewton::Report report = step.solve(guess, {.max_iterations = 2});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2);
}

TEST(ConstrainedNewton, FailsOnAResidualThatIsNotANumberWhereverItStands) {
  Step step(reference::driven_arm(), 0.02);
  for (std::size_t place = 0; place < step.unknowns.size(); ++place) {
    for (const int from : {1, 2}) {
      std::vector<double> guess = step.unknowns;
      int call = 0;
      const ConstrainedNewton::Report report =
          step.newton.solve(*step.probe.system, guess, {},
                            [&](std::span<const double> at, std::span<double> r) -> const ConstrainedPoint& {
                              step.point = step.probe.point_at(step.state, at, step.h, 0.5);
                              step.probe.system->residual(step.point, at, r);
                              if (++call >= from) r[place] = std::numeric_limits<double>::quiet_NaN();
                              return step.point;
                            });
      EXPECT_FALSE(report.converged) << place;
    }
  }
}

}  // namespace
}  // namespace torsor
