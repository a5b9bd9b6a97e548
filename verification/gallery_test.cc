// The gallery: every file says what it shows, is a sound model, and says how it wishes to be simulated.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "testing/packs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

std::vector<std::string> gallery() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Gallery : public testing::TestWithParam<std::string> {};

TEST_P(Gallery, LoadsAndSaysWhatItShows) {
  const Model model = load_model(GetParam());
  EXPECT_TRUE(model.text().starts_with("# "));
  EXPECT_TRUE(model.simulation().step.has_value());
  EXPECT_TRUE(model.simulation().duration.has_value());
  EXPECT_GT(model.rate_count(), 0);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return std::filesystem::path(info.param).stem();
}
INSTANTIATE_TEST_SUITE_P(File, Gallery, testing::ValuesIn(gallery()), test_name);

/// Together they use every joint type and every section of a model file.
TEST(Gallery, CoversTheFormat) {
  bool has_type[9] = {};
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : gallery()) {
    const Model model = load_model(path);
    for (const Joint& joint : model.joints()) has_type[static_cast<int>(joint.type)] = true;
    for (const Body& body : model.bodies())
      for (const Shape& shape : body.shapes) counts["meshes"] += std::holds_alternative<Mesh>(shape.solid);
    counts["loops"] += model.topology().loop_joints.size();
    for_each_kind(model.elements(),
                  [&](const char* section, const auto& list) { counts[section] += list.size(); });
  }
  EXPECT_TRUE(std::all_of(std::begin(has_type), std::end(has_type), [](bool has) { return has; }));
  for (const char* functions : {"laws", "point_laws"}) {  // which no file can hold
    EXPECT_EQ(counts.at(functions), 0u);
    counts.erase(functions);
  }
  for (const auto& [what, count] : counts) EXPECT_GT(count, 0u) << what;
}

std::unique_ptr<Stepper> rotationless_stepper(const ModelDescription& description) {
  try {
    return make_stepper(Model(description),
                        {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}});
  } catch (const ModelError&) {
    return nullptr;  // of masses that it does not know, or of muscles
  }
}

TEST(Gallery, AStepperThatTakesOtherMassesIsWhatANewOneWouldBe) {
  int taken = 0;
  for (const std::string& path : gallery()) {
    SCOPED_TRACE(path);
    const ModelDescription description = parse_description(read_source(path));
    const double step = *description.simulation.step;
    const RunSettings settings{.step = step, .duration = 5 * step};
    const auto used = rotationless_stepper(description);
    if (!used) continue;
    const auto other = std::make_shared<const Model>(with_other_masses(description, 2));
    simulate(*used, settings);
    if (!used->take(other, std::make_shared<const Start>(make_start(*other)))) continue;
    ++taken;
    const auto fresh = rotationless_stepper(with_other_masses(description, 2));
    EXPECT_TRUE(same_bits(used->state().memory, fresh->state().memory));
    EXPECT_TRUE(same_bits(numbers_of(simulate(*used, settings)), numbers_of(simulate(*fresh, settings))));
    EXPECT_TRUE(same_bits(used->state().memory, fresh->state().memory));
  }
  EXPECT_GE(taken, 30);
}

}  // namespace
}  // namespace torsor
