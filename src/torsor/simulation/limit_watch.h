#pragma once
// Which efforts of actuators were beyond their limits along a run.

#include <string>
#include <vector>

#include "torsor/simulation/observation.h"

namespace torsor {

struct EffortBeyond {
  std::string name;
  double low = 0, high = 0;    ///< its limits [N m, N]
  double least = 0, most = 0;  ///< what it was
  double first_time = 0;       ///< when it was beyond them first [s]
};

/// Fed with the efforts at recorded states.
class LimitWatch {
 public:
  explicit LimitWatch(const Manifest& manifest);
  void feed(double time, const std::vector<double>& efforts);
  void pass(StateTape& tape);
  /// Those that were beyond.
  std::vector<EffortBeyond> report() const;

 private:
  struct Watched {
    std::size_t actuator;
    EffortBeyond effort;
    bool beyond = false;
  };
  std::vector<Watched> watched_;
};

}  // namespace torsor
