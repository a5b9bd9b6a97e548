#pragma once
// How often a result file keeps a checkpoint.

#include <string>

namespace torsor {

/// Every so many seconds of wall time, or every so many steps.
struct CheckpointChoice {
  double seconds = 10;  ///< 0: not by time
  long steps = 0;       ///< 0: not by steps
  bool spares = true;   ///< less often where the disk is slow, so that it stays below 1 % of the run

  bool is_off() const { return seconds == 0 && steps == 0; }
};

/// `10 s`, `5 min`, `1000 steps`, `off`. Throws ModelError at `key`.
CheckpointChoice parse_checkpoint_choice(const std::string& text, const std::string& key = "--checkpoint");

}  // namespace torsor
