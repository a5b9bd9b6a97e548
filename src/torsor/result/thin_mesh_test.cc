#include "torsor/result/thin_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace torsor {
namespace {

/// A ball of radius 1 about (5, 0, 0), its northern half red.
Mesh ball(int rings) {
  Mesh mesh;
  const auto at = [&](int i, int j) { return i * 2 * rings + j % (2 * rings); };
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < 2 * rings; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = std::numbers::pi * j / rings;
      mesh.vertices.push_back(
          {5 + std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  }
  mesh.parts.push_back({0, {1, 0, 0, 1}});
  for (int i = 0; i < rings; ++i) {
    if (2 * i == rings) mesh.parts.push_back({mesh.triangles.size(), {0, 0, 1, 1}});
    for (int j = 0; j < 2 * rings; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

TEST(ThinMesh, KeepsTheSurfaceWithinACellAndTheColours) {
  const Mesh fine = ball(100);
  const Mesh thin = thinned(fine, 2000);
  EXPECT_LE(thin.triangles.size(), 2000u);
  EXPECT_GE(thin.triangles.size(), 800u);
  for (const Vec3<double>& v : thin.vertices) EXPECT_NEAR(norm(v - Vec3<double>{5, 0, 0}), 1, 0.02);
  ASSERT_EQ(thin.parts.size(), 2u);
  for (std::size_t i = 0; i < thin.triangles.size(); ++i) {
    double z = 0;
    for (const int vertex : thin.triangles[i]) z += thin.vertices[vertex].z / 3;
    if (std::abs(z) > 0.15) {
      EXPECT_EQ(i<thin.parts[1].first, z> 0) << z;
    }
  }
}

TEST(ThinMesh, LeavesSmallOnesAlone) {
  const Mesh small = ball(4);
  EXPECT_EQ(thinned(small, 1000).triangles, small.triangles);
}

}  // namespace
}  // namespace torsor
