#include "torsor/result/json_model.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "torsor/base/error.h"
#include "torsor/result/json_check.h"

namespace torsor {
namespace {

constexpr const char* kArm = R"(torsor: 1   # a comment
name: "arm: left"
dimension: 2
gravity: [0, -9.81]
bodies:
  link: {mass: 1 kg, com: [0.5, 0], inertia: 1e-1}
joints:
  hinge: {type: revolute, parent: world, child: link}
initial: {assemble: true, joints: {hinge: 30 deg}}
)";

TEST(ModelJson, KeepsTheWordsOfTheFile) {
  const auto json = nlohmann::json::parse(model_json({"arm.yaml", kArm, {{"bodies.link.mass", "2 kg"}}}));
  EXPECT_EQ(json["name"], "arm: left");
  EXPECT_EQ(json["dimension"], 2);
  EXPECT_EQ(json["gravity"][1], -9.81);
  EXPECT_EQ(json["bodies"]["link"]["mass"], "2 kg");
  EXPECT_EQ(json["initial"]["assemble"], true);
}

TEST(ModelJson, IsAModelFileThatSaysTheSame) {
  const std::string json = model_json({"arm.yaml", kArm, {}}, 1);
  EXPECT_EQ(check_json(parse_model(json, "arm.yaml")), check_json(parse_model(kArm, "arm.yaml")));
}

TEST(ModelJson, RefusesWhatIsNoYaml) { EXPECT_THROW(model_json({"bad.yaml", "a: [", {}}), ModelError); }

}  // namespace
}  // namespace torsor
