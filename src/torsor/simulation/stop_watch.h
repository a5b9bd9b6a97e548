#pragma once
// Which stops of joints and tendons were touched along a run: when first, how often, and how far beyond their bounds.

#include <string>
#include <vector>

#include "torsor/simulation/observation.h"

namespace torsor {

struct TouchedStop {
  std::string name;                ///< as StoppedCoordinate has it
  bool turns = true;               ///< an angle [rad]; else a displacement or a length [m]
  double bound = 0;                ///< lower or upper
  double first_time = 0;           ///< [s]
  long times = 0;                  ///< how often it was touched
  double overshoot = 0, time = 0;  ///< the largest, at a step, and when
  bool of_tendon = false;          ///< of its length; else of a joint
};

/// Fed with the coordinates and lengths at each step; between two steps they are taken as linear. Allocates nothing then.
class StopWatch {
 public:
  explicit StopWatch(const Manifest& manifest);
  void feed(const Observation& now);
  void pass(StateTape& tape);
  /// Those that were touched.
  std::vector<TouchedStop> report() const;

 private:
  struct Watched {
    int joint, coordinate, tendon;
    double side;           ///< 1: an upper bound; -1: a lower one
    double overshoot = 0;  ///< at the last step
  };

  std::vector<TouchedStop> stops_;
  std::vector<Watched> watched_;
  double time_ = 0;
  bool fed_ = false;
};

}  // namespace torsor
