#pragma once
// What the writer of MJCF is made of: attributes, shapes, and what it refuses. For sources only.

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "torsor/lie/se3.h"
#include "torsor/model/model.h"

namespace torsor::mjcf_writer {

std::string words(const std::vector<double>& values);
std::string words(const Vec3<double>& v);
void set(pugi::xml_node node, const char* name, const std::string& text);
void set(pugi::xml_node node, const char* name, double value);
void set_pose(pugi::xml_node node, const SE3<double>& X);  ///< nothing where it is the origin

/// Shapes as geoms that neither weigh nor touch; meshes as assets, by their paths from the file's folder.
class ShapeWriter {
 public:
  ShapeWriter() = default;
  ShapeWriter(pugi::xml_node assets, std::string model_folder, std::string folder);
  /// `X`: of the body's frame in the element's.
  void add(pugi::xml_node body, const std::vector<Shape>& shapes, const SE3<double>& X);

 private:
  static void set_solid(pugi::xml_node geom, const Box& box);
  static void set_solid(pugi::xml_node geom, const Sphere& sphere);
  static void set_solid(pugi::xml_node geom, const Cylinder& round);
  static void set_solid(pugi::xml_node geom, const Capsule& round);
  static void set_solid(pugi::xml_node geom, const Ellipsoid& ellipsoid);
  void set_solid(pugi::xml_node geom, const Mesh& mesh);

  pugi::xml_node assets_;
  std::string model_folder_, folder_;
  int meshes_ = 0;
};

[[noreturn]] void refuse(const std::string& key, const std::string& what);
/// Throws ModelError on what MJCF has no words for, as far as the model alone says it.
void refuse_what_has_no_place(const Model& model);

}  // namespace torsor::mjcf_writer
