// The gallery: every file says what it shows, is a sound model, and says how it wishes to be simulated.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

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

}  // namespace
}  // namespace torsor
