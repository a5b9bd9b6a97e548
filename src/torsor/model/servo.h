#pragma once
// What a servo may lead.

#include <string>
#include <vector>

#include "torsor/model/elements.h"
#include "torsor/model/joint.h"

namespace torsor {

/// Names in `follows`. A point: x, y (z in 3D), in the world. A body: the same of its frame's origin, and its
/// angle in 2D; in 3D roll, pitch, yaw, all three or none: R = Rz(yaw) Ry(pitch) Rx(roll). A joint: its
/// coordinates, in their order.
std::vector<std::string> servo_outputs(const Servo& servo, const std::vector<Joint>& joints, int dimension);

bool is_angle_output(const std::string& name);
bool is_orientation_output(const std::string& name);  ///< roll, pitch or yaw

}  // namespace torsor
