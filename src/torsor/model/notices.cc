#include "torsor/model/notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor {
namespace {

constexpr double kFar = 50;         ///< mechanisms are rarely larger [m]
constexpr double kFarBeside = 100;  ///< of the other lengths of the model

/// Of every body the places that the model names: its frame, ends of joints, points.
std::vector<std::vector<Vec3<double>>> named_places(const Model& model) {
  std::vector<std::vector<Vec3<double>>> places(model.bodies().size(), {Vec3<double>{}});
  const auto add = [&](int body, const Vec3<double>& place) {
    if (body != kWorld) places[body].push_back(place);
  };
  for (const Joint& joint : model.joints()) {
    add(joint.child, joint.in_child.position);
    if (joint.type != JointType::free) add(joint.parent, joint.in_parent.position);
  }
  for (const Point& point : model.points()) add(point.body, point.p_B);
  return places;
}

}  // namespace

std::vector<std::string> notices_of(const Model& model) {
  const std::vector<std::vector<Vec3<double>>> places = named_places(model);
  std::vector<double> distances;      // of the centre of mass from the nearest of them
  double length = 0;                  // the longest between them
  double farthest = 0, next_far = 0;  // of the distances
  for (std::size_t b = 0; b < places.size(); ++b) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3<double>& place : places[b]) {
      nearest = std::min(nearest, norm(model.bodies()[b].com - place));
      length = std::max(length, norm(place));
    }
    distances.push_back(nearest);
    next_far = std::max(next_far, std::min(farthest, nearest));
    farthest = std::max(farthest, nearest);
  }
  std::vector<std::string> notices;
  for (std::size_t b = 0; b < places.size(); ++b) {
    const double others = std::max(length, distances[b] == farthest ? next_far : farthest);
    if (!(distances[b] > std::max(kFar, kFarBeside * others))) continue;
    const std::string beside = others > 0
                                   ? fmt::format("no other length of the model exceeds {:.3g} m", others)
                                   : std::string("the model has no other length");
    notices.push_back(
        fmt::format("bodies.{}.com: {:.4g} m from the body's frame, joints and points; {}. Metres?",
                    model.bodies()[b].name, distances[b], beside));
  }
  return notices;
}

}  // namespace torsor
