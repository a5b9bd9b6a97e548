#include "torsor/simulation/control_observer.h"

#include <algorithm>
#include <utility>

namespace torsor {

void ControlView::load(const Observation& observation) {
  auto next_q = q.begin(), next_qd = qd.begin();
  for (const JointObservation& joint : observation.joints) {
    next_q = std::copy(joint.position.begin(), joint.position.end(), next_q);
    next_qd = std::copy(joint.rate.begin(), joint.rate.end(), next_qd);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyObservation& body = observation.bodies[b];
    bodies[b] = {body.com, matrix(body.rotation), body.velocity, body.angular_velocity};
  }
}

ControlObserver::ControlObserver(const Model& model, std::shared_ptr<const HeldEfforts> held)
    : held_(std::move(held)), view_(model) {
  if (!model.controllers().empty()) efforts_.emplace(model);
}

void ControlObserver::observe(Observation& observation) {
  if (!efforts_) return;
  view_.load(observation);
  efforts_->evaluate(observation.time, view_.bodies, view_.q, view_.qd);
  for (int i = 0; i < efforts_->count(); ++i) {
    const bool sampled = held_ && !(*held_)[i].empty();
    observation.controllers[i] = sampled ? (*held_)[i] : efforts_->efforts(i);
  }
  for (std::size_t j = 0; j < observation.joints.size(); ++j) {
    observation.joints[j].reaction += efforts_->transmitted()[j];
  }
}

}  // namespace torsor
