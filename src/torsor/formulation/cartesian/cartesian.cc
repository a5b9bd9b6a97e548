#include "torsor/formulation/cartesian/cartesian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/cartesian/weak_form.h"
#include "torsor/formulation/rotationless/constraints.h"

namespace torsor {

Cartesian::Cartesian(const Model& model, SystemInput input)
    : embedding_(make_cartesian_links(model)),
      full_(model, 0, std::move(input)),
      work_(full_.work()),
      full_unknowns_(full_.unknown_count()),
      full_r_(full_.unknown_count()),
      a_R_(full_.coordinate_count()),
      w_R_(a_R_.size()),
      x_R_(a_R_.size()),
      v_R_(a_R_.size()) {
  // With all joints at zero the bodies' angles are their offsets.
  const RotationlessMechanism<2>& mechanism = work_.mechanism;
  std::vector<double> q(model.coordinate_count()), rates(model.rate_count()), at_zero(full_.angle_count());
  start_directors<2>(model, mechanism, q, rates, x_R_, v_R_, at_zero);
  for (int i = 0; i < embedding_.count(); ++i) {
    const CartesianLink& link = embedding_.links()[i];
    const int carrier = model.topology().carrier[link.body];
    const Joint& joint = model.joints()[carrier];
    const Arm<2> x_axis = mechanism.frames.direction(link.body, {1, 0, 0});
    Turn turn;
    turn.joint = mechanism.joints.coordinates[carrier].front().angle;
    turn.body = mechanism.joints.body_angles[i].angle;
    turn.parent = link.parent < 0 ? -1 : mechanism.joints.body_angles[link.parent].angle;
    turn.zero = scaled_rotation({x_axis.beta[0], x_axis.beta[1]}, link.director);
    turn.sign = act(joint.in_parent.rotation, Vec3<double>{0, 0, 1}).z < 0 ? -1 : 1;
    turn.offset = -turn.sign * (at_zero[turn.body] - (turn.parent < 0 ? 0 : at_zero[turn.parent]));
    turns_.push_back(turn);
  }
}

ConstrainedPoint Cartesian::embedded(const ConstrainedPoint& point) {
  ConstrainedPoint inner = point;
  embedding_.embed(point.x_b, x_R_);
  inner.x_a = inner.x_b = x_R_;
  if (point.x_a.data() != point.x_b.data()) {
    embedding_.embed(point.x_a, a_R_);
    inner.x_a = a_R_;
  }
  embedding_.embed_rates(point.w, w_R_);
  inner.w = w_R_;
  embedding_.embed_rates(point.velocity, v_R_);
  inner.velocity = v_R_;
  return inner;
}

std::span<const double> Cartesian::find_joint_forces(const ConstrainedPoint& inner,
                                                     std::span<double> moments) {
  push_elements(work_, inner, full_unknowns_);
  collect<2>(work_, full_r_);
  const RotationlessMechanism<2>& mechanism = work_.mechanism;
  const Configuration<2>& left = work_.X.left;
  for (int i = embedding_.count(); i-- > 0;) {
    const PlacedRows<2>& rows = mechanism.tree_rows[i];
    const double* on = &full_r_[mechanism.offset[i]];
    const Vec2<double> force{-on[0], -on[1]};
    full_unknowns_[rows.unknown] = force.x;
    full_unknowns_[rows.unknown + 1] = force.y;
    moments[i] = on[2] + moment_of(lever(rows.child_point, left), force);
    if (embedding_.links()[i].parent < 0) continue;
    add_force<2>(rows.parent_point.t, lever(rows.parent_point, left), force,
                 &full_r_[mechanism.offset[rows.parent]]);
  }
  return full_unknowns_;
}

void Cartesian::residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                         std::span<double> r) {
  inner_ = embedded(point);
  for (int i = 0; i < embedding_.count(); ++i) {
    double* turn = &full_unknowns_[work_.mechanism.offset[i]];
    turn[0] = turn[1] = 0;
    turn[2] = unknowns[i];
  }
  find_joint_forces(inner_, r);
}

bool Cartesian::factorise(const ConstrainedPoint&, std::span<const double>) {
  // Forces in the joints, which the residual has found, turn with the bodies: they are part of the tangent.
  push_constraints<2>(work_, work_.mechanism.tree_rows, full_unknowns_);
  return full_.factorise(inner_, full_unknowns_);
}

void Cartesian::solve(std::span<double> r) {
  std::fill(full_r_.begin(), full_r_.end(), 0.0);
  for (std::size_t i = 0; i < r.size(); ++i) full_r_[work_.mechanism.offset[i] + 2] = r[i];
  full_.solve(full_r_);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = full_r_[work_.mechanism.offset[i] + 2];
}

void Cartesian::correct(std::span<const double> step, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < step.size(); ++i) unknowns[i] -= cayley_rate(unknowns[i], step[i]);
}

double Cartesian::size(std::span<const double> unknowns) const { return max_abs(unknowns); }

double Cartesian::kinetic_energy(std::span<const double> v) {
  embedding_.embed_rates(v, v_R_);
  return full_.kinetic_energy(v_R_);
}

double Cartesian::rounding(std::span<const double> x) const {
  const double length = work_.mechanism.length;
  return std::numeric_limits<double>::epsilon() * larger(length, max_abs(x)) / length;
}

bool Cartesian::accelerate(double t, std::span<const double> x, std::span<const double> v,
                           std::span<const double> angles, std::span<double> unknowns, std::span<double> a) {
  embedding_.embed(x, x_R_);
  embedding_.embed_rates(v, v_R_);
  if (!full_.accelerate(t, x_R_, v_R_, angles, full_unknowns_, w_R_)) return false;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    unknowns[i] = full_unknowns_[work_.mechanism.offset[i] + 2];
  }
  embedding_.accelerations(x, v, unknowns, a);
  return true;
}

void Cartesian::add_flows(const ConstrainedPoint& point, std::span<const double>, double h,
                          std::span<double> z) {
  if (z.empty()) return;
  full_.add_flows(embedded(point), full_unknowns_, h, z);
}

std::unique_ptr<WeakForm> Cartesian::make_weak_form(const GalerkinBasis& basis) {
  return std::make_unique<CartesianWeakForm>(embedding_, work_, basis);
}

void Cartesian::settle(std::span<double> x, std::span<double>, std::span<double> angles) const {
  embedding_.settle(x);
  for (int i = 0; i < embedding_.count(); ++i) {
    const Turn& turn = turns_[i];
    const Vec2<double> n = scaled_rotation(turn.zero, embedding_.xi(i));
    double& phi = angles[turn.body];
    phi = counted_on(std::atan2(n.y, n.x), phi);
    const double parent = turn.parent < 0 ? 0 : angles[turn.parent];
    angles[turn.joint] = turn.sign * (phi - parent) + turn.offset;
  }
}

ConstrainedMechanism make_cartesian(const Model& model, SystemInput input) {
  auto system = std::make_unique<Cartesian>(model, std::move(input));
  auto observer = std::make_unique<CartesianObserver>(*system);
  return {std::move(system), std::move(observer), nullptr};
}

}  // namespace torsor
