#pragma once
// A writer whose disk may be full: then the run ends as if it had been interrupted, and its ledger stands.

#include <optional>

#include "torsor/result/output_file.h"
#include "torsor/simulation/record.h"

namespace torsor {

class OutputWatch : public RunListener {
 public:
  explicit OutputWatch(RunListener& writer) : writer_(writer) {}

  const std::optional<OutputFailure>& failure() const { return failure_; }

  void on_start(const Manifest& manifest, const RunSettings& settings) override {
    writer_.on_start(manifest, settings);
  }
  void on_record(const Observation& observation, double energy_residual) override {
    watch([&] { writer_.on_record(observation, energy_residual); });
  }
  void on_step(double time) override {
    if (failure_) throw RunInterrupted(time);
    writer_.on_step(time);
  }
  void on_end(const Ledger& ledger) override {
    watch([&] { writer_.on_end(ledger); });
  }
  bool keeps_checkpoints() const override { return writer_.keeps_checkpoints(); }
  bool checkpoint_is_due(long steps) override { return !failure_ && writer_.checkpoint_is_due(steps); }
  void on_checkpoint(const RunCheckpoint& checkpoint) override {
    watch([&] { writer_.on_checkpoint(checkpoint); });
  }

 private:
  template <class Call>
  void watch(const Call& call) {
    if (failure_) return;
    try {
      call();
    } catch (const OutputFailure& failure) {
      failure_ = failure;
    }
  }

  RunListener& writer_;
  std::optional<OutputFailure> failure_;
};

}  // namespace torsor
