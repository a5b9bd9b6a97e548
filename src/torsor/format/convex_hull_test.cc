#include "torsor/format/convex_hull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

namespace torsor {
namespace {

using Points = std::vector<Vec3<double>>;

double volume(const Points& points, const std::vector<std::array<int, 3>>& faces) {
  double sum = 0;
  for (const auto& [a, b, c] : faces) sum += dot(points[a], cross(points[b], points[c])) / 6;
  return sum;
}

/// Every edge stands in two faces, once in each direction; with that of Euler it is a closed surface of one piece.
void expect_closed(const std::vector<std::array<int, 3>>& faces) {
  std::set<std::pair<int, int>> edges;
  std::set<int> corners;
  for (const auto& face : faces) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(edges.emplace(face[k], face[(k + 1) % 3]).second);
      corners.insert(face[k]);
    }
  }
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.contains({b, a}));
  EXPECT_EQ(faces.size(), 2 * corners.size() - 4);
}

/// How far the points stand out of the faces at most.
double overhang(const Points& points, const std::vector<std::array<int, 3>>& faces) {
  double most = 0;
  for (const auto& [a, b, c] : faces) {
    const Vec3<double> n = cross(points[b] - points[a], points[c] - points[a]);
    for (const Vec3<double>& p : points) most = std::max(most, dot(n, p - points[a]) / norm(n));
  }
  return most;
}

TEST(ConvexHull, HoldsAllPointsAndIsClosed) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const int count : {4, 5, 20, 400}) {
    Points points(count), on_sphere(count);
    for (int i = 0; i < count; ++i) {
      points[i] = {normal(random), 3 * normal(random), 0.1 * normal(random)};
      on_sphere[i] = {normal(random), normal(random), normal(random)};
      on_sphere[i] = (1 / norm(on_sphere[i])) * on_sphere[i];
    }
    for (const Points* all : {&points, &on_sphere}) {
      const auto faces = *convex_hull(*all);
      expect_closed(faces);
      EXPECT_GT(volume(*all, faces), 0);
      EXPECT_LE(overhang(*all, faces), 2e-11);  // measured 2e-16; 1e-12 of the size is allowed
    }
    if (count == 400) {  // every point of a sphere is a corner
      EXPECT_EQ(convex_hull(on_sphere)->size(), 2u * count - 4);
    }
  }
}

/// Many points in each face, on each edge and inside: the volume of the box is what counts.
TEST(ConvexHull, OfAGridIsItsBox) {
  Points grid;
  const double c = std::cos(0.3), s = std::sin(0.3);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      for (int k = 0; k < 7; ++k) {
        const Vec3<double> p{0.1 * i, 0.2 * j, 0.3 * k};
        grid.push_back({c * p.x - s * p.y, s * p.x + c * p.y, p.z});  // not along the axes
      }
    }
  }
  const auto faces = *convex_hull(grid);
  EXPECT_NEAR(volume(grid, faces), 0.6 * 1.2 * 1.8, 1e-11);  // measured 0
  EXPECT_LE(overhang(grid, faces), 1e-11);                   // measured 8e-17
}

/// A rim, and above its middle a small crowd of points: what one of these sees is most of what the last one made. The work is
/// bounded, not the number of points.
TEST(ConvexHull, GivesUpWhereTheWorkIsTooMuch) {
  constexpr int half = 5000;
  Points crowd{{0, 0, -1}}, sphere;
  for (int i = 1; i < half; ++i) {
    const double around = 2 * std::numbers::pi * i / half;
    crowd.push_back({std::cos(around), std::sin(around), 0});
  }
  for (int i = 1; i <= half; ++i) {
    const double t = 1.0 * i / half;
    crowd.push_back({0.01 * std::cos(1e4 * t), 0.01 * std::sin(1e4 * t), 1 + 1e-3 * t});
  }
  for (int i = 0; i < 2 * half; ++i) {
    const double z = (i + 0.5) / half - 1, r = std::sqrt(1 - z * z);
    sphere.push_back({r * std::cos(2.4 * i), r * std::sin(2.4 * i), z});
  }
  const long most = 600 * half;  // measured 200 for the sphere and 1900 for the crowd
  EXPECT_TRUE(convex_hull(sphere, most));
  EXPECT_FALSE(convex_hull(crowd, most));
  EXPECT_TRUE(convex_hull(crowd));
}

TEST(ConvexHull, OfAPlaneIsNone) {
  Points flat;
  for (int i = 0; i < 30; ++i) flat.push_back({std::sin(1.0 * i), std::cos(2.0 * i), 0.5});
  EXPECT_TRUE(convex_hull(flat)->empty());
  EXPECT_TRUE(convex_hull({})->empty());
  EXPECT_TRUE(convex_hull({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}})->empty());
}

}  // namespace
}  // namespace torsor
