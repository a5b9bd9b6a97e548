#include "torsor/format/import.h"

namespace torsor {

YamlNode import_urdf(const XmlElement& robot, Importing&) {
  robot.fail("a model file", "<robot>: URDF is not read yet");
}

}  // namespace torsor
