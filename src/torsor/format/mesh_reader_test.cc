#include "torsor/format/mesh_reader.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

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

/// A tetrahedron in centimetres, shifted by a node, one face red.
const std::string kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="cm" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
  <library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong>
    <diffuse><color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
      <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
      <p>0 0 2 0 1 0 0 0 1 0 3 0</p></triangles>
    <polylist count="2" material="s"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount>
      <p>1 2 3 0 3 2</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="scene"><node>
    <translate>200 0 0</translate><rotate>0 0 1 90</rotate><scale>1 2 -1</scale>
    <instance_geometry url="#g"><bind_material><technique_common>
      <instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry>
  </node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
)";

TEST(MeshReader, ColladaStandsWhereItsSceneSaysInItsUnitAndColours) {
  const Mesh mesh = parse_mesh(kDae, "part.dae", "mesh");
  ASSERT_EQ(mesh.triangles.size(), 4u);
  const auto holds = [&](const Vec3<double>& place) {
    return std::any_of(mesh.vertices.begin(), mesh.vertices.end(),
                       [&](const auto& v) { return norm(v - place) < 1e-14; });
  };
  EXPECT_TRUE(holds({2, 0, 0}));   // its origin
  EXPECT_TRUE(holds({2, 1, 0}));   // x, a quarter turn on
  EXPECT_TRUE(holds({0, 0, 0}));   // y, twice as long
  EXPECT_TRUE(holds({2, 0, -1}));  // z, mirrored
  EXPECT_NEAR(unit_density_inertia(Shape{mesh, {}, {}, {}}).mass, 2.0 / 6,
              1e-15);  // seen from outside all the same
  ASSERT_EQ(mesh.parts.size(), 1u);
  EXPECT_EQ(mesh.parts[0].first, 2u);
  EXPECT_EQ(mesh.parts[0].color, (Color{1, 0.5, 0, 1}));
}

TEST(MeshReader, FaultsOfColladaNameTheirLine) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kDae;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refusal(changed("<p>1 2 3 0 3 2</p>", "<p>1 2 9 0 3 2</p>"), "part.dae").line, 13);
  EXPECT_EQ(refusal(changed("<vcount>3 3</vcount>", "<vcount>3 4</vcount>"), "part.dae").line, 13);
  EXPECT_EQ(refusal(changed("100 0 0 0 100", "100 x 0 0 100"), "part.dae").found, "'x'");
  EXPECT_EQ(refusal(changed("url=\"#g\"", "url=\"#h\""), "part.dae").line, 18);
  EXPECT_EQ(refusal(changed("<node>", "<node id='n'><instance_node url='#n'/>"), "part.dae").found,
            "more, or a circle");
  EXPECT_EQ(refusal("<COLLADA/>", "part.dae").found, "none");
}

/// A folder with a mesh of one part, whose colour another file says.
class ObjColors : public testing::Test {
 protected:
  ObjColors() {
    std::string name = (std::filesystem::temp_directory_path() / "torsor-obj-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::filesystem::create_directory(folder_ / "in");
  }
  ~ObjColors() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// How many parts of a colour of its own the mesh has where it names these files.
  std::size_t parts(const std::string& lines) const {
    write("in/part.obj", lines + "usemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    return read_mesh(folder_ / "in/part.obj", "mesh").parts.size();
  }
  std::string refusal(const std::string& lines) const {
    try {
      parts(lines);
    } catch (const ModelError& error) {
      return error.expected;
    }
    return "none";
  }

  std::filesystem::path folder_;
  static constexpr const char* kRed = "newmtl red\nKd 1 0 0\n";
};

TEST_F(ObjColors, AreReadFromTheFolderOfTheMesh) {
  std::filesystem::create_directory(folder_ / "in/colors");
  write("in/red.mtl", kRed);
  write("in/colors/with space.MTL", kRed);
  EXPECT_EQ(parts("mtllib red.mtl\n"), 1u);
  EXPECT_EQ(parts("mtllib ./colors/../red.mtl\n"), 1u);
  EXPECT_EQ(parts("mtllib colors/with space.MTL\n"), 1u);
  EXPECT_EQ(parts("mtllib none.mtl\nmtllib red.mtl\n"), 1u);
  EXPECT_EQ(parts("mtllib none.mtl\n"), 0u);
}

/// Files elsewhere were opened, whatever they were.
TEST_F(ObjColors, AreReadFromNoOtherFile) {
  for (const char* name : {"red.mtl", "in/red.txt"}) write(name, kRed);
  std::filesystem::create_symlink("red.txt", folder_ / "in/link.mtl");
  EXPECT_EQ(parts("mtllib ../red.mtl\n"), 0u);
  EXPECT_EQ(parts("mtllib x/../../red.mtl\n"), 0u);
  EXPECT_EQ(parts("mtllib " + (folder_ / "red.mtl").string() + "\n"), 0u);
  EXPECT_EQ(parts("mtllib red.txt\n"), 0u);
  EXPECT_EQ(parts("mtllib link.mtl\n"), 0u);
  EXPECT_EQ(parts("mtllib .\nmtllib \nmtllib ..\n"), 0u);
}

/// The program waited for a writer without end.
TEST_F(ObjColors, PipesAreNotOpened) {
  ASSERT_EQ(mkfifo((folder_ / "in/pipe.mtl").c_str(), 0600), 0);
  EXPECT_EQ(parts("mtllib pipe.mtl\n"), 0u);
}

/// 400 lines with the name of one file of 60 MB took more than a minute.
TEST_F(ObjColors, FilesAreReadOnceAndBounded) {
  write("in/red.mtl", kRed);
  std::string lines, names;
  for (int i = 0; i < 100'000; ++i) lines += "mtllib red.mtl\n";
  EXPECT_EQ(parts(lines), 1u);
  for (int i = 0; i < 17; ++i) names += "mtllib " + std::to_string(i) + ".mtl\n";
  EXPECT_EQ(refusal(names), "at most 16 files of materials");
  write("in/large.mtl", "");
  std::filesystem::resize_file(folder_ / "in/large.mtl", 60'000'000);  // with nothing on the disk
  EXPECT_EQ(refusal("mtllib large.mtl\n"), "files of materials of at most 4 MiB in all");
}

}  // namespace
}  // namespace torsor
