#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/model/element_checks.h"

namespace torsor {
namespace {

void validate_muscle(const Muscle& muscle, const std::string& key) {
  require_finite(muscle.excitation.value(0), key + ".excitation");
  require_positive(muscle.max_force, key + ".max_force");
  require_positive(muscle.fibre_length, key + ".fibre_length");
  require_positive(muscle.max_velocity, key + ".max_velocity");
  require_positive(muscle.activation_time, key + ".activation_time");
  require_positive(muscle.deactivation_time, key + ".deactivation_time");
  require_nonnegative(muscle.smoothing, key + ".smoothing");
  require_finite(muscle.slack_length, key + ".slack_length");
  require_nonnegative(muscle.tendon_strain, key + ".tendon_strain");
  require_nonnegative(muscle.fibre_damping, key + ".fibre_damping");
  require(muscle.pennation >= 0 && muscle.pennation < 0.5 * std::numbers::pi, key + ".pennation",
          "an angle from 0 to below 90 deg", shown(muscle.pennation));
  if (muscle.initial) {
    require(*muscle.initial >= 0 && *muscle.initial <= 1, key + ".initial", "an activation from 0 to 1",
            shown(*muscle.initial));
  }
  require(muscle.least_length >= 0 && muscle.least_length < 1, key + ".least_length",
          "a number from 0 to below 1", shown(muscle.least_length));
  require(muscle.greatest_length > 1 && std::isfinite(muscle.greatest_length), key + ".greatest_length",
          "a number above 1", shown(muscle.greatest_length));
  require(muscle.lengthening_force > 1 && std::isfinite(muscle.lengthening_force), key + ".lengthening_force",
          "a number above 1", shown(muscle.lengthening_force));
  require_nonnegative(muscle.passive_force, key + ".passive_force");
  if (!muscle.has_series_tendon()) return;
  require_positive(muscle.slack_length, key + ".slack_length");
  // Else no velocity of the fibres may balance the tension.
  require_positive(muscle.fibre_damping, key + ".fibre_damping");
}

void validate_wrap(const ModelDescription& d, const Tendon& tendon, std::size_t index) {
  const Wrap& wrap = tendon.wraps[index];
  const std::string key = fmt::format("tendons.{}.wrap[{}]", tendon.name, index);
  require(wrap.segment >= 0 && wrap.segment + 1 < static_cast<int>(tendon.path.size()), key + ".between",
          "a segment of the path", std::to_string(wrap.segment));
  for (std::size_t i = 0; i < index; ++i) {
    require(tendon.wraps[i].segment != wrap.segment, key + ".between", "a segment that is not wrapped yet",
            std::to_string(wrap.segment));
  }
  validate_point(d, wrap.at, key);
  SO3<double> rotation = wrap.rotation;
  require_rotation(rotation, d.dimension, key + ".axis");
  require_positive(wrap.law.radius, key + ".radius");
  const bool planar = wrap.law.kind == WrapLaw::Kind::circle;
  require(planar == (d.dimension == 2), key, d.dimension == 2 ? "a circle" : "a cylinder or a sphere",
          planar ? "a circle" : "none in the plane");
  for (const int end : {wrap.segment, wrap.segment + 1}) {
    const Point& point = tendon.path[end];
    if (point.body != wrap.at.body) continue;
    Vec3<double> arm = transpose_times(matrix(wrap.rotation), point.p_B - wrap.at.p_B);
    if (wrap.law.kind == WrapLaw::Kind::cylinder) arm.z = 0;
    require(norm(arm) >= wrap.law.radius, key, "a radius that leaves both ends outside",
            fmt::format("{:.6g} m at an end {:.6g} m away", wrap.law.radius, norm(arm)));
  }
  if (!wrap.law.side) return;
  Vec3<double> side = *wrap.law.side;
  if (wrap.law.kind == WrapLaw::Kind::cylinder) side.z = 0;
  require(norm(side) > 0, key + ".side", "a point off the centre or axis", "one on it");
}

/// Each part of the joint turns or slides by one coordinate, whose rate is its derivative.
bool has_line_coordinates(JointType type, int dimension) {
  const JointParts parts = joint_parts(type, dimension);
  return std::all_of(parts.begin(), parts.end(),
                     [](const JointPart& part) { return components(part.primitive).rates() == 1; });
}

}  // namespace

void validate_terms(const ModelDescription& d, const std::vector<CoordinateTerm>& terms, std::size_t least,
                    const Key& key) {
  require(terms.size() >= least, key + ".joints",
          least == 1 ? "a coordinate or more with a factor other than 0"
                     : "two coordinates or more with factors other than 0",
          std::to_string(terms.size()));
  std::set<std::pair<int, int>> named;
  for (const CoordinateTerm& term : terms) {
    const Joint& joint = joint_of(d, term.joint, key);
    const Key at = key + ".joints." + joint.name;
    require(has_line_coordinates(joint.type, d.dimension), at,
            "a revolute, prismatic, helical, cylindrical, universal or planar joint",
            fmt::format("a {} joint", name_of(joint.type)));
    require(term.coordinate >= 0 && term.coordinate < rate_count(joint.type, d.dimension), at,
            fmt::format("a coordinate of the {} joint", name_of(joint.type)),
            std::to_string(term.coordinate));
    require(named.emplace(term.joint, term.coordinate).second, at, "each coordinate once", "twice the same");
    require_finite(term.factor, at);
    require(term.factor != 0, at, "a factor other than 0", "0");
  }
}

void validate_tendon(const ModelDescription& d, const Tendon& tendon) {
  const Key key = Key("tendons.") + tendon.name;
  if (tendon.joints.empty()) {
    require(tendon.path.size() >= 2, key + ".path", "two points or more", std::to_string(tendon.path.size()));
    require_nonnegative(tendon.rest_length.value(0), key + ".rest_length");
  } else {
    require(tendon.path.empty(), key + ".path", "no path beside `joints`", "one");
    validate_terms(d, tendon.joints, 1, key);
    require_finite(tendon.rest_length.value(0), key + ".rest_length");
  }
  constexpr std::size_t kMostPathPoints = 1000;  // every two of them may push each other
  require(
      tendon.path.size() <= kMostPathPoints, key + ".path",
      [&] { return fmt::format("at most {} points", kMostPathPoints); }, std::to_string(tendon.path.size()));
  for (std::size_t i = 0; i < tendon.path.size(); ++i) {
    const Key at = (key + ".path").at(i);
    const Point& point = tendon.path[i];
    validate_point(d, point, at);
    if (i == 0) continue;
    // A segment that always has length 0 has no direction.
    const Point& before = tendon.path[i - 1];
    require(before.body != point.body || norm(point.p_B - before.p_B) > 0, at,
            "a point apart from the one before it on the same body", "the same place");
  }
  for (std::size_t i = 0; i < tendon.wraps.size(); ++i) validate_wrap(d, tendon, i);
  require_nonnegative(tendon.stiffness, key + ".stiffness");
  require(tendon.rest_length.smoothness() >= 0, key + ".rest_length", "a program without jumps",
          "one that jumps");
  require_finite(tendon.tension.value(0), key + ".tension");
  require_nonnegative(tendon.damping, key + ".damping");
  if (tendon.muscle) validate_muscle(*tendon.muscle, (key + ".muscle").text());
}

}  // namespace torsor
