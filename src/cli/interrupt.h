#pragma once
// Ctrl-C, and what a system that shuts down sends, ends a run the way a failed step does: between two steps, with ledger and result file
// kept (simulation/interruptible_stepper.h). Everything else ends at once, and leaves no passing file (result/passing_file.h).

namespace torsor {

/// From now on SIGINT, SIGTERM and SIGHUP end the program with kInterrupted; one that was ignored (nohup) stays so.
void end_at_interrupt();
/// From now on the first of them only raises a flag; the second one ends the program.
void catch_interrupt();
bool was_interrupted();  ///< asked by any thread

}  // namespace torsor
