#pragma once
// What the terminal shows while work goes on, and the word on a file at its end.

#include <chrono>
#include <string>

#include "torsor/simulation/record.h"

namespace torsor {

/// A line that is overwritten. Where stderr is no terminal: nothing, or line after line.
class ProgressLine {
 public:
  enum class Elsewhere { silent, lines };
  explicit ProgressLine(Elsewhere elsewhere = Elsewhere::silent);
  ~ProgressLine() { clear(); }

  void operator()(const std::string& text);
  void clear();
  bool on_terminal() const { return on_terminal_; }

 private:
  Elsewhere elsewhere_;
  bool on_terminal_, shown_ = false;
};

/// A bar while a run goes: time, percent, steps a second, what is left.
class ProgressBar : public RunListener {
 public:
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation&, double) override {}
  void on_step(double time) override;
  void on_end(const Ledger&) override { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_;
  double begin_ = -1;  ///< time of the first step that was shown
  double duration_ = 0;
  long steps_ = 0;
  Clock::time_point start_, shown_;
};

/// Writes a text at `--out` and says so.
void write_result(const std::string& path, const std::string& text);

}  // namespace torsor
