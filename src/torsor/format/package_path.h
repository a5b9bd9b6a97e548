#pragma once
// Where files of robot packages lie: `package://NAME/meshes/arm.stl` and its likes.

#include <optional>
#include <string>
#include <vector>

namespace torsor {

/// The file of a name as URDF writes it, seen from the file `from` that names it; nothing where there is none. `package://` and
/// `model://` are looked for in `package_path`, in the folders above `from`, then where ROS_PACKAGE_PATH,
/// AMENT_PREFIX_PATH and GAZEBO_MODEL_PATH say; `file://` is a path; other names are relative to the folder of `from`.
std::optional<std::string> find_package_file(const std::string& name, const std::string& from,
                                             const std::vector<std::string>& package_path);

/// `to` as a model file in `folder` names it: the shortest of relative and absolute path that leads there.
std::string path_from(const std::string& folder, const std::string& to);

}  // namespace torsor
