#include "torsor/formulation/cartesian/cartesian.h"

namespace torsor {

CartesianObserver::CartesianObserver(Cartesian& system)
    : system_(system),
      embedding_(system.embedding()),
      full_(system.work()),
      accelerations_(system.coordinate_count()),
      moments_(system.unknown_count()),
      projected_(system.work().mechanism.coordinate_count()),
      x_R_(projected_.size()),
      v_R_(projected_.size()) {}

void CartesianObserver::embed_state(std::span<const double> x, std::span<const double> v) const {
  embedding_.embed(x, x_R_);
  embedding_.embed_rates(v, v_R_);
}

void CartesianObserver::start(const Model& model, std::span<const double> q, std::span<const double> qd,
                              std::span<double> x, std::span<double> v, std::span<double> angles) const {
  full_.start(model, q, qd, x_R_, v_R_, angles);
  embedding_.coordinates_of(x_R_, x);
  embedding_.coordinates_of(v_R_, v);
  system_.settle(x, {}, angles);
}

void CartesianObserver::start_states(double t, std::span<const double> x, std::span<const double> angles,
                                     std::span<double> z) {
  embedding_.embed(x, x_R_);
  full_.start_states(t, x_R_, angles, z);
}

EnergyParts CartesianObserver::energies(double t, std::span<const double> x, std::span<const double> v,
                                        std::span<const double> angles) {
  embed_state(x, v);
  return full_.energies(t, x_R_, v_R_, angles);
}

double CartesianObserver::position_error(std::span<const double> x, std::span<const double>) {
  return embedding_.length_error(x);
}

double CartesianObserver::velocity_error(std::span<const double> x, std::span<const double> v) {
  return embedding_.length_rate(x, v);
}

StateBalance CartesianObserver::balance(double t, std::span<const double> x, std::span<const double> v,
                                        std::span<const double> angles, std::span<BodyMotion> motions) {
  embed_state(x, v);
  StateBalance balance = full_.balance(t, x_R_, v_R_, angles, motions);
  balance.position_error = position_error(x, angles);
  balance.velocity_error = velocity_error(x, v);
  return balance;
}

void CartesianObserver::project_rates(std::span<const double> x, std::span<const double> angles,
                                      std::span<const double> v, std::span<double> projected) {
  embed_state(x, v);
  full_.project_rates(x_R_, angles, v_R_, projected_);
  embedding_.coordinates_of(projected_, projected);
}

void CartesianObserver::body_motions(std::span<const double> x, std::span<const double> v,
                                     std::span<BodyMotion> motions) {
  embed_state(x, v);
  full_.body_motions(x_R_, v_R_, motions);
}

void CartesianObserver::body_angles(std::span<const double> x, std::span<const double> angles,
                                    std::span<double> by_body) {
  embedding_.embed(x, x_R_);
  full_.body_angles(x_R_, angles, by_body);
}

void CartesianObserver::joint_motions(std::span<const double> x, std::span<const double> v,
                                      std::span<const double> angles, std::span<const JointMotion> motions) {
  embed_state(x, v);
  full_.joint_motions(x_R_, v_R_, angles, motions);
}

void CartesianObserver::tendons(double t, std::span<const double> x, std::span<const double> v,
                                std::span<const double> angles, std::span<TendonMotion> motions) {
  embed_state(x, v);
  full_.tendons(t, x_R_, v_R_, angles, motions);
}

void CartesianObserver::efforts(double t, std::span<const double>, std::span<double> by_actuator) const {
  full_.efforts(t, {}, by_actuator);
}

/// The forces in the joints that belong to the accelerations of the turns.
void CartesianObserver::reactions(double t, std::span<const double> x, std::span<const double> v,
                                  std::span<const double> angles, std::span<const double> unknowns,
                                  std::span<Wrench<double>> on_child) {
  embedding_.accelerations(x, v, unknowns, accelerations_);
  ConstrainedPoint point;
  point.time = point.start_time = point.end_time = t;
  point.x_a = point.x_b = x;
  point.angles = angles;
  point.velocity = v;
  point.w = accelerations_;
  point.kappa = 1;
  point.force_gain = 1;
  point.z = system_.work().held;
  const std::span<const double> inner = system_.find_joint_forces(system_.embedded(point), moments_);
  embed_state(x, v);
  full_.reactions(t, x_R_, v_R_, angles, inner, on_child);
}

}  // namespace torsor
