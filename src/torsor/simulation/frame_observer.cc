#include "torsor/simulation/frame_observer.h"

namespace torsor {

FrameObserver::FrameObserver(const Model& model) : dimension_(model.dimension()), R_(model.bodies().size()) {
  const auto place = [&](int body, Pose<double> X) {
    if (body != kWorld) X.p -= model.bodies()[body].com;
    return Place{body, X};
  };
  points_.reserve(model.points().size());
  for (const Point& point : model.points()) {
    points_.push_back(place(point.body, {Mat3<double>::identity(), point.p_B}));
  }
  joints_.reserve(model.joints().size());
  for (const Joint& joint : model.joints()) {
    joints_.push_back(
        {joint.type, place(joint.parent, pose(joint.in_parent)), place(joint.child, pose(joint.in_child))});
  }
}

void FrameObserver::set_rotations(const Observation& observation) {
  for (std::size_t b = 0; b < R_.size(); ++b) R_[b] = matrix(observation.bodies[b].rotation);
}

Pose<double> FrameObserver::pose_of(const Place& place, const Observation& observation) const {
  if (place.body == kWorld) return place.X;
  return Pose<double>{R_[place.body], observation.bodies[place.body].com} * place.X;
}

FrameObserver::Motion FrameObserver::motion_of(const Place& place, const Observation& observation) const {
  if (place.body == kWorld) return {place.X, {}, {}, {}, {}};
  const BodyObservation& body = observation.bodies[place.body];
  const Vec3<double> arm = R_[place.body] * place.X.p;
  const Vec3<double>&omega = body.angular_velocity, &alpha = body.angular_acceleration;
  const Vec3<double> swept = cross(omega, arm);
  return {{R_[place.body] * place.X.R, body.com + arm},
          body.velocity + swept,
          body.acceleration + cross(alpha, arm) + cross(omega, swept),
          omega,
          alpha};
}

void FrameObserver::observe(Observation& observation) {
  set_rotations(observation);
  put_points(observation);
  observe_sides(observation);
}

void FrameObserver::observe_points(Observation& observation) {
  if (points_.empty()) return;
  set_rotations(observation);
  put_points(observation);
}

void FrameObserver::put_points(Observation& observation) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Motion motion = motion_of(points_[i], observation);
    observation.points[i] = {motion.X.p, motion.velocity, motion.acceleration};
  }
}

void FrameObserver::observe_sides(Observation& observation) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    JointObservation& joint = observation.joints[j];
    const Pose<double> J = pose_of(joints_[j].J, observation), K = pose_of(joints_[j].K, observation);
    const Vec3<double> moment = K.R * joint.reaction.moment, force = K.R * joint.reaction.force;
    joint.reaction_world = {moment, force};
    joint.reaction_parent = {-transpose_times(J.R, moment + cross(K.p - J.p, force)),
                             -transpose_times(J.R, force)};
  }
}

/// With r from J to K and u = v_K - v_J - omega_J x r, all in world axes:
///   turn of K in J seen from J:  d/dt R_J^T (omega_K - omega_J) = R_J^T (alpha_K - alpha_J - omega_J x omega_K) (1)
///   the same seen from K:        d/dt R_K^T (omega_K - omega_J) = R_K^T (alpha_K - alpha_J - omega_J x omega_K) (2)
///   slide seen from J:           d/dt R_J^T u = R_J^T (u' - omega_J x u) (3)
///   slide seen from K:           d/dt R_K^T u = R_K^T (u' - omega_K x u) (4)
///   u' = a_K - a_J - alpha_J x r - omega_J x (v_K - v_J)
/// By the table of joint types slides are along axes of J, the first turn is about an axis of J and the last
/// about one of K; motions with several axes have rates in axes of K.
void FrameObserver::observe_accelerations(Observation& observation) {
  set_rotations(observation);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    std::vector<double>& acceleration = observation.joints[j].acceleration;
    if (acceleration.empty()) continue;
    const Motion J = motion_of(joints_[j].J, observation), K = motion_of(joints_[j].K, observation);
    const Vec3<double> r = K.X.p - J.X.p, apart = K.velocity - J.velocity;
    const Vec3<double> u = apart - cross(J.omega, r);
    const Vec3<double> u_rate = K.acceleration - J.acceleration - cross(J.alpha, r) - cross(J.omega, apart);
    const Vec3<double> turn = K.alpha - J.alpha - cross(J.omega, K.omega);
    const Vec3<double> turn_J = transpose_times(J.X.R, turn), turn_K = transpose_times(K.X.R, turn);
    const Vec3<double> slide_J = transpose_times(J.X.R, u_rate - cross(J.omega, u)),
                       slide_K = transpose_times(K.X.R, u_rate - cross(K.omega, u));
    bool turned = false;
    for (const JointPart& part : joint_parts(joints_[j].type, dimension_)) {
      double* const to = acceleration.data() + part.rate;
      switch (part.primitive) {
        case Primitive::fixed:
          break;
        case Primitive::revolute:
        case Primitive::helical:
          *to = (turned ? turn_K : turn_J)[part.axis];
          turned = true;
          break;
        case Primitive::prismatic:
          *to = slide_J[part.axis];
          break;
        case Primitive::planar:
          to[0] = turn_K.z, to[1] = slide_K.x, to[2] = slide_K.y;
          break;
        case Primitive::spherical:
        case Primitive::free:
          for (int i = 0; i < 3; ++i) to[i] = turn_K[i];
          if (part.primitive == Primitive::free)
            for (int i = 0; i < 3; ++i) to[3 + i] = slide_K[i];
          break;
      }
    }
  }
}

}  // namespace torsor
