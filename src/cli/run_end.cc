#include "cli/run_end.h"

#include <fmt/format.h>

#include <iostream>

#include "cli/interrupt.h"

namespace torsor {

RunEnd end_of(const Record& record) {
  const bool cut_off = record.failure && was_interrupted();
  RunEnd end{cut_off ? "interrupted" : record.failure ? "failed" : "done", {}};
  if (record.failure && !cut_off) end.failure = record.failure;
  return end;
}

void print_ledger(const Record& record, const Observation& last, bool json) {
  if (json) {
    fmt::print("{}\n", ledger_json(record.ledger, record.manifest, last, end_of(record), 1));
  } else {
    std::cout << record.ledger << std::flush;
  }
}

Status say_how_it_ended(const Record& record) {
  if (!record.failure) return kDone;
  if (was_interrupted()) {
    fmt::print(stderr, "torsor: interrupted at t = {:.9g} s\n", record.ledger.time);
    return kInterrupted;
  }
  fmt::print(stderr, "torsor: {}\n", record.failure->what());
  return kStepFailed;
}

void say_how_to_resume(const std::string& path) {
  fmt::print(stderr, "go on with: torsor resume {}\n", path);
}

}  // namespace torsor
