#include "torsor/model/servo.h"

namespace torsor {

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
