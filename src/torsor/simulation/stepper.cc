#include "torsor/simulation/stepper.h"

#include <stdexcept>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/formulations.h"

namespace torsor {
namespace {

InitialState start_at(const Model& model, const StepperState& state) {
  if (static_cast<int>(state.q.size()) != model.coordinate_count() ||
      static_cast<int>(state.qd.size()) != model.rate_count()) {
    throw ModelError("state",
                     std::to_string(model.coordinate_count()) + " coordinates and " +
                         std::to_string(model.rate_count()) + " rates",
                     std::to_string(state.q.size()) + " and " + std::to_string(state.qd.size()));
  }
  InitialState initial;
  initial.time = state.time;
  for (int j = 0; j < static_cast<int>(model.joints().size()); ++j) {
    const std::string& name = model.joints()[j].name;
    initial.joints[name].assign(state.q.begin() + model.coordinate_offset(j),
                                state.q.begin() + model.coordinate_offset(j + 1));
    initial.rates[name].assign(state.qd.begin() + model.rate_offset(j),
                               state.qd.begin() + model.rate_offset(j + 1));
  }
  return initial;
}

/// The file's options hold only for the file's integrator, and its `simulation.tolerance` for those that
/// control their error: a solver's tolerance that made a conserving method forget what it conserves is named
/// in full.
IntegratorOptions options_for(const Model& model, const StepperChoice& choice,
                              const std::string& integrator) {
  const SimulationSettings& settings = model.simulation();
  IntegratorOptions options;
  if (integrator == settings.integrator) {
    options = settings.integrator_options;
  }
  for (const auto& [name, value] : choice.options) options[name] = value;
  if (choice.tolerance != 0) {
    options["tolerance"] = choice.tolerance;
    return options;
  }
  const IntegratorEntry* entry = integrators().find(integrator);
  if (settings.tolerance && entry && entry->adaptive) options.try_emplace("tolerance", *settings.tolerance);
  return options;
}

}  // namespace

void Stepper::set_origin(std::shared_ptr<const Model> model, StepperChoice choice) {
  model_ = std::move(model);
  choice_ = std::move(choice);
}

StepperState Stepper::state() {
  Observation now = make_observation();
  observe(now);
  StepperState state;
  state.time = now.time;
  for (const JointObservation& joint : now.joints) {
    state.q.insert(state.q.end(), joint.position.begin(), joint.position.end());
    state.qd.insert(state.qd.end(), joint.rate.begin(), joint.rate.end());
  }
  StateTape tape;
  pass(tape);
  tape(state.time, state.q, state.qd);  // so that a state that was changed is known by it
  state.memory = tape.numbers();
  return state;
}

void Stepper::set_state(const StepperState& state) {
  if (state.memory.empty()) {
    const auto fresh = make_stepper(model_->with_initial(start_at(*model_, state)), choice_);
    StateTape written;
    fresh->pass(written);
    StateTape read(written.numbers());
    pass(read);
    return;
  }
  StateTape before;
  pass(before);
  const auto refuse = [&](const std::string& found) {
    StateTape back(before.numbers());
    pass(back);
    throw ModelError("state", "a state as Stepper::state gave it, or one without memory", found);
  };
  StepperState known;
  try {
    StateTape read(state.memory);
    pass(read);
    read(known.time, known.q, known.qd);
    if (!read.at_end()) throw std::out_of_range("it goes on");
  } catch (const std::out_of_range&) {
    refuse("one of another stepper");
  }
  if (known.time != state.time || known.q != state.q || known.qd != state.qd) refuse("one that was changed");
}

std::unique_ptr<Stepper> Stepper::copy() {
  auto other = make_stepper(*model_, choice_);
  other->set_state(state());
  return other;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice) {
  const SimulationSettings& settings = model.simulation();
  const std::string formulation = choice.formulation.empty() ? settings.formulation : choice.formulation;
  const std::string integrator = choice.integrator.empty() ? settings.integrator : choice.integrator;
  if (settings.dynamics != Dynamics::recursive && formulation != "joint") {
    throw ModelError("simulation.dynamics", "'recursive', or the formulation 'joint'",
                     "'moving-frame' with the formulation " + in_quotes(formulation));
  }
  auto stepper =
      formulation_named(formulation).make(model, integrator, options_for(model, choice, integrator));
  stepper->set_origin(std::make_shared<const Model>(model), choice);
  return stepper;
}

}  // namespace torsor
