#include "torsor/formulation/rotationless/observer.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/balance.h"

namespace torsor {

template <int D>
RotationlessObserver<D>::RotationlessObserver(RotationlessWork<D>& work)
    : work_(work), across_(work.mechanism.joints.rows.size()) {}

template <int D>
void RotationlessObserver<D>::load_state(std::span<const double> x, std::span<const double> v) {
  load_configuration(x, work_.X.right);
  load_configuration(v, work_.X.velocity);
}

template <int D>
void RotationlessObserver<D>::start_states(double t, std::span<const double> x,
                                           std::span<const double> angles, std::span<double> z) {
  load_configuration(x, work_.X.right);
  const StateView<D> state{work_.X.right, angles, t, {}};
  for_each_element(work_.elements, [&](const auto& element) {
    if constexpr (requires { element.start(state, z); }) element.start(state, z);
  });
}

template <int D>
EnergyParts RotationlessObserver<D>::energies(double t, std::span<const double> x, std::span<const double> v,
                                              std::span<const double> angles) {
  load_state(x, v);
  return energies_of_loaded(t, v, angles);
}

template <int D>
double RotationlessObserver<D>::position_error(std::span<const double> x, std::span<const double> angles) {
  load_configuration(x, work_.X.right);
  return loaded_position_error(work_, angles);
}

template <int D>
double RotationlessObserver<D>::velocity_error(std::span<const double> x, std::span<const double> v) {
  load_state(x, v);
  return loaded_velocity_error(work_);
}

template <int D>
StateBalance RotationlessObserver<D>::balance(double t, std::span<const double> x, std::span<const double> v,
                                              std::span<const double> angles, std::span<BodyMotion> motions) {
  load_state(x, v);
  StateBalance balance{energies_of_loaded(t, v, angles),
                       {},
                       {},
                       loaded_position_error(work_, angles),
                       loaded_velocity_error(work_)};
  for (std::size_t b = 0; b < motions.size(); ++b) {
    BodyMotion& body = motions[b];
    set_motion(b, body);
    const Vec3<double> p = body.mass * body.velocity;
    balance.linear_momentum += p;
    balance.angular_momentum += cross(body.com, p) + body.spin;
  }
  return balance;
}

template <int D>
EnergyParts RotationlessObserver<D>::energies_of_loaded(double t, std::span<const double> v,
                                                        std::span<const double> angles) const {
  const EnergyPartsOf<double> parts = loaded_energies(work_, t, v, angles);
  return {.kinetic = parts.kinetic, .gravity = parts.gravity, .elastic = parts.elastic};
}

/// With the twists eta of the bodies, v -> P eta, and without servos:
///   P^T M (P eta - v) = -G^T nu,   G P eta = 0. (1)
template <int D>
void RotationlessObserver<D>::project_rates(std::span<const double> x, std::span<const double> angles,
                                            std::span<const double> v, std::span<double> projected) {
  std::copy(v.begin(), v.end(), projected.begin());
  const ConstrainedPoint point = state_point(work_, 0, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  const std::span<double> r = work_.r;
  set_momenta<D>(work_, v, r);
  assemble_bare(work_);
  BodyKkt<D>& kkt = work_.kkt;
  for (int row = work_.mechanism.loop_count; row < kkt.border_size(); ++row) kkt.corner(row, row) = 1;
  if (!kkt.factorise_bare() || !factorise_bare_border(work_)) return;
  kkt.solve(r.first(kkt.size()), r.subspan(kkt.size()));
  set_rates(work_, r, projected);
}

/// All but its orientation.
template <int D>
void RotationlessObserver<D>::set_motion(std::size_t body, BodyMotion& motion) const {
  const int node = work_.mechanism.frames.node_of[body];
  const LoadedMotion<double> loaded = loaded_motion(work_, node);
  motion.mass = work_.mechanism.frames.mass[node];
  motion.com = loaded.com;
  motion.velocity = loaded.velocity;
  motion.angular_velocity = loaded.angular_velocity;
  motion.spin = loaded.spin;
}

template <int D>
void RotationlessObserver<D>::body_motions(std::span<const double> x, std::span<const double> v,
                                           std::span<BodyMotion> motions) {
  load_state(x, v);
  for (std::size_t b = 0; b < motions.size(); ++b) {
    set_motion(b, motions[b]);
    const auto& d = work_.X.right[work_.mechanism.frames.node_of[b]].d;
    Mat3<double> R_WD;
    if constexpr (D == 2) {
      R_WD = {d[0].x, d[1].x, 0, d[0].y, d[1].y, 0, 0, 0, 1};
    } else {
      R_WD = {d[0].x, d[1].x, d[2].x, d[0].y, d[1].y, d[2].y, d[0].z, d[1].z, d[2].z};
    }
    motions[b].R = R_WD * transpose(work_.mechanism.frames.X_BD[b].R);
  }
}

template <int D>
void RotationlessObserver<D>::body_angles(std::span<const double> x, std::span<const double> angles,
                                          std::span<double> by_body) {
  if (D != 2) return;
  load_configuration(x, work_.X.right);
  for (std::size_t b = 0; b < by_body.size(); ++b) {
    const Measure<D>& measure = work_.mechanism.joints.body_angles[work_.mechanism.frames.node_of[b]];
    by_body[b] = value_at(measure, work_.X.right, angles[measure.angle]);
  }
}

template <int D>
void RotationlessObserver<D>::joint_motions(std::span<const double> x, std::span<const double> v,
                                            std::span<const double> angles,
                                            std::span<const JointMotion> motions) {
  load_state(x, v);
  for (std::size_t j = 0; j < motions.size(); ++j) {
    const auto& coordinates = work_.mechanism.joints.coordinates[j];
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const double last = coordinates[i].angle < 0 ? 0 : angles[coordinates[i].angle];
      const MeasuredPair pair = measured_pair(coordinates[i], work_.X.right, work_.X.right, last, 1.0);
      motions[j].position[i] = pair.b;
      motions[j].rate[i] = rate_at(coordinates[i], pair, work_.X.right, work_.X.velocity);
    }
  }
}

template <int D>
void RotationlessObserver<D>::tendons(double t, std::span<const double> x, std::span<const double> v,
                                      std::span<const double> angles, std::span<TendonMotion> motions) {
  load_state(x, v);
  const auto& tendons = std::get<std::vector<TendonElement<D>>>(work_.elements);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i] = tendon_motion(tendons[i], t, work_.X.right, work_.X.velocity, angles);
  }
}

template <int D>
void RotationlessObserver<D>::efforts(double t, std::span<const double> unknowns,
                                      std::span<double> by_actuator) const {
  ConstrainedPoint point;
  point.time = t;
  point.force_gain = 1;
  const PairView<D> view = work_.view(point, unknowns);
  const std::span<const Effort<D>> efforts = work_.efforts();
  for (const Effort<D>& effort : efforts) by_actuator[effort.actuator] = effort.scaled(view);
  for (const TendonEffort<D>& effort : work_.tendon_efforts()) {
    by_actuator[effort.actuator] = effort.scaled(view);
  }
}

template <int D>
void RotationlessObserver<D>::coupling_efforts(std::span<const double> unknowns,
                                               std::span<double> by_coupling) const {
  for (std::size_t i = 0; i < by_coupling.size(); ++i) {
    by_coupling[i] = -unknowns[work_.mechanism.couplings[i].unknown];
  }
}

template <int D>
void RotationlessObserver<D>::reactions(double t, std::span<const double> x, std::span<const double> v,
                                        std::span<const double> angles, std::span<const double> unknowns,
                                        std::span<Wrench<double>> on_child) {
  const RotationlessMechanism<D>& mechanism = work_.mechanism;
  const ConstrainedPoint point = state_point(work_, t, x, v, angles);
  work_.X.load(point);
  set_row_pairs(work_, point);
  set_bare_accelerations(work_, angles);
  for_each_rotor(mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    work_.bare_w[at] += rotor_rate<D>(work_, rotor, unknowns, 1);
  });
  std::fill(across_.begin(), across_.end(), NodeForce<D>{});
  const auto across = [&](int joint) {
    return AcrossSink<D>{across_[joint], mechanism.joints.rows[joint].child};
  };
  for (const auto* all : {&mechanism.tree_rows, &mechanism.loop_rows}) {
    for (const PlacedRows<D>& rows : *all) {
      push_rows(mechanism, rows, work_.row_pairs, work_.X.left, unknowns, across(rows.joint));
    }
  }
  for (const CouplingRow<D>& row : mechanism.couplings) {
    const MeasuredPair* pair = &work_.row_pairs[mechanism.screws.size() + row.first_term];
    for (const auto& [coordinate, factor, joint] : mechanism.terms_of(row)) {
      push_gradient(coordinate, *pair++, work_.X.left, factor * unknowns[row.unknown], across(joint));
    }
  }
  const PairView<D> view = work_.view(point, unknowns);
  for_each_element(work_.elements, [&](auto& element) {
    if constexpr (requires { element.joint; }) {
      if (element.joint >= 0) element.push(view, across(element.joint));
    }
    if constexpr (requires { element.measure.sum; }) {
      if (!element.measure.sum.empty()) element.push(view, AcrossEachSink<D, decltype(across)>{across});
    }
  });
  for (std::size_t j = 0; j < on_child.size(); ++j) on_child[j] = wrench_at_joint(static_cast<int>(j));
}

/// Of across_, which are left sides of (1) about the child's centre of mass.
template <int D>
Wrench<double> RotationlessObserver<D>::wrench_at_joint(int joint) const {
  const NodeForce<D>& on = across_[joint];
  const Directors<D>& child = work_.X.left[work_.mechanism.joints.rows[joint].child];
  SpinD<D> moment = on.moment;
  for (int i = 0; i < D; ++i) moment += moment_of(child.d[i], on.on_directors[i]);
  moment -= moment_of(lever(work_.mechanism.joints.rows[joint].child_point, child), on.force);
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
  const Mat3<double> R_WK = R_WD * work_.mechanism.R_DK[joint];
  return {transpose_times(R_WK, wrench.moment), transpose_times(R_WK, wrench.force)};
}

template class RotationlessObserver<2>;
template class RotationlessObserver<3>;

}  // namespace torsor
