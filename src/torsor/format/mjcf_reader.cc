#include "torsor/format/import.h"

namespace torsor {

YamlNode import_mjcf(const XmlElement& mujoco, Importing&) {
  mujoco.fail("<robot> (URDF)", "<mujoco>: MJCF is not read yet");
}

}  // namespace torsor
