#include "torsor/simulation/formulations.h"

#include <utility>

#include "torsor/assembly/rotationless_start.h"
#include "torsor/assembly/servo_check.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/formulation/rotationless/null_space.h"
#include "torsor/model/initial.h"
#include "torsor/simulation/constrained_stepper.h"
#include "torsor/simulation/tree_stepper.h"

namespace torsor {
namespace {

std::unique_ptr<Stepper> make_joint_stepper(const Model& model, const std::string& integrator,
                                            const IntegratorOptions& options) {
  auto system = std::make_unique<JointSystem>(model);
  TreeState initial;
  initial.time = model.initial().time;
  initial.q = initial_coordinates(model);
  initial.v = initial_rates(model, initial.q);
  auto method = make_tree_integrator(integrator, options, *system, std::move(initial));
  return std::make_unique<TreeStepper>(model, std::move(system), std::move(method), integrator);
}

/// What else may be asked for is the catalogue's to judge.
bool asks_for_null_space(const IntegratorOptions& options) {
  const auto reduction = options.find("reduction");
  if (reduction == options.end()) return false;
  const std::string* text = std::get_if<std::string>(&reduction->second);
  return text && *text == "null-space";
}

std::unique_ptr<Stepper> make_rotationless_stepper(const Model& model, const std::string& integrator,
                                                   const IntegratorOptions& options) {
  ConstrainedStart start = make_rotationless_start(model);
  check_servos(model, start);
  std::unique_ptr<ConstrainedSystem> reduction;
  if (asks_for_null_space(options)) reduction = make_null_space(*start.system);
  ConstrainedSystem& stepped = reduction ? *reduction : *start.system;
  auto method = make_constrained_integrator(integrator, options, stepped, std::move(start.initial));
  return std::make_unique<ConstrainedStepper>(model, std::move(start.system), std::move(reduction),
                                              std::move(method), "rotationless", integrator, start.assembly);
}

std::unique_ptr<Stepper> make_cartesian_stepper(const Model& model, const std::string& integrator,
                                                const IntegratorOptions& options) {
  if (asks_for_null_space(options)) {
    throw ModelError("simulation.integrator.reduction",
                     "'none' with the formulation 'cartesian', whose unknowns are freedoms already",
                     "'null-space'");
  }
  ConstrainedStart start = make_cartesian_start(model);
  auto method = make_constrained_integrator(integrator, options, *start.system, std::move(start.initial));
  return std::make_unique<ConstrainedStepper>(model, std::move(start.system), nullptr, std::move(method),
                                              "cartesian", integrator, start.assembly);
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
  std::vector<std::string> existing;
  for (const auto& [known, entry] : formulations()) {
    if (entry.exists()) existing.push_back(known);
  }
  const FormulationEntry* entry = formulations().find(name);
  if (!entry) throw ModelError(kKey, "one of " + listed(existing), did_you_mean(name, existing));
  if (!entry->exists()) {
    throw ModelError(kKey, "a formulation of this version (" + listed(existing) + ")",
                     in_quotes(name) + ", which it does not have");
  }
  return *entry;
}

}  // namespace torsor
