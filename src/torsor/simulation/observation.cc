#include "torsor/simulation/observation.h"

namespace torsor {
namespace {

void pass_wrench(StateTape& tape, Wrench<double>& F) { tape(F.moment, F.force); }

}  // namespace

void BodyObservation::pass(StateTape& tape) {
  tape(com, rotation.w, rotation.x, rotation.y, rotation.z, angle, velocity, angular_velocity, acceleration,
       angular_acceleration);
}

void JointObservation::pass(StateTape& tape) {
  tape(position, rate, acceleration);
  for (Wrench<double>* F : {&reaction, &reaction_world, &reaction_parent}) pass_wrench(tape, *F);
}

void Observation::pass(StateTape& tape) {
  tape(time, kinetic, gravity, elastic, work, dissipated, sampling, linear_momentum, angular_momentum);
  tape(position_error, velocity_error, unit_length_error, bodies, joints, points, tendons, muscles, efforts);
  tape(couplings, controllers, solver);
}

}  // namespace torsor
