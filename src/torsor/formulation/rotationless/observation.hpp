#pragma once
// What a stepper sees of directors: poses, coordinates, energies, errors, reactions.

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"

namespace torsor {

template <int D>
void Rotationless<D>::start(const Model& model, std::span<const double> q, std::span<const double> qd,
                            std::span<double> x, std::span<double> v, std::span<double> angles) const {
  const std::vector<double> q_all(q.begin(), q.end()), qd_all(qd.begin(), qd.end());
  const std::vector<SE3<double>> X_W = body_poses(model, q_all);
  const std::vector<Twist<double>> V_B = body_twists(model, q_all, qd_all);
  for (std::size_t b = 0; b < X_W.size(); ++b) {
    const Pose<double> X_WD = pose(X_W[b]) * frames_.X_BD[b];
    const Twist<double>& V = V_B[b];
    const Mat3<double> R = matrix(X_W[b].rotation);
    const Vec3<double> omega = R * V.angular;
    const Vec3<double> velocity = R * (V.linear + cross(V.angular, frames_.X_BD[b].p));
    const Vec3<double> d[3] = {{X_WD.R.xx, X_WD.R.yx, X_WD.R.zx},
                               {X_WD.R.xy, X_WD.R.yy, X_WD.R.zy},
                               {X_WD.R.xz, X_WD.R.yz, X_WD.R.zz}};
    const std::size_t at = kCoordinates<D> * frames_.node_of[b];
    for (int i = 0; i < D; ++i) {
      x[at + i] = X_WD.p[i];
      v[at + i] = velocity[i];
      for (int k = 0; k < D; ++k) {
        x[at + D * (k + 1) + i] = d[k][i];
        v[at + D * (k + 1) + i] = cross(omega, d[k])[i];
      }
    }
  }
  // Angles of joints start with the turns of q.
  std::fill(angles.begin(), angles.end(), 0.0);
  for (std::size_t j = 0; j < joints_.coordinates.size(); ++j) {
    const auto& coordinates = joints_.coordinates[j];
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (coordinates[i].angle >= 0)
        angles[coordinates[i].angle] = q[model.coordinate_offset(static_cast<int>(j)) + i];
    }
  }
  if (D == 2) start_body_angles(model, q_all, angles);
}

/// In the plane the angle of a body is that which it has with all joints at zero, within half a turn, and
/// what the joints on the way to it turn.
template <int D>
void Rotationless<D>::start_body_angles(const Model& model, const std::vector<double>& q,
                                        std::span<double> angles) const {
  std::vector<SO3<double>> at_zero(model.bodies().size());
  std::vector<double> turned(at_zero.size());
  for (int b : model.topology().order) {
    const int carrier = model.topology().carrier[b];
    const Joint& joint = model.joints()[carrier];
    const bool turns =
        joint.type == JointType::revolute || joint.type == JointType::planar || joint.type == JointType::free;
    // The joint's z may point down.
    const double sign = act(joint.in_parent.rotation, Vec3<double>{0, 0, 1}).z < 0 ? -1 : 1;
    turned[b] = turns ? sign * q[model.coordinate_offset(carrier)] : 0;
    at_zero[b] = joint.in_parent.rotation * inverse(joint.in_child.rotation);
    if (joint.parent != kWorld) {
      turned[b] += turned[joint.parent];
      at_zero[b] = at_zero[joint.parent] * at_zero[b];
    }
    const Mat3<double> R = matrix(at_zero[b]);
    angles[joints_.body_angles[frames_.node(b)].angle] = std::atan2(R.yx, R.xx) + turned[b];
  }
}

template <int D>
EnergyParts Rotationless<D>::energies(std::span<const double> x, std::span<const double> v,
                                      std::span<const double> angles) {
  load(x, right_);
  load(v, velocity_);
  EnergyParts parts;
  for (int node = 0; node < ground_; ++node) {
    double twice = frames_.mass[node] * dot(velocity_[node].phi, velocity_[node].phi);
    for (int i = 0; i < D; ++i) twice += frames_.E[node][i] * dot(velocity_[node].d[i], velocity_[node].d[i]);
    parts.kinetic += 0.5 * twice;
    parts.gravity -= frames_.mass[node] * dot(gravity_, right_[node].phi);
  }
  for (const typename Elements::Tendon& tendon : elements_.tendons) {
    double stretch = -tendon.rest_length;
    for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
      stretch += norm(value(tendon.path[i + 1], right_) - value(tendon.path[i], right_));
    }
    if (tendon.tension_only && stretch < 0) continue;
    parts.elastic += 0.5 * tendon.stiffness * stretch * stretch;
  }
  for (const typename Elements::Spring& spring : elements_.springs) {
    const double last = spring.measure.angle < 0 ? 0 : angles[spring.measure.angle];
    const double stretch = value(spring.measure, right_, last) - spring.rest;
    parts.elastic += 0.5 * spring.stiffness * stretch * stretch;
  }
  for (const typename Elements::LogSpring& spring : elements_.log_springs) {
    const double angle = log_angle(spring, right_);
    parts.elastic += 0.5 * spring.stiffness * angle * angle;
  }
  return parts;
}

template <int D>
double Rotationless<D>::position_error(std::span<const double> x, std::span<const double> angles) {
  load(x, right_);
  double largest = 0;
  for (int node = 0; node < ground_; ++node) {
    const auto& d = right_[node].d;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) {
        largest = larger(largest, std::abs(dot(d[i], d[j]) - (i == j ? 1.0 : 0.0)));
      }
    }
  }
  const auto book = [&](const PlacedRows& rows) {
    set_constraints(rows, angles, scratch_);
    for (int row = 0; row < rows.count(); ++row) {
      largest = larger(largest, std::abs(scratch_[rows.unknown + row]));
    }
  };
  for (const PlacedRows& rows : tree_rows_) book(rows);
  for (const PlacedRows& rows : loop_rows_) book(rows);
  return largest;
}

template <int D>
double Rotationless<D>::velocity_error(std::span<const double> x, std::span<const double> v) {
  load(x, right_);
  load(v, velocity_);
  double largest = 0;
  const auto book = [&](double rate) { largest = larger(largest, std::abs(rate)); };
  for (int node = 0; node < ground_; ++node) {
    const auto &d = right_[node].d, &dd = velocity_[node].d;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) book(dot(d[i], dd[j]) + dot(dd[i], d[j]));
    }
  }
  const auto book_joint = [&](const PlacedRows& rows) {
    if (rows.coincident) {
      book(norm(value(rows.child_point, velocity_) + value(rows.parent_point, velocity_)));
    }
    for (const Product<D>& product : products(rows)) book(rate(product, right_, velocity_));
    if (rows.screw >= 0) {
      const Screw<D>& screw = screws_[rows.screw].law;
      const MeasuredPair pair = measured_pair(screw.angle, right_, right_, 0.0, 1.0);
      book(rate(screw.advance, right_, velocity_) - screw.pitch * rate(screw.angle, pair, right_, velocity_));
    }
  };
  for (const PlacedRows& rows : tree_rows_) book_joint(rows);
  for (const PlacedRows& rows : loop_rows_) book_joint(rows);
  return largest;
}

template <int D>
void Rotationless<D>::body_motions(std::span<const double> x, std::span<const double> v,
                                   std::span<BodyMotion> motions) {
  load(x, left_);
  load(v, velocity_);
  const auto in_space = [](const VecD<D>& a) {
    if constexpr (D == 2) {
      return Vec3<double>{a.x, a.y, 0};
    } else {
      return a;
    }
  };
  for (std::size_t b = 0; b < motions.size(); ++b) {
    const int node = frames_.node_of[b];
    BodyMotion& motion = motions[b];
    const auto& d = left_[node].d;
    motion.mass = frames_.mass[node];
    motion.com = in_space(left_[node].phi);
    motion.velocity = in_space(velocity_[node].phi);
    Mat3<double> R_WD;
    motion.spin = {};
    if constexpr (D == 2) {
      R_WD = {d[0].x, d[1].x, 0, d[0].y, d[1].y, 0, 0, 0, 1};
      motion.angular_velocity = {0, 0, spin_rate(node)};
      for (int i = 0; i < 2; ++i) motion.spin.z += frames_.E[node][i] * moment_of(d[i], velocity_[node].d[i]);
    } else {
      R_WD = {d[0].x, d[1].x, d[2].x, d[0].y, d[1].y, d[2].y, d[0].z, d[1].z, d[2].z};
      motion.angular_velocity = spin_rate(node);
      for (int i = 0; i < 3; ++i) motion.spin += frames_.E[node][i] * cross(d[i], velocity_[node].d[i]);
    }
    motion.R = R_WD * transpose(frames_.X_BD[b].R);
  }
}

template <int D>
void Rotationless<D>::body_angles(std::span<const double> angles, std::span<double> by_body) const {
  if (D != 2) return;
  for (std::size_t b = 0; b < by_body.size(); ++b) {
    by_body[b] = angles[joints_.body_angles[frames_.node_of[b]].angle];
  }
}

template <int D>
void Rotationless<D>::joint_motions(std::span<const double> x, std::span<const double> v,
                                    std::span<const double> angles, std::span<const JointMotion> motions) {
  load(x, right_);
  load(v, velocity_);
  for (std::size_t j = 0; j < motions.size(); ++j) {
    const auto& coordinates = joints_.coordinates[j];
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const double last = coordinates[i].angle < 0 ? 0 : angles[coordinates[i].angle];
      const MeasuredPair pair = measured_pair(coordinates[i], right_, right_, last, 1.0);
      motions[j].position[i] = pair.b;
      motions[j].rate[i] = rate(coordinates[i], pair, right_, velocity_);
    }
  }
}

template <int D>
void Rotationless<D>::tendons(std::span<const double> x, std::span<const double> v,
                              std::span<TendonMotion> motions) {
  load(x, right_);
  start_ = right_;
  load(v, velocity_);
  ConstrainedPoint point;
  for (std::size_t t = 0; t < motions.size(); ++t) {
    const typename Elements::Tendon& tendon = elements_.tendons[t];
    const TendonPair pair = tendon_pair(t, point);
    double length = 0, rate = 0;
    for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
      const Stretch& segment = stretches_[tendon.first_segment + i];
      const VecD<D> apart = value(tendon.path[i + 1], velocity_) - value(tendon.path[i], velocity_);
      length += segment.s_b;
      if (segment.s_b > 0) rate += dot(segment.e_b, apart) / segment.s_b;
    }
    motions[t] = {length, rate, pair.tension};
  }
}

template <int D>
void Rotationless<D>::efforts(double t, std::span<const double> unknowns,
                              std::span<double> by_actuator) const {
  ConstrainedPoint point;
  point.time = t;
  point.force_gain = 1;
  for (const typename Elements::Effort& effort : elements_.efforts) {
    by_actuator[effort.actuator] = scaled_effort(effort, point, unknowns);
  }
}

template <int D>
void Rotationless<D>::reactions(double t, std::span<const double> x, std::span<const double> v,
                                std::span<const double> angles, std::span<const double> unknowns,
                                std::span<Wrench<double>> on_child) {
  const ConstrainedPoint point = state_point(t, x, v, angles);
  load_pair(point);
  std::fill(joint_forces_.begin(), joint_forces_.end(), NodeForce{});
  const auto push_across = [this](int joint) {
    return [this, joint](const Arm<D>& arm, const VecD<D>& force) {
      if (arm.node != joints_.rows[joint].child) return;
      joint_forces_[joint].force += arm.t * force;
      for (int i = 0; i < D; ++i) joint_forces_[joint].on_directors[i] += arm.beta[i] * force;
    };
  };
  const auto add_constraints = [&](const PlacedRows& rows) {
    const double* lambda = unknowns.data() + rows.unknown;
    const auto across = push_across(rows.joint);
    if (rows.coincident) {
      VecD<D> force;
      for (int i = 0; i < D; ++i) force[i] = *lambda++;
      across(rows.child_point, force);
    }
    for (const Product<D>& product : products(rows)) push_gradient(product, left_, *lambda++, across);
    if (rows.screw < 0) return;
    const Screw<D>& screw = screws_[rows.screw].law;
    push_gradient(screw.advance, left_, *lambda, across);
    push_gradient(screw.angle, pair_of(screw.angle, point), left_, -screw.pitch * *lambda, across);
  };
  for (const PlacedRows& rows : tree_rows_) add_constraints(rows);
  for (const PlacedRows& rows : loop_rows_) add_constraints(rows);
  for (const typename Elements::Spring& spring : elements_.springs) {
    const MeasuredPair pair = pair_of(spring.measure, point);
    push_gradient(spring.measure, pair, left_, spring_effort(spring, pair), push_across(spring.joint));
  }
  for (const typename Elements::CoordinateHold& hold : elements_.coordinate_holds) {
    const MeasuredPair pair = pair_of(hold.measure, point);
    push_gradient(hold.measure, pair, left_, hold_effort(hold, pair, t), push_across(hold.joint));
  }
  for (const typename Elements::LogSpring& spring : elements_.log_springs) {
    if (spring.compensation_flow >= 0) continue;
    const double angle = log_angle(spring, right_);
    for (const Product<D>& product : spring.trace) {
      push_gradient(product, left_, log_spring_slope(spring.stiffness, angle, angle),
                    push_across(spring.joint));
    }
  }
  for (const typename Elements::Effort& effort : elements_.efforts) {
    const double tau = scaled_effort(effort, point, unknowns);
    if (effort.kind == Elements::Effort::Kind::coordinate) {
      const MeasuredPair pair = pair_of(effort.measure, point);
      push_gradient(effort.measure, pair, left_, -tau, push_across(effort.joint));
    } else if (effort.kind == Elements::Effort::Kind::force) {
      push_across(effort.joint)(effort.at, -tau * lever(effort.spin.axes[0], left_));
    } else if constexpr (D == 3) {
      joint_forces_[effort.joint].moment -= tau * lever(effort.spin.axes[0], left_);
    }
  }
  if constexpr (D == 3) {
    for (const typename Elements::SpinDamper& damper : elements_.spin_dampers) {
      joint_forces_[damper.joint].moment += damper_moment(damper);
    }
    for (const typename Elements::EulerSpring& spring : elements_.euler_springs) {
      if (spring.compensation_flow >= 0) continue;
      joint_forces_[spring.joint].moment += euler_moment(spring);
    }
  }
  for (std::size_t j = 0; j < on_child.size(); ++j) on_child[j] = wrench_at_joint(static_cast<int>(j));
}

/// Of joint_forces_, which are left sides of (1) about the child's centre of mass.
template <int D>
Wrench<double> Rotationless<D>::wrench_at_joint(int joint) const {
  const NodeForce& on = joint_forces_[joint];
  const Directors<D>& child = left_[joints_.rows[joint].child];
  SpinD<D> moment = on.moment;
  for (int i = 0; i < D; ++i) moment += moment_of(child.d[i], on.on_directors[i]);
  moment -= moment_of(lever(joints_.rows[joint].child_point, child), on.force);
  Wrench<double> wrench;
  Mat3<double> R_WD;
  if constexpr (D == 2) {
    wrench = {{0, 0, -moment}, {-on.force.x, -on.force.y, 0}};
    R_WD = {child.d[0].x, child.d[1].x, 0, child.d[0].y, child.d[1].y, 0, 0, 0, 1};
  } else {
    wrench = {-moment, -on.force};
    const auto& d = child.d;
    R_WD = {d[0].x, d[1].x, d[2].x, d[0].y, d[1].y, d[2].y, d[0].z, d[1].z, d[2].z};
  }
  const Mat3<double> R_WK = R_WD * R_DK_[joint];
  return {transpose_times(R_WK, wrench.moment), transpose_times(R_WK, wrench.force)};
}

}  // namespace torsor
