#include "torsor/result/json_ledger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "torsor/integrator/catalogue.h"
#include "torsor/result/json_accuracy.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/json_reading.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

/// A joint of one coordinate is a number, others are lists.
Json coordinates(const std::vector<double>& values) {
  return values.size() == 1 ? Json(values[0]) : Json(values);
}

/// Of the two quaternions of a turn the one whose first part that is not zero is positive: which of them a run ends with
/// depends on how often it was looked at.
void choose_sign(std::span<double> wxyz) {
  const auto first = std::find_if(wxyz.begin(), wxyz.end(), [](double part) { return part != 0; });
  if (first == wxyz.end() || *first > 0) return;
  for (double& part : wxyz) part = part == 0 ? part : -part;
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
  std::array<double, 4> wxyz{body.rotation.w, body.rotation.x, body.rotation.y, body.rotation.z};
  choose_sign(wxyz);
  return {{"com", json_of(body.com)}, {"quaternion", wxyz}};
}

Json final_state(const Manifest& manifest, const Observation& last) {
  Json joints = Json::object(), rates = Json::object(), bodies = Json::object();
  for (std::size_t i = 0; i < last.joints.size(); ++i) {
    if (last.joints[i].rate.empty()) continue;
    std::vector<double> position = last.joints[i].position;
    const bool has_quaternion =
        position.size() > last.joints[i].rate.size();  // of four numbers, it has three rates
    if (has_quaternion) choose_sign(std::span(position).first(4));
    joints[manifest.joints[i]] = coordinates(position);
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

void require_possible(const RunSettings& run) {
  const auto fail = [](const char* expected) { throw ModelError("settings", expected, "something else"); };
  if (!(run.duration >= 0) || !std::isfinite(run.duration)) fail("a duration from 0 s on");
  if (!(run.step > 0 || run.duration == 0) || !std::isfinite(run.step)) fail("a step above 0 s");
  if (run.record_every < 1) fail("a step or more between two records");
  double end = 0;
  for (const StepSpan& span : run.spans) {
    if (!(span.end > end) || !std::isfinite(span.end) || span.steps < 1)
      fail("spans of steps one after the other");
    end = span.end;
  }
}

/// None where no stop was touched.
Json touched_stops(const std::vector<TouchedStop>& stops) {
  Json list = Json::array();
  for (const TouchedStop& stop : stops) {
    list.push_back({{stop.of_tendon ? "tendon" : "joint", stop.name},
                    {"unit", stop.turns ? "rad" : "m"},
                    {"bound", stop.bound},
                    {"first_time", stop.first_time},
                    {"times", stop.times},
                    {"overshoot", stop.overshoot},
                    {"time", stop.time}});
  }
  return list;
}

/// By name; empty where every effort stayed within its limits.
Json efforts_beyond(const std::vector<EffortBeyond>& efforts) {
  Json object = Json::object();
  for (const EffortBeyond& effort : efforts) {
    object[effort.name] = {{"first_time", effort.first_time},
                           {"limits", {effort.low, effort.high}},
                           {"least", effort.least},
                           {"most", effort.most}};
  }
  return object;
}

/// By column; there only where they were asked for.
Json extrema_object(const std::vector<Extremum>& extrema) {
  Json object = Json::object();
  for (const Extremum& e : extrema) {
    object[e.name] = {{"min", e.least},
                      {"min_time", e.least_time},
                      {"max", e.greatest},
                      {"max_time", e.greatest_time},
                      {"unit", e.unit}};
  }
  return object;
}

/// By controller; there only where one is sampled.
Json sampling_object(const std::vector<Ledger::Sampling>& controllers) {
  Json object = Json::object();
  for (const Ledger::Sampling& c : controllers) {
    object[c.name] = {{"period", c.period}, {"created", c.created}, {"virtual_damper", c.taken}};
  }
  return object;
}

Json resumed_list(const std::vector<Resumption>& resumed) {
  Json list = Json::array();
  for (const Resumption& one : resumed) list.push_back({{"time", one.time}, {"date", one.date}});
  return list;
}

Json verdict_object(const Verdict& verdict) {
  return {{"state", name_of(verdict.state)}, {"figure", json_of(verdict.figure)}, {"text", verdict.text}};
}

Json verdicts_object(const Verdicts& verdicts) {
  return {{"energy", verdict_object(verdicts.energy)},
          {"constraints", verdict_object(verdicts.constraints)},
          {"momenta", verdict_object(verdicts.momenta)},
          {"motion", verdict_object(verdicts.motion)}};
}

Json failure_object(const StepFailure& failure) {
  return {{"time", failure.time},
          {"step", failure.step},
          {"residual", failure.residual},
          {"iterations", failure.iterations},
          {"advice", failure.advice}};
}

/// null stands for what is not finite.
double number(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}
std::optional<double> number_or_none(const Json& value) {
  return value.is_null() ? std::optional<double>() : value.get<double>();
}

std::vector<Ledger::Entry> entries(const Json& object) {
  std::vector<Ledger::Entry> all;
  for (const auto& [name, energy] : object.items()) all.push_back({name, number(energy)});
  return all;
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
  if (ledger.energy_returned > 0) json["energy"]["returned"] = ledger.energy_returned;
  if (!ledger.sampling.empty()) json["sampling"] = sampling_object(ledger.sampling);
  json["constraints"] = {{"position_max", json_of(ledger.position_max)},
                         {"velocity_max", json_of(ledger.velocity_max)},
                         {"size", ledger.size},
                         {"assembled", text_or_null(ledger.assembly)},
                         {"singular_times", ledger.singular_times}};
  json["momentum"] = {{"linear_max_error", json_of(ledger.linear_max_error)},
                      {"angular_max_error", json_of(ledger.angular_max_error)},
                      {"linear_scale", ledger.linear_scale},
                      {"angular_scale", ledger.angular_scale}};
  json["rests"] = ledger.rests;
  json["verdicts"] = verdicts_object(verdicts_of(ledger));
  json["slack_tendons"] = slack_tendons(ledger.slack_tendons);
  json["touched_stops"] = touched_stops(ledger.touched_stops);
  json["efforts_beyond"] = efforts_beyond(ledger.efforts_beyond);
  if (!ledger.extrema.empty()) json["extrema"] = extrema_object(ledger.extrema);
  json["unit_length_max_error"] = json_of(ledger.unit_length_max_error);
  const IntegratorEntry* entry = integrators().find(ledger.integrator);
  json["accuracy"] = accuracy_object(ledger.accuracy, entry && entry->energy == EnergyClaim::exact);
  json["newton"] = {{"iterations_mean", ledger.iterations_mean},
                    {"iterations_max", ledger.iterations_max},
                    {"evaluations", ledger.evaluations}};
  if (!ledger.resumed.empty()) json["resumed"] = resumed_list(ledger.resumed);
  json["final"] = final_state(manifest, last);
  json["status"] = end.status;
  if (end.failure) json["failure"] = failure_object(*end.failure);
  return json_text(json, indent);
}

Ledger parse_ledger(const std::string& text) {
  try {
    const Json json = parse_json(text, "ledger");
    const Json &energy = json.at("energy"), &constraints = json.at("constraints"),
               &newton = json.at("newton");
    Ledger ledger;
    ledger.model = json.at("model");
    ledger.formulation = json.at("formulation");
    ledger.integrator = json.at("integrator");
    ledger.note = json.value("note", "");
    ledger.step = number(json.at("step"));
    ledger.steps = whole_number<long>(json.at("steps"));
    ledger.time = number(json.at("time"));
    ledger.wall_seconds = number(json.at("wall_seconds"));
    ledger.realtime_factor = number(json.at("realtime_factor"));
    ledger.energy_initial = number(energy.at("initial"));
    ledger.energy_final = number(energy.at("final"));
    ledger.energy_max_error = number(energy.at("max_error"));
    ledger.energy_mean_error = number(energy.at("mean_error"));
    ledger.work = number(energy.at("work"));
    ledger.dissipated = number(energy.at("dissipated"));
    ledger.energy_max_residual = number(energy.at("max_residual"));
    ledger.energy_scale = number(energy.at("scale"));
    ledger.energy_returned = number(energy.value("returned", Json(0)));
    ledger.work_by_source = entries(energy.at("work_by"));
    ledger.dissipated_by_damper = entries(energy.at("dissipated_by"));
    const Json sampling = json.value("sampling", Json::object());
    for (const auto& [name, controller] : sampling.items()) {
      ledger.sampling.push_back({name, number(controller.at("period")), number(controller.at("created")),
                                 number(controller.at("virtual_damper"))});
    }
    ledger.position_max = number_or_none(constraints.at("position_max"));
    ledger.velocity_max = number_or_none(constraints.at("velocity_max"));
    if (constraints.at("assembled").is_string()) ledger.assembly = constraints.at("assembled");
    for (const Json& time : constraints.at("singular_times")) ledger.singular_times.push_back(number(time));
    ledger.linear_max_error = number_or_none(json.at("momentum").at("linear_max_error"));
    ledger.angular_max_error = number_or_none(json.at("momentum").at("angular_max_error"));
    ledger.unit_length_max_error = number_or_none(json.at("unit_length_max_error"));
    ledger.size = number(constraints.value("size", Json(0)));
    ledger.linear_scale = number(json.at("momentum").value("linear_scale", Json(0)));
    ledger.angular_scale = number(json.at("momentum").value("angular_scale", Json(0)));
    ledger.rests = json.value("rests", false);
    for (const auto& [name, slack] : json.at("slack_tendons").items()) {
      ledger.slack_tendons.push_back({name, slack.at("pushes"), number(slack.at("first_time")),
                                      whole_number<long>(slack.at("times")), number(slack.at("share")),
                                      number(slack.at("least_length")), number(slack.at("rest_length"))});
    }
    for (const Json& stop : json.value("touched_stops", Json::array())) {
      const bool of_tendon = stop.contains("tendon");
      ledger.touched_stops.push_back({stop.at(of_tendon ? "tendon" : "joint"), stop.at("unit") == "rad",
                                      number(stop.at("bound")), number(stop.at("first_time")),
                                      whole_number<long>(stop.at("times")), number(stop.at("overshoot")),
                                      number(stop.at("time")), of_tendon});
    }
    const Json beyond = json.value("efforts_beyond", Json::object());
    for (const auto& [name, effort] : beyond.items()) {
      ledger.efforts_beyond.push_back({name, number(effort.at("limits").at(0)),
                                       number(effort.at("limits").at(1)), number(effort.at("least")),
                                       number(effort.at("most")), number(effort.at("first_time"))});
    }
    if (json.contains("accuracy")) ledger.accuracy = parse_accuracy(json.at("accuracy"));
    const Json extrema = json.value("extrema", Json::object());
    for (const auto& [name, e] : extrema.items()) {
      ledger.extrema.push_back({name, e.at("unit"), number(e.at("min")), number(e.at("min_time")),
                                number(e.at("max")), number(e.at("max_time"))});
    }
    ledger.iterations_mean = number(newton.at("iterations_mean"));
    ledger.iterations_max = whole_number<int>(newton.at("iterations_max"));
    ledger.evaluations = whole_number<long>(newton.at("evaluations"));
    for (const Json& one : json.value("resumed", Json::array())) {
      ledger.resumed.push_back({number(one.at("time")), one.at("date")});
    }
    return ledger;
  } catch (const Json::exception& fault) {
    throw ModelError("ledger", "the ledger of a run as JSON", fault.what());
  }
}

std::string settings_json(const Model& model, const Settings& settings,
                          const std::optional<StepChoice>& chosen) {
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
  if (!settings.run.spans.empty()) {
    Json spans = Json::array();  // equal steps up to a time
    for (const StepSpan& span : settings.run.spans)
      spans.push_back({{"end", span.end}, {"steps", span.steps}});
    json["spans"] = spans;
  }
  if (!settings.run.record.empty()) json["record"] = settings.run.record;
  if (!settings.run.extremes_of.empty()) json["extremes_of"] = settings.run.extremes_of;
  if (settings.run.extrema) json["extrema"] = true;
  if (chosen) json["chosen"] = choice_object(*chosen);
  return json_text(json);
}

std::string resumed_json(const std::vector<Resumption>& resumed) { return json_text(resumed_list(resumed)); }

ParsedSettings parse_settings(const std::string& text) {
  try {
    const Json json = parse_json(text, "settings");
    ParsedSettings parsed;
    Method& method = parsed.settings.method;
    method.formulation = json.at("formulation");
    method.integrator = json.at("integrator");
    for (const auto& [name, value] : json.at("options").items()) {
      if (value.is_string()) method.options[name] = value.get<std::string>();
      if (value.is_number()) method.options[name] = value.get<double>();
    }
    RunSettings& run = parsed.settings.run;
    run.step = json.at("step");
    run.duration = json.at("duration");
    run.record_every = whole_number<int>(json.at("record_every"));
    for (const Json& span : json.value("spans", Json::array())) {
      run.spans.push_back({span.at("end"), whole_number<long>(span.at("steps"))});
    }
    run.record = json.value("record", std::vector<std::string>{});
    run.extremes_of = json.value("extremes_of", std::vector<std::string>{});
    run.extrema = json.value("extrema", false);
    require_possible(run);
    if (json.contains("chosen")) parsed.chosen = parse_choice(json.at("chosen"));
    return parsed;
  } catch (const Json::exception& fault) {
    throw ModelError("settings", "the settings of a run as JSON", fault.what());
  }
}

}  // namespace torsor
