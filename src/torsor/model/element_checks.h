#pragma once
// What validate_elements.cc shares with the files for tendons and for control.

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "torsor/model/check.h"
#include "torsor/model/model.h"

namespace torsor {

inline void validate_point(const ModelDescription& d, const Point& point, const Key& key) {
  require(point.body >= kWorld && point.body < static_cast<int>(d.bodies.size()), key + ".body",
          "a body or `world`", std::to_string(point.body));
  require_vector(point.p_B, d.dimension, key + ".at");
}

inline const Joint& joint_of(const ModelDescription& d, int joint, const Key& key) {
  require(joint >= 0 && joint < static_cast<int>(d.joints.size()), key + ".joint", "a joint",
          std::to_string(joint));
  return d.joints[joint];
}

/// Leaves `count` numbers: a missing list becomes zeros, and one number stands for all where it may.
inline void fit(std::vector<double>& list, int count, bool one_for_all, const Key& key) {
  if (list.empty()) list.assign(count, 0.0);
  if (list.size() == 1 && one_for_all) list.assign(count, list[0]);
  require(
      static_cast<int>(list.size()) == count, key,
      [&] { return fmt::format("{} number{}", count, count == 1 ? "" : "s"); }, std::to_string(list.size()));
}
inline void fit_nonnegative(std::vector<double>& list, int count, bool one_for_all, const Key& key) {
  fit(list, count, one_for_all, key);
  for (const double value : list) require_nonnegative(value, key);
}

// validate_tendons.cc
/// A sum of coordinates under `key.joints`, of which `least` or more must be named.
void validate_terms(const ModelDescription& d, const std::vector<CoordinateTerm>& terms, std::size_t least,
                    const Key& key);
void validate_tendon(const ModelDescription& d, const Tendon& tendon);

// validate_control.cc
void validate_controller(const ModelDescription& d, Controller& controller);
/// `driven`: actuators that servos before it have.
void validate_servo(const ModelDescription& d, const Servo& servo, std::set<int>& driven);

}  // namespace torsor
