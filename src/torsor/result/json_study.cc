#include "torsor/result/json_study.h"

#include <nlohmann/json.hpp>

namespace torsor {
namespace {

using Json = nlohmann::ordered_json;

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json optional_text(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json method(const StepperChoice& choice, const std::string& label, const std::string& refusal) {
  Json options = Json::object();
  for (const auto& [name, value] : choice.options) {
    std::visit([&, key = name](const auto& v) { options[key] = v; }, value);
  }
  return {{"label", label},     {"formulation", choice.formulation}, {"integrator", choice.integrator},
          {"options", options}, {"applies", refusal.empty()},        {"reason", optional_text(refusal)}};
}

Json order_object(const OrderFit& fit) {
  return {{"order", optional_number(fit.order)}, {"points", fit.points}, {"round_off", fit.at_floor}};
}

Json reference_object(const std::string& what, const StateError& trusted_to) {
  return {
      {"what", what}, {"trusted_to", trusted_to.position}, {"velocities_trusted_to", trusted_to.velocity}};
}

Json curve_object(const ConvergenceCurve& curve) {
  Json json = method(curve.choice, curve.label, curve.refusal);
  json["points"] = Json::array();
  json["orders"] = Json::object();
  if (!curve.refusal.empty()) return json;
  const std::vector<StudyQuantity>& quantities = study_quantities();
  for (const ConvergencePoint& point : curve.points) {
    Json entry{{"step", point.step}};
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      entry[name_of(quantities[q])] = optional_number(point.errors[q]);
    }
    entry["wall_seconds"] = point.wall_seconds;
    entry["failure"] = optional_text(point.failure);
    json["points"].push_back(entry);
  }
  for (const StudyQuantity quantity : quantities) {
    json["orders"][name_of(quantity)] = order_object(curve.order(quantity));
  }
  return json;
}

Json row_object(const ComparisonRow& row) {
  Json json = method(row.choice, row.label, row.refusal);
  if (!row.refusal.empty()) return json;
  const Ledger& ledger = row.ledger;
  json["failure"] = optional_text(row.failure);
  json["state"] = optional_number(row.state);
  json["order"] = order_object(row.order);
  json["energy"] = {{"max_residual", ledger.energy_max_residual},
                    {"scale", ledger.energy_scale},
                    {"drift", row.drift},
                    {"verdict", name_of(row.energy)}};
  json["constraints"] = {{"position_max", optional_number(ledger.position_max)},
                         {"velocity_max", optional_number(ledger.velocity_max)}};
  json["momentum"] = {{"linear_max_error", optional_number(ledger.linear_max_error)},
                      {"angular_max_error", optional_number(ledger.angular_max_error)}};
  json["cost"] = {{"wall_seconds", ledger.wall_seconds},
                  {"steps", ledger.steps},
                  {"seconds_per_step", row.seconds_per_step},
                  {"evaluations", ledger.evaluations},
                  {"iterations_mean", ledger.iterations_mean}};
  json["for_accuracy"] = {{"wall_seconds_per_second", optional_number(row.cost)},
                          {"with", optional_text(row.cost_by)},
                          {"predicted", row.cost_is_predicted}};
  return json;
}

std::string dump(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string study_json(const ConvergenceStudy& study) {
  Json json{{"model", study.model},
            {"duration", study.grid.duration},
            {"times", study.grid.parts},
            {"reference", reference_object(study.reference, study.trusted_to)},
            {"methods", Json::array()}};
  for (const ConvergenceCurve& curve : study.curves) json["methods"].push_back(curve_object(curve));
  return dump(json);
}

std::string study_json(const Comparison& comparison) {
  const ComparisonSettings& settings = comparison.settings;
  Json json{{"model", comparison.model},
            {"step", settings.step},
            {"duration", settings.duration},
            {"accuracy", settings.accuracy},
            {"horizon", comparison.horizon},
            {"reference", reference_object(comparison.reference, comparison.trusted_to)},
            {"methods", Json::array()},
            {"remarks", comparison.remarks},
            {"recommendations", Json::array()}};
  for (const ComparisonRow& row : comparison.rows) json["methods"].push_back(row_object(row));
  for (const Recommendation& advice : comparison.recommendations) {
    const ComparisonRow& row = comparison.rows[advice.row];
    json["recommendations"].push_back({{"for", advice.purpose},
                                       {"label", row.label},
                                       {"formulation", row.choice.formulation},
                                       {"integrator", row.choice.integrator},
                                       {"why", advice.why}});
  }
  return dump(json);
}

}  // namespace torsor
