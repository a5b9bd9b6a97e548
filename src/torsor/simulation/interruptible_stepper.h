#pragma once
// A run that may be asked to end between two steps: what was computed is kept, as after a step that failed.

#include <functional>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

/// Forwards to another stepper until `interrupted` says so, then refuses to step on: throws RunInterrupted.
class InterruptibleStepper : public Stepper {
 public:
  InterruptibleStepper(Stepper& inner, std::function<bool()> interrupted)
      : inner_(inner), interrupted_(std::move(interrupted)) {}

  double time() const override { return inner_.time(); }
  const Manifest& manifest() const override { return inner_.manifest(); }
  Observation make_observation() const override { return inner_.make_observation(); }
  void observe(Observation& observation) override { inner_.observe(observation); }
  void observe_balance(Observation& observation) override { inner_.observe_balance(observation); }
  void observe_motion(Observation& observation) override { inner_.observe_motion(observation); }
  std::span<const BodySpeed> speeds() override { return inner_.speeds(); }
  long evaluations() const override { return inner_.evaluations(); }
  std::vector<double> singular_times() const override { return inner_.singular_times(); }
  double energy_returned() const override { return inner_.energy_returned(); }
  void expect_jump() override { inner_.expect_jump(); }

 private:
  void advance(double h) override {
    if (interrupted_()) throw RunInterrupted(inner_.time());
    inner_.step(h);
  }
  void pass_integrator(StateTape& tape) override { inner_.pass(tape); }

  Stepper& inner_;
  std::function<bool()> interrupted_;
};

}  // namespace torsor
