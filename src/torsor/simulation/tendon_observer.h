#pragma once
// What pulls along tendons at a state beside their springs: muscles, stops, friction, laws of one's own.

#include <span>
#include <vector>

#include "torsor/formulation/external_input.h"
#include "torsor/model/model.h"
#include "torsor/model/muscle_law.h"
#include "torsor/simulation/observation.h"

namespace torsor {

class TendonObserver {
 public:
  /// What sampled controllers hold may be null; else it must outlive the observer.
  TendonObserver(const Model& model, const HeldEfforts* held);

  /// By the tendon's length and rate, and of a muscle by the states at the end of z; what pulls joins the tension of
  /// the tendon, which has been set.
  void observe(std::size_t tendon, double length, double rate, double time, std::span<const double> z,
               Observation& observation) const;

 private:
  void observe_muscle(int index, double length, double rate, double time, std::span<const double> z,
                      Observation& observation, double& tension) const;

  struct Place {
    MuscleLaw law;
    int state_from_end;  ///< of its first state in z
  };
  struct Beside {
    std::vector<StopLaw> stops;
    std::vector<FrictionLaw> friction;
    std::vector<FunctionLaw> laws;
    int muscle = -1;  ///< index; -1: none
  };
  std::vector<Beside> of_tendon_;
  std::vector<Place> muscles_;
};

}  // namespace torsor
