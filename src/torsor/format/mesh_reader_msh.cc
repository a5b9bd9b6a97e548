// Binary meshes of MuJoCo (.msh): four counts (vertices, normals, texture coordinates, triangles), then these as 32-bit floats and
// integers, the lowest byte first.

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "torsor/base/error.h"
#include "torsor/format/mesh_reader.h"

namespace torsor {

Mesh parse_msh(const std::string& bytes, const std::string& path, const std::string& key) {
  static_assert(std::endian::native == std::endian::little);
  const auto fail = [&](const std::string& expected, const std::string& found) {
    throw ModelError(key, expected, found, path, 1);
  };
  std::int32_t count[4] = {};
  if (bytes.size() < sizeof count) fail("a mesh file of MuJoCo with four counts", fmt::format("{} bytes", bytes.size()));
  std::memcpy(count, bytes.data(), sizeof count);
  for (const std::int32_t one : count)
    if (one < 0 || static_cast<std::size_t>(one) > 3 * kMostTriangles)
      fail(fmt::format("counts from 0 to {}", 3 * kMostTriangles), std::to_string(one));
  if (static_cast<std::size_t>(count[3]) > kMostTriangles) fail(fmt::format("at most {} triangles", kMostTriangles), "more");
  const std::size_t numbers = 3 * std::size_t(count[0]) + 3 * std::size_t(count[1]) + 2 * std::size_t(count[2]) + 3 * std::size_t(count[3]);
  if (bytes.size() != sizeof count + 4 * numbers)
    fail(fmt::format("{} bytes, as the counts say", sizeof count + 4 * numbers), std::to_string(bytes.size()));
  Mesh mesh;
  const char* at = bytes.data() + sizeof count;
  for (std::int32_t i = 0; i < count[0]; ++i, at += 12) {
    float xyz[3];
    std::memcpy(xyz, at, sizeof xyz);
    for (const float one : xyz)
      if (!std::isfinite(one)) fail("finite coordinates", "others");
    mesh.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  }
  at += 12 * std::size_t(count[1]) + 8 * std::size_t(count[2]);
  for (std::int32_t i = 0; i < count[3]; ++i, at += 12) {
    std::int32_t corner[3];
    std::memcpy(corner, at, sizeof corner);
    for (const std::int32_t one : corner)
      if (one < 0 || one >= count[0]) fail(fmt::format("numbers of the {} vertices", count[0]), std::to_string(one));
    mesh.triangles.push_back({corner[0], corner[1], corner[2]});
  }
  return mesh;
}

}  // namespace torsor
