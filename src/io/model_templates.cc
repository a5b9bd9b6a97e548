#include "io/model_templates.h"

#include <fmt/format.h>

#include <iterator>

namespace torsor {
namespace {

template <class... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

std::string body_before(int link, const char* noun) {
  return link == 1 ? "world" : fmt::format("{}{}", noun, link - 1);
}

void add_tendons(std::string& text, const ArmTemplate& arm) {
  if (arm.springs == ArmTemplate::Springs::none) return;
  text += "points:\n  fastening1: {body: world, at: [0, 0.4]}\n";
  for (int i = 1; i <= arm.links; ++i) add(text, "  fastening{}: {{body: link{}, at: [1, 0.4]}}\n", i + 1, i);
  text += "tendons:\n";
  if (arm.springs == ArmTemplate::Springs::mono) {
    for (int i = 1; i <= arm.links; ++i) {
      add(text, "  over_joint{}: {{path: [fastening{}, fastening{}], stiffness: 1, rest_length: 0.2}}\n", i,
          i, i + 1);
    }
    return;
  }
  text += "  over_all: {path: [fastening1";
  for (int i = 1; i <= arm.links; ++i) add(text, ", fastening{}", i + 1);
  add(text, "], stiffness: 1, rest_length: {:g}}}\n", 0.2 * arm.links);
}

}  // namespace

std::string arm_text(const ArmTemplate& arm) {
  std::string text = "# A planar arm of equal links, with the parameters of Götz, table 5.1.\n";
  add(text, "torsor: 1\nname: Arm of {} link{}\ndimension: 2\ngravity: [0, -1]\nbodies:\n", arm.links,
      arm.links == 1 ? "" : "s");
  for (int i = 1; i <= arm.links; ++i) add(text, "  link{}: {{mass: 1, com: [0.5, 0], inertia: 1}}\n", i);
  text += "joints:\n";
  for (int i = 1; i <= arm.links; ++i) {
    add(text, "  joint{}: {{type: revolute, parent: {}, child: link{}, in_parent: {{position: [{}, 0]}}}}\n",
        i, body_before(i, "link"), i, i == 1 ? 0 : 1);
  }
  add_tendons(text, arm);
  text += "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 50}\n";
  return text;
}

std::string chain_text(const ChainTemplate& chain) {
  std::string text = "# Uniform rods end to end, along x at the start.\n";
  add(text, "torsor: 1\nname: {} of {} rods on {} joints\ngravity: [0, 0, {}]\nbodies:\n",
      chain.floats ? "Floating chain" : "Chain", chain.links, chain.joint, chain.floats ? "0" : "-9.81");
  for (int i = 1; i <= chain.links; ++i) {
    add(text, "  rod{}: {{shape: {{box: [1, 0.1, 0.1], pose: {{position: [0.5, 0, 0]}}}}, mass: 1}}\n", i);
  }
  text += "joints:\n";
  for (int i = chain.floats ? 2 : 1; i <= chain.links; ++i) {
    // Hinges about y and z in turn, so that the chain moves in space.
    const std::string axis =
        chain.joint != "revolute" ? "" : fmt::format(", axis: [{}]", i % 2 ? "0, 1, 0" : "0, 0, 1");
    add(text, "  joint{}: {{type: {}, parent: {}, child: rod{}{}, in_parent: {{position: [{}, 0, 0]}}}}\n", i,
        chain.joint, body_before(i, "rod"), i, axis, i == 1 ? 0 : 1);
  }
  if (chain.floats)
    text += "initial:\n  bodies:\n    rod1: {velocity: [0, 1, 0], angular_velocity: [1, 0, 2]}\n";
  text += "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 10}\n";
  return text;
}

}  // namespace torsor
