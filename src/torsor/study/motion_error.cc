#include "torsor/study/motion_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/norm.h"

namespace torsor {

std::vector<BodyPose> poses_of(const Observation& observation) {
  std::vector<BodyPose> poses;
  poses.reserve(observation.bodies.size());
  for (const BodyObservation& body : observation.bodies) poses.push_back({body.com, body.rotation});
  return poses;
}

double mechanism_size(const Model& model, const Observation& start) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3<double> low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  const auto include = [&](const Vec3<double>& point) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], point[i]);
      high[i] = std::max(high[i], point[i]);
    }
  };
  const auto include_of = [&](int body, const Vec3<double>& in_body) {
    if (body == kWorld) return include(in_body);
    const BodyObservation& of = start.bodies[body];
    include(of.com + act(of.rotation, in_body - model.bodies()[body].com));
  };
  double gyration = 0;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Body& body = model.bodies()[b];
    include(start.bodies[b].com);
    if (body.mass > 0) {
      gyration = std::max(gyration,
                          std::sqrt(0.5 * (body.inertia.xx + body.inertia.yy + body.inertia.zz) / body.mass));
    }
  }
  for (const Joint& joint : model.joints()) {
    include_of(joint.child, joint.in_child.position);
    if (joint.type != JointType::free) include_of(joint.parent, joint.in_parent.position);
  }
  for (const Point& point : model.points()) include_of(point.body, point.p_B);
  const double size = larger(norm(high - low), gyration);
  return size > 0 && std::isfinite(size) ? size : 1;
}

MotionError motion_error(const std::vector<BodyPose>& a, const std::vector<BodyPose>& b, double size) {
  MotionError largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error =
        larger(norm(a[i].com - b[i].com) / size, norm(log(inverse(a[i].rotation) * b[i].rotation)));
    if (error <= largest.error) continue;
    largest = {error, static_cast<int>(i)};
  }
  return largest;
}

}  // namespace torsor
