#include "torsor/format/package_path.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace torsor {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> path_folders(const char* variable) {
  std::vector<std::string> folders;
  const char* value = std::getenv(variable);
  std::istringstream stream(value ? value : "");
  for (std::string folder; std::getline(stream, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  return folders;
}

bool is_plain_file(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault);
}

/// In a folder that holds the package, or is it.
std::optional<fs::path> in_package_folder(const fs::path& folder, const std::string& package,
                                          const fs::path& rest) {
  if (is_plain_file(folder / package / rest)) return folder / package / rest;
  if (folder.filename() == package && is_plain_file(folder / rest)) return folder / rest;
  return std::nullopt;
}

std::optional<fs::path> in_package(const std::string& package, const fs::path& rest, const std::string& from,
                                   const std::vector<std::string>& package_path) {
  for (const std::string& folder : package_path)
    if (const auto found = in_package_folder(folder, package, rest)) return found;
  std::error_code fault;
  for (fs::path above = fs::absolute(from, fault).parent_path(); !above.empty();
       above = above.parent_path()) {
    if (const auto found = in_package_folder(above, package, rest)) return found;
    if (above == above.root_path()) break;
  }
  for (const std::string& folder : path_folders("ROS_PACKAGE_PATH"))
    if (const auto found = in_package_folder(folder, package, rest)) return found;
  for (const std::string& folder : path_folders("AMENT_PREFIX_PATH"))
    if (const auto found = in_package_folder(fs::path(folder) / "share", package, rest)) return found;
  for (const std::string& folder : path_folders("GAZEBO_MODEL_PATH"))
    if (const auto found = in_package_folder(folder, package, rest)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_package_file(const std::string& name, const std::string& from,
                                             const std::vector<std::string>& package_path) {
  const auto after = [&](const char* scheme) -> std::optional<std::string> {
    return name.starts_with(scheme) ? std::optional(name.substr(std::string(scheme).size())) : std::nullopt;
  };
  std::optional<fs::path> found;
  auto packed = after("package://");
  if (!packed) packed = after("model://");
  if (packed) {
    packed->erase(0, packed->find_first_not_of('/'));  // some write package:///NAME
    const std::size_t slash = packed->find('/');
    if (slash == std::string::npos || slash == 0) return std::nullopt;
    const fs::path rest = fs::path(packed->substr(slash + 1)).relative_path();
    found = in_package(packed->substr(0, slash), rest, from, package_path);
  } else if (name.find("://") != std::string::npos && !name.starts_with("file://")) {
    return std::nullopt;  // no network
  } else {
    found = fs::path(from).parent_path() / after("file://").value_or(name);
  }
  return found && is_plain_file(*found) ? std::optional(found->lexically_normal().string()) : std::nullopt;
}

std::string path_from(const std::string& folder, const std::string& to) {
  std::error_code fault;
  const fs::path base = fs::absolute(folder.empty() ? "." : folder, fault).lexically_normal();
  const fs::path target = fs::absolute(to, fault).lexically_normal();
  const std::string relative = target.lexically_relative(base).generic_string();
  return relative.empty() || relative.size() > target.generic_string().size() ? target.generic_string()
                                                                              : relative;
}

}  // namespace torsor
