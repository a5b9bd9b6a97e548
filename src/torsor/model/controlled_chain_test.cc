#include "torsor/model/controlled_chain.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// Links 0-1-2 on the ground, 3 hanging from 1, 4 on the ground by itself.
ModelDescription branched() {
  ModelDescription d;
  d.dimension = 2;
  const int parents[] = {kWorld, 0, 1, 1, kWorld};
  for (int i = 0; i < 5; ++i) {
    Body body;
    body.name = "link" + std::to_string(i);
    body.mass = 1;
    body.inertia = {0.5, 0.5, 1, 0, 0, 0};
    d.bodies.push_back(body);
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::revolute;
    joint.parent = parents[i];
    joint.child = i;
    d.joints.push_back(joint);
  }
  return d;
}

Controller held(const std::string& name, int body, bool gravity) {
  Controller controller;
  controller.name = name;
  controller.type = Controller::Type::impedance;
  controller.point = Point{"", body, {1, 0, 0}};
  controller.stiffness = {1};
  controller.target = {Program(0.0), Program(0.0)};
  controller.compensate_gravity = gravity;
  return controller;
}

TEST(ControlledChain, RunsFromTheGroundToTheBodyAndCarriesWhatHangsFromIt) {
  const Model model(branched());
  const ControlledChain chain = make_controlled_chain(model, 1);
  EXPECT_EQ(chain.bodies, (std::vector<int>{0, 1}));
  EXPECT_EQ(chain.joints, (std::vector<int>{0, 1}));
  EXPECT_EQ(chain.carrier, (std::vector<int>{0, 1, 1, 1, kWorld}));
}

TEST(ControlledChain, OneControllerCompensatesAtAJoint) {
  ModelDescription d = branched();
  d.controllers = {held("first", 2, true), held("second", 3, false), held("apart", 4, true)};
  EXPECT_NO_THROW(Model{d});
  d.controllers[1].compensate_gravity = true;
  try {
    Model{d};
    FAIL();
  } catch (const ModelError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("controllers.second.compensate"), std::string::npos) << what;
    EXPECT_NE(what.find("'first' does so already"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace torsor
