#include "cli/interrupt.h"

#include <csignal>

#include "torsor/base/error.h"

namespace torsor {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void raise_flag(int) { interrupted = 1; }

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

void InterruptibleStepper::step(double h) {
  if (was_interrupted()) throw StepFailure(inner_.time(), h, 0, 0, "interrupted");
  inner_.step(h);
}

}  // namespace torsor
