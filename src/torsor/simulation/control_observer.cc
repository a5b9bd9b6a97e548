#include "torsor/simulation/control_observer.h"

#include <algorithm>

namespace torsor {

ControlObserver::ControlObserver(const Model& model)
    : efforts_(model),
      bodies_(model.bodies().size()),
      q_(model.coordinate_count()),
      qd_(model.rate_count()) {}

void ControlObserver::observe(Observation& observation) {
  if (efforts_.count() == 0) return;
  auto q = q_.begin(), qd = qd_.begin();
  for (const JointObservation& joint : observation.joints) {
    q = std::copy(joint.position.begin(), joint.position.end(), q);
    qd = std::copy(joint.rate.begin(), joint.rate.end(), qd);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyObservation& body = observation.bodies[b];
    bodies_[b] = {body.com, matrix(body.rotation), body.velocity, body.angular_velocity};
  }
  efforts_.evaluate(observation.time, bodies_, q_, qd_);
  for (int i = 0; i < efforts_.count(); ++i) observation.controllers[i] = efforts_.efforts(i);
  for (std::size_t j = 0; j < observation.joints.size(); ++j) {
    observation.joints[j].reaction += efforts_.transmitted()[j];
  }
}

}  // namespace torsor
