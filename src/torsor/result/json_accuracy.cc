#include "torsor/result/json_accuracy.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "torsor/result/json_reading.h"

namespace torsor {
namespace {

constexpr MotionVerdict kVerdicts[] = {MotionVerdict::unknown, MotionVerdict::controlled,
                                       MotionVerdict::resolved, MotionVerdict::coarse,
                                       MotionVerdict::unresolved};

double number_or_infinite(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}
std::optional<double> number_if_any(const Json& value) {
  return value.is_null() ? std::optional<double>() : value.get<double>();
}

/// A tenth of a digit says all there is.
double rounded(double digits) { return std::round(10 * digits) / 10; }

Json channel_object(const ChannelError& channel) {
  return {{"channel", channel.name},
          {"unit", channel.unit},
          {"digits", channel.scale > 0 ? Json(rounded(channel.digits())) : Json(nullptr)},
          {"error", channel.error},
          {"time", channel.time},
          {"scale", channel.scale}};
}
ChannelError parse_channel(const Json& object) {
  return {object.at("channel"), object.at("unit"), number_or_infinite(object.at("error")),
          number_or_infinite(object.at("time")), number_or_infinite(object.at("scale"))};
}

Json verification_object(const Verification& v) {
  Json json{{"against", v.against},
            {"order", v.order},
            {"observed_order", json_of(v.observed_order)},
            {"size", v.size},
            {"motion", channel_object(v.motion)},
            {"trusted", Json::array()},
            {"worst", Json::object()},
            {"channels", Json::array()},
            {"failure", text_or_null(v.failure)}};
  for (const Verification::Trust& trust : v.trusted) {
    json["trusted"].push_back({{"to", trust.to}, {"until", json_of(trust.until)}});
  }
  for (std::size_t i = 0; i < v.groups.size(); ++i)
    json["worst"][v.quantities[i]] = channel_object(v.groups[i]);
  for (const ChannelError& channel : v.channels) json["channels"].push_back(channel_object(channel));
  return json;
}
Verification parse_verification(const Json& json) {
  Verification v;
  v.against = json.at("against");
  v.order = whole_number<int>(json.at("order"));
  v.observed_order = number_if_any(json.at("observed_order"));
  v.size = number_or_infinite(json.at("size"));
  v.motion = parse_channel(json.at("motion"));
  for (const Json& trust : json.at("trusted")) {
    v.trusted.push_back({number_or_infinite(trust.at("to")), number_if_any(trust.at("until"))});
  }
  for (const auto& [quantity, channel] : json.at("worst").items()) {
    v.quantities.push_back(quantity);
    v.groups.push_back(parse_channel(channel));
  }
  for (const Json& channel : json.at("channels")) v.channels.push_back(parse_channel(channel));
  if (json.at("failure").is_string()) v.failure = json.at("failure");
  return v;
}

}  // namespace

Json choice_object(const StepChoice& choice) {
  return {{"asked", choice.asked},
          {"estimated", choice.estimated},
          {"steps", choice.steps},
          {"least_step", choice.least_step},
          {"most_step", choice.most_step},
          {"steps_in_all", choice.steps_in_all},
          {"wall_seconds", choice.wall_seconds},
          {"until", json_of(choice.until)},
          {"shortfall", text_or_null(choice.shortfall)}};
}
StepChoice parse_choice(const Json& json) {
  StepChoice choice;
  choice.asked = number_or_infinite(json.at("asked"));
  choice.estimated = number_or_infinite(json.at("estimated"));
  choice.steps = whole_number<long>(json.at("steps"));
  choice.least_step = number_or_infinite(json.at("least_step"));
  choice.most_step = number_or_infinite(json.at("most_step"));
  choice.steps_in_all = whole_number<long>(json.at("steps_in_all"));
  choice.wall_seconds = number_or_infinite(json.at("wall_seconds"));
  choice.until = number_if_any(json.at("until"));
  if (json.at("shortfall").is_string()) choice.shortfall = json.at("shortfall");
  return choice;
}

Json accuracy_object(const Accuracy& accuracy, bool exact_energy) {
  const MotionIndicator& seen = accuracy.indicator;
  Json json{{"verdict", name_of(seen.verdict)},
            {"warning", text_or_null(warning_of(seen, exact_energy))},
            {"indicator",
             {{"order", seen.order},
              {"tolerance", seen.controlled_to > 0 ? Json(seen.controlled_to) : Json(nullptr)},
              {"phase", seen.phase},
              {"phase_time", seen.phase_time},
              {"turn", seen.turn},
              {"turn_time", seen.turn_time},
              {"turn_body", seen.turn_body},
              {"velocity_change", seen.velocity_change},
              {"constraint_rate", seen.constraint_rate},
              {"try_step", json_of(seen.try_step)}}}};
  if (accuracy.verification) {
    const Verification& v = *accuracy.verification;
    if (v.failure.empty()) {
      json["digits"] = {{"motion", rounded(v.motion.digits())}};
      for (std::size_t i = 0; i < v.groups.size(); ++i) {
        if (v.groups[i].scale > 0) json["digits"][v.quantities[i]] = rounded(v.groups[i].digits());
      }
    }
    json["verification"] = verification_object(v);
  }
  if (accuracy.choice) json["steps"] = choice_object(*accuracy.choice);
  return json;
}

Accuracy parse_accuracy(const Json& json) {
  Accuracy accuracy;
  MotionIndicator& seen = accuracy.indicator;
  const Json& indicator = json.at("indicator");
  for (const MotionVerdict verdict : kVerdicts) {
    if (json.at("verdict") == name_of(verdict)) seen.verdict = verdict;
  }
  seen.order = whole_number<int>(indicator.at("order"));
  seen.controlled_to = number_if_any(indicator.at("tolerance")).value_or(0);
  seen.phase = number_or_infinite(indicator.at("phase"));
  seen.phase_time = number_or_infinite(indicator.at("phase_time"));
  seen.turn = number_or_infinite(indicator.at("turn"));
  seen.turn_time = number_or_infinite(indicator.at("turn_time"));
  seen.turn_body = indicator.at("turn_body");
  seen.velocity_change = number_or_infinite(indicator.at("velocity_change"));
  seen.constraint_rate = number_or_infinite(indicator.at("constraint_rate"));
  seen.try_step = number_if_any(indicator.at("try_step"));
  if (json.contains("verification")) accuracy.verification = parse_verification(json.at("verification"));
  if (json.contains("steps")) accuracy.choice = parse_choice(json.at("steps"));
  return accuracy;
}

}  // namespace torsor
