#pragma once
// What a model is: what `torsor check` tells.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "torsor/assembly/start.h"
#include "torsor/model/model.h"
#include "torsor/model/symmetry.h"
#include "torsor/simulation/applicable.h"
#include "torsor/simulation/observation.h"

namespace torsor {

struct StopAtStart {
  StoppedCoordinate of;
  double start = 0;  ///< [rad, m]

  double overshoot() const { return std::max({0.0, of.lower - start, start - of.upper}); }
};

struct ModelReport {
  Start start;
  ConservedMomenta conserved;
  std::vector<Applicable> methods;  ///< they say why servos cannot be realised
  double mass = 0;                  ///< of all bodies [kg]
  std::vector<StopAtStart> stops{};
  std::vector<std::string> notices{};  ///< what looks like a slip
};

/// Throws ModelError on an inconsistent start.
ModelReport examine(const Model& model);

std::vector<std::pair<const char*, std::size_t>> element_counts(const Model& model);
std::vector<std::pair<std::string, int>> joint_type_counts(const Model& model);
std::vector<std::string> loop_joint_names(const Model& model);

}  // namespace torsor
