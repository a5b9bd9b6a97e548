#include "torsor/simulation/tree_stepper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/simulation/manifest.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
TreeStepper::TreeStepper(const Model& model, std::unique_ptr<JointSystem> system,
                         std::unique_ptr<TreeIntegrator> integrator, const Method& method,
                         std::shared_ptr<const HeldEfforts> held)
    : system_(std::move(system)),
      integrator_(std::move(integrator)),
      control_(model, held),
      along_tendons_(model, held.get()),
      frames_(model),
      manifest_(make_manifest(model, method)),
      X_W_(system_->tree().size()),
      V_(system_->tree().size()),
      speeds_(model.bodies().size()),
      F_(system_->tree().size()) {
  manifest_.note = integrator_->note();
  manifest_.sources = system_->elements().sources;
  manifest_.dampers = system_->elements().dampers;
  manifest_.has_quaternions = system_->coordinate_count() > system_->rate_count();
  manifest_.has_constraints = !model.couplings().empty();
  conserves_momentum_ = !manifest_.conserved_linear.empty() || !manifest_.conserved_angular.empty();
  if (model.simulation().land_on_kinks) {
    kinks_ = system_->breakpoints();
    if (!integrator_->finds_switches()) sides_ = StopSides(system_->switch_count());
    if (!sides_.empty()) {
      Mover{*this}.save();  // makes room
      sides_.settle();
    }
  }
  blank_ = torsor::make_observation(model, manifest_);
  place_bodies(model);
  place_joints(model);
  for (const Actuator& actuator : model.actuators()) efforts_.push_back(actuator.effort);
  pulled_ = pulled_tendons(model);
  if (model.dimension() == 2) sum_angles(model);
}

void TreeStepper::place_bodies(const Model& model) {
  const Tree& tree = system_->tree();
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Pose<double>& X_NB = tree.X_NB[b];
    bodies_.push_back({tree.body_node[b], act(X_NB, model.bodies()[b].com), X_NB});
  }
}

void TreeStepper::place_joints(const Model& model) {
  const Tree& tree = system_->tree();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    const int index = static_cast<int>(j);
    const int q = model.coordinate_offset(index), v = model.rate_offset(index);
    joints_.push_back({tree.joint_node[j], q, model.coordinate_offset(index + 1) - q, v,
                       model.rate_offset(index + 1) - v, tree.X_NB[joint.child] * pose(joint.in_child)});
  }
}

/// All axes of turning are +-z of the world, whatever the configuration.
void TreeStepper::sum_angles(const Model& model) {
  const Tree& tree = system_->tree();
  std::vector<double> neutral(tree.coordinate_count);
  set_neutral(tree, neutral);
  node_poses<double>(tree, neutral, X_W_);
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Mat3<double> R = X_W_[tree.body_node[b]].R * tree.X_NB[b].R;
    neutral_.push_back(std::atan2(R.yx, R.xx));
  }
  turns_.resize(tree.nodes.size());
  angles_.resize(tree.nodes.size());
  for (std::size_t node = 1; node < turns_.size(); ++node) {
    if (components(tree.nodes[node].joint).angles > 0) turns_[node] = {tree.nodes[node].q, X_W_[node].R.zz};
  }
}

void TreeStepper::Mover::step(double part) {
  of.system_->hold_switches(of.sides_.touches());
  try {
    of.integrator_->step(part);
  } catch (const StepFailure&) {
    of.system_->release_switches();
    throw;
  }
  of.system_->release_switches();
  of.system_->switches(of.integrator_->state().q, of.sides_.distances);
}

void TreeStepper::Mover::save() {
  of.system_->switches(of.integrator_->state().q, of.sides_.distances);
  of.saved_.clear();
  of.integrator_->pass(of.saved_);
}

void TreeStepper::Mover::restore() {
  of.saved_.rewind();
  of.integrator_->pass(of.saved_);
}

bool TreeStepper::has_breakpoint_near(double h) const {
  const std::vector<double>& all = system_->breakpoints();
  const double margin = 1e-9 * h + 1e-14 * (std::abs(time()) + h);  // no less than that of inside()
  const auto next = std::lower_bound(all.begin(), all.end(), time() - margin);
  return next != all.end() && *next <= time() + h + margin;
}

void TreeStepper::hold_sides() {
  if (!sides_.empty()) system_->hold_switches(sides_.touches());
}

bool TreeStepper::release_sides() {
  if (sides_.empty()) return false;
  system_->release_switches();
  system_->switches(integrator_->state().q, sides_.distances);
  return sides_.beyond() >= 0;
}

void TreeStepper::observe_balance(Observation& observation) {
  require_sizes(observation, blank_);
  const TreeState& state = integrator_->state();
  const Tree& tree = system_->tree();
  const JointElements& elements = system_->elements();
  forward_kinematics<double>(tree, state.q, state.v, X_W_, V_);

  observation.time = state.time;
  observation.kinetic = kinetic_energy<double>(tree, V_) + rotor_energy<double>(tree, state.v);
  observation.gravity = gravity_potential<double>(tree, X_W_);
  const TreeView<double> view{tree, state.time, state.q, state.v, X_W_, V_, {state.z}};
  observation.elastic = elements.potential_beside_tendons(view);
  for (std::size_t i = 0; i < elements.tendons().size(); ++i) {
    const TendonState<double> tendon = elements.tendons()[i].path.state(view);
    observation.elastic += tendon.potential;
    observation.tendons[i] = {tendon.length, tendon.tension};
    along_tendons_.observe(i, tendon.length, tendon.rate, state.time, state.z, observation);
  }
  if (!manifest_.stops.empty()) observe_joints(observation);
  observe_flows(state.z, {}, manifest_, observation);

  if (conserves_momentum_) observe_momentum(observation);
  if (manifest_.has_quaternions) observation.unit_length_error = unit_length_error(tree, state.q);
  observation.position_error = system_->couplings().error(state.q);
  observation.velocity_error = system_->couplings().rate_error(state.v);
  observation.solver = {integrator_->solver().iterations, integrator_->solver().residual};
}

std::span<const BodySpeed> TreeStepper::speeds() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Mat3<double>& R = X_W_[bodies_[b].node].R;
    const Twist<double>& V = V_[bodies_[b].node];
    speeds_[b] = {R * (V.linear + cross(V.angular, bodies_[b].com_N)), R * V.angular};
  }
  return speeds_;
}

void TreeStepper::observe(Observation& observation) {
  observe_balance(observation);
  if (!conserves_momentum_) observe_momentum(observation);
  observe_bodies(observation);
  observe_joints(observation);
  observe_reactions(observation);
  observe_accelerations(observation);
  for (std::size_t i = 0; i < efforts_.size(); ++i)
    observation.efforts[i] = efforts_[i].value(observation.time);
  add_pulls(pulled_, observation);
  control_.observe(observation);
  frames_.observe(observation);
}

void TreeStepper::observe_motion(Observation& observation) {
  require_sizes(observation, blank_);
  const TreeState& state = integrator_->state();
  forward_kinematics<double>(system_->tree(), state.q, state.v, X_W_, V_);
  observation.time = state.time;
  if (!conserves_momentum_) observe_momentum(observation);
  observe_bodies(observation);
  observe_joints(observation);
  frames_.observe_points(observation);
}

void TreeStepper::observe_momentum(Observation& observation) const {
  const Wrench<double> momentum = torsor::momentum<double>(system_->tree(), X_W_, V_);
  observation.linear_momentum = momentum.force;
  observation.angular_momentum = momentum.moment;
}

void TreeStepper::observe_bodies(Observation& observation) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyPlace& place = bodies_[b];
    const Pose<double>& X = X_W_[place.node];
    const Twist<double>& V = V_[place.node];
    BodyObservation& body = observation.bodies[b];
    body.com = act(X, place.com_N);
    body.rotation = on_side_of(body.rotation, so3_from_matrix(X.R * place.X_NB.R));
    body.velocity = X.R * (V.linear + cross(V.angular, place.com_N));
    body.angular_velocity = X.R * V.angular;
  }
  if (!turns_.empty()) observe_angles(observation);
}

/// From node to node, since the terms of all bodies of a chain are the square of its length.
void TreeStepper::observe_angles(Observation& observation) {
  const std::vector<double>& q = integrator_->state().q;
  const Tree& tree = system_->tree();
  for (std::size_t node = 1; node < turns_.size(); ++node) {
    const auto [at, sign] = turns_[node];
    angles_[node] = angles_[tree.nodes[node].parent] + (sign != 0 ? sign * q[at] : 0);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    observation.bodies[b].angle = neutral_[b] + angles_[bodies_[b].node];
  }
}

void TreeStepper::observe_joints(Observation& observation) const {
  const TreeState& state = integrator_->state();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointPlace& place = joints_[j];
    JointObservation& joint = observation.joints[j];
    std::copy_n(state.q.begin() + place.q, place.q_count, joint.position.begin());
    std::copy_n(state.v.begin() + place.v, place.v_count, joint.rate.begin());
  }
}

void TreeStepper::observe_reactions(Observation& observation) {
  const TreeState& state = integrator_->state();
  system_->hold_states({state.z});
  system_->joint_wrenches(state.time, state.q, state.v, F_);
  system_->couplings().efforts(observation.couplings);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    observation.joints[j].reaction = to_child(joints_[j].X_NK, F_[joints_[j].node]);
  }
}

/// Those that the wrenches were found with.
void TreeStepper::observe_accelerations(Observation& observation) const {
  const std::span<const double> qdd = system_->accelerations();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    std::copy_n(qdd.begin() + joints_[j].v, joints_[j].v_count, observation.joints[j].acceleration.begin());
  }
  const InverseDynamicsWorkspace<double>& motion = system_->inverse_motion();
  const Vec3<double>& gravity = system_->tree().gravity;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& [node, com, X_NB] = bodies_[b];
    const Vec3<double>&omega = motion.omega[node], &alpha = motion.alpha[node];
    const Mat3<double>& R = X_W_[node].R;
    BodyObservation& body = observation.bodies[b];
    body.angular_acceleration = R * alpha;
    body.acceleration = gravity + R * (motion.a[node] + cross(alpha, com) + cross(omega, cross(omega, com)));
  }
}

}  // namespace torsor
