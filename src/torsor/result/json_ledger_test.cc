#include "torsor/result/json_ledger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/models.h"

namespace torsor {
namespace {

nlohmann::json settings_of(const ModelDescription& d, const StepperChoice& choice) {
  const Model model(d);
  return nlohmann::json::parse(
      settings_json(model, {resolve_method(model, choice), {.step = 0.01, .duration = 1}}));
}

/// The file's tolerance is for methods that control their error; others have their solver's.
TEST(SettingsJson, HoldsTheToleranceThatIsUsed) {
  ModelDescription d = reference::three_link_arm();
  d.simulation.integrator = "dopri5";
  d.simulation.tolerance = 1e-5;
  EXPECT_EQ(settings_of(d, {})["tolerance"], 1e-5);
  StepperChoice choice;
  choice.integrator = "variational";
  EXPECT_EQ(settings_of(d, choice)["tolerance"], 1e-16);
  choice.tolerance = 1e-12;
  EXPECT_EQ(settings_of(d, choice)["tolerance"], 1e-12);
  choice.integrator = "rkmk4";
  choice.tolerance = 0;
  EXPECT_TRUE(settings_of(d, choice)["tolerance"].is_null());

  d.simulation.integrator_options = {{"tolerance", 1e-7}, {"max_step", 0.1}};
  EXPECT_EQ(settings_of(d, {})["tolerance"], 1e-7);
  EXPECT_EQ(settings_of(d, {})["options"],
            nlohmann::json({{"max_step", 0.1}, {"steps", "adaptive"}, {"tolerance", 1e-7}}));
}

/// Options of the command line stand beside the file's and the integrator's own, as the stepper takes them.
TEST(SettingsJson, HoldsAllOptionsThatAreUsed) {
  ModelDescription d = reference::three_link_arm();
  d.simulation.integrator = "gauss-legendre";
  d.simulation.integrator_options = {{"stages", 3.0}};
  StepperChoice choice;
  choice.options = {{"iteration", "fixed-point"}};
  const nlohmann::json options = settings_of(d, choice)["options"];
  EXPECT_EQ(options["iteration"], "fixed-point");
  EXPECT_EQ(options["stages"], 3.0);
  EXPECT_EQ(options["max_iterations"], 200.0);
}

}  // namespace
}  // namespace torsor
