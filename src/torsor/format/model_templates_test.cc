#include "torsor/format/model_templates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "torsor/format/model_reader.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

Ledger first_steps(const Model& model) {
  const auto stepper = make_stepper(model);
  return simulate(*stepper, {.step = 0.01, .duration = 0.5}).ledger;
}

TEST(ModelTemplates, ArmsOfEveryKindKeepTheirEnergy) {
  using Springs = ArmTemplate::Springs;
  for (const Springs springs : {Springs::none, Springs::mono, Springs::multi}) {
    for (const int links : {1, 3, 12}) {
      const Model model = parse_model(arm_text({links, springs}), "arm.yaml");
      EXPECT_EQ(model.bodies().size(), static_cast<std::size_t>(links));
      const std::size_t tendons = springs == Springs::none ? 0 : springs == Springs::mono ? links : 1;
      EXPECT_EQ(model.tendons().size(), tendons);
      const Ledger ledger = first_steps(model);
      EXPECT_LE(ledger.energy_max_error, 1e-12 * (1 + ledger.energy_scale));
    }
  }
}

TEST(ModelTemplates, ChainsOfEveryKindKeepTheirEnergy) {
  for (const char* joint : {"revolute", "universal", "spherical"}) {
    for (const bool floats : {false, true}) {
      const Model model =
          parse_model(chain_text({.links = 4, .joint = joint, .floats = floats}), "chain.yaml");
      const Ledger ledger = first_steps(model);
      EXPECT_LE(ledger.energy_max_error, 1e-12 * (1 + ledger.energy_scale)) << joint;
      if (floats) {
        EXPECT_LE(ledger.linear_max_error.value(), 1e-12) << joint;
      }
    }
  }
}

TEST(ModelTemplates, ChainsHangTilted) {
  for (const char* joint : {"revolute", "universal", "spherical"}) {
    const ChainTemplate chain{
        .links = 3, .joint = joint, .start = ChainTemplate::Start::hanging, .tilt = 0.3};
    const auto stepper = make_stepper(parse_model(chain_text(chain), "chain.yaml"));
    Observation start = stepper->make_observation();
    stepper->observe(start);
    const Vec3<double> down{0, std::sin(0.3), -std::cos(0.3)};
    for (int i = 0; i < 3; ++i) EXPECT_LE(norm(start.bodies[i].com - (i + 0.5) * down), 1e-15) << joint;
  }
}

/// Each rod turned against the one before by its share of the spiral, all of them level.
TEST(ModelTemplates, CoilsAreFlatSpirals) {
  ChainTemplate chain{.links = 12, .start = ChainTemplate::Start::coiled, .length = 2, .damping = 3};
  chain.density = 500;
  const Model model = parse_model(chain_text(chain), "coil.yaml");
  EXPECT_DOUBLE_EQ(model.bodies()[0].mass, 10);
  EXPECT_EQ(model.joint_springs().size(), 12u);
  const auto stepper = make_stepper(model);
  Observation start = stepper->make_observation();
  stepper->observe(start);
  Vec3<double> end;
  double heading = 0;
  for (int k = 1; k <= 12; ++k) {
    if (k > 1) heading += 2 * std::numbers::pi / (8 + 0.25 * (k - 1));
    const Vec3<double> along{-std::sin(heading), std::cos(heading), 0};
    EXPECT_LE(norm(start.bodies[k - 1].com - (end + along)), 1e-11);  // measured 2e-14
    end = end + 2.0 * along;
  }
  EXPECT_LE(first_steps(model).energy_max_residual, 1e-10);
}

}  // namespace
}  // namespace torsor
