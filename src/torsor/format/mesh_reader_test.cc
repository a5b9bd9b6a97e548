#include "torsor/format/mesh_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// A cube of edge 2 about (1, 1, 1), quads as an OBJ file has them.
const char* kCube =
    "# cube\r\no cube\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nvn 0 0 1\n"
    "f 1 4 3 2\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\nf -7 -6 -2 -3\nf 3 4 8 7\nf 4 1 5 8\n";

std::string text_stl(const Mesh& mesh) {
  std::string text = "solid part\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int i : triangle) {
      const Vec3<double>& v = mesh.vertices[i];
      text +=
          "  vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

std::string binary_stl(const Mesh& mesh) {
  std::string bytes(84 + 50 * mesh.triangles.size(), '\0');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  std::memcpy(bytes.data() + 80, &count, 4);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        const auto value = static_cast<float>(mesh.vertices[mesh.triangles[t][corner]][axis]);
        std::memcpy(bytes.data() + 84 + 50 * t + 12 + 12 * corner + 4 * axis, &value, 4);
      }
  return bytes;
}

ModelError refusal(const std::string& bytes, const std::string& path) {
  try {
    parse_mesh(bytes, path, "bodies.a.shape.mesh");
  } catch (const ModelError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << bytes;
  return ModelError("", "", "");
}

TEST(MeshReader, EveryFormatOfACubeWeighsTheSame) {
  const Mesh cube = parse_mesh(kCube, "cube.obj", "mesh");
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.triangles.size(), 12u);
  for (const Mesh& mesh : {cube, parse_mesh(text_stl(cube), "cube.stl", "mesh"),
                           parse_mesh(binary_stl(cube), "cube.STL", "mesh")}) {
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_NO_THROW(validate(Shape{mesh, {}, 1.0, {}}, "mesh"));
    const Inertia<double> inertia = unit_density_inertia(Shape{mesh, {}, {}, {}});
    EXPECT_NEAR(inertia.mass, 8, 1e-13);
    EXPECT_NEAR(com(inertia).x, 1, 1e-14);
    // m a^2 / 6
    EXPECT_NEAR(tensor_about_com(inertia).zz, 8 * 4 / 6.0, 1e-13);
  }
}

TEST(MeshReader, FaultsNameFileLineAndKey) {
  const ModelError error = refusal("v 0 0 0\nv 1 0 0\nv 0 x 0\n", "part.obj");
  EXPECT_EQ(error.file, "part.obj");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.key, "bodies.a.shape.mesh");
  EXPECT_EQ(error.found, "'x'");
}

TEST(MeshReader, RefusesWhatIsNoMesh) {
  EXPECT_EQ(refusal("", "part.obj").found, "none");
  EXPECT_EQ(refusal("", "part.stl").found, "none");
  EXPECT_EQ(refusal("v 0 0\nf 1 1 1\n", "part.obj").line, 1);
  EXPECT_EQ(refusal("v 0 0 0\nf 1 1 2\n", "part.obj").line, 2);
  EXPECT_EQ(refusal("v 0 0 0\nf 1 1 0\n", "part.obj").found, "'0'");
  EXPECT_EQ(refusal("v 0 0 0\nf 1 1 -2\n", "part.obj").found, "'-2'");
  EXPECT_EQ(refusal("v 0 0 0\nf 1 1\n", "part.obj").found, "2");
  EXPECT_EQ(refusal("v nan 0 0\n", "part.obj").found, "'nan'");
  EXPECT_EQ(refusal("facet\nvertex 0 0 0\nendfacet\n", "part.stl").line, 3);
  EXPECT_THROW(read_mesh("no_such_file.obj", "mesh"), ModelError);
  EXPECT_THROW(read_mesh("part.step", "mesh"), ModelError);
}

}  // namespace
}  // namespace torsor
