#include "torsor/result/json_ledger.h"

#include "torsor/result/json_parts.h"
#include "torsor/result/result_columns.h"

namespace torsor {
namespace {

/// A joint of one coordinate is a number, others are lists.
Json coordinates(const std::vector<double>& values) {
  return values.size() == 1 ? Json(values[0]) : Json(values);
}

Json by_name(const std::vector<Ledger::Entry>& entries) {
  std::vector<std::string> names;
  for (const Ledger::Entry& entry : entries) names.push_back(entry.name);
  names = distinct_names(names);
  Json object = Json::object();
  for (std::size_t i = 0; i < entries.size(); ++i) object[names[i]] = entries[i].energy;
  return object;
}

Json body_state(const BodyObservation& body, int dimension) {
  if (dimension == 2) return {{"com", {body.com.x, body.com.y}}, {"angle", body.angle}};
  return {{"com", json_of(body.com)}, {"quaternion", json_of(body.rotation)}};
}

Json final_state(const Manifest& manifest, const Observation& last) {
  Json joints = Json::object(), rates = Json::object(), bodies = Json::object();
  for (std::size_t i = 0; i < last.joints.size(); ++i) {
    if (last.joints[i].rate.empty()) continue;
    joints[manifest.joints[i]] = coordinates(last.joints[i].position);
    rates[manifest.joints[i]] = coordinates(last.joints[i].rate);
  }
  for (std::size_t i = 0; i < last.bodies.size(); ++i) {
    bodies[manifest.bodies[i]] = body_state(last.bodies[i], manifest.dimension);
  }
  return {{"joints", joints}, {"rates", rates}, {"bodies", bodies}};
}

/// By name; empty where every tendon stayed taut.
Json slack_tendons(const std::vector<SlackTendon>& tendons) {
  Json object = Json::object();
  for (const SlackTendon& tendon : tendons) {
    object[tendon.name] = {{"first_time", tendon.first_time},
                           {"times", tendon.times},
                           {"share", tendon.share},
                           {"least_length", tendon.least_length},
                           {"rest_length", tendon.rest_length},
                           {"pushes", tendon.pushes}};
  }
  return object;
}

Json failure_object(const StepFailure& failure) {
  return {{"time", failure.time},
          {"step", failure.step},
          {"residual", failure.residual},
          {"iterations", failure.iterations},
          {"advice", failure.advice}};
}

}  // namespace

std::string ledger_json(const Ledger& ledger, const Manifest& manifest, const Observation& last,
                        const RunEnd& end, int indent) {
  Json json;
  json["model"] = ledger.model;
  json["formulation"] = ledger.formulation;
  json["integrator"] = ledger.integrator;
  if (!ledger.note.empty()) json["note"] = ledger.note;
  json["step"] = ledger.step;
  json["steps"] = ledger.steps;
  json["time"] = ledger.time;
  json["wall_seconds"] = ledger.wall_seconds;
  json["realtime_factor"] = ledger.realtime_factor;
  json["energy"] = {{"initial", ledger.energy_initial},
                    {"final", ledger.energy_final},
                    {"max_error", ledger.energy_max_error},
                    {"mean_error", ledger.energy_mean_error},
                    {"work", ledger.work},
                    {"dissipated", ledger.dissipated},
                    {"max_residual", ledger.energy_max_residual},
                    {"scale", ledger.energy_scale},
                    {"work_by", by_name(ledger.work_by_source)},
                    {"dissipated_by", by_name(ledger.dissipated_by_damper)}};
  json["constraints"] = {{"position_max", json_of(ledger.position_max)},
                         {"velocity_max", json_of(ledger.velocity_max)},
                         {"assembled", text_or_null(ledger.assembly)},
                         {"singular_times", ledger.singular_times}};
  json["momentum"] = {{"linear_max_error", json_of(ledger.linear_max_error)},
                      {"angular_max_error", json_of(ledger.angular_max_error)}};
  json["slack_tendons"] = slack_tendons(ledger.slack_tendons);
  json["unit_length_max_error"] = json_of(ledger.unit_length_max_error);
  json["newton"] = {{"iterations_mean", ledger.iterations_mean},
                    {"iterations_max", ledger.iterations_max},
                    {"evaluations", ledger.evaluations}};
  json["final"] = final_state(manifest, last);
  json["status"] = end.status;
  if (end.failure) json["failure"] = failure_object(*end.failure);
  return json_text(json, indent);
}

std::string settings_json(const Model& model, const Settings& settings) {
  const Method& method = settings.method;
  const Json options = json_of(method.options);
  Json json;
  json["formulation"] = method.formulation;
  json["dynamics"] = model.simulation().dynamics == Dynamics::moving_frame ? "moving-frame" : "recursive";
  json["integrator"] = method.integrator;
  json["options"] = options;
  json["tolerance"] =
      options.contains("tolerance") ? options.at("tolerance") : Json(nullptr);  // that it uses
  json["step"] = settings.run.step;
  json["duration"] = settings.run.duration;
  json["record_every"] = settings.run.record_every;
  return json_text(json);
}

}  // namespace torsor
