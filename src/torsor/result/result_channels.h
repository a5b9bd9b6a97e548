#pragma once
// What of a run is verified: the motion and all that a result file has of bodies, joints and elements.

#include "torsor/study/verification.h"

namespace torsor {

/// The columns of a result file but energies, errors and the solver's; those of several units unit by unit.
TrackedChannels result_channels(const Manifest& manifest);

}  // namespace torsor
