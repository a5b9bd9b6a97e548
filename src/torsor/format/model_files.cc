#include "torsor/format/model_files.h"

#include <filesystem>
#include <variant>

#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

/// A mesh is named from the folder of the model's file.
std::string beside(const std::string& model, const std::string& mesh) {
  return (fs::path(model).parent_path() / mesh).string();
}

void add_meshes(const std::vector<Shape>& shapes, const std::string& model, std::vector<std::string>& files) {
  for (const Shape& shape : shapes) {
    const Mesh* mesh = std::get_if<Mesh>(&shape.solid);
    if (mesh) files.push_back(beside(model, mesh->file));
  }
}

void add_meshes(const YamlNode& node, const std::string& model, std::vector<std::string>& files) {
  for (const YamlNode& item : node.items) add_meshes(item, model, files);
  for (const YamlEntry& entry : node.entries) {
    const bool is_mesh = entry.key == "mesh" && entry.value.kind == YamlNode::Kind::scalar;
    if (is_mesh) files.push_back(beside(model, entry.value.text));
    add_meshes(entry.value, model, files);
  }
}

}  // namespace

std::vector<std::string> files_of(const Model& model, const ImportReport& report) {
  std::vector<std::string> files = report.files;
  files.push_back(model.file());
  for (const Body& body : model.bodies()) add_meshes(body.shapes, model.file(), files);
  add_meshes(model.world_shapes(), model.file(), files);
  return files;
}

std::vector<std::string> files_of(const ModelSource& source) {
  std::vector<std::string> files = source.report.files;
  files.push_back(source.file);
  add_meshes(source_tree(source), source.file, files);
  return files;
}

}  // namespace torsor
