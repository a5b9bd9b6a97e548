#include "torsor/simulation/manifest.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/model/check.h"
#include "torsor/model/controlled_chain.h"
#include "torsor/model/flow_book.h"
#include "torsor/model/symmetry.h"

namespace torsor {

Manifest make_manifest(const Model& model, const std::string& formulation, const std::string& integrator) {
  Manifest manifest;
  manifest.model = model.name();
  manifest.formulation = formulation;
  manifest.integrator = integrator;
  manifest.dimension = model.dimension();
  manifest.bodies = names_of(model.bodies());
  manifest.joints = names_of(model.joints());
  manifest.tendons = names_of(model.tendons());
  for (const Tendon& tendon : model.tendons()) {
    manifest.rest_lengths.push_back(tendon.rest_length);
    manifest.tension_only.push_back(tendon.tension_only);
  }
  manifest.actuators = names_of(model.actuators());
  manifest.controllers = names_of(model.controllers());
  const FlowBook book = make_flow_book(model);
  for (const Controller& controller : model.controllers()) {
    if (!controller.is_sampled()) continue;
    manifest.sampled.push_back({controller.name, controller.period, book.source(&controller)});
  }
  const ConservedMomenta conserved = conserved_momenta(model);
  manifest.conserved_linear = conserved.linear;
  manifest.conserved_angular = conserved.angular;
  return manifest;
}

Observation make_observation(const Model& model, const Manifest& manifest) {
  Observation observation;
  observation.work.resize(manifest.sources.size());
  observation.dissipated.resize(manifest.dampers.size());
  observation.sampling.resize(manifest.sampled.size());
  observation.bodies.resize(manifest.bodies.size());
  observation.tendons.resize(manifest.tendons.size());
  observation.efforts.resize(manifest.actuators.size());
  for (const Controller& controller : model.controllers()) {
    observation.controllers.emplace_back(driven_rate_count(model, controller));
  }
  for (const Joint& joint : model.joints()) {
    observation.joints.push_back({std::vector<double>(coordinate_count(joint.type, model.dimension())),
                                  std::vector<double>(rate_count(joint.type, model.dimension())),
                                  {}});
  }
  return observation;
}

void observe_flows(std::span<const double> z, const Manifest& manifest, Observation& observation) {
  const std::size_t sampled = manifest.sampled.size();
  const auto work = z.first(observation.work.size()), continuous = z.subspan(work.size(), sampled);
  const auto taken = z.subspan(work.size() + sampled, observation.dissipated.size()),
             would_take = z.last(sampled);
  std::copy(work.begin(), work.end(), observation.work.begin());
  std::copy(taken.begin(), taken.end(), observation.dissipated.begin());
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
  require_size("observation.tendons", observation.tendons.size(), made.tendons.size());
  require_size("observation.efforts", observation.efforts.size(), made.efforts.size());
  require_size("observation.controllers", observation.controllers.size(), made.controllers.size());
  for (std::size_t j = 0; j < made.joints.size(); ++j) {
    const JointObservation &joint = observation.joints[j], &like = made.joints[j];
    require_size("observation.joints.position", joint.position.size(), like.position.size());
    require_size("observation.joints.rate", joint.rate.size(), like.rate.size());
  }
  for (std::size_t i = 0; i < made.controllers.size(); ++i) {
    require_size("observation.controllers.efforts", observation.controllers[i].size(),
                 made.controllers[i].size());
  }
}

}  // namespace torsor
