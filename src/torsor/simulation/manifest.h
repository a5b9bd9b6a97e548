#pragma once
// The names of a run, and an observation of the right sizes for them.

#include <span>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"
#include "torsor/simulation/settings.h"

namespace torsor {

/// The diagonal of the box around centres of mass, joints and points at the start, or the largest radius of gyration
/// if that is more [m].
double mechanism_size(const Manifest& manifest, const Observation& start);

/// Everything that follows from the model; sources, dampers and flags are the stepper's to fill.
Manifest make_manifest(const Model& model, const Method& method);

/// The part of it that is not the same for all models that are built alike (model/alike.h).
void set_manifest_numbers(const Model& model, Manifest& manifest);

/// Those with a bound, in file order.
std::vector<StoppedCoordinate> stopped_coordinates(const Model& model);

Observation make_observation(const Model& model, const Manifest& manifest);
/// The tendon on which each actuator pulls, -1 for one in a joint; and their efforts added to the tensions.
std::vector<int> pulled_tendons(const Model& model);
void add_pulls(const std::vector<int>& tendons, Observation& observation);

/// Work, dissipation, and what sampling created: what a sampled controller did beyond what its law would have
/// done continuously along the same motion. z is as FlowBook has it; `lost`, what rounding took from it, may be empty.
void observe_flows(std::span<const double> z, std::span<const double> lost, const Manifest& manifest,
                   Observation& observation);

/// Throws SizeError unless all lists are as long as those of the other, which make_observation made.
void require_sizes(const Observation& observation, const Observation& made);

}  // namespace torsor
