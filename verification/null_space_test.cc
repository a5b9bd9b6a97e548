// The discrete null-space reduction: the same motion as with all multipliers, from fewer unknowns.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/runs.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

struct Pair {
  std::string model;
  double step;
  int steps = 1000;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.model; }

class ReducedRun : public ::testing::TestWithParam<Pair> {};

std::unique_ptr<Stepper> stepper_with(const Model& model, const std::string& reduction) {
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  choice.options["reduction"] = reduction;
  return make_stepper(model, choice);
}

/// Both runs, observed every 50 steps: motion, energies, the ledger's flows, efforts and reactions.
TEST_P(ReducedRun, MovesLikeTheFullSystem) {
  const auto& [name, step, steps] = GetParam();
  const Model model = load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
  const auto full = stepper_with(model, "none"), reduced = stepper_with(model, "null-space");
  Observation a = full->make_observation(), b = reduced->make_observation();
  double apart = 0, speed = 1, scale = 0, energy = 0, flows = 0, efforts = 0;
  full->observe(a);
  const double start = a.total();
  for (int i = 1; i <= steps; ++i) {
    full->step(step);
    reduced->step(step);
    if (i % 50 != 0) continue;
    full->observe(a);
    reduced->observe(b);
    apart = larger(apart, testing::distance(a, b));
    for (const BodyObservation& body : a.bodies) {
      speed = larger({speed, norm(body.velocity), norm(body.angular_velocity)});
    }
    scale = larger({scale, a.kinetic, std::abs(a.total() - start)});
    energy = larger(energy, std::abs(a.total() - b.total()));
    for (std::size_t k = 0; k < a.work.size(); ++k) {
      flows = larger(flows, std::abs(a.work[k] - b.work[k]));
      scale = larger(scale, std::abs(a.work[k]));
    }
    for (std::size_t k = 0; k < a.efforts.size(); ++k) {
      efforts = larger(efforts, std::abs(a.efforts[k] - b.efforts[k]) / (1 + std::abs(a.efforts[k])));
    }
    EXPECT_LE(b.position_error, 1e-13);  // measured 2e-14
  }
  EXPECT_LE(apart, 1e-9 * speed);    // measured 1.6e-10, by rounding over h in the velocities
  EXPECT_LE(energy, 1e-11 * scale);  // measured 1.2e-12
  EXPECT_LE(flows, 1e-11 * scale);   // measured 1.7e-12
  EXPECT_LE(efforts, 1e-10);         // measured 4e-12
}

INSTANTIATE_TEST_SUITE_P(
    Model, ReducedRun,
    ::testing::Values(Pair{"pendulum", 0.01}, Pair{"heavy_top", 0.002}, Pair{"all_joints", 0.0005},
                      Pair{"tendon_arm", 0.002}, Pair{"tendon_arm_3d", 0.001}, Pair{"tension_only", 0.002},
                      Pair{"helical_screw", 0.002}, Pair{"free_chain", 0.002}, Pair{"logo_pair", 0.01},
                      Pair{"linear_guide", 0.01}, Pair{"four_bar", 0.005}, Pair{"slider_crank", 0.005},
                      Pair{"double_four_bar", 0.005, 500}, Pair{"spatial_four_bar", 0.005},
                      Pair{"bricard", 0.005}, Pair{"stewart", 0.002}, Pair{"rpr_platform", 0.003},
                      Pair{"andrews", 2e-5}),
    [](const auto& of) { return of.param.model; });

TEST(NullSpaceReduction, IsOneOfTwoWords) {
  const Model model = load_model(std::string(TORSOR_MODELS) + "/pendulum.yaml");
  const auto refusal = [&](const std::variant<double, std::string>& reduction, const char* integrator) {
    StepperChoice choice;
    choice.formulation = "rotationless";
    choice.integrator = integrator;
    choice.options["reduction"] = reduction;
    try {
      make_stepper(model, choice);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("none", "energy-momentum"), "");
  EXPECT_NE(refusal("nullspace", "energy-momentum").find("did you mean 'null-space'"), std::string::npos);
  EXPECT_NE(refusal(1.0, "energy-momentum").find("one of none, null-space"), std::string::npos);
  EXPECT_NE(refusal("null-space", "generalized-alpha").find("an option of 'generalized-alpha'"),
            std::string::npos);
}

}  // namespace
}  // namespace torsor
