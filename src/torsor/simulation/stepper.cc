#include "torsor/simulation/stepper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/model/alike.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/formulations.h"
#include "torsor/simulation/sampled_control.h"
#include "torsor/simulation/wrap_jump.h"

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

}  // namespace

Stepper::Stepper() = default;
Stepper::~Stepper() = default;

void Stepper::step(double h) {
  if (sampled_) sampled_->require_step(time(), h);
  fault_ || sided_wraps_ ? advance_and_explain(h) : advance(h);
  if (sampled_ && sampled_->is_due(time())) sample();
}

void Stepper::advance_and_explain(double h) {
  if (fault_) fault_->text.clear();
  try {
    advance(h);
  } catch (const StepFailure& failure) {
    std::string reason = law_fault();
    if (reason.empty() && sided_wraps_) {
      Observation there = make_observation();
      observe_motion(there);
      reason = wrap_jump_ahead(*model_, there, h);
    }
    if (reason.empty()) throw;
    throw StepFailure(failure.time, failure.step, failure.residual, failure.iterations, reason);
  }
}

void Stepper::sample() {
  observe_motion(shown_);
  if (sampled_->sample(shown_)) expect_jump();
}

void Stepper::pass(StateTape& tape) {
  pass_integrator(tape);
  if (!sampled_) return;
  sampled_->pass(tape);
  tape(shown_);
}

void Stepper::set_origin(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start,
                         Method method, std::shared_ptr<ExternalInput> external,
                         std::shared_ptr<HeldEfforts> held, std::shared_ptr<LawFault> fault,
                         const ChannelList& like) {
  external_ = std::move(external);
  fault_ = std::move(fault);
  model_ = std::move(model);
  sided_wraps_ = has_sided_wraps(*model_);
  start_ = std::move(start);
  method_ = std::move(method);
  set_channels(make_channels(*model_, manifest(), like));
  if (!held) return;
  sampled_ = std::make_unique<SampledControl>(*model_, std::move(held));
  shown_ = make_observation();
  sample();
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
    const Model there = model_->with_initial(start_at(*model_, state));
    const auto fresh = make_stepper(there, make_start(there), method_);
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
  known.q.resize(model_->coordinate_count());
  known.qd.resize(model_->rate_count());
  try {
    StateTape read(state.memory);
    pass(read);
    read(known.time, known.q, known.qd);
    read.require(read.at_end(), "it goes on");
  } catch (const std::out_of_range& fault) {
    refuse(std::string("one of another stepper: ") + fault.what());
  }
  if (known.time != state.time || known.q != state.q || known.qd != state.qd) refuse("one that was changed");
}

bool Stepper::take(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start) {
  if (external_ || fault_ || sampled_ || !are_built_alike(*model, *model_)) return false;
  if (!take_model(*model, *model_, *start)) return false;
  model_ = std::move(model);
  sided_wraps_ = has_sided_wraps(*model_);
  start_ = std::move(start);
  return true;
}

std::unique_ptr<Stepper> Stepper::copy() {
  auto other = make_stepper(*model_, *start_, method_);
  other->set_state(state());
  if (external_) *other->external_ = *external_;
  return other;
}

void Stepper::set_external(const ExternalInput& input) {
  if (!external_) throw ModelError("external", "a stepper made with StepperChoice::external", "one without");
  require_size("efforts", input.efforts.size(), external_->efforts.size());
  require_size("wrenches", input.wrenches.size(), external_->wrenches.size());
  const auto finite = [](const Vec3<double>& v) { return std::isfinite(v.x + v.y + v.z); };
  if (!std::all_of(input.efforts.begin(), input.efforts.end(),
                   [](double effort) { return std::isfinite(effort); })) {
    throw ModelError("external.efforts", "finite numbers", "one that is not");
  }
  for (const Wrench<double>& wrench : input.wrenches) {
    if (!finite(wrench.moment) || !finite(wrench.force)) {
      throw ModelError("external.wrenches", "finite numbers", "one that is not");
    }
  }
  const bool same = input.efforts == external_->efforts &&
                    std::equal(input.wrenches.begin(), input.wrenches.end(), external_->wrenches.begin(),
                               [](const Wrench<double>& a, const Wrench<double>& b) {
                                 return a.moment == b.moment && a.force == b.force;
                               });
  if (!same) expect_jump();
  *external_ = input;
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start,
                                      const Method& method, const ChannelList& like) {
  auto external = method.external ? make_external_input(*model) : nullptr;
  auto held = make_held_efforts(*model);
  const bool asks = !model->elements().laws.empty() || !model->elements().point_laws.empty();
  auto fault = asks ? std::make_shared<LawFault>() : nullptr;
  auto stepper = formulation_named(method.formulation).make(*model, *start, method, {external, held, fault});
  stepper->set_origin(std::move(model), std::move(start), method, std::move(external), std::move(held),
                      std::move(fault), like);
  return stepper;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const Start& start, const Method& method) {
  return make_stepper(std::make_shared<const Model>(model), std::make_shared<const Start>(start), method);
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice) {
  const Method method = resolve_method(model, choice);
  return make_stepper(model, make_start(model), method);
}

}  // namespace torsor
