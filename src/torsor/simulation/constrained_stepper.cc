#include "torsor/simulation/constrained_stepper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/assembly/start.h"
#include "torsor/formulation/pack_system.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/simulation/manifest.h"

namespace torsor {

ConstrainedStepper::ConstrainedStepper(const Model& model, ConstrainedMechanism mechanism,
                                       std::unique_ptr<ConstrainedSystem> reduction,
                                       std::unique_ptr<ConstrainedIntegrator> integrator,
                                       const Method& method, const Start& start,
                                       std::shared_ptr<const HeldEfforts> held)
    : dimension_(model.dimension()),
      mechanism_(std::move(mechanism)),
      observer_(*mechanism_.observer),
      reduction_(std::move(reduction)),
      integrator_(std::move(integrator)),
      control_(model, held),
      along_tendons_(model, held.get()),
      frames_(model),
      manifest_(make_manifest(model, method)),
      motions_(model.bodies().size()),
      speeds_(model.bodies().size()),
      second_(model.bodies().size()),
      joint_motions_(model.joints().size()),
      tendons_(model.tendons().size()),
      shown_v_(mechanism_.system->coordinate_count()),
      body_angles_(model.bodies().size()),
      unknowns_(mechanism_.system->unknown_count()),
      accelerations_(mechanism_.system->coordinate_count()),
      reactions_(model.joints().size()) {
  pulled_ = pulled_tendons(model);
  manifest_.sources = observer_.sources();
  manifest_.dampers = observer_.dampers();
  manifest_.has_constraints = true;
  set_numbers(model, start);
  blank_ = torsor::make_observation(model, manifest_);
}

/// What the members hold that take_model() has to bring up to date.
void ConstrainedStepper::set_numbers(const Model& model, const Start& start) {
  joints_ = model.joints();
  coms_.clear();
  for (const Body& body : model.bodies()) coms_.push_back(body.com);
  manifest_.assembly = summary(start.assembly);
  if (model.simulation().land_on_kinks) kinks_ = mechanism_.system->breakpoints();
}

bool ConstrainedStepper::take_model(const Model& model, const Model& before, const Start& start) {
  if (reduction_ || !integrator_->can_restart() ||
      !torsor::take_model(*mechanism_.system, model, before, loop_rank(model, start))) {
    return false;
  }
  integrator_->restart(constrained_state(model, start, mechanism_));
  along_tendons_ = TendonObserver(model, nullptr);
  frames_ = FrameObserver(model);
  set_manifest_numbers(model, manifest_);
  set_numbers(model, start);
  taken_.reset();
  return true;
}

void ConstrainedStepper::observe_balance(Observation& observation) {
  require_sizes(observation, blank_);
  const bool is_taken = taken_.has_value();
  const bool needs_flows_alone = is_taken && manifest_.stops.empty();
  const ConstrainedState& state = needs_flows_alone ? integrator_->state() : shown_state();
  mechanism_.system->hold_states(state.z);
  const StateBalance balance =
      is_taken ? *taken_ : observer_.balance(state.time, state.x, state.v, state.angles, motions_);
  taken_.reset();
  observation.time = state.time;
  observation.kinetic = balance.energies.kinetic;
  observation.gravity = balance.energies.gravity;
  observation.elastic = balance.energies.elastic;
  observation.linear_momentum = balance.linear_momentum;
  observation.angular_momentum = balance.angular_momentum;
  observation.position_error = balance.position_error;
  observation.velocity_error = balance.velocity_error;
  observe_flows(state.z, state.lost, manifest_, observation);
  for (std::size_t b = 0; !is_taken && b < motions_.size(); ++b) {
    speeds_[b] = {motions_[b].velocity, motions_[b].angular_velocity};
  }
  if (is_taken) {
    show_tendons(observation);
  } else if (!tendons_.empty()) {
    observe_tendons(state.v, observation);
  }
  if (!manifest_.stops.empty()) observe_coordinates(state.v, observation);
  observation.solver = {integrator_->solver().iterations, integrator_->solver().residual};
}

template <class P>
void ConstrainedStepper::take_balance(const PackBalance<P>& all, int lane) {
  const auto of_lane = [lane](const Vec3<P>& v) { return Vec3<double>{v.x[lane], v.y[lane], v.z[lane]}; };
  taken_ =
      StateBalance{{.kinetic = all.kinetic[lane], .gravity = all.gravity[lane], .elastic = all.elastic[lane]},
                   of_lane(all.linear_momentum),
                   of_lane(all.angular_momentum),
                   all.position_error[lane],
                   all.velocity_error[lane]};
  for (std::size_t b = 0; b < speeds_.size(); ++b) {
    speeds_[b] = {of_lane(all.speeds[b].velocity), of_lane(all.speeds[b].angular_velocity)};
  }
  for (std::size_t t = 0; t < tendons_.size(); ++t) {
    const auto& [length, rate, tension] = all.tendons[t];
    tendons_[t] = {length[lane], rate[lane], tension[lane]};
  }
}
template void ConstrainedStepper::take_balance(const PackBalance<Pack<4>>&, int);
template void ConstrainedStepper::take_balance(const PackBalance<Pack<8>>&, int);

void ConstrainedStepper::observe_tendons(std::span<const double> v, Observation& observation) {
  const ConstrainedState& state = shown_state();
  observer_.tendons(state.time, state.x, v, state.angles, tendons_);
  show_tendons(observation);
}

void ConstrainedStepper::show_tendons(Observation& observation) const {
  const ConstrainedState& state = integrator_->state();  // of which it takes the flows
  for (std::size_t t = 0; t < tendons_.size(); ++t) {
    observation.tendons[t] = {tendons_[t].length, tendons_[t].tension};
    along_tendons_.observe(t, tendons_[t].length, tendons_[t].rate, state.time, state.z, observation);
  }
}

void ConstrainedStepper::observe(Observation& observation) {
  observe_balance(observation);
  observe_bodies_and_joints(observation);
  observe_tendons(shown_v_, observation);
  observe_reactions(observation);
}

void ConstrainedStepper::observe_motion(Observation& observation) {
  require_sizes(observation, blank_);
  observe_bodies_and_joints(observation);
  frames_.observe_points(observation);
}

void ConstrainedStepper::observe_bodies_and_joints(Observation& observation) {
  const ConstrainedState& state = shown_state();
  observation.time = state.time;
  observer_.project_rates(state.x, state.angles, state.v, shown_v_);
  observer_.body_motions(state.x, shown_v_, motions_);
  observe_bodies(observation);
  observe_joints(observation);
}

void ConstrainedStepper::observe_bodies(Observation& observation) {
  observer_.body_angles(shown_state().x, shown_state().angles, body_angles_);
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    BodyObservation& body = observation.bodies[b];
    body.com = motions_[b].com;
    body.rotation = on_side_of(body.rotation, so3_from_matrix(motions_[b].R));
    body.velocity = motions_[b].velocity;
    body.angular_velocity = motions_[b].angular_velocity;
    body.angle = body_angles_[b];
  }
}

void ConstrainedStepper::observe_open_joint(const Joint& joint, JointObservation& observation) const {
  struct Motion {
    Pose<double> X;
    Vec3<double> omega, velocity;  ///< of the joint frame, world axes
  };
  const auto motion = [&](int body, const SE3<double>& frame) {
    const Pose<double> X_BF = pose(frame);
    if (body == kWorld) return Motion{X_BF, {}, {}};
    const BodyMotion& m = motions_[body];
    const Vec3<double> arm = m.R * (X_BF.p - coms_[body]);
    return Motion{
        {m.R * X_BF.R, m.com + arm}, m.angular_velocity, m.velocity + cross(m.angular_velocity, arm)};
  };
  const Motion J = motion(joint.parent, joint.in_parent), K = motion(joint.child, joint.in_child);
  const Vec3<double> apart = K.X.p - J.X.p;
  const Vec3<double> omega = transpose_times(K.X.R, K.omega - J.omega);
  const Vec3<double> speed = transpose_times(K.X.R, K.velocity - J.velocity - cross(J.omega, apart));
  const Vec3<double> position = transpose_times(J.X.R, apart);
  if (dimension_ == 2) {  // the angle is there already
    observation.position = {observation.position[0], position.x, position.y};
    observation.rate = {omega.z, speed.x, speed.y};
    return;
  }
  const std::vector<double>& last = observation.position;
  const SO3<double> r =
      on_side_of(SO3<double>{last[0], last[1], last[2], last[3]}, so3_from_matrix(transpose(J.X.R) * K.X.R));
  const double rotation[4] = {r.w, r.x, r.y, r.z};
  std::copy_n(rotation, 4, observation.position.begin());
  for (int i = 0; i < 3; ++i) observation.rate[i] = omega[i];
  if (observation.rate.size() == 3) return;
  for (int i = 0; i < 3; ++i) observation.position[4 + i] = position[i];
  for (int i = 0; i < 3; ++i) observation.rate[3 + i] = speed[i];
}

void ConstrainedStepper::observe_coordinates(std::span<const double> v, Observation& observation) {
  const ConstrainedState& state = shown_state();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    joint_motions_[j] = {observation.joints[j].position, observation.joints[j].rate};
  }
  observer_.joint_motions(state.x, v, state.angles, joint_motions_);
}

void ConstrainedStepper::observe_joints(Observation& observation) {
  observe_coordinates(shown_v_, observation);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    JointObservation& joint = observation.joints[j];
    if (has_twist_rates(joints_[j].type)) observe_open_joint(joints_[j], joint);
  }
}

/// The second derivatives of directors are those of a body with this acceleration and angular acceleration and
/// a part that turns nothing, omega x (omega x d): as rates they are those of the accelerations.
void ConstrainedStepper::observe_accelerations(Observation& observation) {
  observer_.body_motions(shown_state().x, accelerations_, second_);
  for (std::size_t b = 0; b < second_.size(); ++b) {
    observation.bodies[b].acceleration = second_[b].velocity;
    observation.bodies[b].angular_acceleration = second_[b].angular_velocity;
  }
  frames_.observe_accelerations(observation);
}

void ConstrainedStepper::observe_reactions(Observation& observation) {
  const ConstrainedState& state = shown_state();
  // In a singular position with the least multipliers of all that do the work.
  mechanism_.system->accelerate(state.time, state.x, shown_v_, state.angles, unknowns_, accelerations_);
  observe_accelerations(observation);
  observer_.efforts(state.time, unknowns_, observation.efforts);
  observer_.coupling_efforts(unknowns_, observation.couplings);
  add_pulls(pulled_, observation);
  observer_.reactions(state.time, state.x, shown_v_, state.angles, unknowns_, reactions_);
  for (std::size_t j = 0; j < joints_.size(); ++j) observation.joints[j].reaction = reactions_[j];
  control_.observe(observation);
  frames_.observe(observation);
}

}  // namespace torsor
