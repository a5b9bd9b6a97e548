#pragma once
// Poses as `torsor pose` says them.

#include <vector>

#include "torsor/result/answer.h"

namespace torsor {

struct PoseOptions {
  std::vector<std::string> reach;  ///< POINT=X,Y,Z; in the plane X,Y
  bool all = false;                ///< all that a search finds, instead of the nearest
  bool assembly_modes = false;  ///< the ways in which the loops close at the start's independent coordinates
  int starts = 0;               ///< of a search; 0: as many as suit the mechanism
};

/// From the model's start. Falls short where no pose reaches. Throws ModelError on points that are not named in the model.
Answer answer_pose(const Model& model, const PoseOptions& options, bool json, int indent = -1);

}  // namespace torsor
