#include "torsor/model/notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor {
namespace {

constexpr double kFar = 50;         ///< mechanisms are rarely larger [m]
constexpr double kFarBeside = 100;  ///< of the other lengths of the model

/// Places of a body that the model names: its frame, ends of joints, points.
std::vector<Vec3<double>> places_of(const Model& model, int body) {
  std::vector<Vec3<double>> places{{}};
  for (const Joint& joint : model.joints()) {
    if (joint.child == body) places.push_back(joint.in_child.position);
    if (joint.parent == body && joint.type != JointType::free) places.push_back(joint.in_parent.position);
  }
  for (const Point& point : model.points()) {
    if (point.body == body) places.push_back(point.p_B);
  }
  return places;
}

}  // namespace

std::vector<std::string> notices_of(const Model& model) {
  const int count = static_cast<int>(model.bodies().size());
  std::vector<double> distances(count), lengths(count);  // of the centre of mass; between places
  for (int b = 0; b < count; ++b) {
    const std::vector<Vec3<double>> places = places_of(model, b);
    distances[b] = std::numeric_limits<double>::infinity();
    for (const Vec3<double>& place : places) {
      distances[b] = std::min(distances[b], norm(model.bodies()[b].com - place));
      lengths[b] = std::max(lengths[b], norm(place));
    }
  }
  std::vector<std::string> notices;
  for (int b = 0; b < count; ++b) {
    double others = 0;
    for (int other = 0; other < count; ++other) {
      others = std::max({others, lengths[other], other == b ? 0 : distances[other]});
    }
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
