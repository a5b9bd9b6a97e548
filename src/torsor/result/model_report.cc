#include "torsor/result/model_report.h"

#include <fmt/format.h>

#include <map>

#include "torsor/assembly/close_loops.h"
#include "torsor/formulation/elements/tendon.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/model/notices.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/formulations.h"
#include "torsor/simulation/manifest.h"
#include "torsor/simulation/stepper.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

/// Of a path where the joints have the coordinates q.
double length_at(const Model& model, const Tendon& tendon, const std::vector<double>& q) {
  double sum = 0;
  for (const CoordinateTerm& term : tendon.joints) {
    sum += term.factor * q[model.coordinate_offset(term.joint) + term.coordinate];
  }
  if (!tendon.joints.empty()) return sum;
  const Tree tree = make_tree(model);
  const FlowBook book;
  const TreePath path = path_on_tree({model, tree, book, nullptr, nullptr, nullptr}, tendon);
  std::vector<Pose<double>> X_W(tree.size());
  const std::vector<double> of_tree = TreePart(model).coordinates(q);
  node_poses<double>(tree, of_tree, X_W);
  return path.stretch<double>({tree, 0, of_tree, {}, X_W, {}});
}

/// Throws ModelError on channels that the file wants recorded and its run has not; where that run cannot be made, there
/// are none to compare with.
void require_channels(const Model& model, const std::vector<Applicable>& methods) {
  const SimulationSettings& file = model.simulation();
  if (file.record.empty() && file.extremes_of.empty()) return;
  const bool runs = std::any_of(methods.begin(), methods.end(), [&](const Applicable& method) {
    return method.reason.empty() && method.formulation == file.formulation &&
           method.integrator == file.integrator;
  });
  if (!runs) return;
  const auto stepper = make_stepper(model);
  chosen_channels(stepper->manifest().channels, file.record, "simulation.record");
  chosen_channels(stepper->manifest().channels, file.extremes_of, "simulation.record_every.keep");
}

/// Throws ModelError on names of methods that do not exist; says if the method that `run` would take cannot run.
void examine_method(const Model& model, ModelReport& report) {
  const SimulationSettings& file = model.simulation();
  formulations().at(file.formulation, "simulation.formulation");
  integrators().at(file.integrator, "simulation.integrator");
  const bool runs = std::any_of(report.methods.begin(), report.methods.end(), [&](const Applicable& method) {
    return method.reason.empty() && method.formulation == file.formulation &&
           method.integrator == file.integrator;
  });
  if (runs) return;
  report.notices.push_back(
      fmt::format("simulation: formulation {} with integrator {}, which a run takes without options, cannot "
                  "simulate this model",
                  file.formulation, file.integrator));
}

}  // namespace

ModelReport examine(const Model& model) {
  Start start = make_start(model, Redundant::named);
  std::vector<Applicable> methods = applicable_methods(model, start);
  require_channels(model, methods);
  ModelReport report{std::move(start), conserved_momenta(model), std::move(methods)};
  for (const Body& body : model.bodies()) report.mass += body.mass;
  report.notices = notices_of(model);
  examine_method(model, report);
  for (const StoppedCoordinate& stop : stopped_coordinates(model)) {
    if (stop.tendon >= 0) {
      report.stops.push_back({stop, length_at(model, model.tendons()[stop.tendon], report.start.assembly.q)});
      continue;
    }
    const int coordinate = model.coordinate_offset(stop.joint) + stop.coordinate;
    report.stops.push_back({stop, report.start.assembly.q[coordinate]});
  }
  return report;
}

std::vector<std::pair<const char*, std::size_t>> element_counts(const Model& model) {
  std::vector<std::pair<const char*, std::size_t>> counts{{"points", model.points().size()}};
  for_each_kind(model.elements(),
                [&](const char* section, const auto& list) { counts.emplace_back(section, list.size()); });
  return counts;
}

std::vector<std::pair<std::string, int>> joint_type_counts(const Model& model) {
  std::map<std::string, int> counts;
  for (const Joint& joint : model.joints()) ++counts[name_of(joint.type)];
  return {counts.begin(), counts.end()};
}

std::vector<std::string> loop_joint_names(const Model& model) {
  std::vector<std::string> names;
  for (int joint : model.topology().loop_joints) names.push_back(model.joints()[joint].name);
  return names;
}

}  // namespace torsor
