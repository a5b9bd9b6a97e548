#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/formulation/cartesian/cartesian.h"

namespace torsor {

void Cartesian::embed_state(std::span<const double> x, std::span<const double> v) const {
  embed(x, x_R_);
  embed_rates(v, v_R_);
}

void Cartesian::start(const Model& model, std::span<const double> q, std::span<const double> qd,
                      std::span<double> x, std::span<double> v, std::span<double> angles) const {
  full_.start(model, q, qd, x_R_, v_R_, angles);
  coordinates_of(x_R_, x);
  coordinates_of(v_R_, v);
  settle(x, angles);
}

EnergyParts Cartesian::energies(std::span<const double> x, std::span<const double> v,
                                std::span<const double> angles) {
  embed_state(x, v);
  return full_.energies(x_R_, v_R_, angles);
}

double Cartesian::position_error(std::span<const double> x, std::span<const double>) {
  set_relative(x, 1);
  double largest = 0;
  for (int i = 0; i < count(); ++i) largest = larger(largest, std::abs(norm(xi_[i]) - links_[i].length));
  return largest;
}

double Cartesian::velocity_error(std::span<const double> x, std::span<const double> v) {
  set_relative(v, 0);
  xi_.swap(xi_rate_);
  set_relative(x, 1);
  double largest = 0;
  for (int i = 0; i < count(); ++i) {
    largest = larger(largest, std::abs(dot(xi_[i], xi_rate_[i])) / links_[i].length);
  }
  return largest;
}

void Cartesian::project_rates(std::span<const double> x, std::span<const double> angles,
                              std::span<const double> v, std::span<double> projected) {
  embed_state(x, v);
  full_.project_rates(x_R_, angles, v_R_, a_R_);
  coordinates_of(a_R_, projected);
}

void Cartesian::body_motions(std::span<const double> x, std::span<const double> v,
                             std::span<BodyMotion> motions) {
  embed_state(x, v);
  full_.body_motions(x_R_, v_R_, motions);
}

void Cartesian::body_angles(std::span<const double> angles, std::span<double> by_body) const {
  full_.body_angles(angles, by_body);
}

void Cartesian::joint_motions(std::span<const double> x, std::span<const double> v,
                              std::span<const double> angles, std::span<const JointMotion> motions) {
  embed_state(x, v);
  full_.joint_motions(x_R_, v_R_, angles, motions);
}

void Cartesian::tendons(std::span<const double> x, std::span<const double> v,
                        std::span<TendonMotion> motions) {
  embed_state(x, v);
  full_.tendons(x_R_, v_R_, motions);
}

void Cartesian::efforts(double t, std::span<const double>, std::span<double> by_actuator) const {
  full_.efforts(t, full_unknowns_, by_actuator);
}

/// The forces in the joints that belong to the accelerations of the turns.
void Cartesian::reactions(double t, std::span<const double> x, std::span<const double> v,
                          std::span<const double> angles, std::span<const double> unknowns,
                          std::span<Wrench<double>> on_child) {
  set_accelerations(x, v, unknowns, accelerations_);
  embed_rates(accelerations_, w_R_);
  embed_state(x, v);
  ConstrainedPoint point = full_.state_point(t, x_R_, v_R_, angles);
  point.w = w_R_;
  std::fill(full_unknowns_.begin(), full_unknowns_.end(), 0.0);
  full_.push_elements(point, full_unknowns_);
  full_.collect(full_r_);
  find_joint_forces(moments_);
  full_.reactions(t, x_R_, v_R_, angles, full_unknowns_, on_child);
}

}  // namespace torsor
