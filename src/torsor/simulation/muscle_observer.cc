#include "torsor/simulation/muscle_observer.h"

namespace torsor {

MuscleObserver::MuscleObserver(const Model& model) {
  int left = 0;
  for (const Tendon& tendon : model.tendons()) left += tendon.state_count();
  for (const Tendon& tendon : model.tendons()) {
    of_tendon_.push_back(tendon.muscle ? static_cast<int>(muscles_.size()) : -1);
    if (tendon.muscle) muscles_.push_back({MuscleLaw(*tendon.muscle), left});
    left -= tendon.state_count();
  }
}

void MuscleObserver::observe(std::size_t tendon, double length, double rate, double time,
                             std::span<const double> z, Observation& observation) const {
  const int index = of_tendon_[tendon];
  if (index < 0) return;
  const auto& [law, from_end] = muscles_[index];
  const double* state = &z[z.size() - from_end];
  MuscleObservation& muscle = observation.muscles[index];
  muscle.excitation = law.excitation(time);
  muscle.activation = state[0];
  const double share = law.has_share() ? state[1] : length - law.muscle().slack_length;
  muscle.fibre_length = law.fibre_length(share);
  muscle.force = law.has_share() ? law.elastic_tension(length, share)
                                 : law.between({length, length, rate, time, 1, 0}, state[0]).tension;
  muscle.passive = law.passive_tension(share);
  observation.tendons[tendon].tension += muscle.force;
}

}  // namespace torsor
