#include "torsor/result/json_study.h"

#include "torsor/result/json_parts.h"

namespace torsor {
namespace {

Json method(const StepperChoice& choice, const std::string& label, const std::string& refusal) {
  return {{"label", label},
          {"formulation", choice.formulation},
          {"integrator", choice.integrator},
          {"options", json_of(choice.options)},
          {"applies", refusal.empty()},
          {"reason", text_or_null(refusal)}};
}

Json order_object(const OrderFit& fit) {
  return {{"order", json_of(fit.order)}, {"points", fit.points}, {"round_off", fit.at_floor}};
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
      entry[name_of(quantities[q])] = json_of(point.errors[q]);
    }
    entry["wall_seconds"] = point.wall_seconds;
    entry["failure"] = text_or_null(point.failure);
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
  json["failure"] = text_or_null(row.failure);
  json["state"] = json_of(row.state);
  json["is_reference"] = row.is_reference;
  json["order"] = order_object(row.order);
  json["energy"] = {{"max_residual", ledger.energy_max_residual},
                    {"scale", ledger.energy_scale},
                    {"drift", row.drift},
                    {"verdict", name_of(row.energy)}};
  json["constraints"] = {{"position_max", json_of(ledger.position_max)},
                         {"velocity_max", json_of(ledger.velocity_max)}};
  json["momentum"] = {{"linear_max_error", json_of(ledger.linear_max_error)},
                      {"angular_max_error", json_of(ledger.angular_max_error)}};
  json["cost"] = {{"wall_seconds", ledger.wall_seconds},
                  {"steps", ledger.steps},
                  {"seconds_per_step", row.seconds_per_step},
                  {"evaluations", ledger.evaluations},
                  {"iterations_mean", ledger.iterations_mean}};
  json["for_accuracy"] = {{"wall_seconds_per_second", json_of(row.cost)},
                          {"with", text_or_null(row.cost_by)},
                          {"predicted", row.cost_is_predicted}};
  return json;
}

}  // namespace

std::string study_json(const ConvergenceStudy& study) {
  Json json{{"model", study.model},
            {"duration", study.grid.duration},
            {"times", study.grid.parts},
            {"reference", reference_object(study.reference, study.trusted_to)},
            {"methods", Json::array()}};
  for (const ConvergenceCurve& curve : study.curves) json["methods"].push_back(curve_object(curve));
  return json_text(json, 1);
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
  return json_text(json, 1);
}

std::string study_json(const SamplingStudy& study) {
  Json json{{"model", study.model},
            {"method", study.method},
            {"duration", study.duration},
            {"points", Json::array()},
            {"largest_passive_period", json_of(study.largest)},
            {"smallest_other_period", json_of(study.smallest)},
            {"bounds", Json::array()}};
  for (const SamplingPoint& point : study.points) {
    Json created = Json::object();
    for (const Ledger::Sampling& controller : point.controllers)
      created[controller.name] = controller.created;
    json["points"].push_back({{"period", point.period},
                              {"step", point.step},
                              {"created", created},
                              {"gain", point.gain},
                              {"growth", point.growth},
                              {"passive", point.is_passive()},
                              {"failure", text_or_null(point.failure)}});
  }
  for (const SamplingBound& bound : study.bounds) {
    json["bounds"].push_back({{"controller", bound.controller},
                              {"stiffness", bound.stiffness},
                              {"damping", bound.damping},
                              {"friction", bound.friction},
                              {"period", bound.period}});
  }
  return json_text(json, 1);
}

}  // namespace torsor
