#pragma once
// What is seen of muscles at a state.

#include <span>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/model/muscle_law.h"
#include "torsor/simulation/observation.h"

namespace torsor {

class MuscleObserver {
 public:
  explicit MuscleObserver(const Model& model);

  /// The muscle of a tendon, if it has one, by the tendon's length and rate and the states at the end of z; its
  /// force joins the tension of the tendon, which has been set.
  void observe(std::size_t tendon, double length, double rate, double time, std::span<const double> z,
               Observation& observation) const;

 private:
  struct Place {
    MuscleLaw law;
    int state_from_end;  ///< of its first state in z
  };
  std::vector<int> of_tendon_;  ///< -1: none
  std::vector<Place> muscles_;
};

}  // namespace torsor
