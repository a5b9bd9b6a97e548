#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/model_argument.h"
#include "cli/say.h"
#include "cli/tree_drawing.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/result/json_check.h"
#include "torsor/result/model_report.h"

namespace torsor {
namespace {

constexpr const char* kCheckFooter = R"(Examples:
  torsor check tendon_arm
  torsor check my_model.yaml --json)";

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

int redundant_in(const Mobility& mobility, std::string_view kind) {
  int count = 0;
  for (const Redundancy& r : mobility.redundancies) count += r.kind == kind ? r.repeated : 0;
  return count;
}

void print_loops(const Model& model, const ModelReport& report) {
  const std::vector<std::string> loops = loop_joint_names(model);
  const Mobility& mobility = report.start.mobility;
  if (loops.empty()) {
    print("  loops      none\n");
  } else {
    print("  loops      {}, closed by {} ({} constraints, {} redundant)\n", loops.size(), listed(loops),
          model.topology().loop_constraints,
          mobility.names_redundant() ? redundant_in(mobility, "joint") : mobility.redundant_constraints);
  }
  if (!model.couplings().empty()) {
    print("  couplings  {} ({} redundant)\n", model.couplings().size(), redundant_in(mobility, "coupling"));
  } else if (loops.empty()) {
    return;
  }
  if (!mobility.names_redundant()) {
    print("             which of them repeat others is not told: they are too many\n");
  }
  for (const Redundancy& r : mobility.redundancies) {
    print("             {} {}: {} of its {} constraints repeat{} what {}s {} impose\n", r.kind, r.joint,
          r.repeated, r.constraints, r.repeated == 1 ? "s" : "", r.kind, listed(r.others));
  }
  print("  assembled  {}\n", summary(report.start.assembly));
}

/// Ranges, and where the start lies beyond them.
void print_stops(const std::vector<StopAtStart>& stops) {
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const StopAtStart& stop = stops[i];
    const char* unit = stop.of.turns ? "rad" : "m";
    print("  {:<11}{} from {:.6g} to {:.6g} {}{}\n", i == 0 ? "stops" : "", stop.of.name, stop.of.lower,
          stop.of.upper, unit,
          stop.overshoot() > 0 ? fmt::format("; the start is {:.4g} {} beyond", stop.overshoot(), unit) : "");
  }
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
      print("runs with formulation {}, integrators {}\n", formulation, listed(names));
    } else {
      print("not with formulation {}: {}\n", formulation, reason);
    }
  }
}

void print_text(const Model& model) {
  const ModelReport report = examine(model);
  std::string types, elements;
  for (const auto& [type, count] : joint_type_counts(model)) {
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", count, type);
  }
  for (const auto& [name, count] : element_counts(model)) {
    if (count == 0) continue;
    const bool plural = std::string_view(name).ends_with('s');
    const std::string_view noun(name, std::strlen(name) - (count == 1 && plural ? 1 : 0));
    elements += fmt::format("{}{} {}", elements.empty() ? "" : ", ", count, noun);
  }
  const Vec3<double>& g = model.gravity();
  print("{} ({}D, gravity [{:g}, {:g}, {:g}] m/s^2)\n", model.name(), model.dimension(), g.x, g.y, g.z);
  print("  bodies     {}, {:g} kg\n", model.bodies().size(), report.mass);
  print("  joints     {} ({})\n", model.joints().size(), types);
  print("  dof        {}{}\n", report.start.mobility.dof,
        report.start.mobility.is_singular()
            ? fmt::format("; {} at the start, a singular position", report.start.mobility.instantaneous_dof)
            : "");
  print_loops(model, report);
  print("  elements   {}\n", elements.empty() ? "none" : elements);
  print_stops(report.stops);
  if (report.start.servos) print("  servos     {}\n", summary(*report.start.servos));
  print("  conserves  {}\n\n{}\n", conserved_text(report.conserved), tree_drawing(model));
  print_methods(report.methods);
  for (const std::string& notice : report.notices) print("notice: {}\n", notice);
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
    return options->model.use({}, [&](const Model& model, const ImportReport& imported) {
      if (options->json) {
        print("{}\n", check_json(model, 1, imported));
        return kDone;
      }
      print_text(model);
      if (!imported.empty()) print("\n{}", import_table(imported));
      return kDone;
    });
  };
}

}  // namespace torsor
