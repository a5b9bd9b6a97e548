#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/model_argument.h"
#include "cli/tree_drawing.h"
#include "cli/verbs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/model/symmetry.h"
#include "torsor/result/json_parts.h"
#include "torsor/simulation/applicable.h"

namespace torsor {
namespace {

constexpr const char* kCheckFooter = R"(Examples:
  torsor check tendon_arm
  torsor check my_model.yaml --json)";

struct Report {
  const Model& model;
  Start start;
  ConservedMomenta conserved;
  std::vector<Applicable> methods;  ///< they say why servos cannot be realised
  double mass = 0;
};

Report examine(const Model& model) {
  Start start = make_start(model);
  std::vector<Applicable> methods = applicable_methods(model, start);
  Report report{model, std::move(start), conserved_momenta(model), std::move(methods)};
  for (const Body& body : model.bodies()) report.mass += body.mass;
  return report;
}

std::string direction(const Vec3<double>& v) {
  const auto clean = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };
  for (int i = 0; i < 3; ++i) {
    if (std::abs(std::abs(v[i]) - 1) < 1e-12) return std::string(1, "xyz"[i]);
  }
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", clean(v.x), clean(v.y), clean(v.z));
}

std::string conserved_text(const ConservedMomenta& conserved) {
  std::vector<std::string> linear, angular;
  for (const Twist<double>& xi : conserved.linear) linear.push_back(direction(xi.linear));
  for (const Twist<double>& xi : conserved.angular) angular.push_back(direction(xi.angular));
  if (linear.empty() && angular.empty()) return "no momentum";
  std::string text;
  if (!linear.empty()) text = fmt::format("linear momentum along {}", listed(linear));
  if (!linear.empty() && !angular.empty()) text.append("; ");
  if (!angular.empty()) text.append("angular momentum about ").append(listed(angular));
  return text;
}

std::vector<std::pair<const char*, std::size_t>> element_counts(const Model& model) {
  std::vector<std::pair<const char*, std::size_t>> counts{{"points", model.points().size()}};
  for_each_kind(model.elements(),
                [&](const char* section, const auto& list) { counts.emplace_back(section, list.size()); });
  return counts;
}

std::map<std::string, int> joint_types(const Model& model) {
  std::map<std::string, int> counts;
  for (const Joint& joint : model.joints()) ++counts[name_of(joint.type)];
  return counts;
}

std::vector<std::string> loop_names(const Model& model) {
  std::vector<std::string> names;
  for (int joint : model.topology().loop_joints) names.push_back(model.joints()[joint].name);
  return names;
}

void print_loops(const Report& report) {
  const std::vector<std::string> loops = loop_names(report.model);
  if (loops.empty()) {
    fmt::print("  loops      none\n");
    return;
  }
  fmt::print("  loops      {}, closed by {} ({} constraints, {} redundant)\n", loops.size(), listed(loops),
             report.model.topology().loop_constraints, report.start.mobility.redundant_constraints);
  for (const Redundancy& r : report.start.mobility.redundancies) {
    fmt::print("             joint {}: {} of its {} constraints repeat{} what joints {} impose\n", r.joint,
               r.repeated, r.constraints, r.repeated == 1 ? "s" : "", listed(r.others));
  }
  fmt::print("  assembled  {}\n", summary(report.start.assembly));
}

/// Integrators that fare alike on one line.
void print_methods(const std::vector<Applicable>& methods) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> groups;
  for (const Applicable& method : methods) {
    groups[{method.reason, method.formulation}].push_back(method.integrator);
  }
  for (const auto& [group, names] : groups) {
    const auto& [reason, formulation] = group;
    if (reason.empty()) {
      fmt::print("runs with formulation {}, integrators {}\n", formulation, listed(names));
    } else {
      fmt::print("not with formulation {}: {}\n", formulation, reason);
    }
  }
}

void print_text(const Report& report) {
  const Model& model = report.model;
  std::string types, elements;
  for (const auto& [type, count] : joint_types(model)) {
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", count, type);
  }
  for (const auto& [name, count] : element_counts(model)) {
    if (count == 0) continue;
    const bool plural = std::string_view(name).ends_with('s');
    const std::string_view noun(name, std::strlen(name) - (count == 1 && plural ? 1 : 0));
    elements += fmt::format("{}{} {}", elements.empty() ? "" : ", ", count, noun);
  }
  const Vec3<double>& g = model.gravity();
  fmt::print("{} ({}D, gravity [{:g}, {:g}, {:g}] m/s^2)\n", model.name(), model.dimension(), g.x, g.y, g.z);
  fmt::print("  bodies     {}, {:g} kg\n", model.bodies().size(), report.mass);
  fmt::print("  joints     {} ({})\n", model.joints().size(), types);
  fmt::print("  dof        {}{}\n", report.start.mobility.dof,
             report.start.mobility.is_singular() ? fmt::format("; {} at the start, a singular position",
                                                               report.start.mobility.instantaneous_dof)
                                                 : "");
  print_loops(report);
  fmt::print("  elements   {}\n", elements.empty() ? "none" : elements);
  if (report.start.servos) fmt::print("  servos     {}\n", summary(*report.start.servos));
  fmt::print("  conserves  {}\n\n{}\n", conserved_text(report.conserved), tree_drawing(model));
  print_methods(report.methods);
}

Json vectors(const std::vector<Twist<double>>& generators) {
  Json list = Json::array();
  for (const Twist<double>& xi : generators) list.push_back(json_of(xi));
  return list;
}

Json redundancies(const Mobility& moves) {
  Json list = Json::array();
  for (const Redundancy& r : moves.redundancies) {
    list.push_back(
        {{"joint", r.joint}, {"repeated", r.repeated}, {"constraints", r.constraints}, {"others", r.others}});
  }
  return list;
}

/// null for a tree.
Json assembly(const Assembly& start) {
  const auto change = [](const Assembly::Change& c, const char* angle, const char* length) {
    if (c.amount == 0) return Json(nullptr);
    return Json{{"joint", c.joint}, {"amount", c.amount}, {"unit", c.angular ? angle : length}};
  };
  const auto gap = [](const Assembly::Gap& g) {
    return Json{{"joint", g.joint}, {"length", g.length}, {"angle", g.angle}};
  };
  if (start.gap_before.joint.empty()) return nullptr;
  return {{"moved", change(start.moved, "rad", "m")},
          {"rate_changed", change(start.rate_changed, "rad/s", "m/s")},
          {"gap_before", gap(start.gap_before)},
          {"gap_after", gap(start.gap_after)}};
}

void print_json(const Report& report) {
  const Model& model = report.model;
  Json json;
  json["model"] = model.name();
  json["dimension"] = model.dimension();
  json["gravity"] = json_of(model.gravity());
  json["bodies"] = model.bodies().size();
  json["mass"] = report.mass;
  json["joints"] = model.joints().size();
  json["joint_types"] = joint_types(model);
  json["dof"] = report.start.mobility.dof;
  json["tree_dof"] = model.topology().tree_dof;
  json["loops"] = loop_names(model);
  json["loop_constraints"] = model.topology().loop_constraints;
  json["redundant_constraints"] = report.start.mobility.redundant_constraints;
  json["redundancies"] = redundancies(report.start.mobility);
  json["singular_start"] = report.start.mobility.is_singular();
  json["assembly"] = assembly(report.start.assembly);
  for (const auto& [name, count] : element_counts(model)) json["elements"][name] = count;
  if (report.start.servos) {
    json["servos"] = {{"outputs", report.start.servos->outputs},
                      {"authority", report.start.servos->authority},
                      {"weak", report.start.servos->is_weak},
                      {"rough", report.start.servos->rough}};
  } else {
    json["servos"] = nullptr;
  }
  json["conserves"] = {{"linear", vectors(report.conserved.linear)},
                       {"angular", vectors(report.conserved.angular)}};
  json["methods"] = Json::array();
  for (const Applicable& method : report.methods) {
    json["methods"].push_back({{"formulation", method.formulation},
                               {"integrator", method.integrator},
                               {"applies", method.reason.empty()},
                               {"reason", text_or_null(method.reason)}});
  }
  fmt::print("{}\n", json_text(json, 1));
}

}  // namespace

RunVerb add_check(CLI::App& verb) {
  struct Options {
    ModelArgument model;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  options->model.add_to(verb);
  verb.add_flag("--json", options->json, "one JSON object");
  verb.footer(kCheckFooter);
  return [options] {
    return options->model.use({}, [&](const Model& model) {
      const Report report = examine(model);
      options->json ? print_json(report) : print_text(report);
      return kDone;
    });
  };
}

}  // namespace torsor
