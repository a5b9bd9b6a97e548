#include "torsor/result/json_check.h"

#include "torsor/result/json_parts.h"
#include "torsor/result/model_report.h"

namespace torsor {
namespace {

Json vectors(const std::vector<Twist<double>>& generators) {
  Json list = Json::array();
  for (const Twist<double>& xi : generators) list.push_back(json_of(xi));
  return list;
}

Json redundancies(const Mobility& moves) {
  Json list = Json::array();
  for (const Redundancy& r : moves.redundancies) {
    list.push_back(
        {{r.kind, r.joint}, {"repeated", r.repeated}, {"constraints", r.constraints}, {"others", r.others}});
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

Json servos(const std::optional<ServoCheck>& check) {
  if (!check) return nullptr;
  return {{"outputs", check->outputs},
          {"authority", check->authority},
          {"weak", check->is_weak},
          {"rough", check->rough}};
}

Json methods(const std::vector<Applicable>& all) {
  Json list = Json::array();
  for (const Applicable& method : all) {
    list.push_back({{"formulation", method.formulation},
                    {"integrator", method.integrator},
                    {"applies", method.reason.empty()},
                    {"reason", text_or_null(method.reason)}});
  }
  return list;
}

Json stops(const std::vector<StopAtStart>& all) {
  Json list = Json::array();
  for (const StopAtStart& stop : all) {
    list.push_back({{stop.of.tendon >= 0 ? "tendon" : "joint", stop.of.name},
                    {"unit", stop.of.turns ? "rad" : "m"},
                    {"lower", stop.of.lower},
                    {"upper", stop.of.upper},
                    {"start", stop.start},
                    {"overshoot", stop.overshoot()}});
  }
  return list;
}

Json import_rows(const ImportReport& imported) {
  Json rows = Json::array();
  for (const ImportRow& row : imported.rows)
    rows.push_back({{"how", name_of(row.how)},
                    {"file", row.file},
                    {"line", row.line},
                    {"what", row.what},
                    {"why", row.why}});
  return {{"format", imported.format}, {"rows", rows}};
}

}  // namespace

std::string check_json(const Model& model, int indent, const ImportReport& imported) {
  const ModelReport report = examine(model);
  const Mobility& mobility = report.start.mobility;
  Json json;
  json["model"] = model.name();
  json["dimension"] = model.dimension();
  json["gravity"] = json_of(model.gravity());
  json["bodies"] = model.bodies().size();
  json["mass"] = report.mass;
  json["joints"] = model.joints().size();
  json["joint_types"] = Json::object();
  for (const auto& [type, count] : joint_type_counts(model)) json["joint_types"][type] = count;
  json["dof"] = mobility.dof;
  json["tree_dof"] = model.topology().tree_dof;
  json["loops"] = loop_joint_names(model);
  json["loop_constraints"] = model.topology().loop_constraints;
  json["redundant_constraints"] = mobility.redundant_constraints;
  json["redundancies"] = redundancies(mobility);
  json["singular_start"] = mobility.is_singular();
  json["assembly"] = assembly(report.start.assembly);
  for (const auto& [name, count] : element_counts(model)) json["elements"][name] = count;
  json["stops"] = stops(report.stops);
  json["notices"] = report.notices;
  json["servos"] = servos(report.start.servos);
  json["conserves"] = {{"linear", vectors(report.conserved.linear)},
                       {"angular", vectors(report.conserved.angular)}};
  json["methods"] = methods(report.methods);
  if (!imported.empty()) json["import"] = import_rows(imported);
  return json_text(json, indent);
}

}  // namespace torsor
