#include "torsor/model/controlled_chain.h"

#include <algorithm>

#include "torsor/model/check.h"

namespace torsor {

ControlledChain make_controlled_chain(const Model& model, int body) {
  ControlledChain chain;
  const Topology& topology = model.topology();
  const auto parent = [&](int b) { return model.joints()[topology.carrier[b]].parent; };
  for (int b = body; b != kWorld; b = parent(b)) chain.bodies.push_back(b);
  std::reverse(chain.bodies.begin(), chain.bodies.end());
  for (int b : chain.bodies) chain.joints.push_back(topology.carrier[b]);
  chain.carrier.assign(model.bodies().size(), kWorld);
  for (int b : chain.bodies) chain.carrier[b] = b;
  for (int b : topology.order) {
    if (chain.carrier[b] == kWorld && parent(b) != kWorld) chain.carrier[b] = chain.carrier[parent(b)];
  }
  return chain;
}

std::vector<int> driven_joints(const Model& model, const Controller& controller) {
  if (controller.type == Controller::Type::pd) return {*controller.joint};
  std::vector<int> driven;
  for (int joint : make_controlled_chain(model, controller.point->body).joints) {
    if (rate_count(model.joints()[joint].type, model.dimension()) > 0) driven.push_back(joint);
  }
  return driven;
}

int driven_rate_count(const Model& model, const Controller& controller) {
  int rates = 0;
  for (int joint : driven_joints(model, controller)) {
    rates += rate_count(model.joints()[joint].type, model.dimension());
  }
  return rates;
}

void require_feasible_controllers(const Model& model) {
  const auto moves = [&](int joint) { return rate_count(model.joints()[joint].type, model.dimension()) > 0; };
  for (const Controller& controller : model.controllers()) {
    if (controller.type == Controller::Type::pd) continue;
    const std::vector<int> joints = make_controlled_chain(model, controller.point->body).joints;
    require(std::any_of(joints.begin(), joints.end(), moves), "controllers." + controller.name + ".point",
            "a point that joints can move", "one on a body that is fixed to the ground");
  }
  struct Kind {
    const char* name;
    bool Controller::*flag;
  };
  for (const Kind& kind :
       {Kind{"gravity", &Controller::compensate_gravity}, Kind{"springs", &Controller::compensate_springs}}) {
    std::vector<const Controller*> by(model.joints().size());
    for (const Controller& controller : model.controllers()) {
      if (!(controller.*kind.flag)) continue;
      for (int joint : make_controlled_chain(model, controller.point->body).joints) {
        if (!moves(joint)) continue;
        require(!by[joint], "controllers." + controller.name + ".compensate",
                fmt::format("{} compensated by one controller at each joint", kind.name),
                fmt::format("it at {}, where {} does so already", in_quotes(model.joints()[joint].name),
                            by[joint] ? in_quotes(by[joint]->name) : ""));
        by[joint] = &controller;
      }
    }
  }
}

}  // namespace torsor
