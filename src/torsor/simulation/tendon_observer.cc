#include "torsor/simulation/tendon_observer.h"

#include "torsor/formulation/elements/joint_limits.h"
#include "torsor/formulation/elements/muscle.h"

namespace torsor {

TendonObserver::TendonObserver(const Model& model, const HeldEfforts* held)
    : of_tendon_(model.tendons().size()) {
  int left = 0;
  for (const Tendon& tendon : model.tendons()) left += tendon.state_count();
  for (std::size_t i = 0; i < of_tendon_.size(); ++i) {
    const Tendon& tendon = model.tendons()[i];
    if (tendon.muscle) {
      of_tendon_[i].muscle = static_cast<int>(muscles_.size());
      muscles_.push_back({excited_muscle(model, i, held), left});
    }
    left -= tendon.state_count();
  }
  for (const JointStop& stop : model.elements().stops) {
    if (!stop.tendon) continue;
    for_each_bound(stop, [&](int, const StopLaw& law) { of_tendon_[*stop.tendon].stops.push_back(law); });
  }
  for (const JointFriction& friction : model.elements().friction) {
    if (friction.tendon) of_tendon_[*friction.tendon].friction.push_back(friction.laws[0]);
  }
  for (const OwnLaw& law : model.elements().laws) {
    if (law.tendon) of_tendon_[*law.tendon].laws.emplace_back(law);
  }
}

void TendonObserver::observe(std::size_t tendon, double length, double rate, double time,
                             std::span<const double> z, Observation& observation) const {
  const Beside& beside = of_tendon_[tendon];
  double& tension = observation.tendons[tendon].tension;
  for (const StopLaw& stop : beside.stops) tension += stop.at(length, rate).effort;
  for (const FrictionLaw& friction : beside.friction) tension += friction.effort(rate);
  for (const FunctionLaw& law : beside.laws) {
    const auto state = law.at(length, rate, time);
    tension += state.elastic - state.force;
  }
  if (beside.muscle >= 0) observe_muscle(beside.muscle, length, rate, time, z, observation, tension);
}

void TendonObserver::observe_muscle(int index, double length, double rate, double time,
                                    std::span<const double> z, Observation& observation,
                                    double& tension) const {
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
  tension += muscle.force;
}

}  // namespace torsor
