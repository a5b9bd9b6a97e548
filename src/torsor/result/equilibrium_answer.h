#pragma once
// Rest positions as `torsor equilibrium` says them.

#include "torsor/result/answer.h"

namespace torsor {

struct EquilibriumOptions {
  bool all = false;   ///< all that a search finds, instead of the nearest
  int starts = 0;     ///< of that search; 0: as many as suit the degrees of freedom
  bool hold = false;  ///< efforts of actuators that keep the start, instead of rest positions
};

/// From the model's start, with all that acts at its time. Throws ModelError where no rest position is found, and on
/// models with muscles, whose states of their own are not in it.
Answer answer_equilibrium(const Model& model, const EquilibriumOptions& options, bool json, int indent = -1);

}  // namespace torsor
