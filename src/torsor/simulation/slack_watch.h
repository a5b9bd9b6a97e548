#pragma once
// Which tendons were shorter than their rest length along a run: when first, how often, how long.

#include <string>
#include <vector>

#include "torsor/simulation/observation.h"

namespace torsor {

struct SlackTendon {
  std::string name;
  bool pushes = false;                       ///< as a spring does; a tension-only tendon hangs slack
  double first_time = 0;                     ///< [s]
  long times = 0;                            ///< how often it fell below its rest length
  double share = 0;                          ///< of the time that was simulated
  double least_length = 0, rest_length = 0;  ///< [m]; the former at a step
};

/// Fed with the lengths at each step; between two steps they are taken as linear. Allocates nothing then.
class SlackWatch {
 public:
  explicit SlackWatch(const Manifest& manifest);
  void feed(double time, const std::vector<TendonObservation>& tendons);
  void pass(StateTape& tape);
  /// Those that were slack; none that stayed taut.
  std::vector<SlackTendon> report() const;

 private:
  struct Watched {
    std::optional<Program> rest_length;  ///< none: sums of coordinates have no ends to hang between
    double stretch = 0;                  ///< at the last step; within rounding of the rest length it is 0
    double slack_time = 0;
  };

  std::vector<SlackTendon> tendons_;
  std::vector<Watched> watched_;
  double start_ = 0, time_ = 0;
  bool fed_ = false;
};

}  // namespace torsor
