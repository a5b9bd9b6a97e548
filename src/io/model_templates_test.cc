#include "io/model_templates.h"

#include <gtest/gtest.h>

#include "io/model_reader.h"
#include "simulation/record.h"
#include "simulation/stepper.h"

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
      const Model model = parse_model(chain_text({4, joint, floats}), "chain.yaml");
      const Ledger ledger = first_steps(model);
      EXPECT_LE(ledger.energy_max_error, 1e-12 * (1 + ledger.energy_scale)) << joint;
      if (floats) {
        EXPECT_LE(ledger.linear_max_error.value(), 1e-12) << joint;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
