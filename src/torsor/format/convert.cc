#include "torsor/format/convert.h"

#include <fmt/format.h>

#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/model_tree.h"
#include "torsor/format/package_path.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

/// Every `mesh: FILE` of the tree, from another folder.
void move_meshes(YamlNode& node, const std::string& from, const std::string& to) {
  for (YamlNode& item : node.items) move_meshes(item, from, to);
  for (YamlEntry& entry : node.entries) {
    if (entry.key == "mesh" && entry.value.kind == YamlNode::Kind::scalar) {
      entry.value.text = path_from(to, (fs::path(from) / entry.value.text).string());
    } else {
      move_meshes(entry.value, from, to);
    }
  }
}

/// Where it comes from, and what is not as it was there.
std::vector<std::string> remarks(const ModelSource& source) {
  const std::string name = fs::path(source.file).filename().string();
  std::vector<std::string> lines{source.report.empty()
                                     ? "Converted from " + name + "."
                                     : "Converted from " + name + " (" + source.report.format + ")."};
  std::vector<std::string> said;
  for (const ImportRow& row : source.report.rows) {
    if (row.how == Conversion::converted) continue;
    const std::string line = fmt::format("{}: {} ({})", name_of(row.how), row.what, row.why);
    if (std::find(said.begin(), said.end(), line) == said.end()) said.push_back(line);
  }
  for (std::string& line : said) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

void require_convertible_name(const std::string& path, const std::string& key) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".yaml" && ending != ".yml" && ending != ".urdf" && ending != ".xml")
    throw ModelError(key, "a file that ends in .yaml, .urdf or .xml (MJCF)", in_quotes(path));
}

std::string converted_text(const ModelSource& source, const std::string& file) {
  require_convertible_name(file, "OUT");
  const Model model = parse_model(source);
  if (fs::path(file).extension() == ".urdf") return urdf_text(model, folder_of(source.file), folder_of(file));
  if (fs::path(file).extension() == ".xml") return mjcf_text(model, folder_of(source.file), folder_of(file));
  YamlNode root = source_tree(source);
  move_meshes(root, folder_of(source.file), folder_of(file));
  return yaml_text(root, remarks(source));
}

}  // namespace torsor
