#include "torsor/format/mesh_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_text.h"

namespace torsor {
namespace {

struct MeshFile {
  const std::string& path;
  const std::string& key;
  const std::string& bytes;

  [[noreturn]] void fail(int line, const std::string& expected, const std::string& found) const {
    throw ModelError(key, expected, found, path, line);
  }
};

std::string read_bytes(const std::string& path, const std::string& key) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ModelError(key, "a mesh file", "no file at " + path);
  const std::optional<std::string> bytes = read_file(path, kLargestMeshFile);
  if (!bytes) throw ModelError(key, "a readable mesh file", "no permission to read " + path);
  if (bytes->size() > kLargestMeshFile)
    throw ModelError(key, fmt::format("a mesh file of at most {} MiB", kLargestMeshFile >> 20),
                     "more in " + path);
  return *bytes;
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}

/// The lines of a text and the words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool next_line() {
    if (at_end_) return false;
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    at_end_ = end == std::string_view::npos;
    if (!at_end_) rest_.remove_prefix(end + 1);
    ++number_;
    return true;
  }
  std::string_view next_word() {
    const auto begin = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    const auto end = std::min(line_.find_first_of(" \t\r", begin), line_.size());
    const std::string_view word = line_.substr(begin, end - begin);
    line_.remove_prefix(end);
    return word;
  }
  std::string_view rest_of_line() const {
    const auto begin = std::min(line_.find_first_not_of(" \t\r"), line_.size());
    const auto end = line_.find_last_not_of(" \t\r");
    return end == std::string_view::npos || end < begin ? std::string_view()
                                                        : line_.substr(begin, end - begin + 1);
  }
  int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  bool at_end_ = false;
  int number_ = 0;
};

Vec3<double> read_vertex(const MeshFile& file, Words& words) {
  Vec3<double> vertex;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = words.next_word();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), vertex[i]);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(vertex[i]))
      file.fail(words.number(), "three coordinates of a vertex", in_quotes(std::string(word)));
  }
  return vertex;
}

/// `7`, `7/2`, `7//3`, `-1`: only the vertex counts; from 1, or backwards from the last one.
int vertex_index(const MeshFile& file, int line, std::string_view word, std::size_t count) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const auto last = static_cast<long>(count);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (!is_number || index == 0 || index > last || index < -last)
    file.fail(line, fmt::format("the number of one of the {} vertices above", count),
              in_quotes(std::string(word)));
  return static_cast<int>(index > 0 ? index - 1 : last + index);
}

void add_triangle(const MeshFile& file, int line, Mesh& mesh, const std::array<int, 3>& triangle) {
  if (mesh.triangles.size() >= kMostTriangles)
    file.fail(line, fmt::format("at most {} triangles", kMostTriangles), "more");
  mesh.triangles.push_back(triangle);
}

constexpr std::size_t kMostMaterialFiles = 16;
constexpr std::size_t kLargestMaterials = std::size_t{4} << 20;  ///< bytes of all of them

/// Of an OBJ file: which parts are made of what, and the files that say how that looks.
struct ObjMaterials {
  std::vector<std::string> libraries;  ///< each once
  std::vector<std::string> names;      ///< one for each part of the mesh
};

void add_library(const MeshFile& file, int line, std::string_view name, ObjMaterials& materials) {
  std::vector<std::string>& all = materials.libraries;
  if (std::find(all.begin(), all.end(), name) != all.end()) return;
  if (all.size() >= kMostMaterialFiles)
    file.fail(line, fmt::format("at most {} files of materials", kMostMaterialFiles), "more");
  all.emplace_back(name);
}

void read_obj(const MeshFile& file, Mesh& mesh, ObjMaterials& materials) {
  Words words(file.bytes);
  while (words.next_line()) {
    const std::string_view kind = words.next_word();
    if (kind == "v") mesh.vertices.push_back(read_vertex(file, words));
    if (kind == "mtllib") add_library(file, words.number(), words.rest_of_line(), materials);
    if (kind == "usemtl") {
      mesh.parts.push_back({mesh.triangles.size(), {}});
      materials.names.emplace_back(words.rest_of_line());
    }
    if (kind != "f") continue;
    std::array<int, 3> fan{};
    int corners = 0;
    for (auto word = words.next_word(); !word.empty(); word = words.next_word(), ++corners) {
      const int vertex = vertex_index(file, words.number(), word, mesh.vertices.size());
      if (corners > 2) fan[1] = fan[2];
      fan[std::min(corners, 2)] = vertex;
      if (corners >= 2) add_triangle(file, words.number(), mesh, fan);
    }
    if (corners < 3)
      file.fail(words.number(), "a face of three vertices or more", fmt::format("{}", corners));
  }
}

/// STL repeats a vertex in every triangle that has it.
class VertexPool {
 public:
  explicit VertexPool(Mesh& mesh) : mesh_(mesh) {}
  int index(const Vec3<double>& v) {
    // Both zeros are one place.
    const std::array<double, 3> place{v.x + 0.0, v.y + 0.0, v.z + 0.0};
    const auto [known, is_new] = known_.emplace(place, static_cast<int>(known_.size()));
    if (is_new) mesh_.vertices.push_back(v);
    return known->second;
  }
  void reserve(std::size_t triangles) { known_.reserve(triangles); }

 private:
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& v) const {
      std::uint64_t hash = 0;
      for (const double x : v)
        hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
      return hash;
    }
  };

  Mesh& mesh_;
  std::unordered_map<std::array<double, 3>, int, Hash> known_;
};

void read_text_stl(const MeshFile& file, Mesh& mesh) {
  VertexPool pool(mesh);
  Words words(file.bytes);
  std::array<int, 3> triangle{};
  int corners = 0;
  while (words.next_line()) {
    const std::string_view kind = words.next_word();
    if (kind == "facet") corners = 0;
    if (kind == "vertex") {
      if (corners == 3) file.fail(words.number(), "three vertices in a facet", "more");
      triangle[corners++] = pool.index(read_vertex(file, words));
    }
    if (kind == "endfacet") {
      if (corners != 3) file.fail(words.number(), "three vertices in a facet", fmt::format("{}", corners));
      add_triangle(file, words.number(), mesh, triangle);
    }
  }
}

/// 80 bytes of anything, the count, then for each triangle its normal, three vertices as floats and two bytes
/// more; little-endian.
constexpr std::size_t kStlHead = 84, kStlTriangle = 50;

bool is_binary_stl(const std::string& bytes) {
  std::uint32_t count = 0;
  if (bytes.size() < kStlHead) return false;
  std::memcpy(&count, bytes.data() + 80, 4);
  return bytes.size() == kStlHead + std::size_t{count} * kStlTriangle;
}

void read_binary_stl(const MeshFile& file, Mesh& mesh) {
  static_assert(std::endian::native == std::endian::little);
  VertexPool pool(mesh);
  pool.reserve(std::min((file.bytes.size() - kStlHead) / kStlTriangle, kMostTriangles));
  for (std::size_t at = kStlHead; at < file.bytes.size(); at += kStlTriangle) {
    std::array<float, 9> corner{};
    std::memcpy(corner.data(), file.bytes.data() + at + 12, sizeof corner);
    for (const float coordinate : corner)
      if (!std::isfinite(coordinate))
        file.fail(1, "finite coordinates",
                  fmt::format("{} in triangle {}", coordinate, mesh.triangles.size()));
    std::array<int, 3> triangle{};
    for (int i = 0; i < 3; ++i)
      triangle[i] = pool.index({corner[3 * i], corner[3 * i + 1], corner[3 * i + 2]});
    add_triangle(file, 1, mesh, triangle);
  }
}

/// `newmtl NAME`, `Kd r g b`, `d opacity` or `Tr transparency`.
void read_mtl(const std::string& text, std::map<std::string, Color>& colors) {
  Words words(text);
  Color* color = nullptr;
  const auto number = [&](double& value) {
    const std::string_view word = words.next_word();
    double read = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), read);
    if (error == std::errc() && end == word.data() + word.size()) value = std::clamp(read, 0.0, 1.0);
  };
  while (words.next_line()) {
    const std::string_view kind = words.next_word();
    if (kind == "newmtl") color = &(colors[std::string(words.rest_of_line())] = {0.8, 0.8, 0.8, 1});
    if (!color) continue;
    if (kind == "Kd") number((*color)[0]), number((*color)[1]), number((*color)[2]);
    if (kind == "d") number((*color)[3]);
    if (kind == "Tr") {
      double transparency = 1 - (*color)[3];
      number(transparency);
      (*color)[3] = 1 - transparency;
    }
  }
}

/// A regular file that ends in .mtl, also behind a link: a mesh opens nothing else. Empty where it is none.
std::string material_file(const std::filesystem::path& folder, const std::string& library) {
  const std::filesystem::path name = std::filesystem::path(library).lexically_normal();
  if (name.has_root_path() || name.empty() || *name.begin() == "..") return "";
  std::error_code fault;
  const std::filesystem::path file = std::filesystem::canonical(folder / name, fault);
  const bool fits = !fault && ending_of(file.string()) == ".mtl" && ending_of(library) == ".mtl" &&
                    std::filesystem::is_regular_file(file, fault);
  return fits ? file.string() : "";
}

/// A library that is missing, or that may not be read, leaves the mesh without its colours: it is as solid without.
void color_parts(const MeshFile& file, const ObjMaterials& materials, Mesh& mesh) {
  std::map<std::string, Color> colors;
  std::set<std::string> read;
  std::size_t left = kLargestMaterials;
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  for (const std::string& library : materials.libraries) {
    const std::string path = material_file(folder.empty() ? "." : folder, library);
    if (path.empty() || !read.insert(path).second) continue;
    const std::optional<std::string> text = read_file(path, left);
    if (text && text->size() > left)
      file.fail(1, fmt::format("files of materials of at most {} MiB in all", kLargestMaterials >> 20),
                "more in " + path);
    if (!text) continue;
    left -= text->size();
    read_mtl(*text, colors);
  }
  const bool all = std::all_of(materials.names.begin(), materials.names.end(),
                               [&](const std::string& name) { return colors.contains(name); });
  if (!all) mesh.parts.clear();
  for (std::size_t i = 0; i < mesh.parts.size(); ++i) mesh.parts[i].color = colors.at(materials.names[i]);
}

Mesh parse_any(const MeshFile& file, ObjMaterials& materials) {
  Mesh mesh;
  const std::string ending = ending_of(file.path);
  if (ending == ".dae") return parse_dae(file.bytes, file.path, file.key);
  if (ending == ".msh") {
    mesh = parse_msh(file.bytes, file.path, file.key);
  } else if (ending == ".obj") {
    read_obj(file, mesh, materials);
  } else if (is_binary_stl(file.bytes)) {
    read_binary_stl(file, mesh);
  } else {
    read_text_stl(file, mesh);
  }
  if (mesh.triangles.empty()) file.fail(1, "at least one triangle", "none");
  return mesh;
}

}  // namespace

bool is_mesh_name(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".obj" || ending == ".stl" || ending == ".dae" || ending == ".msh";
}

Mesh parse_mesh(const std::string& bytes, const std::string& path, const std::string& key) {
  ObjMaterials materials;
  Mesh mesh = parse_any({path, key, bytes}, materials);
  if (!materials.names.empty()) mesh.parts.clear();
  return mesh;
}

Mesh read_mesh(const std::string& path, const std::string& key) {
  if (!is_mesh_name(path)) throw ModelError(key, "a mesh file .obj, .stl, .dae or .msh", in_quotes(path));
  const std::string bytes = read_bytes(path, key);
  ObjMaterials materials;
  Mesh mesh = parse_any({path, key, bytes}, materials);
  if (!materials.names.empty()) color_parts({path, key, bytes}, materials, mesh);
  return mesh;
}

}  // namespace torsor
