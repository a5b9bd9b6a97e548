#pragma once
// A bar on the terminal while a run goes: time, percent, steps a second, what is left.

#include <chrono>

#include "torsor/simulation/record.h"

namespace torsor {

/// Silent unless stderr is a terminal.
class ProgressBar : public RunListener {
 public:
  ProgressBar();
  ~ProgressBar() override { clear(); }

  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation&, double) override {}
  void on_step(double time) override;
  void on_end(const Ledger&) override { clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double time, double elapsed);
  void clear();

  bool on_terminal_, drawn_ = false;
  double duration_ = 0;
  long steps_ = 0;
  Clock::time_point start_, shown_;
};

}  // namespace torsor
