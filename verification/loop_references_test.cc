// The references for closed loops, against each other: loops reduced to one angle by hand in extended
// precision, and spanning trees with multipliers, which share nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/loop_references.h"
#include "testing/runs.h"
#include "testing/tree_with_loops.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using namespace testing;

Model gallery_model(const std::string& name) {
  return load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
}

struct OneDof {
  std::string model;
  ReducedLoop loop;
  double duration;
  int basic_steps;
};
void PrintTo(const OneDof& c, std::ostream* out) { *out << c.model; }

class ReducedLoops : public ::testing::TestWithParam<OneDof> {};

TEST_P(ReducedLoops, EnergyChangesByTheWorkOfTheEffort) {
  const auto& [name, loop, duration, basic_steps] = GetParam();
  const TreeWithLoops tree(gallery_model(name));
  const CrankState start{tree.q()[0], tree.qd()[0]};
  const double scale = std::abs(energy(loop, start));
  for (int part = 1; part <= 5; ++part) {
    const CrankState state = advance(loop, start, part * duration / 5, part * basic_steps);
    const double work = static_cast<double>(loop.effort) * (state.angle - start.angle);
    EXPECT_NEAR(energy(loop, state) - energy(loop, start), work, 1e-13 * scale);  // measured 1e-15
  }
}

TEST_P(ReducedLoops, AgreeWithTheSpanningTree) {
  const auto& [name, loop, duration, basic_steps] = GetParam();
  TreeWithLoops tree(gallery_model(name));
  const CrankState start{tree.q()[0], tree.qd()[0]};
  EXPECT_NEAR(energy(loop, start), tree.observe().total(),
              1e-13 * std::abs(energy(loop, start)));  // measured 5e-16
  tree.advance(duration, 5 * basic_steps);
  const CrankState end = advance(loop, start, duration, 5 * basic_steps);
  EXPECT_NEAR(tree.q()[0], end.angle, 1e-10);                             // measured 4e-12
  EXPECT_NEAR(tree.qd()[0], end.rate, 1e-10 * (1 + std::abs(end.rate)));  // measured 5e-12
  EXPECT_LE(tree.position_error(), 1e-14);                                // measured 8e-16
}

INSTANTIATE_TEST_SUITE_P(Model, ReducedLoops,
                         ::testing::Values(OneDof{"four_bar", four_bar_loop(), 2, 40},
                                           OneDof{"slider_crank", slider_crank_loop(), 2, 80},
                                           OneDof{"double_four_bar", n_four_bar_loop(2), 0.9, 10},
                                           OneDof{"andrews", andrews_loop(), 0.03, 80}),
                         [](const auto& test) { return test.param.model; });

/// Flat positions included, which are singular for a method with multipliers but not for the pendulum.
TEST(NFourBar, PassesFlatPositionsAsAPendulum) {
  TreeWithLoops tree(gallery_model("double_four_bar"));
  tree.advance(2, 40);
  const CrankState end = advance(n_four_bar_loop(2), {std::numbers::pi / 2, -1}, 2, 100);
  EXPECT_NEAR(tree.q()[0], end.angle, 1e-8);  // measured 7e-12
}

TEST(Andrews, AgreesWithThePublishedSolution) {
  const ReducedLoop loop = andrews_loop();
  const CrankState start{-0.0617138900142764496, 0};
  const CrankState coarse = advance(loop, start, 0.03, 200), fine = advance(loop, start, 0.03, 400);
  EXPECT_NEAR(coarse.angle, fine.angle, 1e-13);  // measured 0
  EXPECT_NEAR(fine.angle, kAndrewsBeta, 2e-9);   // measured 1.1e-9, the publication's own error
}

struct Loops {
  std::string model;
  double duration;
  int basic_steps;
};
void PrintTo(const Loops& c, std::ostream* out) { *out << c.model; }

class SpanningTrees : public ::testing::TestWithParam<Loops> {};

TEST_P(SpanningTrees, ConserveWhatTheyShould) {
  const auto& [name, duration, basic_steps] = GetParam();
  TreeWithLoops coarse(gallery_model(name)), fine(gallery_model(name));
  const Observation start = coarse.observe();
  const double scale = std::abs(start.total()) + start.kinetic;
  for (int part = 0; part < 4; ++part) {
    coarse.advance(duration / 4, basic_steps / 4);
    fine.advance(duration / 4, basic_steps / 2);
    const Observation now = fine.observe();
    EXPECT_NEAR(now.total(), start.total(), 1e-12 * scale);  // measured 7e-14
    EXPECT_LE(now.position_error, 1e-14);                    // measured 9e-16
    EXPECT_LE(distance(now, coarse.observe()), 1e-9);        // measured 1.7e-11
  }
}

INSTANTIATE_TEST_SUITE_P(Model, SpanningTrees,
                         ::testing::Values(Loops{"spatial_four_bar", 1, 80}, Loops{"bricard", 2, 40},
                                           Loops{"stewart", 0.5, 20}, Loops{"free_chain", 1, 80},
                                           Loops{"linear_guide", 1.5, 40}),
                         [](const auto& test) { return test.param.model; });

/// A tree without loops moves as by dopri5.
TEST(TreeWithLoops, AgreesWithTheEngineOnATree) {
  const Model model = gallery_model("tendon_arm_3d");
  TreeWithLoops tree(model);
  tree.advance(1, 200);
  StepperChoice choice;
  choice.formulation = "joint";
  choice.integrator = "dopri5";
  choice.tolerance = 1e-12;
  const auto stepper = make_stepper(model, choice);
  const Record record = simulate(*stepper, {.step = 0.01, .duration = 1, .record_every = 100});
  EXPECT_LE(distance(tree.observe(), record.observations.back()), 1e-8);  // measured 7.2e-11
}

/// Uhlar and Betsch, chapter 5: nothing acts from outside, so the common centre of mass stays at rest.
TEST(RprPlatform, FollowsItsPathWithoutMomentum) {
  const Model model = gallery_model("rpr_platform");
  TreeWithLoops coarse(model), fine(model);
  const auto centre = [&](const Observation& o) {
    Vec3<double> sum;
    double mass = 0;
    for (std::size_t b = 0; b < o.bodies.size(); ++b) {
      sum += model.bodies()[b].mass * o.bodies[b].com;
      mass += model.bodies()[b].mass;
    }
    return (1 / mass) * sum;
  };
  const Vec3<double> start = centre(fine.observe());
  for (int part = 0; part < 12; ++part) {
    coarse.advance(0.25, 5);
    fine.advance(0.25, 10);
    const Observation now = fine.observe();
    EXPECT_LE(now.position_error, 1e-14);          // measured 7e-16
    EXPECT_LE(norm(centre(now) - start), 1e-13);   // measured 7e-15
    EXPECT_LE(norm(now.linear_momentum), 1e-11);   // measured 2.4e-13
    EXPECT_LE(norm(now.angular_momentum), 1e-11);  // measured 4e-14
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(now.efforts[i], coarse.observe().efforts[i], 1e-9);  // measured 1.5e-13
      EXPECT_LE(std::abs(now.efforts[i]), 15);                         // measured 10.4
    }
  }
}

/// What the output leaves free is stable: the elbow comes to rest though only the shoulder is driven.
TEST(ElasticArm, BendsWhileItMovesAndComesToRest) {
  TreeWithLoops arm(gallery_model("elastic_arm_servo"));
  arm.advance(0.25, 20);
  EXPECT_GE(std::abs(arm.q()[1]), 0.05);  // measured 0.107
  arm.advance(4.75, 380);
  EXPECT_LE(std::abs(arm.q()[1]), 1e-5);   // measured 8e-8
  EXPECT_LE(std::abs(arm.qd()[1]), 1e-4);  // measured 1.3e-6
  EXPECT_LE(arm.position_error(), 1e-14);  // measured 6e-17
}

}  // namespace
}  // namespace torsor
