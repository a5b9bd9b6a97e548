#include "torsor/model/servo.h"

namespace torsor {

std::vector<std::string> joint_outputs(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::helical:
      return {"angle"};
    case JointType::prismatic:
      return {"displacement"};
    case JointType::cylindrical:
      return {"angle", "displacement"};
    case JointType::universal:
      return {"angle_x", "angle_y"};
    case JointType::planar:
      return {"angle", "x", "y"};
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      return {};
  }
  return {};
}

std::vector<std::string> servo_outputs(const Servo& servo, const std::vector<Joint>& joints, int dimension) {
  if (servo.joint) return joint_outputs(joints[*servo.joint].type);
  if (dimension == 2)
    return servo.body ? std::vector<std::string>{"x", "y", "angle"} : std::vector<std::string>{"x", "y"};
  return servo.body ? std::vector<std::string>{"x", "y", "z", "roll", "pitch", "yaw"}
                    : std::vector<std::string>{"x", "y", "z"};
}

bool is_orientation_output(const std::string& name) {
  return name == "roll" || name == "pitch" || name == "yaw";
}
bool is_angle_output(const std::string& name) {
  return name.starts_with("angle") || is_orientation_output(name);
}

}  // namespace torsor
