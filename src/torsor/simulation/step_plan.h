#pragma once
// The steps of a run, one after the other: all of one length, or spans that were chosen beforehand.

#include <cmath>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/simulation/settings.h"

namespace torsor {

class StepPlan {
 public:
  StepPlan(const RunSettings& settings, double start)
      : spans_(settings.spans), start_(start), step_(settings.step) {
    // A remainder below a billionth of a step is rounding, not a step of its own.
    if (spans_.empty()) {
      spans_ = {{settings.duration, static_cast<long>(std::ceil(settings.duration / settings.step - 1e-9))}};
    } else {
      step_ = spans_[0].end / static_cast<double>(spans_[0].steps);
    }
    for (const StepSpan& span : spans_) count_ += span.steps;
  }

  long count() const { return count_; }
  void count_step() { ++in_span_; }  ///< once the next one was made
  /// Whether so many steps were made, as far as the spans say.
  bool stands_at(long done) const {
    for (std::size_t i = 0; i < span_; ++i) done -= spans_[i].steps;
    return done == in_span_ && in_span_ <= spans_[span_].steps;
  }
  void pass(StateTape& tape) {
    tape(start_, step_, span_, in_span_);
    tape.require(span_ < spans_.size() && in_span_ >= 0, "a step that is not of the run");
  }
  /// The length of the next step, from where the last one ended; the last of a span ends where the span does.
  double next(double time) {
    if (in_span_ == spans_[span_].steps) {
      const double begin = spans_[span_].end;
      ++span_;
      in_span_ = 0;
      step_ = (spans_[span_].end - begin) / static_cast<double>(spans_[span_].steps);
    }
    return in_span_ + 1 == spans_[span_].steps ? start_ + spans_[span_].end - time : step_;
  }

 private:
  std::vector<StepSpan> spans_;
  double start_, step_;
  std::size_t span_ = 0;
  long count_ = 0, in_span_ = 0;
};

}  // namespace torsor
