#include "torsor/result/thin_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace torsor {
namespace {

/// Cells along each axis fit 20 bits.
constexpr int kFinestGrid = 1 << 20;

struct Grid {
  Vec3<double> corner;
  double cell = 1;

  std::uint64_t key(const Vec3<double>& v) const {
    const auto along = [&](double x, double from) {
      return static_cast<std::uint64_t>(std::clamp((x - from) / cell, 0.0, double(kFinestGrid - 1)));
    };
    return (along(v.x, corner.x) << 40) | (along(v.y, corner.y) << 20) | along(v.z, corner.z);
  }
};

/// The vertex of the thinned mesh that each one becomes; how many there are.
int clusters(const Mesh& mesh, const Grid& grid, std::vector<int>& cluster) {
  std::unordered_map<std::uint64_t, int> known;
  known.reserve(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    cluster[i] = known.emplace(grid.key(mesh.vertices[i]), static_cast<int>(known.size())).first->second;
  return static_cast<int>(known.size());
}

std::size_t left(const Mesh& mesh, const std::vector<int>& cluster) {
  return static_cast<std::size_t>(
      std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
        const int a = cluster[t[0]], b = cluster[t[1]], c = cluster[t[2]];
        return a != b && b != c && c != a;
      }));
}

}  // namespace

Mesh thinned(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most || mesh.vertices.empty()) return mesh;
  Vec3<double> low = mesh.vertices.front(), high = low;
  for (const Vec3<double>& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], v[i]), high[i] = std::max(high[i], v[i]);
  }
  const double extent =
      std::max({high.x - low.x, high.y - low.y, high.z - low.z, std::numeric_limits<double>::min()});
  // A surface meets about as many cells as their number along an edge squared: from fine to coarse until it fits.
  double cells = std::min(2 * std::sqrt(static_cast<double>(most)), double(kFinestGrid));
  std::vector<int> cluster(mesh.vertices.size());
  int count = 0;
  std::size_t kept = 0;
  for (int trial = 0; trial < 40; ++trial) {
    count = clusters(mesh, {low, extent / cells}, cluster);
    kept = left(mesh, cluster);
    if (kept <= most) break;
    cells *= std::clamp(std::sqrt(static_cast<double>(most) / static_cast<double>(kept)), 0.3, 0.95);
  }
  Mesh thin;
  thin.file = mesh.file;
  thin.scale = mesh.scale;
  thin.vertices.resize(static_cast<std::size_t>(count));
  std::vector<double> members(thin.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    thin.vertices[cluster[i]] += mesh.vertices[i];
    members[cluster[i]] += 1;
  }
  for (std::size_t i = 0; i < members.size(); ++i) thin.vertices[i] = (1 / members[i]) * thin.vertices[i];
  auto part = mesh.parts.begin();
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (; part != mesh.parts.end() && part->first <= i; ++part)
      thin.parts.push_back({thin.triangles.size(), part->color});
    const std::array<int, 3> t{cluster[mesh.triangles[i][0]], cluster[mesh.triangles[i][1]],
                               cluster[mesh.triangles[i][2]]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) thin.triangles.push_back(t);
  }
  return thin;
}

}  // namespace torsor
