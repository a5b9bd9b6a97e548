#include "torsor/model/free_parts.h"

#include <gtest/gtest.h>

namespace torsor {
namespace {

using Parts = std::vector<std::vector<int>>;

/// Four bodies; the second hangs on the first.
ModelDescription bodies() {
  ModelDescription d;
  d.gravity = {0, 0, -9.81};
  for (const char* name : {"a", "b", "c", "d"}) d.bodies.push_back({name, 1, {}, {1, 1, 1, 0, 0, 0}, {}, {}});
  d.joints.resize(1);
  d.joints[0].name = "hinge", d.joints[0].parent = 0, d.joints[0].child = 1;
  return d;
}
Tendon cord(int from, int to) {
  Tendon tendon;
  tendon.name = "cord";
  tendon.path = {{"", from, {}}, {"", to, {1, 0, 0}}};
  tendon.stiffness = 1;
  return tendon;
}

TEST(FreeParts, AreWhatHangsTogetherAndOnNothing) {
  ModelDescription d = bodies();
  EXPECT_EQ(free_parts(Model(d)), (Parts{{0, 1}, {2}, {3}}));
  d.tendons = {cord(1, 3)};
  EXPECT_EQ(free_parts(Model(d)), (Parts{{0, 1, 3}, {2}}));
  d.tendons = {cord(2, kWorld)};
  EXPECT_EQ(free_parts(Model(d)), (Parts{{0, 1}, {3}}));
  d.bushings.resize(1);
  d.bushings[0].name = "mount", d.bushings[0].parent = 2, d.bushings[0].child = 0;
  d.bushings[0].stiffness.translation = {1, 1, 1};
  EXPECT_EQ(free_parts(Model(d)), (Parts{{3}}));
  d.joints.push_back({});
  d.joints[1].name = "pivot", d.joints[1].child = 3;
  EXPECT_TRUE(free_parts(Model(d)).empty());
}

TEST(FreeParts, LoadsAndDragAskForNoPlace) {
  ModelDescription d = bodies();
  Load push{"push", Load::Kind::force, {"", 0, {}}, false, {}};
  push.components[0] = 3.0;
  d.loads = {push};
  d.drag = {{"air", 2, 0.1, 0, 0, {}}};
  EXPECT_EQ(free_parts(Model(d)).size(), 3u);
  PointLaw law{"law", {"", 2, {}}};
  law.potential = make_point_potential([](auto x, auto, auto) { return x * x; });
  d.point_laws = {law};
  EXPECT_TRUE(free_parts(Model(d)).empty());
}

}  // namespace
}  // namespace torsor
