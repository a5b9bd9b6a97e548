#pragma once
// Ctrl-C, and what a system that shuts down sends, ends a run the way a failed step does: between two steps, with ledger and result file kept.

#include "torsor/simulation/stepper.h"

namespace torsor {

/// From now on the first SIGINT, SIGTERM or SIGHUP only raises a flag; the second one ends the program.
void catch_interrupt();
bool was_interrupted();  ///< asked by any thread

/// Forwards to another stepper until SIGINT, then refuses to step on.
class InterruptibleStepper : public Stepper {
 public:
  explicit InterruptibleStepper(Stepper& inner) : inner_(inner) {}

  double time() const override { return inner_.time(); }
  const Manifest& manifest() const override { return inner_.manifest(); }
  Observation make_observation() const override { return inner_.make_observation(); }
  void observe(Observation& observation) override { inner_.observe(observation); }
  void observe_balance(Observation& observation) override { inner_.observe_balance(observation); }
  void observe_motion(Observation& observation) override { inner_.observe_motion(observation); }
  std::span<const BodySpeed> speeds() const override { return inner_.speeds(); }
  long evaluations() const override { return inner_.evaluations(); }
  std::vector<double> singular_times() const override { return inner_.singular_times(); }
  void expect_jump() override { inner_.expect_jump(); }

 private:
  void advance(double h) override;
  void pass_integrator(StateTape& tape) override { inner_.pass(tape); }

  Stepper& inner_;
};

}  // namespace torsor
