#include "torsor/result/equilibrium_answer.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/close_loops.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/text_table.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/result/json_configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

/// What was asked: one position, or those of a search.
struct EquilibriumAnswer {
  EquilibriumSearch search;
  std::optional<HeldPose> held;  ///< then the position is search.found[0], too
};

Json reactions(const ReducedMechanism& mechanism, const RestPosition& rest) {
  const Model& model = mechanism.model();
  const Tree& tree = mechanism.tree();
  std::vector<Pose<double>> X_W(tree.size());
  node_poses<double>(tree, rest.q, X_W);
  Json json = Json::object();
  for (std::size_t j = 0; j < rest.reactions.size(); ++j) {
    const Joint& joint = model.joints()[j];
    const Wrench<double>& F = rest.reactions[j];
    Json& own = json[joint.name] = {{"force", json_of(F.force)}, {"moment", json_of(F.moment)}};
    if (joint.child == kWorld) continue;
    const Mat3<double> R =
        X_W[tree.body_node[joint.child]].R * tree.X_NB[joint.child].R * matrix(joint.in_child.rotation);
    own["force_world"] = json_of(R * F.force);
    own["moment_world"] = json_of(R * F.moment);
  }
  return json;
}

Json redundancies(const RestPosition& rest) {
  Json list = Json::array();
  for (const Redundancy& r : rest.redundancies) {
    list.push_back(
        {{r.kind, r.joint}, {"repeated", r.repeated}, {"constraints", r.constraints}, {"others", r.others}});
  }
  return list;
}

Json position_json(const ReducedMechanism& mechanism, const RestPosition& rest) {
  const Model& model = mechanism.model();
  Json json;
  json["q"] = json_of_coordinates(model, rest.q);
  json["independent"] = rate_names(model, rest.independent);
  json["points"] = json_of_points(mechanism, rest.q);
  json["potential"] = rest.potential;
  json["stability"] = name_of(rest.stability);
  json["falling"] = rest.falling;
  json["neutral"] = rest.neutral;
  json["least_eigenvalue"] = rest.least_eigenvalue;
  json["least_square"] = json_of(rest.least_square);
  json["conservative"] = rest.conservative;
  json["residual"] = rest.residual;
  json["reactions"] = reactions(mechanism, rest);
  json["tendons"] = Json::object();
  for (std::size_t i = 0; i < rest.tendons.size(); ++i) {
    json["tendons"][model.tendons()[i].name] = {{"length", rest.tendons[i].length},
                                                {"tension", rest.tendons[i].tension}};
  }
  json["redundancies"] = redundancies(rest);
  return json;
}

void add_position(const Model& model, const RestPosition& rest, std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int first = model.coordinate_offset(static_cast<int>(j));
    const int end = model.coordinate_offset(static_cast<int>(j) + 1);
    std::string q;
    for (int i = first; i < end; ++i) q += (i > first ? ", " : "") + number_text(rest.q[i]);
    rows.push_back({"    " + model.joints()[j].name, q, vector_text(rest.reactions[j].force),
                    vector_text(rest.reactions[j].moment)});
  }
  rows.insert(rows.begin(), {"    joint", "position", "force on child [N]", "moment [N m]"});
  for (const std::string& line : aligned(rows)) text += line + "\n";
  for (std::size_t i = 0; i < rest.tendons.size(); ++i) {
    text += fmt::format("    tendon {}: length {} m, tension {} N\n", model.tendons()[i].name,
                        number_text(rest.tendons[i].length), number_text(rest.tendons[i].tension));
  }
  for (const Redundancy& r : rest.redundancies) {
    text += fmt::format(
        "    {} {}: {} of its {} constraints repeat what {}s {} impose; its reaction is not unique, the "
        "least "
        "is given\n",
        r.kind, r.joint, r.repeated, r.constraints, r.kind, listed(r.others));
  }
}

void add_stability(const RestPosition& rest, std::string& text) {
  text += fmt::format("{}, potential {} J, least eigenvalue {} J/rad^2", name_of(rest.stability),
                      number_text(rest.potential), number_text(rest.least_eigenvalue));
  if (rest.least_square)
    text += fmt::format(", square of the lowest angular frequency {} 1/s^2", number_text(*rest.least_square));
  text += fmt::format("\n");
  if (rest.neutral > 0) {
    text += fmt::format("    one of a family: {} motions have no stiffness\n", rest.neutral);
  }
  if (!rest.conservative) {
    text += fmt::format(
        "    some forces have no potential: stable means that no motion falls; `torsor modes` shows growing "
        "ones\n");
  }
}

void add_held(const Model& model, const HeldPose& held, std::string& text) {
  for (std::size_t i = 0; i < held.effort.size(); ++i) {
    const Actuator& actuator = model.actuators()[i];
    const bool turns =
        !actuator.tendon && is_angular(model, model.rate_offset(actuator.joint) + actuator.coordinate);
    text += fmt::format("  {:<20} {} {}\n", actuator.name, number_text(held.effort[i]), turns ? "N m" : "N");
  }
  if (held.free_efforts > 0) {
    text +=
        fmt::format("  {} combinations of efforts only strain the mechanism; the least efforts are given\n",
                    held.free_efforts);
  }
  text += held.holds
              ? std::string("  they hold the pose\n")
              : fmt::format("  they do not hold the pose: {:.3g} N m (N) is left\n", held.rest.residual);
}

EquilibriumAnswer find_rest(const ReducedMechanism& mechanism, const EquilibriumOptions& options) {
  const Model& model = mechanism.model();
  const double t = model.initial().time;
  const ReducedConfiguration start = mechanism.configure(assemble(model).q);
  EquilibriumAnswer answer;
  if (options.hold) {
    answer.held = hold_pose(mechanism, start, t);
    answer.search = {{answer.held->rest}, 1};
    return answer;
  }
  if (options.all) {
    answer.search = find_equilibria(mechanism, start, t, options.starts);
  } else if (std::optional<RestPosition> rest = nearest_equilibrium(mechanism, start, t)) {
    answer.search = {{*rest}, 1};
  }
  if (answer.search.found.empty()) {
    throw ModelError("initial", "a start from which the mechanism comes to rest",
                     "one from which no rest position was found: does anything bear it?");
  }
  return answer;
}

Json equilibrium_json(const ReducedMechanism& mechanism, const EquilibriumAnswer& answer,
                      const EquilibriumOptions& options) {
  const Model& model = mechanism.model();
  Json json;
  json["model"] = model.name();
  json["time"] = model.initial().time;
  json["search"] = options.hold ? "hold" : options.all ? "all" : "nearest";
  json["starts"] = answer.search.starts;
  if (answer.held) {
    const HeldPose& held = *answer.held;
    json["holds"] = held.holds;
    json["free_efforts"] = held.free_efforts;
    json["efforts"] = Json::object();
    for (std::size_t i = 0; i < held.effort.size(); ++i) {
      json["efforts"][model.actuators()[i].name] = held.effort[i];
    }
  }
  json["equilibria"] = Json::array();
  for (const RestPosition& rest : answer.search.found)
    json["equilibria"].push_back(position_json(mechanism, rest));
  return json;
}

std::string equilibrium_text(const Model& model, const EquilibriumAnswer& answer,
                             const EquilibriumOptions& options) {
  std::string text = model.name() + "\n";
  if (answer.held) {
    add_held(model, *answer.held, text);
    add_position(model, answer.held->rest, text);
    return text;
  }
  if (!model.servos().empty()) {
    text += "servos give no effort here; --hold finds the efforts that keep the start\n";
  }
  int count = 0;
  for (const RestPosition& rest : answer.search.found) {
    text += options.all ? fmt::format("  {}  ", ++count) : "  ";
    add_stability(rest, text);
    add_position(model, rest, text);
  }
  if (options.all) text += fmt::format("found from {} starts; there may be others\n", answer.search.starts);
  return text;
}

}  // namespace

Answer answer_equilibrium(const Model& model, const EquilibriumOptions& options, bool json, int indent) {
  const ReducedMechanism mechanism(model.with_resting_muscles());
  const EquilibriumAnswer answer = find_rest(mechanism, options);
  return {json ? json_text(equilibrium_json(mechanism, answer, options), indent)
               : equilibrium_text(model, answer, options),
          answer.held && !answer.held->holds};
}

}  // namespace torsor
