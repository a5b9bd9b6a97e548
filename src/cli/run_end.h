#pragma once
// What a run leaves on the terminal, however it ended: for `run` and `resume`.

#include <string>

#include "cli/verbs.h"
#include "torsor/result/json_ledger.h"
#include "torsor/simulation/record.h"

namespace torsor {

/// The state at the end of a run, however it ended.
class LastState : public RunListener {
 public:
  void on_record(const Observation& observation, double) override { observation_ = observation; }
  const Observation& observation() const { return observation_; }

 private:
  Observation observation_;
};

/// A run whose output failed counts as interrupted: it can go on.
RunEnd end_of(const Record& record, bool output_failed = false);
void print_ledger(const Record& record, const Observation& last, bool json, bool output_failed = false);
/// On stderr, where it is not done.
Status say_how_it_ended(const Record& record);
void say_how_to_resume(const std::string& path);

}  // namespace torsor
