// Whatever the bytes, reading a mesh of any kind ends in triangles over existing vertices or in a
// ModelError.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "torsor/base/error.h"
#include "torsor/format/mesh_reader.h"
#include "torsor/model/body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"fuzz.obj", "fuzz.stl", "fuzz.dae"}) {
    try {
      const torsor::Mesh mesh = torsor::parse_mesh(bytes, path, "mesh");
      for (const auto& triangle : mesh.triangles)
        for (const int vertex : triangle)
          if (vertex < 0 || vertex >= static_cast<int>(mesh.vertices.size())) std::abort();
      torsor::validate({.solid = mesh, .pose = {}, .density = 1.0, .mass = {}}, "mesh");
    } catch (const torsor::ModelError&) {
    }
  }
  return 0;
}
