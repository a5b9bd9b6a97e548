#include "torsor/format/model_templates.h"

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

using Start = ChainTemplate::Start;

/// A stretched chain lies along x; others hang along -z at zero, so that a tilt is a turn about x.
std::string along(const ChainTemplate& chain, double distance) {
  return chain.start == Start::stretched ? fmt::format("[{}, 0, 0]", distance)
                                         : fmt::format("[0, 0, {}]", distance == 0 ? 0 : -distance);
}

void add_rods(std::string& text, const ChainTemplate& chain) {
  const std::string box = chain.start == Start::stretched
                              ? fmt::format("[{}, {}, {}]", chain.length, chain.side, chain.side)
                              : fmt::format("[{}, {}, {}]", chain.side, chain.side, chain.length);
  const std::string weight =
      chain.density ? fmt::format("density: {}", *chain.density) : fmt::format("mass: {}", chain.mass);
  for (int i = 1; i <= chain.links; ++i) {
    add(text, "  rod{}: {{shape: {{box: {}, pose: {{position: {}}}}}, {}}}\n", i, box,
        along(chain, 0.5 * chain.length), weight);
  }
}

/// Hinges about the two axes across the rod in turn, so that the chain moves in space.
std::string hinge_axis(const ChainTemplate& chain, int joint) {
  if (chain.joint != "revolute") return "";
  if (chain.start == Start::stretched) return fmt::format(", axis: [{}]", joint % 2 ? "0, 1, 0" : "0, 0, 1");
  return fmt::format(", axis: [{}]", joint % 2 ? "1, 0, 0" : "0, 1, 0");
}

void add_joints(std::string& text, const ChainTemplate& chain) {
  const int first = chain.floats ? 2 : 1;
  if (first > chain.links) return;
  text += "joints:\n";
  for (int i = first; i <= chain.links; ++i) {
    add(text, "  joint{}: {{type: {}, parent: {}, child: rod{}{}, in_parent: {{position: {}}}}}\n", i,
        chain.joint, body_before(i, "rod"), i, hinge_axis(chain, i), along(chain, i == 1 ? 0 : chain.length));
  }
  if (chain.damping == 0) return;
  text += "joint_springs:\n";
  for (int i = first; i <= chain.links; ++i)
    add(text, "  damper{}: {{joint: joint{}, damping: {}}}\n", i, i, chain.damping);
}

void add_start(std::string& text, const ChainTemplate& chain) {
  if (chain.floats) {
    text += "initial:\n  bodies:\n    rod1: {velocity: [0, 1, 0], angular_velocity: [1, 0, 2]}\n";
  } else if (chain.start == Start::hanging) {
    text += "initial:\n  joints:\n";
    if (chain.joint == "spherical") add(text, "    joint1: {{axis: [1, 0, 0], angle: {}}}\n", chain.tilt);
    if (chain.joint == "revolute") add(text, "    joint1: {}\n", chain.tilt);
    if (chain.joint == "universal") add(text, "    joint1: [{}, 0]\n", chain.tilt);
  } else if (chain.start == Start::coiled) {
    // The first rod lies along y, and from there on the vertical is y of the rods.
    text += "initial:\n  joints:\n    joint1: {axis: [1, 0, 0], angle: 90 deg}\n";
    for (int i = 2; i <= chain.links; ++i)
      add(text, "    joint{}: {{axis: [0, 1, 0], angle: {:.15g} deg}}\n", i, 360 / (8 + 0.25 * (i - 1)));
  }
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
  std::string text = chain.start == Start::stretched ? "# Uniform rods end to end, along x at the start.\n"
                     : chain.start == Start::hanging
                         ? "# Uniform rods hung from one another, straight and tilted at the start.\n"
                         : "# Uniform rods end to end, a flat coil at the start that falls and unrolls.\n";
  add(text, "torsor: 1\nname: {} of {} rods on {} joints\ngravity: [0, 0, {}]\nbodies:\n",
      chain.floats ? "Floating chain" : "Chain", chain.links, chain.joint, chain.floats ? "0" : "-9.81");
  add_rods(text, chain);
  add_joints(text, chain);
  add_start(text, chain);
  text += "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 10}\n";
  return text;
}

}  // namespace torsor
