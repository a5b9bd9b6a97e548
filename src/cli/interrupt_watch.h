#pragma once
// Ctrl-C during runs that are made beside the one that was asked for: they end between two steps.

#include "cli/interrupt.h"
#include "torsor/simulation/record.h"

namespace torsor {

class InterruptWatch : public RunListener {
 public:
  void on_record(const Observation&, double) override {}
  void on_step(double time) override {
    if (was_interrupted()) throw RunInterrupted(time);
  }
};

}  // namespace torsor
