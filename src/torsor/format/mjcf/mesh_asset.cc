#include "torsor/format/mjcf/mesh_asset.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/convex_hull.h"
#include "torsor/format/mesh_reader.h"

namespace torsor::mjcf {
namespace {

using Faces = std::vector<std::array<int, 3>>;
using Vertices = std::vector<Vec3<double>>;

struct Face {
  const Vec3<double>&a, &b, &c;

  Vec3<double> centre() const { return (1.0 / 3) * (a + b + c); }
  Vec3<double> area() const { return 0.5 * cross(b - a, c - a); }  ///< along the normal
  /// int x x^T over a pyramid of volume 1 from the origin (divisor 20), or over the face of area 1 (divisor 12).
  double product(int i, int j, double divisor) const {
    return (2 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]) + a[i] * b[j] + a[j] * b[i] + a[i] * c[j] +
            a[j] * c[i] + b[i] * c[j] + b[j] * c[i]) /
           divisor;
  }
};

Vec3<double> vertex_scaled(const Vec3<double>& v, const Vec3<double>& s) {
  return {v.x * s.x, v.y * s.y, v.z * s.z};
}

MeshAsset read_asset(const Attributes& a, const Document& document, const Compiler& compiler) {
  const XmlElement& own = a.own();
  MeshAsset asset{own};
  if (a.own().has("builtin")) own.fail_at("builtin", "a mesh from a file or from vertices");
  asset.scale = vector_of(a.merged("scale", {1, 1, 1}));
  if (const auto position = own.numbers("refpos", 3)) asset.reference.position = vector_of(*position);
  if (const auto q = own.numbers("refquat", 4))
    asset.reference.rotation = normalized(SO3<double>{(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
  asset.inertia = static_cast<MeshInertia>(a.choice("inertia", {"convex", "exact", "legacy", "shell"}, 2));
  if (const auto file = own.text("file")) {
    std::filesystem::path path =
        compiler.strip_path ? std::filesystem::path(*file).filename() : std::filesystem::path(*file);
    asset.file = (std::filesystem::path(document.folder) / compiler.mesh_folder / path).string();
  } else {
    const auto numbers = own.numbers("vertex", 12, kMostXmlNumbers);
    if (!numbers) own.fail("a file or vertices", "neither");
    if (numbers->size() % 3 != 0) own.fail_at("vertex", "three coordinates for each vertex", "others");
    for (std::size_t i = 0; i < numbers->size(); i += 3)
      asset.vertices.push_back({(*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]});
    const auto corners = own.numbers("face", 3, kMostXmlNumbers);
    if (corners && corners->size() % 3 != 0) own.fail_at("face", "three vertices for each face", "others");
    for (std::size_t i = 0; corners && i < corners->size(); i += 3) {
      std::array<int, 3> face{};
      for (int k = 0; k < 3; ++k) {
        const double at = (*corners)[i + k];
        if (!(at >= 0 && at < static_cast<double>(asset.vertices.size()) && at == std::floor(at)))
          own.fail_at("face", "numbers of vertices, from 0");
        face[k] = static_cast<int>(at);
      }
      asset.faces.push_back(face);
    }
  }
  return asset;
}

Faces hull_of(const MeshAsset& asset, const Vertices& vertices) {
  auto hull = convex_hull(vertices);
  if (!hull) {
    asset.element.fail(
        fmt::format("a mesh whose convex hull takes at most {:g} comparisons", double(kMostHullWork)),
        fmt::format("one of {} vertices that takes more", vertices.size()));
  }
  return *std::move(hull);
}

}  // namespace

Inertia<double> mesh_inertia(const Vertices& vertices, const Faces& faces, MeshInertia how) {
  const bool shell = how == MeshInertia::shell;
  double area = 0, volume = 0;
  Vec3<double> centre, com;
  for (const auto& f : faces) {
    const Face face{vertices[f[0]], vertices[f[1]], vertices[f[2]]};
    const double size = norm(face.area());
    area += size;
    centre += size * face.centre();
  }
  if (!(area > 0)) return {};
  centre = (1 / area) * centre;
  const auto measure = [&](const Face& face, const Vec3<double>& from) {
    if (shell) return norm(face.area());
    const double pyramid = dot(face.centre() - from, face.area()) / 3;
    return how == MeshInertia::legacy ? std::abs(pyramid) : pyramid;
  };
  for (const auto& f : faces) {
    const Face face{vertices[f[0]], vertices[f[1]], vertices[f[2]]};
    const double part = measure(face, centre);
    volume += part;
    com += part * (shell ? face.centre() : 0.75 * face.centre() + 0.25 * centre);
  }
  if (!(volume > 0)) return {};
  com = (1 / volume) * com;
  // Once more from the centre of mass: legacy pyramids depend on where they start.
  double P[3][3] = {}, mass = 0;
  for (const auto& f : faces) {
    const Vec3<double> a = vertices[f[0]] - com, b = vertices[f[1]] - com, c = vertices[f[2]] - com;
    const Face face{a, b, c};
    const double part = measure(face, {});
    mass += part;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) P[i][j] += part * face.product(i, j, shell ? 12 : 20);
  }
  const Sym3<double> about{P[1][1] + P[2][2], P[0][0] + P[2][2], P[0][0] + P[1][1],
                           -P[1][0],          -P[2][0],          -P[2][1]};
  return inertia_about_com(mass, com, about);
}

Meshes::Meshes(const Element& mujoco, const Document& document, const Defaults& defaults,
               const Compiler& compiler) {
  for (const Element& section : mujoco.children) {
    if (!section.is("asset")) continue;
    for (const Element& element : section.children) {
      if (!element.is("mesh")) continue;
      const XmlElement& own = element.xml;
      const std::string name = own.text("name", std::filesystem::path(own.text("file", "")).stem().string());
      if (!all_.emplace(name, read_asset(defaults.of(own), document, compiler)).second)
        own.fail("each mesh once", in_quotes(name) + " twice");
      names_.push_back(name);
    }
  }
}

std::vector<std::string> Meshes::files() const {
  std::vector<std::string> files;
  for (const auto& [name, asset] : all_) {
    if (!asset.file.empty()) files.push_back(asset.file);
  }
  return files;
}

const MeshAsset& Meshes::find(const Attributes& geom) const {
  const std::string name = geom.text("mesh", "");
  const auto found = all_.find(name);
  if (found == all_.end()) geom.fail_at("mesh", "the name of a mesh", did_you_mean(name, names_));
  return found->second;
}

const std::pair<Vertices, Faces>& Meshes::surface(const MeshAsset& asset) {
  const auto known = surfaces_.find(&asset);
  if (known != surfaces_.end()) return known->second;
  std::pair<Vertices, Faces> surface{asset.vertices, asset.faces};
  if (!asset.file.empty()) {
    try {
      Mesh mesh = read_mesh(asset.file, asset.element.path());
      surface = {std::move(mesh.vertices), std::move(mesh.triangles)};
    } catch (const ModelError& error) {
      if (!error.file.empty()) throw;
      throw ModelError(error.key, error.expected, error.found, asset.element.file(), asset.element.line());
    }
  }
  const SE3<double> to_mesh = inverse(asset.reference);
  for (Vec3<double>& v : surface.first) v = vertex_scaled(act(to_mesh, v), asset.scale);
  if (surface.second.empty()) {  // vertices alone stand for their hull
    surface.second = hull_of(asset, surface.first);
  } else if (asset.scale.x * asset.scale.y * asset.scale.z < 0) {  // a mirror turns faces inside out
    for (auto& face : surface.second) std::swap(face[1], face[2]);
  }
  return surfaces_.emplace(&asset, std::move(surface)).first->second;
}

const Inertia<double>& Meshes::unit_inertia(const MeshAsset& asset, MeshInertia how) {
  const auto known = inertias_.find({&asset, how});
  if (known != inertias_.end()) return known->second;
  const auto& [vertices, own] = surface(asset);
  const Faces faces = how == MeshInertia::convex ? hull_of(asset, vertices) : own;
  return inertias_.emplace(std::pair{&asset, how}, mesh_inertia(vertices, faces, how)).first->second;
}

}  // namespace torsor::mjcf
