#pragma once
// A state of a model as JSON: {"q": {joint: value}, "qd": {}, "qdd": {}, "effort": {}, "time": t,
// "actuators": {actuator: effort}, "independent": [joints]}.

#include <string>

#include "torsor/evaluation/evaluate.h"

namespace torsor {

inline constexpr std::size_t kLargestState = std::size_t{64} << 20;  ///< bytes

/// Joints that are not named stand at zero (unit quaternion). A value is a number or a list in the joint's
/// coordinates; a spherical joint takes a unit quaternion (w, x, y, z), a free joint the quaternion and the
/// position, flat or as {"quaternion": [..], "position": [..]}; in 2D {"angle": a, "position": [x, y]}.
/// With loops, joints that are not named follow (evaluation/consistent_state.h).
/// Throws ModelError that names `file`.
JointState parse_joint_state(const Model& model, const std::string& text, const std::string& file);

}  // namespace torsor
