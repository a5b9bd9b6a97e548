// COLLADA 1.4: the triangles of the geometries that stand in its scene, with their places and the diffuse colours of their materials.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/mesh_reader.h"
#include "torsor/format/xml.h"

namespace torsor {
namespace {

constexpr int kDeepestNode = 64;        ///< nodes may stand for others: no circles
constexpr int kMostDaeNodes = 100'000;  ///< nor a number that explodes

/// x -> A x + b.
struct Affine {
  Mat3<double> A = Mat3<double>::identity();
  Vec3<double> b;
};
Affine operator*(const Affine& l, const Affine& r) { return {l.A * r.A, l.A * r.b + l.b}; }

std::vector<double> content_numbers(const XmlElement& element) {
  std::string fault;
  std::vector<double> values = numbers_of(element.node().child_value(), fault);
  if (!fault.empty()) element.fail("numbers", in_quotes(fault));
  return values;
}

std::vector<double> content_numbers(const XmlElement& element, std::size_t count) {
  const std::vector<double> values = content_numbers(element);
  if (values.size() != count)
    element.fail(fmt::format("{} numbers", count), fmt::format("{}", values.size()));
  return values;
}

std::vector<int> content_indices(const XmlElement& element) {
  const std::vector<double> values = content_numbers(element);
  std::vector<int> indices;
  indices.reserve(values.size());
  for (const double value : values) {
    if (!(value >= 0 && value < 1e9 && value == std::floor(value)))
      element.fail("indices", fmt::format("{}", value));
    indices.push_back(static_cast<int>(value));
  }
  return indices;
}

class DaeReader {
 public:
  DaeReader(const XmlDocument& document, Mesh& mesh) : root_(document), mesh_(mesh) { index(root_); }

  void read() {
    if (!root_.is("COLLADA")) root_.fail("<COLLADA>", "<" + root_.name() + ">");
    double metre = 1;
    if (const auto asset = root_.first("asset"))
      if (const auto unit = asset->first("unit")) metre = unit->number("meter", 1);
    Affine scaled;
    scaled.A = metre * scaled.A;
    const auto scene = root_.first("scene");
    const auto instance = scene ? scene->first("instance_visual_scene") : std::nullopt;
    if (instance) {
      read_node(target(*instance, "url", "visual_scene"), scaled, 0);
    } else if (const auto geometries = root_.first("library_geometries")) {
      for (const XmlElement& geometry : geometries->children("geometry")) read_geometry(geometry, scaled, {});
    }
  }

 private:
  using Materials = std::map<std::string, std::string>;  ///< symbol -> id of the material

  /// Ids may stand anywhere; the document limits how many there are.
  void index(const XmlElement& root) {
    std::vector<pugi::xml_node> left{root.node()};
    while (!left.empty()) {
      const pugi::xml_node node = left.back();
      left.pop_back();
      if (const pugi::xml_attribute id = node.attribute("id")) ids_.emplace(id.value(), node);
      for (const pugi::xml_node child : node.children())
        if (child.type() == pugi::node_element) left.push_back(child);
    }
  }

  std::optional<XmlElement> find(const std::string& id, const char* name) const {
    const auto found = ids_.find(id);
    if (found == ids_.end() || std::string(found->second.name()) != name) return std::nullopt;
    return XmlElement(root_.document(), found->second);
  }

  XmlElement target(const XmlElement& reference, const char* attribute, const char* name) const {
    const std::string url = reference.required_text(attribute, "`#` and the id of what it stands for");
    const auto found = url.starts_with('#') ? find(url.substr(1), name) : std::nullopt;
    if (!found) reference.fail_at(attribute, fmt::format("`#` and the id of a <{}> of this file", name));
    return *found;
  }

  static Affine transform_of(const XmlElement& step) {
    Affine X;
    if (step.is("matrix")) {
      const auto m = content_numbers(step, 16);
      X.A = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
      X.b = {m[3], m[7], m[11]};
    } else if (step.is("translate")) {
      const auto t = content_numbers(step, 3);
      X.b = {t[0], t[1], t[2]};
    } else if (step.is("scale")) {
      const auto s = content_numbers(step, 3);
      X.A = {s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]};
    } else if (step.is("rotate")) {
      const auto r = content_numbers(step, 4);
      const Vec3<double> axis{r[0], r[1], r[2]};
      const double length = norm(axis);
      if (length > 0) X.A = matrix(exp_so3((r[3] * std::numbers::pi / 180 / length) * axis));
    }
    return X;
  }

  void read_node(const XmlElement& node, const Affine& above, int depth) {
    if (depth > kDeepestNode)
      node.fail(fmt::format("nodes at most {} deep", kDeepestNode), "more, or a circle");
    if (++nodes_ > kMostDaeNodes) node.fail(fmt::format("at most {} nodes", kMostDaeNodes), "more");
    Affine X = above;
    for (const XmlElement& child : node.children()) {
      X = X * transform_of(child);
      if (child.is("instance_geometry")) {
        Materials materials;
        if (const auto bind = child.first("bind_material"))
          if (const auto common = bind->first("technique_common"))
            for (const XmlElement& one : common->children("instance_material"))
              materials[one.text("symbol", "")] =
                  one.text("target", "#").substr(one.text("target", "#").starts_with('#'));
        read_geometry(target(child, "url", "geometry"), X, materials);
      } else if (child.is("node")) {
        read_node(child, X, depth + 1);
      } else if (child.is("instance_node")) {
        read_node(target(child, "url", "node"), X, depth + 1);
      }
    }
  }

  std::optional<Color> color_of(const std::string& material) const {
    const auto made_of = find(material, "material");
    const auto instance = made_of ? made_of->first("instance_effect") : std::nullopt;
    const std::string url = instance ? instance->text("url", "") : "";
    const auto effect = url.starts_with('#') ? find(url.substr(1), "effect") : std::nullopt;
    const auto profile = effect ? effect->first("profile_COMMON") : std::nullopt;
    const auto technique = profile ? profile->first("technique") : std::nullopt;
    if (!technique) return std::nullopt;
    for (const XmlElement& shading : technique->children()) {
      const auto diffuse = shading.first("diffuse");
      const auto color = diffuse ? diffuse->first("color") : std::nullopt;
      if (!color) continue;
      const std::vector<double> rgba = content_numbers(*color);
      Color result{0.8, 0.8, 0.8, 1};
      for (std::size_t i = 0; i < std::min<std::size_t>(rgba.size(), 3); ++i)
        result[i] = std::clamp(rgba[i], 0.0, 1.0);
      return result;  // the fourth number means different things to different writers: drawn solid
    }
    return std::nullopt;
  }

  void read_geometry(const XmlElement& geometry, const Affine& X, const Materials& materials) {
    const auto surface = geometry.first("mesh");
    if (!surface) return;
    for (const XmlElement& part : surface->children()) {
      const bool triangles = part.is("triangles"), polylist = part.is("polylist"),
                 polygons = part.is("polygons");
      if (!triangles && !polylist && !polygons) continue;
      const auto bound = materials.find(part.text("material", ""));
      const auto color = color_of(bound == materials.end() ? part.text("material", "") : bound->second);
      if (color) {
        mesh_.parts.push_back({mesh_.triangles.size(), *color});
      } else if (!mesh_.parts.empty()) {
        mesh_.parts.push_back({mesh_.triangles.size(), {0.8, 0.8, 0.8, 1}});
      }
      read_faces(part, X, triangles, polylist);
    }
  }

  /// Vertices are added once for each place where a geometry stands.
  void read_faces(const XmlElement& part, const Affine& X, bool triangles, bool polylist) {
    std::size_t stride = 0, offset = 0;
    std::optional<XmlElement> vertices;
    for (const XmlElement& input : part.children("input")) {
      const auto at = static_cast<std::size_t>(input.integer("offset", 0, 64).value_or(0));
      stride = std::max(stride, at + 1);
      if (input.text("semantic", "") != "VERTEX") continue;
      vertices = target(input, "source", "vertices");
      offset = at;
    }
    if (!vertices) part.fail("an <input> of VERTEX", "none");
    const int base = static_cast<int>(mesh_.vertices.size());
    const int count = add_vertices(*vertices, X);
    const bool mirrored = dot(cross(column(X.A, 0), column(X.A, 1)), column(X.A, 2)) < 0;
    std::vector<std::vector<int>> rows;
    std::vector<int> sizes;
    for (const XmlElement& p : part.children("p")) rows.push_back(content_indices(p));
    if (polylist) {
      if (const auto counts = part.first("vcount")) sizes = content_indices(*counts);
    }
    for (const std::vector<int>& row : rows) {
      const std::size_t corners = row.size() / stride;
      std::size_t at = 0;
      for (std::size_t face = 0; at < corners; ++face) {
        std::size_t size = triangles ? 3 : corners;  // of polygons each <p> is one
        if (polylist) size = face < sizes.size() ? static_cast<std::size_t>(sizes[face]) : 0;
        if (size == 0 || at + size > corners)
          part.fail("as many corners as its faces have", fmt::format("{}", corners));
        const auto corner = [&](std::size_t i) {
          const int vertex = row[(at + i) * stride + offset];
          if (vertex >= count) part.fail(fmt::format("vertices below {}", count), fmt::format("{}", vertex));
          return base + vertex;
        };
        for (std::size_t i = 2; i < size; ++i) {
          if (mesh_.triangles.size() >= kMostTriangles)
            part.fail(fmt::format("at most {} triangles", kMostTriangles), "more");
          const int a = corner(0), b = corner(i - 1), c = corner(i);
          mesh_.triangles.push_back(mirrored ? std::array{a, c, b} : std::array{a, b, c});
        }
        at += size;
      }
    }
  }

  static Vec3<double> column(const Mat3<double>& A, int i) {
    return i == 0   ? Vec3<double>{A.xx, A.yx, A.zx}
           : i == 1 ? Vec3<double>{A.xy, A.yy, A.zy}
                    : Vec3<double>{A.xz, A.yz, A.zz};
  }

  int add_vertices(const XmlElement& vertices, const Affine& X) {
    for (const XmlElement& input : vertices.children("input")) {
      if (input.text("semantic", "") != "POSITION") continue;
      const XmlElement source = target(input, "source", "source");
      const auto array = source.first("float_array");
      if (!array) source.fail("a <float_array>", "none");
      const auto [known, is_new] = arrays_.try_emplace(array->node().internal_object());
      if (is_new) known->second = content_numbers(*array);
      const std::vector<double>& values = known->second;
      std::size_t stride = 3;
      if (const auto common = source.first("technique_common"))
        if (const auto accessor = common->first("accessor"))
          stride = static_cast<std::size_t>(accessor->integer("stride", 3, 64).value_or(3));
      const std::size_t count = values.size() / stride;
      if (mesh_.vertices.size() + count > 3 * kMostTriangles)
        source.fail(fmt::format("at most {} vertices", 3 * kMostTriangles), "more");
      for (std::size_t i = 0; i < count; ++i) {
        const double* v = &values[i * stride];
        const Vec3<double> at = X.A * Vec3<double>{v[0], v[1], v[2]} + X.b;
        if (!(std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z)))
          source.fail("finite vertices", "others");
        mesh_.vertices.push_back(at);
      }
      return static_cast<int>(count);
    }
    vertices.fail("an <input> of POSITION", "none");
  }

  XmlElement root_;
  Mesh& mesh_;
  std::map<std::string, pugi::xml_node> ids_;
  std::map<const void*, std::vector<double>> arrays_;
  int nodes_ = 0;
};

}  // namespace

Mesh parse_dae(const std::string& bytes, const std::string& path, const std::string& key) {
  const XmlDocument document(bytes, path, kLargestMeshFile);
  Mesh mesh;
  DaeReader(document, mesh).read();
  if (mesh.triangles.empty()) throw ModelError(key, "at least one triangle", "none", path, 1);
  return mesh;
}

}  // namespace torsor
