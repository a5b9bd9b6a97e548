// What a picture needs of a model, read back from its JSON.

#include "torsor/result/json_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using Json = nlohmann::json;

Json scene_of(const std::string& text) { return Json::parse(scene_json(parse_model(text, "test.yaml"))); }

TEST(Scene, HasBodiesJointsPointsAndTendons) {
  const Json scene = scene_of(R"(
torsor: 1
name: Swing
dimension: 2
gravity: [0, -1]
bodies: {a: {mass: 2, com: [0.5, 0], inertia: 3}, b: {mass: 1, inertia: 1}}
joints:
  pin: {type: revolute, parent: world, child: a, in_parent: {position: [1, 2], rotation: 180 deg}}
  rail: {type: prismatic, parent: a, child: b}
  shut: {type: revolute, parent: world, child: b}
points: {post: {body: world, at: [0, 4]}, horn: {body: a, at: [1, 0.4]}}
tendons: {t: {path: [post, horn], stiffness: 1, rest_length: 0.2, tension_only: true}}
initial: {assemble: true}
)");
  EXPECT_EQ(scene["name"], "Swing");
  EXPECT_EQ(scene["dimension"], 2);
  EXPECT_EQ(scene["gravity"], (Json{0.0, -1.0, 0.0}));
  EXPECT_EQ(scene["bodies"][0]["com"], (Json{0.5, 0.0, 0.0}));
  EXPECT_EQ(scene["bodies"][0]["shapes"], Json::array());
  const Json& pin = scene["joints"][0];
  EXPECT_EQ(pin["type"], "revolute");
  EXPECT_EQ(pin["parent"], -1);
  EXPECT_EQ(pin["child"], 0);
  EXPECT_EQ(pin["in_parent"]["position"], (Json{1.0, 2.0, 0.0}));
  EXPECT_NEAR(pin["in_parent"]["quaternion"][3].get<double>(), 1, 1e-15);
  EXPECT_EQ(pin["closes_loop"], false);
  EXPECT_EQ(scene["joints"][2]["closes_loop"], true);
  EXPECT_EQ(scene["points"][1], (Json{{"name", "horn"}, {"body", 0}, {"at", {1.0, 0.4, 0.0}}}));
  EXPECT_EQ(scene["tendons"][0]["path"][0]["body"], -1);
  EXPECT_EQ(scene["tendons"][0]["tension_only"], true);
}

TEST(Scene, SaysWhatActsInJointsAndAlongTendons) {
  const Json scene = scene_of(R"(
torsor: 1
dimension: 2
bodies: {a: {mass: 2, com: [0.5, 0], inertia: 3}, b: {mass: 1, inertia: 1}}
joints:
  pin: {type: revolute, parent: world, child: a}
  rail: {type: prismatic, parent: a, child: b}
points: {post: {body: world, at: [0, 4]}, horn: {body: a, at: [1, 0.4]}}
tendons:
  spring: {path: [post, horn], stiffness: 1, rest_length: 0.2, damping: 0.1}
  biceps: {path: [post, horn], muscle: {excitation: 0.5, max_force: 100, fibre_length: 1}}
joint_springs: {coil: {joint: rail, stiffness: 5, damping: 1}, oil: {joint: pin, stiffness: 0, damping: 1}}
actuators: {motor: {joint: pin, effort: 2}}
loads: {push: {point: horn, force: [1, 0], axes: body}}
)");
  const Json& spring = scene["tendons"][0];
  EXPECT_EQ(spring["stiff"], true);
  EXPECT_EQ(spring["damped"], true);
  EXPECT_EQ(spring["muscle"], false);
  EXPECT_EQ(scene["tendons"][1]["muscle"], true);
  EXPECT_EQ(scene["tendons"][1]["stiff"], false);
  EXPECT_EQ(scene["joint_elements"], (Json{{{"kind", "spring"}, {"name", "coil"}, {"joint", 1}},
                                           {{"kind", "damper"}, {"name", "coil"}, {"joint", 1}},
                                           {{"kind", "damper"}, {"name", "oil"}, {"joint", 0}},
                                           {{"kind", "motor"}, {"name", "motor"}, {"joint", 0}}}));
  EXPECT_EQ(scene["loads"][0]["kind"], "force");
  EXPECT_EQ(scene["loads"][0]["in_body_axes"], true);
  EXPECT_EQ(scene["loads"][0]["at"], (Json{1.0, 0.4, 0.0}));
  EXPECT_EQ(scene["bushings"], Json::array());
}

TEST(Scene, WrapsOfATendonSayWhatItGoesRound) {
  const Json tendons = scene_of(R"(
torsor: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, parent: world, child: a}}
points: {post: {body: world, at: [-2, 0, 0]}, horn: {body: a, at: [2, 0, 0]}, top: {body: world, at: [0, 1, 0]}}
tendons:
  belt:
    path: [post, horn]
    wrap: [{between: [post, horn], body: world, at: [0, 0.5, 0], cylinder: 0.2, axis: [0, 0, 1], side: top}]
)")["tendons"];
  const Json& wrap = tendons[0]["wraps"][0];
  EXPECT_EQ(wrap["segment"], 0);
  EXPECT_EQ(wrap["body"], -1);
  EXPECT_EQ(wrap["kind"], "cylinder");
  EXPECT_EQ(wrap["radius"], 0.2);
  EXPECT_EQ(wrap["position"], (Json{0.0, 0.5, 0.0}));
  EXPECT_EQ(wrap["side"], (Json{0.0, 0.5, 0.0}));
}

TEST(Scene, BoxOfEqualInertiaIsTheBoxThatABodyIs) {
  const Json body = scene_of(R"(
torsor: 1
bodies: {brick: {mass: 3, shape: {box: [1, 2, 4], pose: {rotation: {rpy: [0.3, -0.2, 1]}}}}}
)")["bodies"][0];
  std::vector<double> edges = body["equal_box"]["size"];
  std::sort(edges.begin(), edges.end());
  EXPECT_NEAR(edges[0], 1, 1e-14);  // measured 4e-16
  EXPECT_NEAR(edges[1], 2, 1e-14);
  EXPECT_NEAR(edges[2], 4, 1e-14);
  EXPECT_EQ(body["shapes"][0]["box"], (Json{1.0, 2.0, 4.0}));
}

}  // namespace
}  // namespace torsor
