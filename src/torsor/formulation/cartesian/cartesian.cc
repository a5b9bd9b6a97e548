#include "torsor/formulation/cartesian/cartesian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"
#include "torsor/formulation/cartesian/weak_form.h"

namespace torsor {
namespace {

constexpr int kInner = kCoordinates<2>;

Vec2<double> entry(std::span<const double> x, int i) {
  const std::size_t at = 2 * static_cast<std::size_t>(i);
  return {x[at], x[at + 1]};
}
void put(const Vec2<double>& value, int i, std::span<double> x) {
  const std::size_t at = 2 * static_cast<std::size_t>(i);
  x[at] = value.x;
  x[at + 1] = value.y;
}

}  // namespace

Cartesian::Cartesian(const Model& model)
    : links_(make_cartesian_links(model)),
      full_(model, 0),
      full_unknowns_(full_.unknown_count()),
      full_r_(full_.unknown_count()),
      moments_(links_.size()),
      accelerations_(2 * links_.size()),
      a_R_(full_.coordinate_count()),
      w_R_(a_R_.size()),
      x_R_(a_R_.size()),
      v_R_(a_R_.size()),
      xi_(links_.size()),
      xi_rate_(links_.size()) {
  // With all joints at zero the bodies' angles are their offsets.
  std::vector<double> q(model.coordinate_count()), rates(model.rate_count()), at_zero(full_.angle_count());
  full_.start(model, q, rates, x_R_, v_R_, at_zero);
  for (int i = 0; i < count(); ++i) {
    const CartesianLink& link = links_[i];
    const int carrier = model.topology().carrier[link.body];
    const Joint& joint = model.joints()[carrier];
    const Arm<2> x_axis = full_.frames_.direction(link.body, {1, 0, 0});
    Turn turn;
    turn.joint = full_.joints_.coordinates[carrier].front().angle;
    turn.body = full_.joints_.body_angles[i].angle;
    turn.parent = link.parent < 0 ? -1 : full_.joints_.body_angles[link.parent].angle;
    turn.zero = scaled_rotation({x_axis.beta[0], x_axis.beta[1]}, link.director);
    turn.sign = act(joint.in_parent.rotation, Vec3<double>{0, 0, 1}).z < 0 ? -1 : 1;
    turn.offset = -turn.sign * (at_zero[turn.body] - (turn.parent < 0 ? 0 : at_zero[turn.parent]));
    turns_.push_back(turn);
  }
}

/// X_i from xi_ of the parent; of rates with `ground` 0 instead of 1.
Vec2<double> Cartesian::joint_of(int i, std::span<const double> x, double ground) const {
  const CartesianLink& link = links_[i];
  if (link.parent < 0) return ground * link.joint;
  return entry(x, link.parent) + scaled_rotation(link.beyond, xi_[link.parent]);  // (22)
}

void Cartesian::set_relative(std::span<const double> x, double ground) const {
  for (int i = 0; i < count(); ++i) xi_[i] = entry(x, i) - joint_of(i, x, ground);
}

void Cartesian::put_directors(std::span<const double> x, std::span<double> x_R) const {
  for (int i = 0; i < count(); ++i) {
    double* body = &x_R[static_cast<std::size_t>(kInner) * i];
    const Vec2<double> centre = entry(x, i), d = scaled_rotation(links_[i].director, xi_[i]);
    body[0] = centre.x;
    body[1] = centre.y;
    body[2] = d.x;
    body[3] = d.y;
    body[4] = -d.y;
    body[5] = d.x;
  }
}

void Cartesian::embed(std::span<const double> x, std::span<double> x_R) const {
  set_relative(x, 1);
  put_directors(x, x_R);
}

void Cartesian::embed_rates(std::span<const double> v, std::span<double> v_R) const {
  set_relative(v, 0);
  put_directors(v, v_R);
}

void Cartesian::coordinates_of(std::span<const double> x_R, std::span<double> x) const {
  for (int i = 0; i < count(); ++i) std::copy_n(&x_R[static_cast<std::size_t>(kInner) * i], 2, &x[2 * i]);
}

void Cartesian::retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
                        std::span<double> x_b) const {
  set_relative(x_a, 1);
  for (int i = 0; i < count(); ++i) {
    // Increments of increments alone: the relative rounding of the former.
    xi_[i] = cayley_increment(unknowns[i], xi_[i]);
    const Vec2<double> change = joint_of(i, dx, 0) + xi_[i];
    put(change, i, dx);
    put(entry(x_a, i) + change, i, x_b);
  }
}

void Cartesian::set_increments(std::span<const double> x, std::span<const double> v, double h,
                               std::span<double> unknowns) const {
  set_relative(v, 0);
  xi_.swap(xi_rate_);
  set_relative(x, 1);
  for (int i = 0; i < count(); ++i) unknowns[i] = h * moment_of(xi_[i], xi_rate_[i]) / dot(xi_[i], xi_[i]);
}

ConstrainedPoint Cartesian::embedded(const ConstrainedPoint& point) {
  ConstrainedPoint inner = point;
  embed(point.x_b, x_R_);
  inner.x_a = inner.x_b = x_R_;
  if (point.x_a.data() != point.x_b.data()) {
    embed(point.x_a, a_R_);
    inner.x_a = a_R_;
  }
  embed_rates(point.w, w_R_);
  inner.w = w_R_;
  embed_rates(point.velocity, v_R_);
  inner.velocity = v_R_;
  return inner;
}

/// From the left side of Rotationless without joint forces, in full_r_: the joint forces, into
/// full_unknowns_, and what is left of the moments.
void Cartesian::find_joint_forces(std::span<double> moments) {
  for (int i = count(); i-- > 0;) {
    const auto& rows = full_.tree_rows_[i];
    const double* on = &full_r_[full_.kkt_.offset(i)];
    const Vec2<double> force{-on[0], -on[1]};
    full_unknowns_[rows.unknown] = force.x;
    full_unknowns_[rows.unknown + 1] = force.y;
    moments[i] = on[2] + moment_of(lever(rows.child_point, full_.left_), force);
    if (links_[i].parent < 0) continue;
    add_force<2>(rows.parent_point.t, lever(rows.parent_point, full_.left_), force,
                 &full_r_[full_.kkt_.offset(rows.parent)]);
  }
}

void Cartesian::residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                         std::span<double> r) {
  inner_ = embedded(point);
  std::fill(full_unknowns_.begin(), full_unknowns_.end(), 0.0);
  for (int i = 0; i < count(); ++i) full_unknowns_[full_.kkt_.offset(i) + 2] = unknowns[i];
  full_.push_elements(inner_, full_unknowns_);
  full_.collect(full_r_);
  find_joint_forces(r);
}

bool Cartesian::factorise(const ConstrainedPoint&, std::span<const double>) {
  // Forces in the joints, which the residual has found, turn with the bodies: they are part of the tangent.
  for (const auto& rows : full_.tree_rows_) full_.push_constraints(rows, inner_, full_unknowns_);
  return full_.factorise(inner_, full_unknowns_);
}

void Cartesian::solve(std::span<double> r) {
  std::fill(full_r_.begin(), full_r_.end(), 0.0);
  for (int i = 0; i < count(); ++i) full_r_[full_.kkt_.offset(i) + 2] = r[i];
  full_.solve(full_r_);
  for (int i = 0; i < count(); ++i) r[i] = full_r_[full_.kkt_.offset(i) + 2];
}

double Cartesian::correct(std::span<const double> step, std::span<double> unknowns) const {
  for (std::size_t i = 0; i < step.size(); ++i) unknowns[i] -= cayley_rate(unknowns[i], step[i]);
  return size(step);
}

double Cartesian::size(std::span<const double> unknowns) const { return max_abs(unknowns); }

double Cartesian::rounding(std::span<const double> x) const {
  const double farthest = larger(full_.length_, max_abs(x));
  return std::numeric_limits<double>::epsilon() * farthest / full_.length_;
}

/// a = J xi'', xi'' = alpha xi^perp + Omega xi'^perp with the turns' accelerations alpha and rates Omega.
void Cartesian::set_accelerations(std::span<const double> x, std::span<const double> v,
                                  std::span<const double> turns, std::span<double> a) const {
  set_increments(x, v, 1, a.first(turns.size()));
  for (int i = 0; i < count(); ++i) {
    xi_[i] = turns[i] * perp(xi_[i]) + a[i] * perp(xi_rate_[i]);
  }
  for (int i = 0; i < count(); ++i) put(joint_of(i, a, 0) + xi_[i], i, a);
}

bool Cartesian::accelerate(double t, std::span<const double> x, std::span<const double> v,
                           std::span<const double> angles, std::span<double> unknowns, std::span<double> a) {
  embed_state(x, v);
  if (!full_.accelerate(t, x_R_, v_R_, angles, full_unknowns_, w_R_)) return false;
  for (int i = 0; i < count(); ++i) unknowns[i] = full_unknowns_[full_.kkt_.offset(i) + 2];
  set_accelerations(x, v, unknowns, a);
  return true;
}

void Cartesian::add_flows(const ConstrainedPoint& point, std::span<const double>, double h,
                          std::span<double> z) {
  if (z.empty()) return;
  full_.add_flows(embedded(point), full_unknowns_, h, z);
}

std::unique_ptr<WeakForm> Cartesian::make_weak_form(const GalerkinBasis& basis) {
  return std::make_unique<CartesianWeakForm>(*this, full_, basis);
}

/// Lengths are corrected with the joints where embed() will find them, so that rounding of one link is not
/// handed on to the next.
void Cartesian::settle(std::span<double> x, std::span<double> angles) const {
  for (int i = 0; i < count(); ++i) {
    const Vec2<double> joint = joint_of(i, x, 1);
    const Vec2<double> xi = entry(x, i) - joint;
    const double excess = dot(xi, xi) / (links_[i].length * links_[i].length) - 1;
    put(entry(x, i) - (0.5 * excess) * xi, i, x);
    xi_[i] = entry(x, i) - joint;
  }
  count_angles(angles);
}

void Cartesian::count_angles(std::span<double> angles) const {
  for (int i = 0; i < count(); ++i) {
    const Turn& turn = turns_[i];
    const Vec2<double> n = scaled_rotation(turn.zero, xi_[i]);
    double& phi = angles[turn.body];
    phi = counted_on(std::atan2(n.y, n.x), phi);
    const double parent = turn.parent < 0 ? 0 : angles[turn.parent];
    angles[turn.joint] = turn.sign * (phi - parent) + turn.offset;
  }
}

}  // namespace torsor
