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
#include <string_view>

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

void read_obj(const MeshFile& file, Mesh& mesh) {
  Words words(file.bytes);
  while (words.next_line()) {
    const std::string_view kind = words.next_word();
    if (kind == "v") mesh.vertices.push_back(read_vertex(file, words));
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
    const auto [known, is_new] = known_.emplace(std::array{v.x, v.y, v.z}, static_cast<int>(known_.size()));
    if (is_new) mesh_.vertices.push_back(v);
    return known->second;
  }

 private:
  Mesh& mesh_;
  std::map<std::array<double, 3>, int> known_;
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

}  // namespace

Mesh parse_mesh(const std::string& bytes, const std::string& path, const std::string& key) {
  const MeshFile file{path, key, bytes};
  Mesh mesh;
  if (ending_of(path) == ".obj") {
    read_obj(file, mesh);
  } else if (ending_of(path) == ".msh") {
    mesh = parse_msh(bytes, path, key);
  } else if (is_binary_stl(bytes)) {
    read_binary_stl(file, mesh);
  } else {
    read_text_stl(file, mesh);
  }
  if (mesh.triangles.empty()) file.fail(1, "at least one triangle", "none");
  return mesh;
}

Mesh read_mesh(const std::string& path, const std::string& key) {
  const std::string ending = ending_of(path);
  if (ending != ".obj" && ending != ".stl" && ending != ".msh")
    throw ModelError(key, "a mesh file .obj, .stl or .msh", in_quotes(path));
  return parse_mesh(read_bytes(path, key), path, key);
}

}  // namespace torsor
