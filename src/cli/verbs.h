#pragma once
// The verbs of the program. Each adds its options to its own parser and returns what runs it.

#include <functional>

namespace CLI {
class App;
}

namespace torsor {

/// What the program hands back to the shell.
enum Status : int {
  kDone = 0,
  kInternalFault = 1,
  kBadInput = 2,
  kStepFailed = 3,
  kFellShort = 4,
  kOutputFailed = 5,
  kInterrupted = 130,  ///< 128 + SIGINT, as shells have it
};

using RunVerb = std::function<Status()>;

RunVerb add_run(CLI::App& verb);
RunVerb add_resume(CLI::App& verb);
RunVerb add_check(CLI::App& verb);
RunVerb add_eval(CLI::App& verb);
RunVerb add_equilibrium(CLI::App& verb);
RunVerb add_modes(CLI::App& verb);
RunVerb add_pose(CLI::App& verb);
RunVerb add_list(CLI::App& verb);
RunVerb add_new(CLI::App& verb);
RunVerb add_convert(CLI::App& verb);
RunVerb add_study(CLI::App& verb);
RunVerb add_sweep(CLI::App& verb);
RunVerb add_report(CLI::App& verb);
RunVerb add_export(CLI::App& verb);
RunVerb add_show(CLI::App& verb);
RunVerb add_reproduce(CLI::App& verb);
RunVerb add_completion(CLI::App& verb);
RunVerb add_manual(CLI::App& verb);

}  // namespace torsor
