#pragma once
// From a measured number to a row of the table.

#include "experiments/experiment.h"

namespace torsor {

enum class Verdict {
  reproduced,
  explained,   ///< the publication cannot be met; the row says why, and the evidence holds
  fell_short,  ///< outside the bound, or not measurable
  none         ///< only shown: times of different machines, counts
};
const char* name_of(Verdict verdict);

struct Row {
  std::string what, unit, paper, ours;
  std::string wanted;  ///< the bound in words; empty without a verdict
  std::string note;    ///< reason, or what went wrong
  double value = 0;    ///< NaN if it could not be measured
  Verdict verdict = Verdict::fell_short;
};

/// Never throws: what cannot be measured falls short, with the reason in the note.
Row judge(const Check& check, Outcomes outcomes);

/// `at most 1e-12`, `2 within 0.1`, ..
std::string in_words(const Bound& bound);

}  // namespace torsor
