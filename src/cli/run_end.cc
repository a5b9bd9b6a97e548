#include "cli/run_end.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/say.h"

namespace torsor {

RunEnd end_of(const Record& record, bool output_failed) {
  const bool cut_off = record.failure && (was_interrupted() || output_failed);
  RunEnd end{cut_off ? "interrupted" : record.failure ? "failed" : "done", {}};
  if (record.failure && !cut_off) end.failure = record.failure;
  return end;
}

void print_ledger(const Record& record, const Observation& last, bool json, bool output_failed) {
  if (json) {
    print("{}\n", ledger_json(record.ledger, record.manifest, last, end_of(record, output_failed), 1));
  } else {
    print_shown(record.ledger);
  }
}

Status say_how_it_ended(const Record& record) {
  if (!record.failure) return kDone;
  if (was_interrupted()) {
    say("torsor: interrupted at t = {:.9g} s\n", record.ledger.time);
    return kInterrupted;
  }
  say("torsor: {}\n", record.failure->what());
  return kStepFailed;
}

void say_how_to_resume(const std::string& path) { say("continue with: torsor resume {}\n", path); }

}  // namespace torsor
