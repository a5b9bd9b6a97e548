#pragma once
// From a measured number to a row of the table.

#include "experiments/experiment.h"

namespace torsor {

/// How a figure of ours stands to the publication.
enum class Match {
  number,      ///< matches the published number: within half a decade of it, and within the bound
  curve,       ///< matches published points of a curve
  behaviour,   ///< behaves as the text says
  itself,      ///< the publication gives nothing to hold it against; consistent with our own runs
  explained,   ///< the publication cannot be met; the row says why, and the evidence holds
  fell_short,  ///< outside the bound, or not measurable
  none         ///< only shown: times of different machines, counts
};
inline constexpr Match kMatches[] = {Match::number,    Match::curve,      Match::behaviour, Match::itself,
                                     Match::explained, Match::fell_short, Match::none};
const char* name_of(Match match);  ///< "matches the published number"

struct Row {
  std::string what, unit, paper, ours;
  std::string wanted;  ///< the bound in words; empty without a verdict
  std::string note;    ///< reason, or what went wrong
  double value = 0;    ///< NaN if it could not be measured
  Match verdict = Match::fell_short;
};

/// Never throws: what cannot be measured falls short, with the reason in the note. A figure that is within the bound
/// but far from the published number, an error of rounding mostly, behaves alike and the note says how far it is.
Row judge(const Check& check, Outcomes outcomes);

/// `at most 1e-12`, `2 within 0.1`, ..
std::string in_words(const Bound& bound);

}  // namespace torsor
