#pragma once
// Ctrl-C, and what a system that shuts down sends, ends a run the way a failed step does: between two steps, with ledger and result file
// kept (simulation/interruptible_stepper.h).

namespace torsor {

/// From now on the first SIGINT, SIGTERM or SIGHUP only raises a flag; the second one ends the program.
void catch_interrupt();
bool was_interrupted();  ///< asked by any thread

}  // namespace torsor
