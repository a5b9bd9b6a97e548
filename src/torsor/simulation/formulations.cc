#include "torsor/simulation/formulations.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/formulation/cartesian/cartesian.h"
#include "torsor/formulation/rotationless/null_space.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/simulation/constrained_stepper.h"
#include "torsor/simulation/tree_stepper.h"

namespace torsor {
namespace {

/// Of one stage, explicit, or with the two ends of a step alone.
void refuse_series_tendons(const Model& model, const Method& method, bool takes_them) {
  if (takes_them) return;
  for (const Tendon& tendon : model.tendons()) {
    if (!tendon.muscle || !tendon.muscle->has_series_tendon()) continue;
    throw ModelError(
        "simulation.integrator",
        "one that takes the elastic series tendon of a muscle: energy-momentum, or with the "
        "formulation joint dopri5, rkmk, implicit-midpoint, generalized-alpha, variational; or a "
        "muscle without tendon_strain",
        fmt::format("{} with the muscle of {}", in_quotes(method.integrator), in_quotes(tendon.name)));
  }
}

/// In directors, where the rotors are masses on coordinates: slides of a free joint along its own axes are none.
void refuse_armature(const Model& model, const Method& method) {
  for (const Joint& joint : model.joints()) {
    if (!joint.has_armature()) continue;
    if (method.integrator == "petrov-galerkin") {
      throw ModelError(
          "simulation.integrator",
          "one that takes the armature of joints: energy-momentum, generalized-alpha, or any with the "
          "formulation joint",
          fmt::format("'petrov-galerkin' with joints.{}.armature", joint.name));
    }
    const std::size_t slides = model.dimension();
    if (joint.type != JointType::free) continue;
    const std::span<const double> sliding = std::span(joint.armature).last(slides);
    if (std::all_of(sliding.begin(), sliding.end(), [&](double a) { return a == sliding[0]; })) continue;
    throw ModelError("joints." + joint.name + ".armature",
                     "one value for all slides of a free joint, or the formulation joint", "several");
  }
}

std::unique_ptr<Stepper> make_joint_stepper(const Model& model, const Start& start, const Method& method,
                                            SystemInput input) {
  refuse_series_tendons(model, method, method.integrator != "gauss-legendre");
  auto system = std::make_unique<JointSystem>(model, input);
  TreeState initial = tree_state(start);
  initial.z = system->start_flows(initial.time, initial.q);
  auto integrator = make_tree_integrator(method.integrator, method.options, *system, std::move(initial));
  return std::make_unique<TreeStepper>(model, std::move(system), std::move(integrator), method, input.held);
}

/// With unknowns and constraints of any kind; `reduction` of the system, if there is one, is what is stepped.
std::unique_ptr<Stepper> make_constrained_stepper(const Model& model, const Start& start,
                                                  const Method& method, ConstrainedMechanism mechanism,
                                                  const SystemInput& input,
                                                  std::unique_ptr<ConstrainedSystem> reduction = nullptr) {
  const auto m = method.options.find("m");
  refuse_series_tendons(
      model, method,
      method.integrator == "energy-momentum" || (method.integrator == "petrov-galerkin" &&
                                                 m != method.options.end() && m->second == OptionValue(0.0)));
  refuse_armature(model, method);
  ConstrainedSystem& stepped = reduction ? *reduction : *mechanism.system;
  auto integrator = make_constrained_integrator(method.integrator, method.options, stepped,
                                                constrained_state(model, start, mechanism));
  return std::make_unique<ConstrainedStepper>(model, std::move(mechanism), std::move(reduction),
                                              std::move(integrator), method, start, input.held);
}

/// What else may be asked for is the catalogue's to judge.
bool asks_for_null_space(const Method& method) {
  const auto reduction = method.options.find("reduction");
  return reduction != method.options.end() && reduction->second == OptionValue("null-space");
}

std::unique_ptr<Stepper> make_rotationless_stepper(const Model& model, const Start& start,
                                                   const Method& method, SystemInput input) {
  ConstrainedMechanism mechanism = make_rotationless(model, loop_rank(model, start), input);
  if (start.servo_fault) throw ModelError(*start.servo_fault);
  std::unique_ptr<ConstrainedSystem> reduction;
  if (asks_for_null_space(method)) reduction = make_null_space(*mechanism.system);
  return make_constrained_stepper(model, start, method, std::move(mechanism), input, std::move(reduction));
}

std::unique_ptr<Stepper> make_cartesian_stepper(const Model& model, const Start& start, const Method& method,
                                                SystemInput input) {
  if (asks_for_null_space(method)) {
    throw ModelError("simulation.integrator.reduction",
                     "'none' with the formulation 'cartesian', whose unknowns are freedoms already",
                     "'null-space'");
  }
  return make_constrained_stepper(model, start, method, make_cartesian(model, input), input);
}

}  // namespace

const Catalogue<FormulationEntry>& formulations() {
  static const Catalogue<FormulationEntry> catalogue({
      {"joint", {"joint coordinates of the spanning tree; trees", SystemKind::tree, make_joint_stepper}},
      {"rotationless",
       {"centre of mass and directors of each body, joints as constraints; trees, loops, servos",
        SystemKind::constrained, make_rotationless_stepper}},
      {"cartesian",
       {"centres of mass of planar links, two coordinates each; trees of revolute joints",
        SystemKind::constrained, make_cartesian_stepper}},
  });
  return catalogue;
}

const FormulationEntry& formulation_named(const std::string& name) {
  constexpr char kKey[] = "simulation.formulation";
  const FormulationEntry* entry = formulations().find(name);
  if (entry && entry->exists()) return *entry;
  std::vector<std::string> existing;
  for (const auto& [known, one] : formulations()) {
    if (one.exists()) existing.push_back(known);
  }
  if (!entry) throw ModelError(kKey, "one of " + listed(existing), did_you_mean(name, existing));
  throw ModelError(kKey, "a formulation of this version (" + listed(existing) + ")",
                   in_quotes(name) + ", which it does not have");
}

}  // namespace torsor
