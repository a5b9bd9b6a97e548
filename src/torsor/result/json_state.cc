#include "torsor/result/json_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "torsor/evaluation/consistent_state.h"
#include "torsor/model/check.h"
#include "torsor/result/json_reading.h"

namespace torsor {
namespace {

using StateJson = nlohmann::json;

const std::vector<std::string> kParts{"q",      "qd",   "qdd",       "qddd",       "qdddd",
                                      "effort", "time", "actuators", "independent"};

/// The file and the key path of what is being read.
struct Place {
  std::string file, key;

  Place at(const std::string& name) const { return {file, key.empty() ? name : key + "." + name}; }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw ModelError(key, expected, found, file);
  }
};

std::string shown(const StateJson& value) {
  const std::string text = value.dump(-1, ' ', false, StateJson::error_handler_t::replace);
  return text.size() > 60 ? cut_at(text, 57) + "..." : text;
}

void allow_keys(const StateJson& object, const std::vector<std::string>& names, const Place& place) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      place.fail(fmt::format("one of {}", listed(names)), did_you_mean(name, names));
    }
  }
}

void read_numbers(const StateJson& value, std::span<double> target, const Place& place) {
  const std::string expected =
      target.size() == 1 ? "a number" : fmt::format("a list of {} numbers", target.size());
  if (target.size() == 1 && value.is_number()) {
    target[0] = value.get<double>();
  } else if (value.is_array() && value.size() == target.size()) {
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (!value[i].is_number()) place.fail(expected, shown(value));
      target[i] = value[i].get<double>();
    }
  } else {
    place.fail(expected, shown(value));
  }
  for (double number : target) {
    if (!std::isfinite(number)) place.fail(expected, "one that is not finite");
  }
}

void require_unit(std::span<double> wxyz, const Place& place) {
  const SO3<double> q{wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
  if (!is_unit(q))
    place.fail("a unit quaternion [w, x, y, z]", fmt::format("one of length {:.6g}", quaternion_length(q)));
  for (double& part : wxyz) part /= quaternion_length(q);
}

/// {position, quaternion | rotation | angle}: rotation comes first in the coordinates.
void read_pose(const StateJson& value, int dimension, std::span<double> target, const Place& place) {
  const std::vector<std::string> names = dimension == 2
                                             ? std::vector<std::string>{"position", "angle", "rotation"}
                                             : std::vector<std::string>{"position", "quaternion", "rotation"};
  allow_keys(value, names, place);
  if (value.contains("rotation") && value.contains(names[1])) {
    place.fail(names[1] + " or rotation", "both");
  }
  const std::size_t turning = dimension == 2 ? 1 : 4;
  for (const std::string& name : {names[1], names[2]}) {
    if (!value.contains(name)) continue;
    const StateJson& rotation = value[name];
    const bool nested = rotation.is_object() && rotation.contains("quaternion") && rotation.size() == 1;
    read_numbers(nested ? rotation["quaternion"] : rotation, target.first(turning), place.at(name));
  }
  if (value.contains("position")) {
    read_numbers(value["position"], target.subspan(turning), place.at("position"));
  }
}

void read_coordinates(const StateJson& value, const Joint& joint, int dimension, std::span<double> target,
                      const Place& place) {
  const Components all = components(joint.type, dimension);
  const bool is_map = has_twist_rates(joint.type) && value.is_object();
  if (is_map && all.lengths > 0) {
    read_pose(value, dimension, target, place);
  } else if (is_map && value.contains("quaternion")) {
    allow_keys(value, {"quaternion"}, place);
    read_numbers(value["quaternion"], target, place);
  } else {
    read_numbers(value, target, place);
  }
  if (all.quaternions > 0) require_unit(target.first(4), place);
}

/// Calls read(value, joint index, place) for every joint named in one part of the state.
template <class Read>
void read_part(const Model& model, const StateJson& state, const std::string& part, const Place& root,
               Read read) {
  if (!state.contains(part)) return;
  const Place place = root.at(part);
  if (!state[part].is_object()) place.fail("a map from joints to values", shown(state[part]));
  allow_keys(state[part], names_of(model.joints()), place);
  for (const auto& [name, value] : state[part].items()) read(value, model.joint_index(name), place.at(name));
}

void read_actuators(const Model& model, const StateJson& json, const Place& root, JointState& state) {
  if (!json.contains("actuators")) return;
  const Place place = root.at("actuators");
  const StateJson& map = json["actuators"];
  if (!map.is_object()) place.fail("a map from actuators to efforts", shown(map));
  const std::vector<std::string> names = names_of(model.actuators());
  allow_keys(map, names, place);
  for (const auto& [name, value] : map.items()) {
    const auto index = std::find(names.begin(), names.end(), name) - names.begin();
    read_numbers(value, std::span(&state.actuators[static_cast<int>(index)], 1), place.at(name));
  }
}

void read_independent(const Model& model, const StateJson& json, const Place& root, JointState& state) {
  if (!json.contains("independent")) return;
  const Place place = root.at("independent");
  const StateJson& list = json["independent"];
  const std::vector<std::string> names = names_of(model.joints());
  if (!list.is_array()) place.fail("a list of joints", shown(list));
  for (const StateJson& name : list) {
    if (!name.is_string()) place.fail("a list of joints", shown(list));
    const auto found = std::find(names.begin(), names.end(), name.get<std::string>());
    if (found == names.end()) place.fail("names of joints", did_you_mean(name.get<std::string>(), names));
    state.independent.push_back(static_cast<int>(found - names.begin()));
  }
}

}  // namespace

JointState parse_joint_state(const Model& model, const std::string& text, const std::string& file) {
  const Place root{file, ""};
  const StateJson json = parse_json<StateJson>(text, "", file);
  if (!json.is_object()) root.fail(fmt::format("a map with {}", listed(kParts)), shown(json));
  allow_keys(json, kParts, root);

  const std::vector<bool> none(model.joints().size());
  SaidState said{neutral_state(model), none, none, none, none, none};
  JointState& state = said.values;
  const int dimension = model.dimension();
  read_part(model, json, "q", root, [&](const StateJson& value, int j, const Place& place) {
    const Joint& joint = model.joints()[j];
    const std::span<double> all(state.q);
    said.q[j] = true;
    read_coordinates(value, joint, dimension,
                     all.subspan(model.coordinate_offset(j), coordinate_count(joint.type, dimension)), place);
  });
  const auto read_rates = [&](const std::string& part, std::vector<double>& target,
                              std::vector<bool>* is_said = nullptr) {
    read_part(model, json, part, root, [&](const StateJson& value, int j, const Place& place) {
      if (is_said) (*is_said)[j] = true;
      const std::span<double> all(target);
      read_numbers(value, all.subspan(model.rate_offset(j), rate_count(model.joints()[j].type, dimension)),
                   place);
    });
  };
  read_rates("qd", state.qd, &said.qd);
  read_rates("qdd", state.qdd, &said.qdd);
  read_rates("qddd", state.qddd, &said.qddd);
  read_rates("qdddd", state.qdddd, &said.qdddd);
  read_rates("effort", state.effort);
  if (json.contains("time")) read_numbers(json["time"], std::span(&state.time, 1), root.at("time"));
  read_actuators(model, json, root, state);
  read_independent(model, json, root, state);
  return consistent_state(model, said);
}

}  // namespace torsor
