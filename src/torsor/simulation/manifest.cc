#include "torsor/simulation/manifest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/model/check.h"
#include "torsor/model/controlled_chain.h"
#include "torsor/model/flow_book.h"
#include "torsor/model/symmetry.h"

namespace torsor {

std::vector<StoppedCoordinate> stopped_coordinates(const Model& model) {
  std::vector<StoppedCoordinate> all;
  for (const JointStop& stop : model.elements().stops) {
    if (stop.tendon) {
      const JointStop::Range& range = stop.ranges[0];
      if (range.is_bounded())
        all.push_back({model.tendons()[*stop.tendon].name, 0, 0, model.tendons()[*stop.tendon].is_angle,
                       range.lower, range.upper, *stop.tendon});
      continue;
    }
    const Joint& joint = model.joints()[stop.joint];
    const std::vector<std::string> names = joint_outputs(joint.type);
    for (std::size_t i = 0; i < stop.ranges.size(); ++i) {
      const JointStop::Range& range = stop.ranges[i];
      if (!range.is_bounded()) continue;
      const bool turns =
          components(joint.type, model.dimension()).rate(static_cast<int>(i)) == Component::angle;
      all.push_back({names.size() == 1 ? joint.name : joint.name + " " + names[i], stop.joint,
                     static_cast<int>(i), turns, range.lower, range.upper});
    }
  }
  return all;
}

namespace {

PlaneAxes plane_axes(const SO3<double>& frame) {
  const Vec3<double> along{0, 0, 1}, normal = transpose_times(matrix(frame), Vec3<double>{0, 0, 1});
  return {along, cross(normal, along), normal};
}

JointPlane plane_of(const Joint& joint) {
  if (!only_slides(joint.type)) return {};
  return {plane_axes(joint.in_child.rotation), plane_axes(joint.in_parent.rotation)};
}

void set_outline(const Model& model, std::vector<OutlinePoint>& outline) {
  outline.clear();
  outline.reserve(2 * model.joints().size() + model.points().size());
  const auto include = [&](int body, const Vec3<double>& p_B) {
    const bool is_world = body == kWorld;
    outline.push_back({is_world ? -1 : body, is_world ? p_B : p_B - model.bodies()[body].com});
  };
  for (const Joint& joint : model.joints()) {
    include(joint.child, joint.in_child.position);
    if (joint.type != JointType::free) include(joint.parent, joint.in_parent.position);
  }
  for (const Point& point : model.points()) include(point.body, point.p_B);
}

}  // namespace

double mechanism_size(const Manifest& manifest, const Observation& start) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Vec3<double> low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
  const auto include = [&](const Vec3<double>& point) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], point[i]);
      high[i] = std::max(high[i], point[i]);
    }
  };
  double gyration = 0;
  for (std::size_t b = 0; b < start.bodies.size(); ++b) {
    include(start.bodies[b].com);
    const auto& [mass, inertia] = manifest.weights[b];
    if (mass > 0) gyration = std::max(gyration, std::sqrt(inertia / mass));
  }
  for (const auto& [body, from_com] : manifest.outline) {
    include(body < 0 ? from_com : start.bodies[body].com + act(start.bodies[body].rotation, from_com));
  }
  const double size = larger(norm(high - low), gyration);
  return size > 0 && std::isfinite(size) ? size : 1;
}

void set_manifest_numbers(const Model& model, Manifest& manifest) {
  manifest.weights.clear();
  for (const Body& body : model.bodies()) {
    const Sym3<double>& J = body.inertia;
    manifest.weights.push_back({body.mass, 0.5 * (J.xx + J.yy + J.zz)});
  }
  set_outline(model, manifest.outline);
  manifest.planes.clear();
  if (model.dimension() == 2) {
    for (const Joint& joint : model.joints()) manifest.planes.push_back(plane_of(joint));
  }
  manifest.rest_lengths.clear();
  manifest.tension_only.clear();
  for (const Tendon& tendon : model.tendons()) {
    manifest.rest_lengths.emplace_back();
    if (tendon.joints.empty()) manifest.rest_lengths.back() = tendon.rest_length;
    manifest.tension_only.push_back(tendon.tension_only);
  }
  manifest.stops = stopped_coordinates(model);
  manifest.limits.clear();
  for (const Actuator& actuator : model.actuators()) manifest.limits.push_back(actuator.limits);
  const ConservedMomenta conserved = conserved_momenta(model);
  manifest.conserved_linear = conserved.linear;
  manifest.conserved_angular = conserved.angular;
}

Manifest make_manifest(const Model& model, const Method& method) {
  Manifest manifest;
  manifest.model = model.name();
  manifest.formulation = method.formulation;
  manifest.integrator = method.integrator;
  manifest.order = order_of(method.integrator, method.options);
  manifest.controlled_to = error_tolerance(method.integrator, method.options);
  manifest.dimension = model.dimension();
  manifest.bodies = names_of(model.bodies());
  manifest.joints = names_of(model.joints());
  manifest.points = names_of(model.points());
  manifest.tendons = names_of(model.tendons());
  for (const Tendon& tendon : model.tendons()) {
    if (tendon.muscle) manifest.muscles.push_back(tendon.name);
  }
  manifest.actuators = names_of(model.actuators());
  manifest.controllers = names_of(model.controllers());
  manifest.couplings = names_of(model.couplings());
  const FlowBook book = make_flow_book(model);
  for (const Controller& controller : model.controllers()) {
    if (controller.is_sampled() && !controller.loads_joints())
      manifest.exciting.push_back({controller.name, controller.period, -1});
    if (!controller.holds_loads()) continue;
    manifest.sampled.push_back({controller.name, controller.period, book.source(&controller)});
  }
  set_manifest_numbers(model, manifest);
  return manifest;
}

std::vector<int> pulled_tendons(const Model& model) {
  std::vector<int> tendons;
  for (const Actuator& actuator : model.actuators()) tendons.push_back(actuator.tendon.value_or(-1));
  return tendons;
}

void add_pulls(const std::vector<int>& tendons, Observation& observation) {
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    if (tendons[i] >= 0) observation.tendons[tendons[i]].tension += observation.efforts[i];
  }
}

Observation make_observation(const Model& model, const Manifest& manifest) {
  Observation observation;
  observation.work.resize(manifest.sources.size());
  observation.dissipated.resize(manifest.dampers.size());
  observation.sampling.resize(manifest.sampled.size());
  observation.bodies.resize(manifest.bodies.size());
  observation.points.resize(manifest.points.size());
  observation.tendons.resize(manifest.tendons.size());
  observation.muscles.resize(manifest.muscles.size());
  observation.efforts.resize(manifest.actuators.size());
  observation.couplings.resize(manifest.couplings.size());
  for (const Controller& controller : model.controllers()) {
    observation.controllers.emplace_back(driven_rate_count(model, controller));
  }
  observation.joints.reserve(model.joints().size());
  for (const Joint& joint : model.joints()) {
    const int rates = rate_count(joint.type, model.dimension());
    JointObservation& made = observation.joints.emplace_back();
    made.position.resize(coordinate_count(joint.type, model.dimension()));
    made.rate.resize(rates);
    made.acceleration.resize(rates);
  }
  return observation;
}

void observe_flows(std::span<const double> z, std::span<const double> lost, const Manifest& manifest,
                   Observation& observation) {
  const std::size_t sampled = manifest.sampled.size();
  const auto work = z.first(observation.work.size()), continuous = z.subspan(work.size(), sampled);
  const auto taken = z.subspan(work.size() + sampled, observation.dissipated.size()),
             would_take = z.subspan(work.size() + sampled + taken.size(), sampled);
  std::copy(work.begin(), work.end(), observation.work.begin());
  std::copy(taken.begin(), taken.end(), observation.dissipated.begin());
  observation.flow_rounding = 0;
  if (!lost.empty()) {
    for (std::size_t i = 0; i < work.size(); ++i) observation.flow_rounding += lost[i];
    const std::size_t first = work.size() + sampled;
    for (std::size_t i = 0; i < taken.size(); ++i) observation.flow_rounding -= lost[first + i];
  }
  for (std::size_t i = 0; i < sampled; ++i) {
    observation.sampling[i] = {work[manifest.sampled[i].source] - continuous[i], would_take[i]};
  }
}

void require_sizes(const Observation& observation, const Observation& made) {
  require_size("observation.work", observation.work.size(), made.work.size());
  require_size("observation.dissipated", observation.dissipated.size(), made.dissipated.size());
  require_size("observation.sampling", observation.sampling.size(), made.sampling.size());
  require_size("observation.bodies", observation.bodies.size(), made.bodies.size());
  require_size("observation.joints", observation.joints.size(), made.joints.size());
  require_size("observation.points", observation.points.size(), made.points.size());
  require_size("observation.tendons", observation.tendons.size(), made.tendons.size());
  require_size("observation.muscles", observation.muscles.size(), made.muscles.size());
  require_size("observation.efforts", observation.efforts.size(), made.efforts.size());
  require_size("observation.controllers", observation.controllers.size(), made.controllers.size());
  require_size("observation.couplings", observation.couplings.size(), made.couplings.size());
  for (std::size_t j = 0; j < made.joints.size(); ++j) {
    const JointObservation &joint = observation.joints[j], &like = made.joints[j];
    require_size("observation.joints.position", joint.position.size(), like.position.size());
    require_size("observation.joints.rate", joint.rate.size(), like.rate.size());
    require_size("observation.joints.acceleration", joint.acceleration.size(), like.acceleration.size());
  }
  for (std::size_t i = 0; i < made.controllers.size(); ++i) {
    require_size("observation.controllers.efforts", observation.controllers[i].size(),
                 made.controllers[i].size());
  }
}

}  // namespace torsor
