#include "torsor/format/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/model/check.h"

namespace torsor {
namespace {

constexpr const char* kXacro = "URDF made of it by `xacro FILE.xacro > FILE.urdf`";

bool uses_xacro(const XmlElement& root) {
  for (const XmlElement& child : root.children())
    if (child.name().starts_with("xacro:")) return true;
  return false;
}

}  // namespace

bool looks_like_xml(const std::string& path, const std::string& text) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const char* known : {".urdf", ".xml", ".mjcf", ".sdf", ".xacro"})
    if (ending == known) return true;
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  at = text.find_first_not_of(" \t\r\n", at);
  return at != std::string::npos && text[at] == '<';
}

ModelFormat format_of(const XmlElement& root) {
  if (root.file().ends_with(".xacro")) root.fail(kXacro, "a xacro file");
  if (root.is("robot")) {
    if (uses_xacro(root)) root.fail(kXacro, "elements of xacro");
    return ModelFormat::urdf;
  }
  if (root.is("mujoco") || root.is("mujocoinclude")) return ModelFormat::mjcf;
  const std::string known = "<robot> (URDF) or <mujoco> (MJCF)";
  if (root.is("sdf")) root.fail(known, "<sdf>: SDF is not read");
  root.fail(known, "the root element " + did_you_mean(root.name(), {"robot", "mujoco"}));
}

YamlNode import_model(const XmlDocument& document, const ImportOptions& options, ImportReport& report) {
  const XmlElement root(document);
  Importing importing(options, report);
  const ModelFormat format = format_of(root);
  report.format = format == ModelFormat::urdf ? "URDF" : "MJCF";
  return format == ModelFormat::urdf ? import_urdf(root, importing) : import_mjcf(root, importing);
}

std::string model_name(const std::string& name) {
  std::string result = cut_at(name, 200);
  for (char& c : result)
    if (std::string("./[],\"\x7F").find(c) != std::string::npos || static_cast<unsigned char>(c) < 0x20)
      c = '_';
  if (!result.empty() && result.front() == ' ') result.front() = '_';
  if (!result.empty() && result.back() == ' ') result.back() = '_';
  return result == "world" ? "world_" : result;
}

}  // namespace torsor
